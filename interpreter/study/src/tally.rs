//! What many games come to, in memory that does not grow with their number.

use std::collections::BTreeMap;

use blazon_book::title_of;
use serde::{Deserialize, Serialize};

use crate::game::{End, Row};
use crate::part::pairs;
use crate::stats::Spread;

/// How many failed games are told one by one.
pub const TOLD: usize = 5;
/// So many rounds are told apart; whatever lasts longer is told together.
pub const ROUNDS: u64 = 24;

/// All games so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    #[serde(with = "pairs")]
    pub endings: BTreeMap<Ending, Ended>,
    /// And by how often the outermost round came.
    #[serde(with = "pairs")]
    pub by_round: BTreeMap<u64, Ended>,
    /// The rules failed.
    pub faults: u64,
    /// Stopped at the most decisions.
    pub limits: u64,
    /// The first that did not come to an end, in the order of their numbers.
    pub failed: Vec<Failed>,
    /// The decisions of games that came to an end; in comparisons, of those of which the other of the pair did, too.
    pub decisions: Spread,
    /// Their rounds.
    pub turns: Vec<Spread>,
}

/// A step that ended games; the blank one is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ending {
    /// Its name.
    pub step: String,
    /// Its paragraphs.
    pub cites: Vec<String>,
}

/// The games of a sort.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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

    fn merge(&mut self, other: &Self) {
        add_to(&mut self.games, other.games);
        add_each(&mut self.won, &other.won);
    }
}

/// A game that did not come to an end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failed {
    /// Its number.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// The decisions taken.
    pub decisions: u64,
    /// The code of the fault and what it says; nothing if the game was stopped at the most decisions.
    pub fault: Option<(String, String)>,
}

impl Failed {
    /// Of a game that did not come to an end.
    fn of(row: &Row) -> Self {
        let fault = match &row.end {
            End::Fault(fault) => Some((fault.code.to_owned(), fault.to_string())),
            End::Over { .. } | End::Limit => None,
        };
        Self { game: row.game, seed: row.seed, decisions: row.decisions, fault }
    }
}

/// Games that did not come to an end, where that is all that is counted of games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failures {
    /// The rules failed.
    pub faults: u64,
    /// Stopped at the most decisions.
    pub limits: u64,
    /// The first of them, in the order of their numbers.
    pub first: Vec<Failed>,
}

impl Failures {
    /// A game is done; answers whether it did not come to an end.
    pub fn add(&mut self, row: &Row) -> bool {
        match &row.end {
            End::Over { .. } => return false,
            End::Fault(_) => self.faults += 1,
            End::Limit => self.limits += 1,
        }
        keep(&mut self.first, Failed::of(row));
        true
    }

    /// All others of the same plan, too, in whatever order.
    pub fn merge(&mut self, other: &Self) {
        add_to(&mut self.faults, other.faults);
        add_to(&mut self.limits, other.limits);
        for failed in &other.first {
            keep(&mut self.first, failed.clone());
        }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.faults.saturating_add(self.limits)
    }
}

/// Keeps the first of those that failed.
fn keep(first: &mut Vec<Failed>, failed: Failed) {
    let place = first.partition_point(|other| other.game < failed.game);
    first.insert(place, failed);
    first.truncate(TOLD);
}

/// Adds a number to another. Parts come from strangers, too: what no games can have come to stays at the greatest number.
pub(crate) fn add_to(own: &mut u64, more: u64) {
    *own = own.saturating_add(more);
}

/// All of some numbers together, in the same way.
pub(crate) fn total<'c>(counts: impl IntoIterator<Item = &'c u64>) -> u64 {
    counts.into_iter().fold(0, |sum, &count| sum.saturating_add(count))
}

/// Adds numbers to others, place by place; those that are missing are 0.
pub(crate) fn add_each(own: &mut Vec<u64>, more: &[u64]) {
    if own.len() < more.len() {
        own.resize(more.len(), 0);
    }
    own.iter_mut().zip(more).for_each(|(own, &more)| add_to(own, more));
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

    /// How many games did not come to an end.
    pub fn broken(&self) -> u64 {
        self.faults.saturating_add(self.limits)
    }

    /// How long a game was that came to an end, if lengths are to be told of it.
    pub fn add_length(&mut self, row: &Row) {
        self.decisions.add(row.decisions);
        for (spread, &turns) in self.turns.iter_mut().zip(&row.turns) {
            spread.add(turns);
        }
    }

    /// A game is done: how it came out.
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
                let ending = place.as_ref().map(|place| Ending {
                    step: title_of(&place.name).to_owned(),
                    cites: place.cites.clone(),
                });
                self.endings.entry(ending.unwrap_or_default()).or_default().add(*winner, players);
                if let Some(&round) = row.turns.first() {
                    self.by_round.entry(round.min(ROUNDS)).or_default().add(*winner, players);
                }
                return;
            }
            End::Fault(_) => self.faults += 1,
            End::Limit => self.limits += 1,
        }
        keep(&mut self.failed, Failed::of(row));
    }

    /// All that was counted of other games of the same plan, too, in whatever order.
    pub fn merge(&mut self, other: &Self) {
        add_to(&mut self.games, other.games);
        add_to(&mut self.over, other.over);
        add_to(&mut self.nobody, other.nobody);
        add_each(&mut self.won, &other.won);
        for (ending, ended) in &other.endings {
            self.endings.entry(ending.clone()).or_default().merge(ended);
        }
        for (&round, ended) in &other.by_round {
            self.by_round.entry(round).or_default().merge(ended);
        }
        add_to(&mut self.faults, other.faults);
        add_to(&mut self.limits, other.limits);
        for failed in &other.failed {
            keep(&mut self.failed, failed.clone());
        }
        self.decisions.merge(&other.decisions);
        for (own, more) in self.turns.iter_mut().zip(&other.turns) {
            own.merge(more);
        }
    }
}
