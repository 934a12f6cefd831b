//! What the keys of a step's rolls and of its questions are made of.

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
    /// The options around, outermost first.
    options: Vec<String>,
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

    /// A key of a question's place in the book: the step, the options around it, and how many questions stood there before
    /// it. What its own options are does not count, so bots go on with their lots where one is added or moved.
    pub fn question(&mut self) -> u64 {
        let before = if self.is_before { " (before)" } else { "" };
        let place = format!("{}{before}\n?{}", self.step, self.options.join("\n"));
        let ordinal = self.ordinals.entry(place.clone()).or_default();
        *ordinal += 1;
        chance::hash_text(&format!("{place}\n{ordinal}"))
    }

    /// An option's block begins, by its name, until [`Self::leave_option`].
    pub fn enter_option(&mut self, name: &str) {
        self.options.push(name.to_owned());
    }

    /// The block of the option that began last has ended.
    pub fn leave_option(&mut self) {
        self.options.pop();
    }
}
