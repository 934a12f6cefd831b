//! What the games of one side of a comparison come to.

use serde::{Deserialize, Serialize};

use super::pair::Played;
use crate::game::Row;
use crate::measure::PARTS;
use crate::stats::{Spread, student};
use crate::tally::{Tally, add_each, add_to};

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
    /// In squares of steps: the upper and the lower half of a number of 256 bits.
    squares: [u128; 2],
}

/// So many steps are 1: a mean is right to 11 places. There is room for 2^26 values as great as numbers of the rules become,
/// 2^64, and for their squares.
const STEPS: f64 = (1u64 << 36) as f64;
/// The greatest value that is added, in steps: greater ones, which no rules have, count as this.
const GREATEST: f64 = (1u128 << 100) as f64;

impl Sum {
    /// One more, if there is one.
    pub fn add(&mut self, value: Option<f64>) {
        if let Some(value) = value {
            // What is no number becomes 0.
            let steps = (value * STEPS).round().clamp(-GREATEST, GREATEST) as i128;
            self.count += 1;
            self.sum = self.sum.saturating_add(steps);
            self.squares = sum(self.squares, square(steps.unsigned_abs()));
        }
    }

    /// All of others, too.
    pub fn merge(&mut self, other: &Self) {
        add_to(&mut self.count, other.count);
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = sum(self.squares, other.squares);
    }

    /// How many.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sum of all, and that of their squares.
    pub fn sums(&self) -> (f64, f64) {
        let [upper, lower] = self.squares.map(|half| half as f64);
        (self.sum as f64 / STEPS, (upper * 2f64.powi(128) + lower) / (STEPS * STEPS))
    }

    /// The mean, if there is one.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sums().0 / self.count as f64)
    }

    /// Half the width of the interval of 95 percent for the mean; nothing of a few ([`crate::stats::FEW`]).
    pub fn half(&self) -> Option<f64> {
        let n = self.count as f64;
        let mean = self.mean()?;
        Some(student(self.count)? * ((self.sums().1 / n - mean * mean).max(0.0) / (n - 1.0)).sqrt())
    }
}

/// The square of a number, as its upper and its lower half.
fn square(of: u128) -> [u128; 2] {
    // (2^64 a + b)^2; with a below 2^64 nothing in it is greater than 256 bits hold.
    let (a, b) = (of >> 64, of & u128::from(u64::MAX));
    let middle = a * b;
    let square = sum([a * a, b * b], [middle >> 64, middle << 64]);
    sum(square, [middle >> 64, middle << 64])
}

/// The sum of two numbers of two halves each; it stops at the greatest there is.
fn sum(one: [u128; 2], other: [u128; 2]) -> [u128; 2] {
    let (lower, carry) = one[1].overflowing_add(other[1]);
    match one[0].checked_add(other[0]).and_then(|upper| upper.checked_add(carry.into())) {
        Some(upper) => [upper, lower],
        None => [u128::MAX; 2],
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

    /// A pair of which only one side can have it: that side is added up, and there is no difference.
    pub fn add_one_sided(&mut self, base: Option<f64>, changed: Option<f64>) {
        self.base.add(base);
        self.changed.add(changed);
    }

    /// All of other pairs, too.
    pub fn merge(&mut self, other: &Self) {
        self.base.merge(&other.base);
        self.changed.merge(&other.changed);
        self.difference.merge(&other.difference);
    }

    /// How many pairs.
    pub fn count(&self) -> u64 {
        self.base.count().max(self.changed.count())
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

    /// One more game. What it was like is told if it is `whole`: it came to an end, and so did what it is compared with.
    pub fn add(&mut self, played: &Played, whole: bool) {
        let Played { row, measures } = played;
        self.tally.add(row);
        self.add_setup(row);
        if !whole {
            return;
        }
        self.tally.add_length(row);
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
    }

    fn add_setup(&mut self, row: &Row) {
        let winner = row.end.winner();
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
            add_to(&mut own.games, more.games);
            add_to(&mut own.won, more.won);
        }
        for (own, more) in self.by_setup.iter_mut().zip(&other.by_setup) {
            add_each(own, more);
        }
    }

    /// Whether these are sums of games of the same shape as others: so many players, rounds, setups; and lengths that games
    /// can have.
    pub fn fits(&self, other: &Self) -> bool {
        let shape = |side: &Self| {
            let led: Vec<usize> = side.led.iter().map(Vec::len).collect();
            let setups: Vec<usize> = side.by_setup.iter().map(Vec::len).collect();
            (side.tally.won.len(), side.tally.turns.len(), led, setups)
        };
        let players = self.tally.won.len();
        let told = self.tally.endings.values().chain(self.tally.by_round.values());
        shape(self) == shape(other)
            && self.lengths().all(Spread::is_sound)
            && told.into_iter().all(|ended| ended.won.len() == players)
    }

    /// How long games are: decisions first, then the turns of each round.
    pub fn lengths(&self) -> impl Iterator<Item = &Spread> {
        std::iter::once(&self.tally.decisions).chain(&self.tally.turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_hold_whatever_rules_can_say() {
        let mut sums = Sum::default();
        let greatest = i64::MAX as f64;
        for value in [500_000_000.0, 1_500_000_000.0, greatest, -greatest] {
            sums.add(Some(value));
        }
        let (sum, squares) = sums.sums();
        assert_eq!(sum, 2e9);
        assert!((squares / (2.0 * greatest * greatest) - 1.0).abs() < 1e-12, "{squares}");
        let mut two = Sum::default();
        two.add(Some(500_000_000.0));
        two.add(Some(1_500_000_000.0));
        assert_eq!((two.mean(), two.sums().1), (Some(1e9), 2.5e18));
    }

    #[test]
    fn squares_are_carried() {
        assert_eq!(square(3), [0, 9]);
        assert_eq!(square(u128::from(u64::MAX)), [0, u128::from(u64::MAX) * u128::from(u64::MAX)]);
        assert_eq!(square(1 << 64), [1, 0]);
        assert_eq!(square((1 << 64) + 1), [1, (1 << 65) + 1]);
        assert_eq!(square(1 << 100), [1 << 72, 0]);
        assert_eq!(sum([1, u128::MAX], [0, 1]), [2, 0]);
        assert_eq!(sum([u128::MAX, 0], [1, 0]), [u128::MAX; 2]);
    }
}
