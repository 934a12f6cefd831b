//! What a bot would do on a seat that knows what the seat may know, and what it expects of it.

use blazon::bots::{Advice, Effort, Search};
use serde::Serialize;

use super::Sitting;
use super::live::player;
use crate::problem::Problem;

/// So many options are told.
const TOLD: usize = 3;
/// So many positions are tried: nobody at the table waits for long.
const EFFORT: Effort = Effort { positions: 4_000, ..Effort::THOROUGH };

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
    /// What the outlook of each says now, and what it is expected to say.
    outlook: Vec<(String, i64, i64)>,
}

impl Sitting<'_> {
    /// What a bot would do on a seat.
    ///
    /// # Errors
    /// If the seat is not asked, or the rules fail that say who sees what.
    pub fn hint(&mut self, seat: usize) -> Result<Hints, Problem> {
        let seen = self.look(Some(seat))?;
        let (number, picks) = (seen.number, seen.picks.clone());
        let found: (Option<Advice>, Vec<(usize, String)>) = self.live.act(|game, _| {
            let player = player(game, seat).ok_or_else(Problem::seat)?;
            let mut bot = Search::new(number, EFFORT);
            let names = game.players().into_iter().map(|player| (player.index(), game.player_name(player)));
            let names = names.collect();
            Ok::<_, Problem>((game.advise(player, &mut bot), names))
        })??;
        let (advice, names) = found;
        let Some(advice) = advice else { return Ok(Hints { number, hints: Vec::new() }) };
        let tries: u32 = advice.options.iter().map(|option| option.tries).sum();
        let hints = advice.options.iter().take(TOLD).filter_map(|advised| {
            let outlook = names.iter().filter_map(|(place, name)| {
                let (now, then) = (advice.outlook.get(*place)?, advised.outlook.get(*place)?);
                Some((name.clone(), now.round() as i64, then.round() as i64))
            });
            Some(Hint {
                option: picks.page(advised.place)?,
                tries: 100 * advised.tries / tries.max(1),
                worth: (advised.value * 100.0).round() as u32,
                outlook: outlook.collect(),
            })
        });
        Ok(Hints { number, hints: hints.collect() })
    }
}
