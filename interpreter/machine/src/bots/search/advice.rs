//! What a search found, for people: which options it thought about longest, and what came of them.

use crate::fault::Fault;

/// What a bot thinks of a decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The options that it tried, the best first: the one that it takes, then those that it left later before those that
    /// it left earlier.
    pub options: Vec<Advised>,
    /// What the outlook says now, by the players' places in their kind; empty if the book has none.
    pub outlook: Vec<f64>,
    /// What the clauses that were asked for give now: for each clause, by the players' places.
    pub shares: Vec<Vec<f64>>,
    /// How many positions were tried.
    pub positions: usize,
    /// Why the outlook says nothing of the position as it stands, if it fails there: then what is advised is little worth.
    pub fault: Option<Fault>,
}

/// What a bot thinks of an option.
#[derive(Clone, Debug, PartialEq)]
pub struct Advised {
    /// The option, a place in [`Machine::options`](crate::Machine::options).
    pub place: usize,
    /// In how many games it was tried.
    pub tries: u32,
    /// What came of them for who decides: 0 is lost, 1 is won, and one half is as it stands now.
    pub value: f64,
    /// What the outlook said where these games were judged, in the mean, by the players' places in their kind. Games that
    /// were over do not count; empty if all were, or the book has no outlook.
    pub outlook: Vec<f64>,
    /// What the clauses that were asked for gave there, in the mean: for each clause, by the players' places.
    pub shares: Vec<Vec<f64>>,
}
