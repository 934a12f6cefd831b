//! What many games come to, in memory that does not grow with their number.

use std::collections::BTreeMap;

use crate::game::{End, Row};
use crate::stats::Spread;

/// How many failed games are told one by one.
const TOLD: usize = 5;
/// So many rounds are told apart; whatever lasts longer is told together.
pub const ROUNDS: u64 = 24;

/// All games so far.
#[derive(Clone, Debug)]
pub struct Tally {
    /// How many.
    pub games: u64,
    /// Of them came to an end by their rules.
    pub over: u64,
    /// And nobody has won.
    pub nobody: u64,
    /// The games that each player has won.
    pub won: Vec<u64>,
    /// The games that came to an end, by the step that ended them.
    pub endings: BTreeMap<Ending, Ended>,
    /// And by how often the outermost round came.
    pub by_round: BTreeMap<u64, Ended>,
    /// The rules failed.
    pub faults: u64,
    /// Stopped at the most decisions.
    pub limits: u64,
    /// The first that did not come to an end.
    pub failed: Vec<Row>,
    /// The decisions of games that came to an end.
    pub decisions: Spread,
    /// Their rounds.
    pub turns: Vec<Spread>,
}

/// A step that ended games; the blank one is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ending {
    /// Its name.
    pub step: String,
    /// Its paragraphs.
    pub cites: Vec<String>,
}

/// The games of a sort.
#[derive(Clone, Debug, Default)]
pub struct Ended {
    /// How many.
    pub games: u64,
    /// The games that each player has won.
    pub won: Vec<u64>,
}

impl Ended {
    fn add(&mut self, winner: Option<u32>, players: usize) {
        self.games += 1;
        self.won.resize(players, 0);
        if let Some(won) = winner.and_then(|winner| self.won.get_mut(winner as usize)) {
            *won += 1;
        }
    }
}

impl Tally {
    /// No games yet.
    pub fn new(players: usize, rounds: usize) -> Self {
        Self {
            games: 0,
            over: 0,
            nobody: 0,
            won: vec![0; players],
            endings: BTreeMap::new(),
            by_round: BTreeMap::new(),
            faults: 0,
            limits: 0,
            failed: Vec::new(),
            decisions: Spread::default(),
            turns: vec![Spread::default(); rounds],
        }
    }

    /// A game is done.
    pub fn add(&mut self, row: &Row) {
        self.games += 1;
        match &row.end {
            End::Over { winner, place, .. } => {
                self.over += 1;
                let players = self.won.len();
                match winner.and_then(|winner| self.won.get_mut(winner as usize)) {
                    Some(won) => *won += 1,
                    None => self.nobody += 1,
                }
                let ending = place
                    .as_ref()
                    .map(|place| Ending { step: place.name.clone(), cites: place.cites.clone() });
                self.endings.entry(ending.unwrap_or_default()).or_default().add(*winner, players);
                if let Some(&round) = row.turns.first() {
                    self.by_round.entry(round.min(ROUNDS)).or_default().add(*winner, players);
                }
                self.decisions.add(row.decisions);
                for (spread, &turns) in self.turns.iter_mut().zip(&row.turns) {
                    spread.add(turns);
                }
                return;
            }
            End::Fault(_) => self.faults += 1,
            End::Limit => self.limits += 1,
        }
        if self.failed.len() < TOLD {
            self.failed.push(row.clone());
        }
    }
}
