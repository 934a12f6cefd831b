//! Answers of rules, remembered while what they hang on is the same.
//!
//! A rule gives the same answer to the same arguments as long as nothing is stored in the states that it reads. While options
//! are listed or a position is judged nothing is stored at all, and the same few questions come up again and again; from one
//! decision to the next, or from one game that a bot tries to another, much is the same still. A rule that reads no state,
//! such as how far two places lie apart, gives the same answer for ever. Answers belong to no position: they are never saved.
//!
//! States are told apart by their column, the first [`GROUPS`] of them each by itself. Each change has a number; an answer
//! counts as long as no column that its rule reads has changed since it was given.

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
/// So many groups of columns are told apart.
const GROUPS: usize = 128;
/// All of them.
const ALL: u128 = u128::MAX;
/// So many words are compared at once.
const LANES: usize = 8;

/// Which answers of a rule are remembered: a place among the [`Groups::read`], or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Worth(u16);

impl Worth {
    /// None are: to ask again is as quick, or the questions are too large.
    pub const NOTHING: Self = Self(u16::MAX);
}

/// Which columns of states are told apart, and what rules read of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Groups {
    /// For each function which of its answers are remembered.
    pub worth: Vec<Worth>,
    /// For each invariant what says whether it holds.
    pub invariants: Vec<Worth>,
    /// The sets of groups that rules read, each once.
    read: Vec<u128>,
    /// For each column the group that it is in; none for facts.
    pub of_column: Vec<u128>,
    /// For each scope the groups that begin anew with it.
    pub of_scope: Vec<u128>,
    /// For each word of a position the groups that lie there.
    of_word: Vec<u128>,
}

/// The answers.
#[derive(Clone, Default)]
pub(crate) struct Memo {
    slots: Vec<Slot>,
    /// For answers of several words: there the answer in the slot is none, and the words stand here, by place.
    wide: Vec<Slot>,
    words: Vec<u64>,
    /// The number of the last change; at first there was one.
    now: u64,
    /// What has changed in it, and whether it goes on: nothing was asked yet.
    changing: u128,
    is_open: bool,
    /// For each group the last change in which it had a part.
    changed: Vec<u64>,
    /// For each set of groups that rules read.
    read: Vec<Read>,
    /// Whether all is forgotten whatever changes: where it is counted how often rules come up, they are to come up as often
    /// whatever was asked before.
    pub is_coarse: bool,
}

/// What is known of a set of groups.
#[derive(Clone, Copy)]
struct Read {
    groups: u128,
    /// The change at which it was looked at last.
    looked: u64,
    /// The last change until then in which one of the groups had a part.
    since: u64,
}

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    /// The last change before it was given.
    given: u64,
    answer: u64,
}

/// What was never asked: given before all changes.
const EMPTY: Slot = Slot { key: 0, given: 0, answer: 0 };

impl Memo {
    /// Nothing was asked yet.
    pub fn new(groups: &Groups) -> Self {
        let read = groups.read.iter().map(|&groups| Read { groups, looked: 1, since: 1 });
        Self { now: 1, changed: vec![1; GROUPS], read: read.collect(), ..Self::default() }
    }

    /// States of these groups change.
    #[inline]
    pub fn change(&mut self, groups: u128) {
        let groups = if self.is_coarse { ALL } else { groups };
        if !self.is_open {
            self.is_open = true;
            self.now += 1;
            self.changing = 0;
        }
        let mut new = groups & !self.changing;
        self.changing |= groups;
        while new != 0 {
            if let Some(changed) = self.changed.get_mut(new.trailing_zeros() as usize) {
                *changed = self.now;
            }
            new &= new - 1;
        }
    }

    /// Anything may be another: only what reads no state counts still.
    pub fn forget(&mut self) {
        self.change(ALL);
    }

    /// What stands in one place of memory is another's now.
    pub fn compare(&mut self, groups: &Groups, before: &[u64], after: &[u64]) {
        let mut different = if self.is_coarse { ALL } else { 0 };
        let both = before.len().min(after.len()).min(groups.of_word.len());
        let (known, missing) = groups.of_word.split_at(both);
        // Most words are the same: so many at once are passed over.
        let ((some, rest), (others, other_rest)) =
            (before[..both].as_chunks::<LANES>(), after[..both].as_chunks::<LANES>());
        let (groups_of, groups_of_rest) = known.as_chunks::<LANES>();
        for ((before, after), known) in some.iter().zip(others).zip(groups_of) {
            if before != after {
                different |= groups_of_changed(before, after, known);
            }
        }
        different |= groups_of_changed(rest, other_rest, groups_of_rest);
        // What is not there before, or any more.
        if before.len() != after.len() {
            different |= missing.iter().fold(0, |all, groups| all | groups);
        }
        if different != 0 {
            self.change(different);
        }
    }

    /// The number of the last change.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// The last change that has a part in an answer: what was found by then or later counts still.
    #[inline(always)]
    pub fn since(&mut self, worth: Worth) -> u64 {
        self.is_open = false;
        let Some(read) = self.read.get_mut(usize::from(worth.0)) else { return u64::MAX };
        if read.looked != self.now {
            if read.groups & self.changing != 0 {
                read.since = self.now;
            } else if read.looked + 1 != self.now {
                read.since = last_of(&self.changed, read.groups);
            }
            read.looked = self.now;
        }
        read.since
    }

    /// The answer to a question that was asked before.
    #[inline(always)]
    pub fn get(&mut self, key: u64, worth: Worth) -> Option<u64> {
        let since = self.since(worth);
        let slot = self.slots.get(place(key, SLOTS))?;
        (slot.key == key && slot.given >= since).then_some(slot.answer)
    }

    /// Remembers an answer.
    #[inline(always)]
    pub fn put(&mut self, key: u64, answer: u64) {
        if self.slots.is_empty() {
            self.slots = vec![EMPTY; 1 << SLOTS];
        }
        let given = self.now;
        if let Some(slot) = self.slots.get_mut(place(key, SLOTS)) {
            *slot = Slot { key, given, answer };
        }
    }

    /// The answer of so many words to a question that was asked before.
    #[inline]
    pub fn get_wide(&mut self, key: u64, worth: Worth, words: usize) -> Option<&[u64]> {
        let since = self.since(worth);
        let at = place(key, WIDE_SLOTS);
        let slot = self.wide.get(at)?;
        if slot.key != key || slot.given < since {
            return None;
        }
        self.words.get(at * WIDE..at * WIDE + words)
    }

    /// Remembers an answer of several words, at most [`WIDE`].
    #[inline]
    pub fn put_wide(&mut self, key: u64, answer: &[u64]) {
        if self.wide.is_empty() {
            self.wide = vec![EMPTY; 1 << WIDE_SLOTS];
            self.words = vec![0; WIDE << WIDE_SLOTS];
        }
        let (at, given) = (place(key, WIDE_SLOTS), self.now);
        if let (Some(slot), Some(words)) =
            (self.wide.get_mut(at), self.words.get_mut(at * WIDE..at * WIDE + answer.len()))
        {
            words.copy_from_slice(answer);
            *slot = Slot { key, given, answer: 0 };
        }
    }
}

/// The groups in which words differ.
#[inline(always)]
fn groups_of_changed(before: &[u64], after: &[u64], groups: &[u128]) -> u128 {
    let each = before.iter().zip(after).zip(groups);
    each.fold(0, |all, ((before, after), groups)| if before == after { all } else { all | groups })
}

/// The last change in which one of these groups had a part.
#[cold]
#[inline(never)]
fn last_of(changed: &[u64], mut groups: u128) -> u64 {
    let mut last = 1;
    while groups != 0 {
        last = last.max(changed.get(groups.trailing_zeros() as usize).copied().unwrap_or(u64::MAX));
        groups &= groups - 1;
    }
    last
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

impl Groups {
    /// Of the columns of a program, and what its functions read of them.
    pub fn new(program: &Program, columns: &[PreparedColumn]) -> Self {
        let reads = program.reads();
        let mut groups = Self::default();
        let mut count = 0;
        for column in columns {
            let group = if column.fact { 0 } else { 1 << (count % GROUPS) };
            count += usize::from(!column.fact);
            groups.of_column.push(group);
            for word in column.places().into_iter().filter(|_| !column.fact).flatten() {
                if groups.of_word.len() <= word {
                    groups.of_word.resize(word + 1, 0);
                }
                groups.of_word[word] |= group;
            }
        }
        let of = |column: u16| groups.of_column.get(usize::from(column)).copied().unwrap_or(ALL);
        let of_scope = |scope: &Vec<u16>| scope.iter().fold(0, |all, &column| all | of(column));
        groups.of_scope = program.scopes.iter().map(of_scope).collect();
        let mut sets: Vec<u128> = Vec::new();
        let mut worth = |function: u32| {
            let Some(read) = reads.of(function) else { return Worth::NOTHING };
            let read = read.fold(0, |all, column| all | of(column));
            let known = sets.iter().position(|&set| set == read).unwrap_or_else(|| {
                sets.push(read);
                sets.len() - 1
            });
            u16::try_from(known).map_or(Worth::NOTHING, Worth)
        };
        let invariants = program.invariants.iter().map(|&function| worth(function)).collect();
        let functions = program.functions.iter().zip(0..).map(|(function, place)| {
            if is_worthy(program, function) { worth(place) } else { Worth::NOTHING }
        });
        (groups.worth, groups.invariants) = (functions.collect(), invariants);
        groups.read = sets;
        groups
    }
}

impl Groups {
    /// The groups that a word of a position is in.
    pub fn at(&self, word: usize) -> u128 {
        self.of_word.get(word).copied().unwrap_or_default()
    }
}

/// Whether the answers of a function are worth remembering.
fn is_worthy(program: &Program, function: &Function) -> bool {
    let pure = !matches!(function.origin, Origin::Step(_) | Origin::Explain(_));
    let code = program.code.get(function.entry as usize..function.end as usize).unwrap_or_default();
    let asks = code.iter().any(|op| matches!(op, Op::Call { .. }));
    let small = function.param_words <= 3 && (1..=WIDE).contains(&usize::from(function.result_words));
    pure && small && (asks || code.len() > SHORT)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups that three rules read: none, the first, and the first two.
    fn three() -> (Memo, [Worth; 3]) {
        let groups = Groups { read: vec![0, 1, 3], of_word: vec![1, 1, 2], ..Groups::default() };
        (Memo::new(&groups), [Worth(0), Worth(1), Worth(2)])
    }

    #[test]
    fn an_answer_counts_while_what_it_hangs_on_is_the_same() {
        let (mut memo, [never, first, both]) = three();
        assert_eq!(memo.get(1, never), None);
        memo.put(1, 10);
        memo.put(2, 20);
        memo.put_wide(3, &[30, 31]);
        let answers = |memo: &mut Memo| {
            (memo.get(1, never), memo.get(2, first), memo.get_wide(3, both, 2).map(<[u64]>::to_vec))
        };
        assert_eq!(answers(&mut memo), (Some(10), Some(20), Some(vec![30, 31])));
        // What nobody reads.
        memo.change(4);
        assert_eq!(answers(&mut memo), (Some(10), Some(20), Some(vec![30, 31])));
        // The second: at once, and after changes of others at which nobody asked.
        memo.change(2);
        memo.change(4);
        assert_eq!(answers(&mut memo), (Some(10), Some(20), None));
        memo.put_wide(3, &[32, 33]);
        memo.change(4);
        assert_eq!(memo.get(1, never), Some(10));
        memo.change(1);
        assert_eq!(memo.get(1, never), Some(10));
        memo.change(4);
        assert_eq!(answers(&mut memo), (Some(10), None, None));
        memo.forget();
        assert_eq!(answers(&mut memo), (Some(10), None, None));
        assert_eq!((memo.get(4, never), memo.get_wide(2, never, 2)), (None, None));
    }

    #[test]
    fn memory_that_is_laid_out_anew_changes_where_it_differs() {
        let groups = Groups { read: vec![1, 2], of_word: vec![1, 1, 2], ..Groups::default() };
        let (mut memo, first, second) = (Memo::new(&groups), Worth(0), Worth(1));
        memo.put(1, 10);
        memo.put(2, 20);
        memo.compare(&groups, &[5, 6, 7, 8], &[5, 6, 7, 9]);
        assert_eq!((memo.get(1, first), memo.get(2, second)), (Some(10), Some(20)));
        memo.compare(&groups, &[5, 6, 7, 8], &[5, 9, 7, 8]);
        assert_eq!((memo.get(1, first), memo.get(2, second)), (None, Some(20)));
        // Of what is not there before, or any more, nothing is known.
        memo.compare(&groups, &[5, 6, 7], &[5, 6]);
        assert_eq!(memo.get(2, second), None);
    }

    #[test]
    fn where_is_counted_all_is_forgotten() {
        let (mut memo, [never, first, _]) = three();
        memo.is_coarse = true;
        memo.put(1, 10);
        memo.put(2, 20);
        memo.change(4);
        assert_eq!((memo.get(1, never), memo.get(2, first)), (Some(10), None));
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
