//! What the games of one side of a comparison come to.

use serde::{Deserialize, Serialize};

use super::pair::Played;
use crate::measure::PARTS;
use crate::stats::Spread;
use crate::tally::{Tally, add_each};

/// All games of one side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// Who won, how long they were, where they ended.
    pub tally: Tally,
    /// What they were like.
    pub means: Means,
    /// For each part of a game, for each player: in how many games he led then, and of these in how many he won.
    pub led: Vec<Vec<Led>>,
    /// For each setup of the plan, for each player: the games won; and last all games.
    pub by_setup: Vec<Vec<u64>>,
}

/// Games in which somebody led.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Led {
    /// How many.
    pub games: u64,
    /// And how many of them he won.
    pub won: u64,
}

/// Sums of measures. They are kept as whole numbers of small steps, so that they come to the same in whatever order they
/// are added up, and on however many machines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sum {
    count: u64,
    /// In steps.
    sum: i128,
    /// In squares of steps.
    squares: u128,
}

/// So many steps are 1: a mean is right to 11 places, and there is room for the squares of 2^36 values of a thousand each.
const STEPS: f64 = (1u64 << 36) as f64;

impl Sum {
    /// One more, if there is one.
    pub fn add(&mut self, value: Option<f64>) {
        if let Some(value) = value {
            // What is no number, or greater than any measure, stops at the ends of `i64`.
            let steps = (value * STEPS).round() as i64;
            self.count += 1;
            self.sum = self.sum.saturating_add(steps.into());
            let square = u128::from(steps.unsigned_abs());
            self.squares = self.squares.saturating_add(square * square);
        }
    }

    /// All of others, too.
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
    }

    /// How many.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sum of all, and that of their squares.
    pub fn sums(&self) -> (f64, f64) {
        (self.sum as f64 / STEPS, self.squares as f64 / (STEPS * STEPS))
    }

    /// The mean, if there is one.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sums().0 / self.count as f64)
    }

    /// Half the width of the interval of 95 percent for the mean.
    pub fn half(&self) -> Option<f64> {
        let n = self.count as f64;
        let mean = self.mean()?;
        (self.count > 1).then(|| 1.96 * ((self.sums().1 / n - mean * mean).max(0.0) / (n - 1.0)).sqrt())
    }
}

/// A measure of pairs of which both games have it: what it is by the rules as they were, by the changed ones, and the
/// difference, changed less base. All three are of the same pairs, so the means subtract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paired {
    /// By the rules as they were.
    pub base: Sum,
    /// By the changed ones.
    pub changed: Sum,
    /// Changed less base.
    pub difference: Sum,
}

impl Paired {
    /// One pair more, if both games have it.
    pub fn add(&mut self, base: Option<f64>, changed: Option<f64>) {
        if let (Some(base), Some(changed)) = (base, changed) {
            self.base.add(Some(base));
            self.changed.add(Some(changed));
            self.difference.add(Some(changed - base));
        }
    }

    /// All of other pairs, too.
    pub fn merge(&mut self, other: &Self) {
        self.base.merge(&other.base);
        self.changed.merge(&other.changed);
        self.difference.merge(&other.difference);
    }

    /// How many pairs.
    pub fn count(&self) -> u64 {
        self.difference.count()
    }
}

/// Means of what games were like.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Means {
    /// See [`crate::measure::Measures::behind`].
    pub behind: Sum,
    /// See [`crate::measure::Measures::lead_changes`].
    pub lead_changes: Sum,
    /// See [`crate::measure::Measures::settled`].
    pub settled: Sum,
    /// See [`crate::measure::Measures::weight`].
    pub weight: Sum,
}

impl Means {
    fn merge(&mut self, other: &Self) {
        self.behind.merge(&other.behind);
        self.lead_changes.merge(&other.lead_changes);
        self.settled.merge(&other.settled);
        self.weight.merge(&other.weight);
    }
}

impl Side {
    /// No games yet, of so many players, rounds and setups.
    pub fn new(players: usize, rounds: usize, setups: usize) -> Self {
        Self {
            tally: Tally::new(players, rounds),
            means: Means::default(),
            led: vec![vec![Led::default(); players]; PARTS],
            by_setup: vec![vec![0; players + 1]; setups],
        }
    }

    /// One more game.
    pub fn add(&mut self, played: &Played) {
        let Played { row, measures } = played;
        self.tally.add(row);
        self.means.behind.add(measures.behind);
        self.means.lead_changes.add(measures.lead_changes);
        self.means.settled.add(measures.settled);
        self.means.weight.add(measures.weight);
        let winner = row.end.winner();
        for (led, &leader) in self.led.iter_mut().zip(&measures.leaders) {
            if let Some(led) = leader.and_then(|leader| led.get_mut(leader as usize)) {
                led.games += 1;
                led.won += u64::from(winner == leader);
            }
        }
        let setups = self.by_setup.len().max(1) as u64;
        if let Some(setup) = self.by_setup.get_mut((row.game % setups) as usize) {
            let last = setup.len() - 1;
            setup[last] += 1;
            if let Some(won) = winner.and_then(|winner| setup[..last].get_mut(winner as usize)) {
                *won += 1;
            }
        }
    }

    /// All other games of the same plan, too, in whatever order.
    pub fn merge(&mut self, other: &Self) {
        self.tally.merge(&other.tally);
        self.means.merge(&other.means);
        for (own, more) in self.led.iter_mut().flatten().zip(other.led.iter().flatten()) {
            own.games += more.games;
            own.won += more.won;
        }
        for (own, more) in self.by_setup.iter_mut().zip(&other.by_setup) {
            add_each(own, more);
        }
    }

    /// Whether these are sums of games of the same shape as others: so many players, rounds, setups.
    pub fn fits(&self, other: &Self) -> bool {
        let shape = |side: &Self| {
            let led: Vec<usize> = side.led.iter().map(Vec::len).collect();
            let setups: Vec<usize> = side.by_setup.iter().map(Vec::len).collect();
            (side.tally.won.len(), side.tally.turns.len(), led, setups)
        };
        let players = self.tally.won.len();
        let told = self.tally.endings.values().chain(self.tally.by_round.values());
        shape(self) == shape(other) && told.into_iter().all(|ended| ended.won.len() == players)
    }

    /// How long games are: decisions first, then the turns of each round.
    pub fn lengths(&self) -> impl Iterator<Item = &Spread> {
        std::iter::once(&self.tally.decisions).chain(&self.tally.turns)
    }
}
