//! What the loop works with beside memory, and why it stops.

use std::collections::{BTreeSet, VecDeque};

use blazon_book::KindId;

use crate::fault::{Limits, Trap};
use crate::vm::event::{EVENT_WORDS, Event};
use crate::vm::memo::{Groups, Memo};
use crate::vm::options::Options;
use crate::vm::stores::Stores;
use crate::vm::text::Line;
use crate::vm::traps;

/// Why the loop stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The outermost step has returned.
    Over,
    /// A player has won.
    Won(i64),
    /// A choice is to be made.
    Choose(u16),
    /// A body of a choice by each is done.
    EachNext(u16),
    /// A piece on the side is done.
    Done,
    /// The function asked has answered; the answer stands at this word.
    Returned(usize),
    /// A need refused.
    Refused(u32),
}

/// A rule under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub pc: u32,
    pub base: u32,
    pub top: u32,
    pub dst: u16,
    pub words: u16,
    /// What its answer is remembered by; 0: it is not.
    pub memo: u64,
}

/// What the loop works with beside memory.
pub(crate) struct Context {
    pub limits: Limits,
    /// The rules under way.
    pub calls: Vec<Call>,
    /// The operations left.
    pub fuel: i64,
    /// The words that may still be told before the next decision.
    pub told: usize,
    /// The steps under way.
    pub depth: usize,
    /// Where the loop stopped.
    pub pc: usize,
    /// The frame in which it stopped.
    pub base: usize,
    /// The options emitted.
    pub emit: Options,
    /// The text rendered last.
    pub line: Line,
    pub record: bool,
    pub events: Vec<Event>,
    /// How often each function was done; empty unless somebody wants to know.
    pub counts: Vec<u64>,
    /// How often each site of a program that counts came up, and how often it held; empty unless that is wanted.
    pub hits: Vec<[u64; 2]>,
    /// What the next dice show, whatever chance says.
    pub dice: VecDeque<i64>,
    /// What is drawn next.
    pub cards: VecDeque<(KindId, u32)>,
    /// What rules have answered.
    pub memo: Memo,
    /// What is stored in states that are watched.
    pub stores: Stores,
    /// The options that were the only ones and so done unasked, by choice and place, if that is kept.
    pub unasked: Option<BTreeSet<(u16, u16)>>,
    /// Reused by [`crate::vm::sets`] and [`crate::vm::dice`].
    pub marks: Vec<u64>,
    pub lots: Vec<(u64, u32)>,
}

impl Context {
    pub fn new(limits: Limits, groups: &Groups) -> Self {
        Self {
            limits,
            calls: Vec::new(),
            fuel: 0,
            told: 0,
            depth: 0,
            pc: 0,
            base: 0,
            emit: Options::default(),
            line: Line::default(),
            record: false,
            events: Vec::new(),
            counts: Vec::new(),
            hits: Vec::new(),
            dice: VecDeque::new(),
            cards: VecDeque::new(),
            memo: Memo::new(groups),
            stores: Stores::default(),
            unasked: None,
            marks: Vec::new(),
            lots: Vec::new(),
        }
    }

    /// Counts that a site of the rules came up, and whether it held. Out of the way of those who don't count.
    #[cold]
    #[inline(never)]
    pub fn tick(&mut self, site: u32, held: bool) {
        if let Some(hits) = self.hits.get_mut(site as usize) {
            hits[0] += 1;
            hits[1] += u64::from(held);
        }
    }

    /// Counts what is told, kept or not: an event, and so many words in it.
    #[inline]
    pub fn tells(&mut self, words: usize) -> Result<(), Trap> {
        match self.told.checked_sub(EVENT_WORDS + words) {
            Some(left) => {
                self.told = left;
                Ok(())
            }
            None => Err(traps::too_much_told(self)),
        }
    }

    /// Fills up the operations, and what may be told.
    pub fn refuel(&mut self) {
        self.told = self.limits.told;
        self.fuel = i64::try_from(self.limits.ops).unwrap_or(i64::MAX);
    }
}
