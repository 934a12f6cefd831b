//! A comparison to look at: one HTML file that needs nothing beside it and runs nothing.
//!
//! Every picture has a table beneath it with the same figures, in full precision in `data-v`, so that another program can
//! work them out again (`tests/report/check.py` does). The same comparison gives the same bytes.

use std::collections::BTreeMap;

use blazon_board::Board;
use blazon_program::Program;

use crate::compare::{Cause, Found};
use crate::game::Plan;
use crate::stats::Sprt;

/// What a report tells of.
pub struct Report<'r> {
    /// The rules as they were.
    pub base: Rules<'r>,
    /// The changed rules; the players have the same names, in the same order.
    pub changed: Rules<'r>,
    /// When a difference matters, and how sure the test is.
    pub sprt: Sprt,
    /// Whether it was to stop when it was sure.
    pub until_sure: bool,
    /// What to type to get the same again.
    pub command: &'r str,
    /// One comparison for each level of the players.
    pub levels: Vec<Level<'r>>,
}

/// One of the two rule sets.
pub struct Rules<'r> {
    /// What they are called, such as the game's name with its variants.
    pub name: &'r str,
    /// The program.
    pub program: &'r Program,
    /// Its board; without one there are no maps.
    pub board: Option<&'r Board>,
}

/// What was found with players of one level.
pub struct Level<'r> {
    /// What the level is called, such as the skill of the players.
    pub name: &'r str,
    /// How the games were played: by the rules as they were, by the changed ones.
    pub plans: [&'r Plan; 2],
    /// The most pairs that were to be played.
    pub pairs: u64,
    /// What was found.
    pub found: &'r Found,
    /// Of how many pairs that parted it was tried what is to blame.
    pub tried: u64,
    /// And how often each was.
    pub causes: &'r BTreeMap<Cause, u64>,
}

/// The file.
pub fn html(report: &Report) -> String {
    maud::html! { title { (report.base.name) } }.into_string()
}
