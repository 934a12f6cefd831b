//! What the games of one side of a comparison come to.

use serde::Serialize;

use super::pair::Played;
use crate::measure::PARTS;
use crate::stats::Spread;
use crate::tally::Tally;

/// All games of one side.
#[derive(Clone, Debug)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Led {
    /// How many.
    pub games: u64,
    /// And how many of them he won.
    pub won: u64,
}

/// Sums of measures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sum {
    count: u64,
    sum: f64,
    squares: f64,
}

impl Sum {
    /// One more, if there is one.
    pub fn add(&mut self, value: Option<f64>) {
        if let Some(value) = value {
            self.count += 1;
            self.sum += value;
            self.squares += value * value;
        }
    }

    /// How many.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sum of all, and that of their squares.
    pub fn sums(&self) -> (f64, f64) {
        (self.sum, self.squares)
    }

    /// The mean, if there is one.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// Half the width of the interval of 95 percent for the mean.
    pub fn half(&self) -> Option<f64> {
        let n = self.count as f64;
        let mean = self.mean()?;
        (self.count > 1).then(|| 1.96 * ((self.squares / n - mean * mean).max(0.0) / (n - 1.0)).sqrt())
    }
}

/// Means of what games were like.
#[derive(Clone, Debug, Default)]
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

    /// How long games are: decisions first, then the turns of each round.
    pub fn lengths(&self) -> impl Iterator<Item = &Spread> {
        std::iter::once(&self.tally.decisions).chain(&self.tally.turns)
    }
}
