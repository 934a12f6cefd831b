//! Positions out of games that programs play, with what can be known of each player in them and who has won.

use std::sync::Arc;

use blazon_book::RuleId;
use blazon_kernel::{Position, chance};
use blazon_machine::Machine;
use blazon_program::Program;

use super::Trouble;
use super::work::{Hands, Progress};
use crate::tally::Failures;
use crate::{End, Plan, Row, Watch};

/// What was seen of one game.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The key that decides whether the game is learned from or held out.
    pub key: u64,
    /// Who has won; nothing if nobody has.
    pub winner: Option<u32>,
    /// For each position and each rule what it says of each player at the table, in order. What fails is no number.
    pub positions: Vec<Vec<f64>>,
}

/// Somebody who looks on and keeps positions: of all decisions of a game so many, each as likely as the others.
struct Sampler<'a> {
    rules: &'a [RuleId],
    players: &'a [u32],
    key: u64,
    most: usize,
    decisions: u64,
    /// The positions kept so far: their luck, their place in the game.
    kept: Vec<(u64, u64, Position)>,
    positions: Vec<Vec<f64>>,
}

impl Watch for Sampler<'_> {
    /// One is made for each game.
    fn starts(&mut self, _machine: &mut Machine, _game: u64) {}

    fn decides(&mut self, machine: &mut Machine, _player: u32, _index: usize) {
        // Those with the least luck are kept, so that how long a game becomes need not be known.
        let luck = chance::luck(self.key, self.decisions);
        let at = self.decisions;
        self.decisions += 1;
        if self.kept.len() < self.most {
            self.kept.push((luck, at, machine.snapshot()));
            return;
        }
        if let Some(worst) = self.kept.iter_mut().max_by_key(|kept| kept.0)
            && luck < worst.0
        {
            (worst.0, worst.1) = (luck, at);
            machine.snapshot_into(&mut worst.2);
        }
    }

    fn ends(&mut self, machine: &mut Machine, _row: &Row) {
        let end = machine.snapshot();
        self.kept.sort_by_key(|kept| kept.1);
        for (_, _, position) in &self.kept {
            if machine.restore(position).is_ok() {
                self.positions.push(values(machine, self.rules, self.players));
            }
        }
        // Nothing is done any more where it cannot stand.
        let _ = machine.restore(&end);
    }
}

/// What each rule says of each player.
fn values(machine: &mut Machine, rules: &[RuleId], players: &[u32]) -> Vec<f64> {
    let mut values = Vec::with_capacity(rules.len() * players.len());
    for &rule in rules {
        for &player in players {
            let words = machine.ask(rule, &[i64::from(player)]).ok();
            let word = words.and_then(|words| words.first().copied());
            values.push(word.map_or(f64::NAN, |word| word as i64 as f64));
        }
    }
    values
}

/// Plays games and keeps so many positions of each; those that come to no end are left out, and counted.
///
/// # Errors
/// If it is stopped.
pub fn sample(
    program: &Arc<Program>,
    rules: &[RuleId],
    plan: &Plan,
    (games, most): (u64, usize),
    hands: Hands<'_>,
    progress: &mut dyn Progress,
) -> Result<(Vec<Seen>, Failures), Trouble> {
    let players = &program.book.players;
    let seen = hands.all(program, games, progress, |machine, game, stop| {
        let key = plan.seed_of(game);
        let mut sampler =
            Sampler { rules, players, key, most, decisions: 0, kept: Vec::new(), positions: Vec::new() };
        let row = plan.play(machine, game, &mut sampler, stop)?;
        Some(match row.end {
            End::Over { winner, .. } => Ok(Seen { key, winner, positions: sampler.positions }),
            End::Fault(_) | End::Limit => Err(Box::new(row)),
        })
    })?;
    let (mut whole, mut failures) = (Vec::new(), Failures::default());
    for seen in seen {
        match seen {
            Ok(seen) => whole.push(seen),
            Err(row) => {
                failures.add(&row);
            }
        }
    }
    Ok((whole, failures))
}
