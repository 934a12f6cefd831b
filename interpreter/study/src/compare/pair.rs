//! A pair of games: the same seed, the same players, two rule sets; and where the two part.

use std::sync::atomic::AtomicUsize;

use blazon_kernel::chance::mix;
use blazon_machine::Machine;
use blazon_program::Program;
use serde::{Deserialize, Serialize};

use crate::choices::Choices;
use crate::game::{Plan, Row, Watch};
use crate::heat::Heat;
use crate::meaning::{Names, OVER};
use crate::measure::{Measure, Measures};
use crate::tables::{Batch, Collector};

/// One side of a comparison on one thread: a machine, and who watches its games.
pub struct Table {
    /// Plays.
    pub machine: Machine,
    /// How the games are played.
    pub plan: Plan,
    names: Names,
    measure: Measure,
    collector: Option<Collector>,
}

/// What is gathered of games of one side, whatever their number.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gathered {
    /// How the options fared.
    pub choices: Choices,
    /// What happened where on the board.
    pub heat: Heat,
}

impl Gathered {
    /// Nothing yet, of games of a program.
    pub fn new(program: &Program) -> Self {
        Self { choices: Choices::new(program), heat: Heat::new(program) }
    }

    /// The game that was played last came to an end, and the other one of its pair.
    pub fn keep_whole(&mut self) {
        self.choices.keep_whole();
        self.heat.keep_whole();
    }

    /// Whether this was gathered of a program of the same shape as another was.
    pub fn fits(&self, other: &Self) -> bool {
        self.choices.fits(&other.choices) && self.heat.fits(&other.heat)
    }

    /// All that others have gathered of the same side, too.
    pub fn merge(&mut self, other: &Self) {
        self.choices.merge(&other.choices);
        self.heat.merge(&other.heat);
    }
}

/// A game of one side.
#[derive(Clone, Debug)]
pub struct Played {
    /// How it came out.
    pub row: Row,
    /// What it was like.
    pub measures: Measures,
}

/// Two games on the same luck.
#[derive(Clone, Debug)]
pub struct Pair {
    /// By the rules as they were.
    pub base: Played,
    /// By the changed rules.
    pub changed: Played,
    /// Where they part, if they do.
    pub parting: Option<Parting>,
}

/// Where the two games of a pair part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parting {
    /// So many decisions are the same.
    pub after: usize,
    /// What they come to, as one key.
    pub before: u64,
    /// What is decided there by the rules as they were, and by the changed ones, as keys made of names.
    pub decided: [u64; 2],
}

/// What was decided in a game, as keys.
struct Course<'n> {
    names: &'n Names,
    decided: Vec<u64>,
}

impl Watch for Course<'_> {
    /// One is made for each game.
    fn starts(&mut self, _machine: &mut Machine, _game: u64) {}

    fn decides(&mut self, machine: &mut Machine, player: u32, index: usize) {
        self.decided.push(self.names.decided(machine, player, index));
    }

    fn ends(&mut self, machine: &mut Machine, row: &Row) {
        // Who has won, by name, and how: games that part in nothing else part here.
        let things = &machine.program().book.kind(machine.program().book.player).things;
        let name = row.end.winner().and_then(|winner| things.get(winner as usize));
        let name = name.map_or(0, |thing| blazon_kernel::chance::hash_text(&thing.name));
        let how = blazon_kernel::chance::hash_text(row.end.word());
        self.decided.push(mix(mix(OVER, how), name));
    }
}

impl Table {
    /// A table for games by the program that a machine runs.
    pub fn new(machine: Machine, plan: Plan) -> Self {
        let (names, measure) = (Names::of(&machine), Measure::new(&machine));
        Self { machine, plan, names, measure, collector: None }
    }

    /// The same, with somebody who tells of the games in rows.
    pub fn telling(mut self, collector: Collector) -> Self {
        self.collector = Some(collector);
        self
    }

    /// The rows of the game that was played last, if somebody tells of games in rows.
    pub fn rows(&mut self) -> Option<Vec<Batch>> {
        self.collector.as_mut().map(Collector::take)
    }

    /// Plays a game of the run. Nothing if it is given up.
    pub fn play(
        &mut self,
        game: u64,
        gathered: &mut Gathered,
        stop: &AtomicUsize,
    ) -> Option<(Played, Vec<u64>)> {
        let mut course = Course { names: &self.names, decided: Vec::new() };
        let mut watch = (
            ((&mut course, &mut self.measure), (&mut gathered.choices, &mut gathered.heat)),
            self.collector.as_mut(),
        );
        let row = self.plan.play(&mut self.machine, game, &mut watch, stop)?;
        Some((Played { row, measures: self.measure.measures.clone() }, course.decided))
    }

    /// What is decided in a game up to a place, and nothing else.
    pub fn decided(&mut self, game: u64, after: usize) -> Vec<u64> {
        let mut course = Course { names: &self.names, decided: Vec::new() };
        let stop = AtomicUsize::new(0);
        let one_more = after.saturating_add(1);
        // No game of the run was longer, whatever a part says.
        let plan = Plan { most: self.plan.most.min(one_more as u64), ..self.plan.clone() };
        // A game that is not over by then is stopped: what it came to is no decision of its own.
        let row = plan.play(&mut self.machine, game, &mut course, &stop);
        let mut decided = course.decided;
        if row.is_none_or(|row| decided.len() > one_more && matches!(row.end, crate::End::Limit)) {
            decided.truncate(one_more);
        }
        decided
    }
}

/// Where two courses part.
pub fn parting(base: &[u64], changed: &[u64]) -> Option<Parting> {
    let after = base.iter().zip(changed).take_while(|(one, other)| one == other).count();
    if after == base.len() && after == changed.len() {
        return None;
    }
    let at = |course: &[u64]| course.get(after).copied().unwrap_or(OVER);
    Some(Parting { after, before: same(&base[..after]), decided: [at(base), at(changed)] })
}

/// What decisions come to, as one key.
pub fn same(decided: &[u64]) -> u64 {
    decided.iter().fold(0, |key, &decided| mix(key, decided))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn courses_part_where_they_are_first_otherwise() {
        assert_eq!(parting(&[1, 2, 3], &[1, 2, 3]), None);
        assert_eq!(
            parting(&[1, 2, 3], &[1, 4, 3]),
            Some(Parting { after: 1, before: same(&[1]), decided: [2, 4] })
        );
        assert_eq!(
            parting(&[1], &[1, 4]),
            Some(Parting { after: 1, before: same(&[1]), decided: [OVER, 4] })
        );
    }
}
