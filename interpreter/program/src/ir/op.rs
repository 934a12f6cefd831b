//! The instructions.

#[cfg(doc)]
use super::{MAX_DICE, Program};
use super::{Pc, Reg};

/// An instruction. `dst`, `a`, `b` … are registers; `words` is the length of sets. Numbers compare as `i64`.
#[allow(missing_docs, reason = "the doc of an instruction says what its fields are for")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    // ------------------------------------------------------------------------------------------ constants
    /// A small number, flag or thing.
    Int { dst: Reg, value: i32 },
    /// `numbers[index]`; also [`super::ABSENT`].
    Number { dst: Reg, index: u32 },
    /// `pool[index..index + words]`.
    Set { dst: Reg, words: u16, index: u32 },
    /// The empty set (or zero words).
    Empty { dst: Reg, words: u16 },
    /// Copies words; the two may overlap.
    Copy { dst: Reg, src: Reg, words: u16 },
    // -------------------------------------------------------------------------------------------- numbers
    /// a + b; outside ±10¹⁵ is the run-time error `run::range`, as for all arithmetic.
    Add { dst: Reg, a: Reg, b: Reg },
    /// a − b
    Sub { dst: Reg, a: Reg, b: Reg },
    /// a · b
    Mul { dst: Reg, a: Reg, b: Reg },
    /// a / b rounded down; b = 0 is `run::range`.
    Div { dst: Reg, a: Reg, b: Reg },
    /// The lesser.
    Min { dst: Reg, a: Reg, b: Reg },
    /// The greater.
    Max { dst: Reg, a: Reg, b: Reg },
    /// Whether odd.
    Odd { dst: Reg, a: Reg },
    /// Words equal.
    Eq { dst: Reg, a: Reg, b: Reg },
    /// Words different.
    Ne { dst: Reg, a: Reg, b: Reg },
    /// a < b
    Lt { dst: Reg, a: Reg, b: Reg },
    /// a ≤ b
    Le { dst: Reg, a: Reg, b: Reg },
    /// Word equal to a small constant.
    EqInt { dst: Reg, a: Reg, value: i32 },
    /// Whether absent.
    IsAbsent { dst: Reg, a: Reg },
    /// Flag negated.
    Not { dst: Reg, a: Reg },
    // -------------------------------------------------------------------------------------------- columns
    /// a · size + b: the entry of two keys.
    Index { dst: Reg, a: Reg, b: Reg, size: u32 },
    /// A scalar entry; `key` is ignored for a column of one entry. A key out of range is an internal error.
    Load { dst: Reg, column: u16, key: Reg },
    /// Sets a scalar entry and keeps the inverse index; a value outside lo..hi is `run::range`.
    Store { column: u16, key: Reg, src: Reg },
    /// A set entry.
    LoadSet { dst: Reg, column: u16, key: Reg },
    /// Sets a set entry.
    StoreSet { column: u16, key: Reg, src: Reg },
    /// The keys whose flag is set (a flag column of one key).
    Members { dst: Reg, column: u16 },
    /// The keys that hold the value in a register, perhaps absent (a column of one key that holds things).
    Where { dst: Reg, column: u16, value: Reg },
    /// The neighbours of all things of a set.
    NeighboursOf { dst: Reg, kind: u16, set: Reg },
    /// The keys that hold a value, −1 for absent (a column of one key that holds things).
    WhereIs { dst: Reg, column: u16, value: i32 },
    /// A word of the facts, as it stands there: the entry of a key below `len`.
    Fact { dst: Reg, key: Reg, len: u16, offset: u32 },
    /// A word of the states, as it stands there.
    Word { dst: Reg, offset: u32 },
    /// The values that the things of a set of keys hold (a column of one key that holds things): their set.
    Image { dst: Reg, column: u16, set: Reg, words: u16 },
    /// The columns of a scope, their inverse indexes included, back to their start.
    Reset { scope: u16 },
    // ----------------------------------------------------------------------------------------------- sets
    /// a ∪ b
    Union { dst: Reg, a: Reg, b: Reg, words: u16 },
    /// a ∩ b
    Both { dst: Reg, a: Reg, b: Reg, words: u16 },
    /// a without b
    Without { dst: Reg, a: Reg, b: Reg, words: u16 },
    /// Sets equal.
    SetEq { dst: Reg, a: Reg, b: Reg, words: u16 },
    /// Adds a thing to a set in place; absent adds nothing.
    Insert { set: Reg, elem: Reg },
    /// Takes a thing out in place; absent takes nothing.
    Delete { set: Reg, elem: Reg },
    /// Whether a thing is in; absent is not.
    Has { dst: Reg, set: Reg, elem: Reg },
    /// How many.
    Count { dst: Reg, set: Reg, words: u16 },
    /// Whether any.
    Some { dst: Reg, set: Reg, words: u16 },
    /// The first, or absent.
    First { dst: Reg, set: Reg, words: u16 },
    /// Keeps of look-alikes only the first, in place.
    Alike { set: Reg, kind: u16 },
    // ---------------------------------------------------------------------------------------------- links
    /// All links of a kind at a thing (absent: none); the set is over the link kind.
    Links { dst: Reg, kind: u16, a: Reg },
    /// All neighbours of a thing by a kind of links (absent: none); the set is over the end kind.
    Neighbours { dst: Reg, kind: u16, a: Reg },
    /// The link between two things, or absent.
    Between { dst: Reg, kind: u16, a: Reg, b: Reg },
    /// The two ends of a link (absent: none).
    Ends { dst: Reg, kind: u16, a: Reg },
    // ---------------------------------------------------------------------------------------------- loops
    /// Takes the first thing out of a set register into `elem`, or jumps if there is none.
    Next { set: Reg, words: u16, elem: Reg, exit: Pc },
    /// counter += 1; jumps if it exceeds the limit.
    NextNumber { counter: Reg, limit: Reg, exit: Pc },
    /// Takes the first die out of a dice register, or jumps.
    NextDie { dice: Reg, die: Reg, exit: Pc },
    /// Appends a thing to a sequence (two words cursor and length, then the things); absent adds nothing.
    Push { seq: Reg, elem: Reg },
    /// Appends the things of a set in order.
    PushAll { seq: Reg, set: Reg, words: u16 },
    /// The next of a sequence, or jumps.
    NextOf { seq: Reg, elem: Reg, exit: Pc },
    // -------------------------------------------------------------------------------------------- control
    /// Jumps.
    Jump { to: Pc },
    /// Jumps if the flag is set.
    JumpIf { a: Reg, to: Pc },
    /// Jumps if it is not.
    JumpUnless { a: Reg, to: Pc },
    /// Asks a rule: parameters are the `param_words` words from `args`; its result goes to `dst`.
    Call { function: u16, args: Reg, dst: Reg },
    /// Does a step: parameters from `args`, its dice key from the register `key`; its result goes to `dst`.
    Do { function: u16, args: Reg, dst: Reg, key: Reg },
    /// Leaves a rule or step with the result from `src`.
    Return { src: Reg },
    /// Looks a value up in [`Program::tables`]: leading values from `args`, then the one across. Outside all
    /// headings is the run-time error `run::range`.
    Table { dst: Reg, table: u16, args: Reg },
    /// A player wins and the game is over.
    Win { player: Reg },
    /// The outermost frame has returned: the game is over without a winner, or a test's step is done.
    Over,
    /// A piece of code run on the side (`who`, `enumerate`, `label` …) is at its end.
    Done,
    /// Two exceptions of a rule hold with different values: the run-time error `run::clash`.
    Clash,
    // --------------------------------------------------------------------------------------------- chance
    /// A key from a key and the place in the book.
    MixSite { dst: Reg, key: Reg, site: u32 },
    /// A key from a key and a thing (by its name), a number, a flag or absent. Kind `u16::MAX` is no kind.
    MixValue { dst: Reg, key: Reg, value: Reg, kind: u16 },
    /// A key from a key and a set (by its names).
    MixSet { dst: Reg, key: Reg, set: Reg, kind: u16 },
    /// A key from a key and how often this key came here in this frame; four local words from `slots` count.
    MixCount { dst: Reg, key: Reg, slots: Reg },
    /// One die of so many sides (1 to 255), with that key.
    Die { dst: Reg, sides: Reg, key: Reg },
    /// Several dice; more than [`MAX_DICE`] or fewer than 0 is `run::range`.
    Dice { dst: Reg, sides: Reg, count: Reg, key: Reg },
    /// So many of a set, at random, with that key: by the least of a hash of key and name.
    Draw { dst: Reg, set: Reg, count: Reg, key: Reg, kind: u16 },
    // ------------------------------------------------------------------------------------------- decisions
    /// Stops for `choices[choice]`. With no option open it goes to `otherwise` (or is `run::empty-choice`), with one it
    /// takes it unasked.
    Choose { choice: u16 },
    /// The end of a body of a choice by each.
    EachNext { choice: u16 },
    /// An option with its arguments (words from `args`) is open.
    Emit { option: u16, args: Reg, count: u16 },
    /// The same for each thing of a set as the last of `count` arguments; the others stand from `args` on.
    EmitAll { option: u16, args: Reg, count: u16, set: Reg, words: u16 },
    // ----------------------------------------------------------------------------------------------- texts
    /// Renders a text from the registers it names.
    Text { text: u32 },
    /// A line for the log, hidden things by their backs unless announced.
    Say { text: u32, announce: bool },
    /// The option asked about is refused by this need; everything run on the side ends.
    Refuse { need: u32 },

    // ------------------------------------------------------------------------------ two instructions in one
    // Each stands in place of the first; the second stays behind it, for those who jump there.
    /// Two words copied, one after the other.
    Copies { dst: Reg, src: Reg, dst2: Reg, src2: Reg },
    /// `read` is a word of the states, and dst = a ∩ read.
    WordBoth { dst: Reg, a: Reg, read: Reg, offset: u32 },
    /// `read` is a word of the states, and dst = a without read.
    WordWithout { dst: Reg, a: Reg, read: Reg, offset: u32 },
    /// `read` are the keys that hold a value, as with [`Op::Where`], and dst = a ∩ read; sets of one word.
    WhereBoth { dst: Reg, a: Reg, read: Reg, column: u16, value: Reg },
    /// [`Op::Eq`], and jumps if it is as said.
    JumpEq { dst: Reg, a: Reg, b: Reg, to: Pc, when: bool },
    /// [`Op::Ne`], and jumps if it is as said.
    JumpNe { dst: Reg, a: Reg, b: Reg, to: Pc, when: bool },
    /// [`Op::Lt`], and jumps if it is as said.
    JumpLt { dst: Reg, a: Reg, b: Reg, to: Pc, when: bool },
    /// [`Op::Le`], and jumps if it is as said.
    JumpLe { dst: Reg, a: Reg, b: Reg, to: Pc, when: bool },
    /// [`Op::EqInt`], and jumps if it is as said.
    JumpEqInt { dst: Reg, a: Reg, value: i16, to: Pc, when: bool },
    /// [`Op::IsAbsent`], and jumps if it is as said.
    JumpAbsent { dst: Reg, a: Reg, to: Pc, when: bool },
    /// [`Op::Has`], and jumps if it is as said.
    JumpHas { dst: Reg, set: Reg, elem: Reg, to: Pc, when: bool },
    /// [`Op::Some`], and jumps if it is as said.
    JumpSome { dst: Reg, set: Reg, words: u16, to: Pc, when: bool },
}
