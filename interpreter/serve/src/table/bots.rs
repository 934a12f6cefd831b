//! Seats that are played by bots: at once, off the threads that answer pages.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use blazon::bots::{Bot, Effort, Flat, Pick, Random};
use blazon::machine::save::Entry;

use super::{Sitting, Table};
use crate::hall::Hall;
use crate::keep::{Line, Sits};
use crate::problem::Problem;

/// Bots choose for so long before what they did is written down and shown.
const STRETCH: Duration = Duration::from_millis(60);
/// Where nobody is asked who could be kept waiting, so long is waited between two stretches.
const PACE: Duration = Duration::from_millis(250);

impl Table {
    /// Lets the bots of this table play, as long as it is their turn.
    pub fn wake_bots(self: &Arc<Self>, hall: &Arc<Hall>) {
        if self.bots.swap(true, Ordering::SeqCst) {
            return;
        }
        let (table, hall) = (self.clone(), hall.clone());
        tokio::spawn(async move {
            loop {
                let played = table.with(&hall, |sitting| sitting.play_bots()).await;
                match played {
                    Ok(Played::Due { people: true }) => {}
                    Ok(Played::Due { people: false }) => tokio::time::sleep(PACE).await,
                    Ok(Played::Done) => break,
                    // The disk is full or the rules fail: the next who comes tries again.
                    Err(_) => {
                        table.bots.store(false, Ordering::SeqCst);
                        break;
                    }
                }
            }
        });
    }
}

/// How far the bots have come.
enum Played {
    /// It is their turn again.
    Due {
        /// Whether a person sits at the table.
        people: bool,
    },
    /// Somebody else must decide, or the game is over.
    Done,
}

impl Sitting<'_> {
    /// Lets bots choose for a while.
    fn play_bots(&mut self) -> Result<Played, Problem> {
        let begun = Instant::now();
        let people = self.facts.seats.iter().any(|seat| seat.sits == Sits::Human);
        let mut lines = Vec::new();
        if !self.bots_due().is_empty() {
            self.journal.is_there()?;
        }
        while let Some(&(seat, sits)) = self.bots_due().first() {
            self.live.is_void = true;
            lines.push(Line::Choice(self.bot_chooses(seat, sits)?));
            if begun.elapsed() > STRETCH || !people {
                break;
            }
        }
        if !lines.is_empty() {
            let made = lines.len();
            self.keep(lines)?;
            self.live.made += made;
            self.show_all(None)?;
        }
        if self.bots_due().is_empty() {
            // Said while nobody else can be at the table: whoever comes next wakes them again.
            self.table.bots.store(false, Ordering::SeqCst);
            return Ok(Played::Done);
        }
        Ok(Played::Due { people })
    }

    fn bot_chooses(&mut self, seat: usize, sits: Sits) -> Result<Entry, Problem> {
        let seed = self.table.chance.number(seat)?;
        let mut bot: Box<dyn Bot> = match sits {
            Sits::Human => return Err(Problem::internal("a person is no bot")),
            Sits::Random => Box::new(Random::new(seed, Pick::ByName)),
            Sits::Greedy => Box::new(Flat::new(seed, Effort::QUICK)),
        };
        self.live.act(|game, tell| tell.take(game, seat, |game, player| game.ask(player, bot.as_mut())))?
    }
}
