//! Answers of rules, remembered until a state changes.
//!
//! A rule gives the same answer to the same arguments as long as nothing is stored. While options are listed nothing
//! is, and the same few questions come up again and again. Answers belong to no position: they are never saved.

use blazon_program::Program;
use blazon_program::ir::{ABSENT, Op, Origin};

/// How many answers are remembered; a power of two.
const SLOTS: usize = 1 << 11;
/// Rules of no more instructions that ask no other rule are asked again: that is as quick.
const SHORT: usize = 8;

/// The answers.
#[derive(Clone, Default)]
pub(crate) struct Memo {
    slots: Vec<Slot>,
    /// Changes whenever a state does.
    epoch: u64,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    epoch: u64,
    answer: u64,
}

impl Memo {
    /// A state changes: nothing that was answered counts any more.
    #[inline(always)]
    pub fn forget(&mut self) {
        self.epoch += 1;
    }

    /// The answer to a question that was asked before.
    #[inline(always)]
    pub fn get(&self, key: u64) -> Option<u64> {
        let slot = self.slots.get(place(key))?;
        (slot.key == key && slot.epoch == self.epoch).then_some(slot.answer)
    }

    /// Remembers an answer.
    #[inline(always)]
    pub fn put(&mut self, key: u64, answer: u64) {
        if self.slots.is_empty() {
            self.slots = vec![Slot::default(); SLOTS];
        }
        if let Some(slot) = self.slots.get_mut(place(key)) {
            *slot = Slot { key, epoch: self.epoch, answer };
        }
    }
}

#[inline(always)]
fn place(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 53) as usize
}

/// What a question is remembered by; 0 if its arguments are too large to be told apart.
#[inline(always)]
pub(crate) fn key(function: u16, args: &[u64]) -> u64 {
    let mut key = u64::from(function);
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

/// For each function whether its answers are worth remembering.
pub(crate) fn worthy(program: &Program) -> Vec<bool> {
    let worth = |function: &blazon_program::ir::Function| {
        let pure = !matches!(function.origin, Origin::Step(_) | Origin::Explain(_));
        let code = program.code.get(function.entry as usize..function.end as usize).unwrap_or_default();
        let asks = code.iter().any(|op| matches!(op, Op::Call { .. }));
        let small = function.param_words <= 3 && function.result_words == 1;
        pure && small && (asks || code.len() > SHORT)
    };
    program.functions.iter().map(worth).collect()
}
