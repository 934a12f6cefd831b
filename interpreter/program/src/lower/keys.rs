//! What the keys of a step's rolls are made of.

use std::collections::{BTreeSet, HashMap};

use blazon_book::LocalId;
use blazon_kernel::chance;

use crate::ir::Reg;

/// What the keys of a step are made of.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// What the step is called in them.
    pub step: String,
    /// The variables of the loops around, outermost first.
    pub loops: Vec<LocalId>,
    /// How many loops stand around that may come to one place twice with the same variables.
    pub counted: usize,
    /// The words that count.
    pub slots: Option<Reg>,
    /// Whether what is lowered hangs before the step: of what the step does, too, it is counted by itself, so that the step
    /// keeps its luck.
    pub is_before: bool,
    /// What the step itself rolls, draws and does that rolls.
    pub own: BTreeSet<String>,
    ordinals: HashMap<String, u32>,
}

impl Keys {
    /// A number for a place in the book: it changes only when the step changes around it.
    pub fn site(&mut self, callee: &str) -> u32 {
        let step = match self.is_before && self.own.contains(callee) {
            true => format!("{} (before)", self.step),
            false => self.step.clone(),
        };
        let ordinal = self.ordinals.entry(format!("{step}\n{callee}")).or_default();
        *ordinal += 1;
        let hash = chance::hash_text(&format!("{step}\n{callee}\n{ordinal}"));
        (hash >> 32) as u32
    }
}
