//! What a bot would do on a seat that knows what the seat may know, and what it expects of it. It thinks away from the table,
//! as bots do that think for long: nobody waits for it but who asked.

use std::sync::Arc;

use blazon::Table as Waiting;
use blazon::bots::{Effort, Search};
use blazon::hints::{Prospect, hints};
use serde::Serialize;

use super::live::player;
use super::{Sitting, Table};
use crate::draw::Picks;
use crate::hall::Hall;
use crate::problem::Problem;
use crate::shelf::Kit;

/// So many options are told.
const TOLD: usize = 3;
/// So many clauses of an outlook are told, those that change most.
const CLAUSES: usize = 4;
/// So many positions are tried: nobody at the table waits for long.
pub(super) const EFFORT: Effort = Effort { positions: 4_000, ..Effort::THOROUGH };

/// What is told.
#[derive(Debug, Serialize)]
pub struct Hints {
    /// The number of the decision.
    pub(super) number: u64,
    /// The best options, the best first.
    hints: Vec<Hint>,
}

#[derive(Debug, Serialize)]
struct Hint {
    /// The option of the page.
    option: usize,
    /// The part of all tries that were its own, in percent.
    tries: u32,
    /// What it is worth: 0 lost, 100 won, 50 as it stands.
    worth: u32,
    /// What the outlook says of each player.
    outlook: Vec<Looks>,
}

#[derive(Debug, Serialize)]
struct Looks {
    player: String,
    /// What the outlook says now, and what it is expected to say.
    now: i64,
    then: i64,
    /// By how much clauses of it are expected to change: label and tenths, those that change most.
    clauses: Vec<(String, i64)>,
}

impl Looks {
    fn of(prospect: &Prospect) -> Self {
        let changes = prospect.clauses.iter().map(|clause| {
            let tenths = (10.0 * (clause.then - clause.now)).round() as i64;
            (clause.label.clone(), tenths)
        });
        Self {
            player: prospect.player.clone(),
            now: prospect.now.round() as i64,
            then: prospect.then.round() as i64,
            clauses: changes.filter(|&(_, tenths)| tenths != 0).take(CLAUSES).collect(),
        }
    }
}

/// What is thought about.
pub(super) struct Question {
    seat: usize,
    /// By what it is known whether it is still asked.
    pub(super) number: u64,
    picks: Picks,
    kit: Arc<Kit>,
    game: Waiting,
}

impl Table {
    /// What a bot would do on a seat.
    ///
    /// # Errors
    /// If the rules fail; `serve::stale` if something else is asked of the seat when it is found out.
    pub async fn hint(self: &Arc<Self>, hall: &Arc<Hall>, seat: usize) -> Result<Hints, Problem> {
        let question = self.with(hall, move |sitting| sitting.question(seat)).await?;
        let number = question.number;
        let found = hall.thinking.work(move || question.think()).await??;
        self.with(hall, move |sitting| sitting.fits(seat, number)).await?;
        Ok(found)
    }
}

impl Sitting<'_> {
    /// What a seat is asked now, to be thought about away from the table.
    ///
    /// # Errors
    /// If the rules fail that say who sees what.
    pub(super) fn question(&mut self, seat: usize) -> Result<Question, Problem> {
        let seen = self.look(Some(seat))?;
        let (number, picks) = (seen.number, seen.picks.clone());
        Ok(Question { seat, number, picks, kit: self.live.kit.clone(), game: self.live.game.clone() })
    }
}

impl Question {
    /// Thinks. That takes a while.
    ///
    /// # Errors
    /// If the rules fail.
    pub(super) fn think(mut self) -> Result<Hints, Problem> {
        let Self { seat, number, picks, kit, .. } = self;
        let found = kit.pool.act(&mut self.game, |game| {
            let player = player(game, seat).ok_or_else(Problem::seat)?;
            hints(game, player, Search::new(number, EFFORT)).map_err(Problem::from)
        })??;
        let Some(found) = found else { return Ok(Hints { number, hints: Vec::new() }) };
        let hints = found.options.iter().take(TOLD).filter_map(|hint| {
            Some(Hint {
                option: picks.page(hint.option.index())?,
                tries: 100 * hint.tries / found.tries.max(1),
                worth: (hint.value * 100.0).round() as u32,
                outlook: hint.outlook.iter().map(Looks::of).collect(),
            })
        });
        Ok(Hints { number, hints: hints.collect() })
    }
}
