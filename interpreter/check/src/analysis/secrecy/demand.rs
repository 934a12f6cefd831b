//! What is asked of things, under which conditions, and what is known where it is asked.

use std::rc::Rc;

use blazon_book::{ColumnId, Expr};
use blazon_diagnostics::Span;

use super::terms::Shared;

/// What is asked of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Asked {
    /// Which it is: its name, or what is printed on its face.
    Name,
    /// What its back shows.
    Back,
    /// What only who sees the face knows.
    Face,
}

/// A thing that is asked something, and must be seen by whoever learns the answer.
#[derive(Clone)]
pub(super) struct Demand {
    /// Of a kind with a face.
    pub(super) thing: Expr,
    pub(super) asked: Asked,
    /// What holds where it is asked.
    pub(super) facts: Vec<Shared>,
    /// From the place that asks to the place that reads: calls of rules and steps.
    pub(super) trail: Vec<Span>,
    /// The fact or state that is read.
    pub(super) column: Option<ColumnId>,
    /// Where one of these holds, the rules tell it to all.
    pub(super) released: Vec<Shared>,
    /// Whether it was asked before, and only the answer stands here: no text shows that as a back.
    pub(super) is_kept: bool,
    /// Whether it must be seen in either of two positions, and what holds only in the one is no help.
    pub(super) is_strict: bool,
}

/// How many places of a way are told; of a longer one those next to where it shows, and the last.
const LONGEST_WAY: usize = 12;

impl Demand {
    /// Puts the rest of a way behind what there is of it.
    pub(super) fn lead_on(&mut self, rest: &[Span]) {
        self.trail.extend(rest);
        if let Some(excess) = self.trail.len().checked_sub(LONGEST_WAY) {
            let last = self.trail.len() - 1;
            self.trail.drain(last - excess..last);
        }
    }

    /// Something asked at a place, of which nothing is known.
    pub(super) fn of(thing: Expr, asked: Asked, at: Span) -> Self {
        let (facts, released) = (Vec::new(), Vec::new());
        Self {
            thing,
            asked,
            facts,
            trail: vec![at],
            column: None,
            released,
            is_strict: false,
            is_kept: false,
        }
    }
}

/// What is known around, and what has been found.
///
/// Take two positions that somebody cannot tell apart, and a flag that holds in the first. If he sees there all that
/// decided it, then it is decided alike in the second, and holds there, too. So for a flag it is enough that its things are
/// seen if it holds: that much may be *supposed*. Read from either side this says that it holds in both or in none. What is
/// no flag, or is asked under `not`, has no such side: there only *facts* count, which hold in both positions.
#[derive(Clone, Default)]
pub(super) struct Reading {
    /// What holds in both positions wherever the answer counts.
    pub(super) facts: Vec<Shared>,
    /// What holds in the first.
    pub(super) supposed: Vec<Shared>,
    /// Whether what was supposed further out does not count here.
    pub(super) is_strict: bool,
    pub(super) found: Vec<Demand>,
}

impl Reading {
    /// With these facts.
    pub(super) fn of(facts: Vec<Shared>) -> Self {
        Self { facts, ..Self::default() }
    }

    /// The same place, where nothing has been found.
    pub(super) fn inner(&self) -> Self {
        Self { found: Vec::new(), ..self.clone() }
    }

    /// Adds facts; answers how many there were.
    pub(super) fn under(&mut self, facts: impl IntoIterator<Item = Expr>) -> usize {
        let before = self.facts.len();
        self.facts.extend(facts.into_iter().map(Rc::new));
        before
    }

    /// Adds what may be supposed; answers how much there was.
    pub(super) fn suppose(&mut self, flags: impl IntoIterator<Item = Expr>) -> usize {
        let before = self.supposed.len();
        self.supposed.extend(flags.into_iter().map(Rc::new));
        before
    }

    /// Adds what is known here to something that is asked.
    pub(super) fn put_under(&self, demand: &mut Demand) {
        demand.facts.extend(self.facts.iter().cloned());
        if !demand.is_strict {
            demand.facts.extend(self.supposed.iter().cloned());
        }
        demand.is_strict |= self.is_strict;
    }
}
