//! What a bot would do on a seat that knows what the seat may know, and what it expects of it.

use blazon::bots::{Effort, Search};
use blazon::hints::{Prospect, hints};
use serde::Serialize;

use super::Sitting;
use super::live::player;
use crate::problem::Problem;

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
    number: u64,
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

impl Sitting<'_> {
    /// What a bot would do on a seat.
    ///
    /// # Errors
    /// If the seat is not asked, or the rules fail that say who sees what.
    pub fn hint(&mut self, seat: usize) -> Result<Hints, Problem> {
        let seen = self.look(Some(seat))?;
        let (number, picks) = (seen.number, seen.picks.clone());
        let found = self.live.act(|game, _| {
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
