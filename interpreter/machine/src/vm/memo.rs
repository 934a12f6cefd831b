//! Answers of rules, remembered until a state changes.
//!
//! A rule gives the same answer to the same arguments as long as nothing is stored. While options are listed or a position
//! is judged nothing is, and the same few questions come up again and again. A rule that reads no state, such as how far
//! two places lie apart, gives the same answer for ever. Answers belong to no position: they are never saved.

use blazon_program::Program;
use blazon_program::ir::{ABSENT, Function, Op, Origin};

use crate::vm::prepared::PreparedColumn;

/// How many answers of one word are remembered, as a power of two.
const SLOTS: u32 = 12;
/// How many answers of several words, as sets are, are remembered, as a power of two; and the most words of one.
const WIDE_SLOTS: u32 = 6;
const WIDE: usize = 32;
/// Rules of no more instructions that ask no other rule are asked again: that is as quick.
const SHORT: usize = 8;
/// The epoch of answers that no state changes.
const ALWAYS: u64 = u64::MAX;
/// An epoch that never comes.
const NEVER: u64 = u64::MAX - 1;

/// Which answers of a rule are remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Worth {
    /// None: to ask again is as quick, or the questions are too large.
    Nothing,
    /// Those given since a state changed last.
    WhileNothingChanges,
    /// All: the rule reads no state.
    Always,
}

/// The answers.
#[derive(Clone, Default)]
pub(crate) struct Memo {
    slots: Vec<Slot>,
    /// For answers of several words: there the answer in the slot is none, and the words stand here, by place.
    wide: Vec<Slot>,
    words: Vec<u64>,
    /// Changes whenever a state does.
    epoch: u64,
}

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    epoch: u64,
    answer: u64,
}

/// What was never asked.
const EMPTY: Slot = Slot { key: 0, epoch: NEVER, answer: 0 };

impl Memo {
    /// A state changes: nothing that was answered from states counts any more.
    #[inline(always)]
    pub fn forget(&mut self) {
        self.epoch += 1;
    }

    /// The answer to a question that was asked before.
    #[inline(always)]
    pub fn get(&self, key: u64) -> Option<u64> {
        let slot = self.slots.get(place(key, SLOTS))?;
        (slot.key == key && self.counts(slot)).then_some(slot.answer)
    }

    /// Remembers an answer.
    #[inline(always)]
    pub fn put(&mut self, key: u64, worth: Worth, answer: u64) {
        if self.slots.is_empty() {
            self.slots = vec![EMPTY; 1 << SLOTS];
        }
        let epoch = self.epoch_of(worth);
        if let Some(slot) = self.slots.get_mut(place(key, SLOTS)) {
            *slot = Slot { key, epoch, answer };
        }
    }

    /// The answer of so many words to a question that was asked before.
    #[inline]
    pub fn get_wide(&self, key: u64, words: usize) -> Option<&[u64]> {
        let at = place(key, WIDE_SLOTS);
        let slot = self.wide.get(at)?;
        if slot.key != key || !self.counts(slot) {
            return None;
        }
        self.words.get(at * WIDE..at * WIDE + words)
    }

    /// Remembers an answer of several words, at most [`WIDE`].
    #[inline]
    pub fn put_wide(&mut self, key: u64, worth: Worth, answer: &[u64]) {
        if self.wide.is_empty() {
            self.wide = vec![EMPTY; 1 << WIDE_SLOTS];
            self.words = vec![0; WIDE << WIDE_SLOTS];
        }
        let (at, epoch) = (place(key, WIDE_SLOTS), self.epoch_of(worth));
        if let (Some(slot), Some(words)) =
            (self.wide.get_mut(at), self.words.get_mut(at * WIDE..at * WIDE + answer.len()))
        {
            words.copy_from_slice(answer);
            *slot = Slot { key, epoch, answer: 0 };
        }
    }

    #[inline(always)]
    fn counts(&self, slot: &Slot) -> bool {
        slot.epoch == self.epoch || slot.epoch == ALWAYS
    }

    #[inline(always)]
    fn epoch_of(&self, worth: Worth) -> u64 {
        if worth == Worth::Always { ALWAYS } else { self.epoch }
    }
}

#[inline(always)]
fn place(key: u64, bits: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)) as usize
}

/// What a question is remembered by; 0 if its arguments are too large to be told apart.
#[inline(always)]
pub(crate) fn key(function: u16, args: &[u64]) -> u64 {
    // Not from 0 on: a question of the first rule would pass for one of another with an argument less.
    let mut key = u64::from(function) + 1;
    for &arg in args {
        let small = match arg {
            0..0xffff => arg,
            _ if arg == ABSENT as u64 => 0xffff,
            _ => return 0,
        };
        if key >> 48 != 0 {
            return 0;
        }
        key = key << 16 | small;
    }
    key
}

/// For each function which of its answers are worth remembering.
pub(crate) fn worthy(program: &Program, columns: &[PreparedColumn]) -> Vec<Worth> {
    let timeless = timeless(program, columns);
    let worth = |(place, function): (usize, &Function)| {
        let pure = !matches!(function.origin, Origin::Step(_) | Origin::Explain(_));
        let code = code_of(program, function);
        let asks = code.iter().any(|op| matches!(op, Op::Call { .. }));
        let small = function.param_words <= 3 && (1..=WIDE).contains(&usize::from(function.result_words));
        match pure && small && (asks || code.len() > SHORT) {
            false => Worth::Nothing,
            true if timeless.get(place) == Some(&true) => Worth::Always,
            true => Worth::WhileNothingChanges,
        }
    };
    program.functions.iter().enumerate().map(worth).collect()
}

fn code_of<'a>(program: &'a Program, function: &Function) -> &'a [Op] {
    program.code.get(function.entry as usize..function.end as usize).unwrap_or_default()
}

/// For each function whether it reads no state, itself or through others.
fn timeless(program: &Program, columns: &[PreparedColumn]) -> Vec<bool> {
    let mut timeless = vec![true; program.functions.len()];
    // A function that asks one that reads states reads states: until none is found any more.
    loop {
        let mut changed = false;
        for (place, function) in program.functions.iter().enumerate() {
            let is_so = timeless.get(place) == Some(&true);
            if is_so && !code_of(program, function).iter().all(|op| is_timeless(op, columns, &timeless)) {
                timeless[place] = false;
                changed = true;
            }
        }
        if !changed {
            return timeless;
        }
    }
}

/// Whether what an instruction gives depends on nothing but registers, facts and the map. One that is not known to
/// counts as one that reads states.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "to take a new instruction for one that reads states is safe"
)]
fn is_timeless(op: &Op, columns: &[PreparedColumn], timeless: &[bool]) -> bool {
    match *op {
        Op::Load { column, .. }
        | Op::LoadSet { column, .. }
        | Op::Members { column, .. }
        | Op::Where { column, .. }
        | Op::WhereIs { column, .. }
        | Op::Image { column, .. } => columns.get(usize::from(column)).is_some_and(|column| column.fact),
        Op::Call { function, .. } => timeless.get(usize::from(function)) == Some(&true),
        Op::Int { .. }
        | Op::Number { .. }
        | Op::Set { .. }
        | Op::Empty { .. }
        | Op::Copy { .. }
        | Op::Copies { .. } => true,
        Op::Add { .. }
        | Op::Sub { .. }
        | Op::Mul { .. }
        | Op::Div { .. }
        | Op::DivUp { .. }
        | Op::DivNearest { .. } => true,
        Op::Min { .. }
        | Op::Max { .. }
        | Op::Odd { .. }
        | Op::Not { .. }
        | Op::Index { .. }
        | Op::Fact { .. } => true,
        Op::Eq { .. }
        | Op::Ne { .. }
        | Op::Lt { .. }
        | Op::Le { .. }
        | Op::EqInt { .. }
        | Op::IsAbsent { .. } => true,
        Op::Union { .. } | Op::Both { .. } | Op::Without { .. } | Op::SetEq { .. } | Op::Insert { .. } => {
            true
        }
        Op::Delete { .. } | Op::Has { .. } | Op::Count { .. } | Op::Some { .. } | Op::First { .. } => true,
        Op::Links { .. }
        | Op::Neighbours { .. }
        | Op::NeighboursOf { .. }
        | Op::Between { .. }
        | Op::Ends { .. } => true,
        Op::Next { .. } | Op::Again { .. } | Op::NextNumber { .. } | Op::Return { .. } => true,
        Op::Jump { .. }
        | Op::JumpIf { .. }
        | Op::JumpUnless { .. }
        | Op::JumpEq { .. }
        | Op::JumpNe { .. } => true,
        Op::JumpLt { .. } | Op::JumpLe { .. } | Op::JumpEqInt { .. } | Op::JumpAbsent { .. } => true,
        Op::JumpHas { .. } | Op::JumpSome { .. } | Op::Table { .. } | Op::Keep { .. } => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_from_states_are_forgotten_and_others_are_not() {
        let mut memo = Memo::default();
        memo.put(1, Worth::WhileNothingChanges, 10);
        memo.put(2, Worth::Always, 20);
        memo.put_wide(3, Worth::WhileNothingChanges, &[30, 31]);
        memo.put_wide(4, Worth::Always, &[40, 41, 42]);
        assert_eq!((memo.get(1), memo.get(2)), (Some(10), Some(20)));
        assert_eq!(memo.get_wide(3, 2), Some(&[30, 31][..]));
        memo.forget();
        assert_eq!((memo.get(1), memo.get(2)), (None, Some(20)));
        assert_eq!(memo.get_wide(3, 2), None);
        assert_eq!(memo.get_wide(4, 3), Some(&[40, 41, 42][..]));
        assert_eq!((memo.get(4), memo.get_wide(2, 2)), (None, None));
    }

    #[test]
    fn no_two_questions_are_remembered_by_the_same() {
        assert_ne!(key(0, &[5, 7]), key(5, &[7]));
        assert_ne!(key(0, &[0]), key(0, &[]));
        assert_ne!(key(3, &[ABSENT as u64]), key(3, &[1]));
        assert_eq!(key(3, &[1 << 20]), 0, "too large to be told apart");
        assert_eq!(key(3, &[1, 2, 3, 4]), 0, "too many");
    }
}
