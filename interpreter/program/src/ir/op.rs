//! The instructions: one table of what each is, does to registers, stands for and looks like.
//!
//! A line says the fields of an instruction and the role that each plays ([`super::op_table`] lists the roles), then in
//! brackets what is special about it ([`super::op_info::Trait`]), then how it is listed. Moving registers, verifying,
//! jumps and listings follow from that; what an instruction does to memory is the machine's dispatch loop.

use super::DICE_WORDS;
use super::op_info::{
    end_words, key_words, kind_words, param_words, purse_words, result_words, set_words, table_words,
};
use super::op_table::ops;
#[cfg(doc)]
use super::{MAX_DICE, Program};

ops! {
/// An instruction. `dst`, `a`, `b` … are registers; `words` is the length of sets. Numbers compare as `i64`.
pub enum Op with program {
    // ------------------------------------------------------------------------------------------ constants
    /// A small number, flag or thing.
    Int { dst: write[1], value: i32 } => "{dst} = {value}";
    /// `numbers[index]`; also [`super::ABSENT`].
    Number { dst: write[1], index: number } => "{dst} = {index}";
    /// `pool[index..index + words]`.
    Set { dst: write[words], words: words, index: pool[words] }
        => "{dst} = {{{set}}}", set = program.list_set(words, index);
    /// The empty set (or zero words).
    Empty { dst: write[words], words: words } => "{dst} = {{}}{words}";
    /// Copies words; the two may overlap.
    Copy { dst: write[words], src: read[words], words: words } => "{dst} = {src}{words}";
    // -------------------------------------------------------------------------------------------- numbers
    /// a + b; outside ±10¹⁵ is the run-time error `run::range`, as for all arithmetic.
    Add { dst: write[1], a: read[1], b: read[1] } => "{dst} = {a} + {b}";
    /// a − b
    Sub { dst: write[1], a: read[1], b: read[1] } => "{dst} = {a} - {b}";
    /// a · b
    Mul { dst: write[1], a: read[1], b: read[1] } => "{dst} = {a} * {b}";
    /// a / b rounded down; b = 0 is `run::range`.
    Div { dst: write[1], a: read[1], b: read[1] } => "{dst} = {a} / {b}";
    /// a / b rounded up; b = 0 is `run::range`.
    DivUp { dst: write[1], a: read[1], b: read[1] } => "{dst} = {a} / {b} up";
    /// a / b rounded to the nearest, halves up; b = 0 is `run::range`.
    DivNearest { dst: write[1], a: read[1], b: read[1] } => "{dst} = {a} / {b} nearest";
    /// The lesser.
    Min { dst: write[1], a: read[1], b: read[1] } => "{dst} = min {a}, {b}";
    /// The greater.
    Max { dst: write[1], a: read[1], b: read[1] } => "{dst} = max {a}, {b}";
    /// Counts at a site, and whether a flag is set; only in a program that counts what comes up.
    Tick { flag: read[1], site: u32 } => "tick {site} {flag}";
    /// Whether odd.
    Odd { dst: write[1], a: read[1] } => "{dst} = odd {a}";
    /// Words equal.
    Eq { dst: write[1], a: read[1], b: read[1] } => "{dst} = {a} = {b}";
    /// Words different.
    Ne { dst: write[1], a: read[1], b: read[1] } => "{dst} = {a} != {b}";
    /// a < b
    Lt { dst: write[1], a: read[1], b: read[1] } => "{dst} = {a} < {b}";
    /// a ≤ b
    Le { dst: write[1], a: read[1], b: read[1] } => "{dst} = {a} <= {b}";
    /// Word equal to a small constant.
    EqInt { dst: write[1], a: read[1], value: i32 } => "{dst} = {a} = {value}";
    /// Whether absent.
    IsAbsent { dst: write[1], a: read[1] } => "{dst} = {a} is none";
    /// Flag negated.
    Not { dst: write[1], a: read[1] } => "{dst} = not {a}";
    // -------------------------------------------------------------------------------------------- columns
    /// a · size + b: the entry of two keys.
    Index { dst: write[1], a: read[1], b: read[1], size: u32 } => "{dst} = {a} * {size} + {b}";
    /// A scalar entry; `key` is ignored for a column of one entry. A key out of range is an internal error.
    Load { dst: write[1], column: column[Scalar], key: key[column] }
        => "{dst} = {entry}", entry = program.list_entry(column, key);
    /// Sets a scalar entry and keeps the inverse index; a value outside lo..hi is `run::range`.
    Store { column: column[KeptScalar], key: key[column], src: read[1] } [Effect]
        => "{entry} := {src}", entry = program.list_entry(column, key);
    /// A set entry.
    LoadSet { dst: write[set_words(program, column)], column: column[Sets], key: key[column] }
        => "{dst} = {entry}", entry = program.list_entry(column, key);
    /// Sets a set entry.
    StoreSet { column: column[KeptSets], key: key[column], src: read[set_words(program, column)] } [Effect]
        => "{entry} := {src}", entry = program.list_entry(column, key);
    /// The keys whose flag is set (a flag column of one key).
    Members { dst: write[key_words(program, column)], column: column[Flags] }
        => "{dst} = members of {column}";
    /// The keys that hold the value in a register, perhaps absent (a column of one key that holds things).
    Where { dst: write[key_words(program, column)], column: column[ByValue], value: read[1] }
        => "{dst} = where {column} = {value}";
    /// The neighbours of all things of a set.
    NeighboursOf { dst: write[end_words(program, kind)], kind: links, set: read[end_words(program, kind)] }
        => "{dst} = {kind} neighbours of all of {set}";
    /// The keys that hold a value, −1 for absent (a column of one key that holds things).
    WhereIs { dst: write[key_words(program, column)], column: column[ByValue], value: i32 }
        => "{dst} = where {column} = {value}";
    /// A word of the facts, as it stands there: the entry of a key below `len`.
    Fact { dst: write[1], key: read[1], len: u16, offset: fact[len] } => "{dst} = {offset}[{key}]";
    /// A word of the states, as it stands there.
    Word { dst: write[1], offset: state } => "{dst} = {offset}";
    /// The values that the things of a set of keys hold (a column of one key that holds things): their set.
    Image { dst: write[words], column: column[Things(words)],
            set: read[key_words(program, column)], words: words }
        => "{dst} = {column} of {set}";
    /// The columns of a scope, their inverse indexes included, back to their start.
    Reset { scope: scope } [Effect] => "reset {scope}";
    // ----------------------------------------------------------------------------------------------- sets
    /// a ∪ b
    Union { dst: write[words], a: read[words], b: read[words], words: words } => "{dst} = {a} | {b}{words}";
    /// a ∩ b
    Both { dst: write[words], a: read[words], b: read[words], words: words } => "{dst} = {a} & {b}{words}";
    /// a without b
    Without { dst: write[words], a: read[words], b: read[words], words: words }
        => "{dst} = {a} &~ {b}{words}";
    /// Sets equal.
    SetEq { dst: write[1], a: read[words], b: read[words], words: words } => "{dst} = {a} == {b}{words}";
    /// Takes out of a set the group of a thing: the things that hold the same as it does in a column, which is their value.
    /// The thing belongs to it wherever it stood.
    Group { set: edit[key_words(program, column)], group: write[key_words(program, column)],
            column: column[ByValue], value: write[1], elem: read[1] }
        => "{group} = {elem} and where {column} = {value} as its own, out of {set}";
    /// Adds a thing to a set in place; absent adds nothing.
    Insert { set: edit[1], elem: read[1] } => "{set} += {elem}";
    /// Takes a thing out in place; absent takes nothing.
    Delete { set: edit[1], elem: read[1] } => "{set} -= {elem}";
    /// Whether a thing is in; absent is not.
    Has { dst: write[1], set: read[1], elem: read[1] } => "{dst} = {elem} in {set}";
    /// How many.
    Count { dst: write[1], set: read[words], words: words } => "{dst} = count {set}{words}";
    /// Whether any.
    Some { dst: write[1], set: read[words], words: words } => "{dst} = any {set}{words}";
    /// The first, or absent.
    First { dst: write[1], set: read[words], words: words } => "{dst} = first {set}{words}";
    /// Keeps of look-alikes only the first, in place.
    Alike { set: edit[kind_words(program, kind)], kind: kind } => "{set} alike by {kind}";
    // ---------------------------------------------------------------------------------------------- links
    /// All links of a kind at a thing (absent: none); the set is over the link kind.
    Links { dst: write[kind_words(program, kind)], kind: links, a: read[1] } => "{dst} = {kind} links of {a}";
    /// All neighbours of a thing by a kind of links (absent: none); the set is over the end kind.
    Neighbours { dst: write[end_words(program, kind)], kind: links, a: read[1] }
        => "{dst} = {kind} neighbours of {a}";
    /// The link between two things, or absent.
    Between { dst: write[1], kind: links, a: read[1], b: read[1] } => "{dst} = {kind} between {a}, {b}";
    /// The two ends of a link (absent: none).
    Ends { dst: write[end_words(program, kind)], kind: links, a: read[1] } => "{dst} = {kind} ends of {a}";
    // ---------------------------------------------------------------------------------------------- loops
    /// Takes the first thing out of a set register into `elem`, or jumps if there is none.
    Next { set: edit[words], words: words, elem: write[1], exit: jump }
        => "{elem} = next of {set}{words} else {exit}";
    /// The next turn of a loop begun by [`Op::Next`]: takes the first thing out of a set register into `elem` and jumps, or
    /// goes on if there is none.
    Again { set: edit[words], words: words, elem: write[1], to: jump }
        => "{elem} = next of {set}{words}, jump {to}";
    /// counter += 1; jumps if it exceeds the limit.
    NextNumber { counter: edit[1], limit: read[1], exit: jump } => "{counter} += 1 to {limit} else {exit}";
    /// Takes the first die out of a dice register, or jumps.
    NextDie { dice: edit[DICE_WORDS as u16], die: write[1], exit: jump }
        => "{die} = next die of {dice} else {exit}";
    /// Adds a die to dice, in place; more than [`MAX_DICE`] are `run::range`.
    AddDie { dice: edit[DICE_WORDS as u16], die: read[1] } => "{dice} += die {die}";
    /// Takes a die that shows this out of dice, in place; if none does, nothing.
    DropDie { dice: edit[DICE_WORDS as u16], die: read[1] } => "{dice} -= die {die}";
    /// A thing is reached with so much left to spend: if that is more than by any way so far it is kept in the purse, and the
    /// thing added to a set, in place. Absent, or less than nothing left, is not reached.
    ///
    /// The purse is a word for each thing of a kind: 0 where it is not reached, otherwise one more than what is left there. A
    /// word behind them is what [`Op::NextWay`] says is left.
    Reach { set: edit[kind_words(program, kind)], purse: edit[purse_words(program, kind)], kind: kind, elem: read[1],
            left: read[1] }
        => "reach {elem} with {left}: {set}, {purse} of {kind}";
    /// Takes the thing with the most left in a purse out of a set, the first of several, into `elem`, and what is left there
    /// into the last word of the purse; or jumps if there is none.
    NextWay { set: edit[kind_words(program, kind)], purse: edit[purse_words(program, kind)], kind: kind, elem: write[1],
              exit: jump }
        => "{elem} = most left of {set} by {purse} of {kind} else {exit}";
    /// Appends a thing to a sequence (two words cursor and length, then the things); absent adds nothing.
    Push { seq: edit[2], elem: read[1] } => "push {seq}, {elem}";
    /// Appends the things of a set in order.
    PushAll { seq: edit[2], set: read[words], words: words } => "push all {seq}, {set}{words}";
    /// The next of a sequence, or jumps.
    NextOf { seq: edit[2], elem: write[1], exit: jump } => "{elem} = next in {seq} else {exit}";
    // -------------------------------------------------------------------------------------------- control
    /// Jumps.
    Jump { to: jump } [Last] => "jump {to}";
    /// Jumps if the flag is set.
    JumpIf { a: read[1], to: jump } => "if {a} jump {to}";
    /// Jumps if it is not.
    JumpUnless { a: read[1], to: jump } => "unless {a} jump {to}";
    /// Asks a rule: parameters are the `param_words` words from `args`; its result goes to `dst`.
    Call { function: rule, args: read[param_words(program, function)],
           dst: write[result_words(program, function)] }
        => "{dst} = ask {function}({args}…)";
    /// Does a step: parameters from `args`, its dice key from the register `key`; its result goes to `dst`.
    Do { function: step, args: read[param_words(program, function)],
         dst: write[result_words(program, function)], key: read[1] } [Effect]
        => "{dst} = do {function}({args}…) key {key}";
    /// Leaves a rule or step with the result from `src`.
    Return { src: result } [Last] => "return {src}";
    /// Looks a value up in [`Program::tables`]: leading values from `args`, then the one across. Outside all
    /// headings is the run-time error `run::range`.
    Table { dst: write[1], table: table, args: read[table_words(program, table)] }
        => "{dst} = table {table} of {args}…";
    /// A value that must lie in a range of [`Program::ranges`]; outside it is the run-time error `run::range`.
    Keep { value: read[1], range: range } => "keep {value} in range {range}";
    /// A player wins and the game is over.
    Win { player: read[1] } [Effect, Last] => "win {player}";
    /// The outermost frame has returned: the game is over without a winner, or a test's step is done.
    Over [Effect, Last] => "over";
    /// A piece of code run on the side (`who`, `enumerate`, `label` …) is at its end.
    Done [Effect, Last] => "done";
    /// Two exceptions of a rule hold with different values: the run-time error `run::clash`.
    Clash [Last] => "clash";
    // --------------------------------------------------------------------------------------------- chance
    /// A key from a key and the place in the book.
    MixSite { dst: write[1], key: read[1], site: u32 } [Effect] => "{dst} = mix {key} site {site:08x}";
    /// A key from a key and a thing (by its name), a number, a flag or absent. Kind `u16::MAX` is no kind.
    MixValue { dst: write[1], key: read[1], value: read[1], kind: any_kind } [Effect]
        => "{dst} = mix {key} {kind} {value}";
    /// A key from a key and a set (by its names).
    MixSet { dst: write[1], key: read[1], set: read[kind_words(program, kind)], kind: kind } [Effect]
        => "{dst} = mix {key} set of {kind} {set}";
    /// A key from a key and how often this key came here in this frame; four local words from `slots` count.
    MixCount { dst: write[1], key: read[1], slots: edit[4] } [Effect] => "{dst} = mix {key} count {slots}…";
    /// One die of so many sides (1 to 255), with that key.
    Die { dst: write[1], sides: read[1], key: read[1] } [Effect] => "{dst} = die {sides} key {key}";
    /// Several dice; more than [`MAX_DICE`] or fewer than 0 is `run::range`.
    Dice { dst: write[DICE_WORDS as u16], sides: read[1], count: read[1], key: read[1] } [Effect]
        => "{dst} = dice {sides}, {count} key {key}";
    /// So many of a set, at random, with that key: by the least of a hash of key and name; fewer than 0 are `run::range`.
    Draw { dst: write[kind_words(program, kind)], set: read[kind_words(program, kind)],
           count: read[1], key: read[1], kind: kind } [Effect]
        => "{dst} = draw {kind} {set}, {count} key {key}";
    // ------------------------------------------------------------------------------------------- decisions
    /// Stops for `choices[choice]`. With no option open it goes to `otherwise` (or is `run::empty-choice`), with one it
    /// takes it unasked.
    Choose { choice: choice } [Effect, Last] => "choose {choice}";
    /// The end of a body of a choice by each.
    EachNext { choice: choice } [Effect, Last] => "next of each, choice {choice}";
    /// An option with its arguments (words from `args`) is open.
    Emit { option: option[count], args: read[count], count: u16 } [Effect]
        => "emit option {option} ({args}, {count})";
    /// The same for each thing of a set as the last of `count` arguments; the others stand from `args` on.
    EmitAll { option: option[count], args: read[count.saturating_sub(1)], count: u16,
              set: read[words], words: words } [Effect]
        => "emit option {option} ({args}, {count}) for each of {set}";
    /// The same with two arguments: for each thing of the first set each of the second.
    EmitPairs { option: option[2], first: read[words], words: words, second: read[others], others: words }
        [Effect] => "emit option {option} for each of {first}{words} with each of {second}{others}";
    // ----------------------------------------------------------------------------------------------- texts
    /// Renders a text from the registers it names.
    Text { text: text } => "text {text}";
    /// A line for the log, hidden things by their backs unless announced.
    Say { text: text, announce: bool } [Effect]
        => "{verb} {text}", verb = if announce { "announce" } else { "say" };
    /// The option asked about is refused by this need; everything run on the side ends.
    Refuse { need: need } [Last] => "refuse {need}";

    // ------------------------------------------------------------------------------ two instructions in one
    // Each stands in place of the first; the second stays behind it, for those who jump there.
    /// Two words copied, one after the other.
    Copies { dst: write[1], src: read[1], dst2: write[1], src2: read[u16::from(src2 != dst)] } [Pair]
        => "{dst} = {src}, {dst2} = {src2}";
    /// Two small constants, one after the other.
    Ints { dst: write[1], value: i16, dst2: write[1], value2: i16 } [Pair]
        => "{dst} = {value}, {dst2} = {value2}";
    /// `read` is a word of the states, and dst = a ∩ read.
    WordBoth { dst: write[1], a: read[1], read: write[1], offset: state } [Pair]
        => "{dst} = {a} & {read} = {offset}";
    /// `read` is a word of the states, and dst = a without read.
    WordWithout { dst: write[1], a: read[1], read: write[1], offset: state } [Pair]
        => "{dst} = {a} &~ {read} = {offset}";
    /// `key` is a · size + b, as with [`Op::Index`], and dst the entry there, as with [`Op::Load`].
    LoadAt { dst: write[1], column: column[Scalar], a: read[1], b: read[1], key: write[1], size: u8 } [Pair]
        => "{dst} = {entry}, {key} = {a} * {size} + {b}", entry = program.list_entry(column, key);
    /// `read` are the keys that hold a value, as with [`Op::Where`], and dst = a ∩ read; sets of one word.
    WhereBoth { dst: write[1], a: read[1], read: write[1], column: column[Indexed], value: read[1] } [Pair]
        => "{dst} = {a} & {read} = where {column} = {value}";
    /// [`Op::Eq`], and jumps if it is as said.
    JumpEq { dst: write[1], a: read[1], b: read[1], to: jump, when: bool } [Pair]
        => "{dst} = {a} = {b}, {when} jump {to}";
    /// [`Op::Ne`], and jumps if it is as said.
    JumpNe { dst: write[1], a: read[1], b: read[1], to: jump, when: bool } [Pair]
        => "{dst} = {a} != {b}, {when} jump {to}";
    /// [`Op::Lt`], and jumps if it is as said.
    JumpLt { dst: write[1], a: read[1], b: read[1], to: jump, when: bool } [Pair]
        => "{dst} = {a} < {b}, {when} jump {to}";
    /// [`Op::Le`], and jumps if it is as said.
    JumpLe { dst: write[1], a: read[1], b: read[1], to: jump, when: bool } [Pair]
        => "{dst} = {a} <= {b}, {when} jump {to}";
    /// [`Op::EqInt`], and jumps if it is as said.
    JumpEqInt { dst: write[1], a: read[1], value: i16, to: jump, when: bool } [Pair]
        => "{dst} = {a} = {value}, {when} jump {to}";
    /// [`Op::IsAbsent`], and jumps if it is as said.
    JumpAbsent { dst: write[1], a: read[1], to: jump, when: bool } [Pair]
        => "{dst} = {a} is none, {when} jump {to}";
    /// [`Op::Has`], and jumps if it is as said.
    JumpHas { dst: write[1], set: read[1], elem: read[1], to: jump, when: bool } [Pair]
        => "{dst} = {elem} in {set}, {when} jump {to}";
    /// [`Op::Some`], and jumps if it is as said.
    JumpSome { dst: write[1], set: read[words], words: words, to: jump, when: bool } [Pair]
        => "{dst} = any {set}, {when} jump {to}";
}
}
