//! Seats that are played by bots, off the threads that answer pages: those that are quick at the table itself, and those
//! that think for long away from it, in a copy of the game. Nobody waits for them who wants to look or to take something
//! back: if the game is another when a bot has thought, it thinks again.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use blazon::bots::{Bot, Effort, Skill};
use blazon::machine::save::Entry;
use blazon::{Game, Table as Waiting};

use super::hints::EFFORT;
use super::live::player;
use super::{Sitting, Table};
use crate::hall::Hall;
use crate::keep::Line;
use crate::problem::Problem;
use crate::shelf::Kit;

/// Bots choose for so long before what they did is written down and shown.
const STRETCH: Duration = Duration::from_millis(60);
/// Where nobody is asked who could be kept waiting, so long is waited between two choices.
const PACE: Duration = Duration::from_millis(250);
/// After so many choices of bots in a row nobody is taken to wait for the next.
const ROW: usize = 500;

/// The bots that may be asked for.
const OFFERED: [Skill; 3] = [Skill::RANDOM, Skill::GREEDY, Skill::SEARCH];

/// A bot by its name, if it is one of those that may be asked for: others might think for ever.
///
/// # Errors
/// `serve::request` if it is none of them.
pub fn offered(name: &str) -> Result<Skill, Problem> {
    let skill = name.parse().ok().filter(|skill| OFFERED.contains(skill));
    skill.ok_or_else(|| {
        let names = OFFERED.map(|skill| format!("`{skill}`")).join(", ");
        Problem::request(format!("there is no such bot here; there are {names}"))
    })
}

/// The bots of a table by their seats, for as long as it is awake. One that chooses is taken from here, and put back when what
/// it chose has been done: what came to nothing, or was taken back, no bot knows.
#[derive(Default)]
pub(super) struct Bots(BTreeMap<usize, (Skill, Box<dyn Bot>)>);

impl Bots {
    /// The bot of a seat, if one of this skill has played there.
    fn take(&mut self, seat: usize, skill: &Skill) -> Option<Box<dyn Bot>> {
        self.0.remove(&seat).filter(|(played, _)| played == skill).map(|(_, bot)| bot)
    }

    fn put(&mut self, seat: usize, skill: Skill, bot: Box<dyn Bot>) {
        self.0.insert(seat, (skill, bot));
    }

    /// None of them is asked for a while.
    fn rest(&mut self) {
        self.0.values_mut().for_each(|(_, bot)| bot.rest());
    }

    /// Something was taken back: they begin anew.
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }
}

impl Table {
    /// Lets the bots of this table play, as long as it is their turn.
    pub fn wake_bots(self: &Arc<Self>, hall: &Arc<Hall>) {
        if self.bots.swap(true, Ordering::SeqCst) {
            return;
        }
        let (table, hall) = (self.clone(), hall.clone());
        tokio::spawn(async move {
            // The disk is full or the rules fail: the next who comes tries again.
            if table.let_bots_play(&hall).await.is_err() {
                table.bots.store(false, Ordering::SeqCst);
            }
        });
    }

    async fn let_bots_play(self: &Arc<Self>, hall: &Arc<Hall>) -> Result<(), Problem> {
        loop {
            let paced = match self.with(hall, |sitting| sitting.play_bots()).await? {
                Played::Due { paced } => paced,
                Played::Thinks { thought, paced } => {
                    let thought = hall.thinking.work(move || thought.think()).await??;
                    self.with(hall, move |sitting| sitting.take_thought(thought)).await?;
                    paced
                }
                Played::Done => return Ok(()),
            };
            if paced {
                tokio::time::sleep(PACE).await;
            }
        }
    }
}

/// How far the bots have come.
pub(super) enum Played {
    /// It is their turn again.
    Due {
        /// Whether nobody waits for it.
        paced: bool,
    },
    /// It is the turn of one that thinks for long.
    Thinks {
        /// What it has to think about.
        thought: Box<Thought>,
        /// Whether nobody waits for it.
        paced: bool,
    },
    /// Somebody else must decide, the bots have stopped, or the game is over.
    Done,
}

/// What a bot thinks about away from the table.
pub(super) struct Thought {
    seat: usize,
    skill: Skill,
    bot: Box<dyn Bot>,
    kit: Arc<Kit>,
    game: Waiting,
    /// By what the table is known to stand where it stood.
    stood: (u64, usize),
}

/// What it would do.
pub(super) struct Decided {
    seat: usize,
    skill: Skill,
    bot: Box<dyn Bot>,
    entry: Entry,
    kit: Arc<Kit>,
    stood: (u64, usize),
}

impl Thought {
    /// Thinks. That takes a while.
    ///
    /// # Errors
    /// If it is asked nothing.
    pub(super) fn think(mut self) -> Result<Decided, Problem> {
        let Self { seat, skill, mut bot, kit, stood, .. } = self;
        let entry = kit.pool.act(&mut self.game, |game| {
            let player = player(game, seat)?;
            let option = game.ask(player, bot.as_mut());
            game.meaning(player, option)
        })?;
        let entry = entry.ok_or_else(|| Problem::internal("a bot that is asked nothing"))?;
        bot.rest();
        Ok(Decided { seat, skill, bot, entry, kit, stood })
    }
}

/// Whether whoever is at the table would wait for it.
fn thinks_long(skill: &Skill) -> bool {
    skill.cost() > Effort::QUICK.positions
}

/// The same with no more effort than is made for a hint: a file may ask for any.
fn within_limits(skill: Skill) -> Skill {
    let positions = skill.effort().map(|effort| effort.positions.min(EFFORT.positions));
    Skill { positions, ..skill }
}

impl Sitting<'_> {
    /// Lets bots choose for a while.
    pub(super) fn play_bots(&mut self) -> Result<Played, Problem> {
        let begun = Instant::now();
        let paced = self.live.alone >= ROW || !self.facts.seats.iter().any(|seat| seat.sits.is_human());
        let mut lines = Vec::new();
        if !self.bots_due().is_empty() {
            self.journal.is_there()?;
        }
        while let Some((seat, skill)) = self.next_bot().filter(|(_, skill)| !thinks_long(skill)) {
            if self.may_go_on(lines.len()).is_err() {
                break;
            }
            self.live.is_void = true;
            lines.push(Line::Choice(self.bot_chooses(seat, skill)?));
            if begun.elapsed() > STRETCH || paced {
                break;
            }
        }
        if !lines.is_empty() {
            self.keep_choices(lines)?;
        }
        self.live.bots.rest();
        if !self.bots_due().is_empty()
            && let Err(why) = self.may_go_on(0)
        {
            self.table.bots.store(false, Ordering::SeqCst);
            if self.live.halted.is_none() {
                self.live.halted = Some(why);
                self.live.done += 1;
                self.show_all(None)?;
            }
            return Ok(Played::Done);
        }
        match self.next_bot() {
            None => {
                // Said while nobody else can be at the table: whoever comes next wakes them again.
                self.table.bots.store(false, Ordering::SeqCst);
                Ok(Played::Done)
            }
            Some((seat, skill)) if thinks_long(&skill) => {
                let bot = self.bot(seat, &skill)?;
                let (kit, game, stood) = (self.live.kit.clone(), self.live.game.clone(), self.stands());
                Ok(Played::Thinks {
                    thought: Box::new(Thought { seat, skill, bot, kit, game, stood }),
                    paced,
                })
            }
            Some(_) => Ok(Played::Due { paced }),
        }
    }

    /// Whether bots may choose that have chosen so many times more than is written down; if not, why, in words for whoever
    /// waits for them. Rules may ask bots for ever, and nobody might ever look.
    fn may_go_on(&self, more: usize) -> Result<(), String> {
        let alone = self.live.alone + more;
        if alone >= self.hall.most.alone {
            return Err(format!(
                "The bots have stopped: they chose {alone} times in a row, and no person did anything meanwhile. Whoever \
                 gives one of their seats to another bot, or to a person, lets them go on: “Who plays” in the menu."
            ));
        }
        self.journal.has_room().map_err(|full| {
            let why = full.text.trim_start_matches("nothing was done: ");
            format!("The bots have stopped: {why}.")
        })
    }

    /// A person has done something: bots that had stopped go on.
    pub(super) fn attend(&mut self) {
        (self.live.alone, self.live.halted) = (0, None);
    }

    /// Does what a bot has thought of, unless the game is another by now.
    pub(super) fn take_thought(&mut self, decided: Decided) -> Result<(), Problem> {
        let Decided { seat, skill, bot, entry, kit, stood } = decided;
        if stood != self.stands() || !Arc::ptr_eq(&kit, &self.live.kit) {
            return Ok(());
        }
        self.journal.is_there()?;
        self.live.is_void = true;
        let taken = self.live.act(|game, tell| {
            let (_, option) =
                game.find(&entry).ok_or_else(|| Problem::internal("a bot's choice is not open"))?;
            tell.take(game, seat, |_, _| option)
        })??;
        self.keep_choices(vec![Line::Choice(taken)])?;
        self.live.bots.put(seat, skill, bot);
        Ok(())
    }

    /// The bot whose turn it is: one that is quick first, where several are asked at once.
    fn next_bot(&self) -> Option<(usize, Skill)> {
        self.bots_due().into_iter().min_by_key(|(_, skill)| thinks_long(skill))
    }

    /// By what the game is known to stand where it stood.
    fn stands(&self) -> (u64, usize) {
        (self.live.done, self.live.made)
    }

    fn keep_choices(&mut self, lines: Vec<Line>) -> Result<(), Problem> {
        let made = lines.len();
        self.keep(lines)?;
        self.live.alone += made;
        self.show_all(None)
    }

    /// The bot of a seat: the one that has played there, or a new one.
    fn bot(&mut self, seat: usize, skill: &Skill) -> Result<Box<dyn Bot>, Problem> {
        match self.live.bots.take(seat, skill) {
            Some(bot) => Ok(bot),
            None => Ok(within_limits(skill.clone()).bot(self.table.chance.number(seat)?)),
        }
    }

    fn bot_chooses(&mut self, seat: usize, skill: Skill) -> Result<Entry, Problem> {
        let mut bot = self.bot(seat, &skill)?;
        let ask = |game: &mut Game, player| game.ask(player, bot.as_mut());
        let taken = self.live.act(|game, tell| tell.take(game, seat, ask))??;
        self.live.bots.put(seat, skill, bot);
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bots_that_come_to_an_end_are_offered() {
        for name in ["random", "greedy", "search"] {
            assert_eq!(offered(name).unwrap().to_string(), name);
        }
        for other in ["", "human", "search@100000000", "greedy:aims", "nobody"] {
            assert_eq!(offered(other).unwrap_err().code, "serve::request", "{other}");
        }
        let written: Skill = "search@100000000".parse().unwrap();
        assert_eq!(within_limits(written).cost(), EFFORT.positions);
        assert_eq!(within_limits(Skill::RANDOM), Skill::RANDOM);
    }
}
