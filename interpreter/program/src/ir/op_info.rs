//! What is known of instructions: what is special about one, which registers it touches, what its numbers stand for.

use crate::ir::{Op, Pc, Program, Reg};

/// What is special about an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trait {
    /// Nothing comes after it, where it does not jump.
    Last,
    /// Only steps may have it.
    Effect,
    /// It does the work of two, and has the second behind it.
    Pair,
}

/// The registers that an instruction reads and writes: first word and how many.
#[derive(Default)]
pub(crate) struct Touch {
    pub reads: Vec<(Reg, usize)>,
    pub writes: Vec<(Reg, usize)>,
}

/// What a number in an instruction stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reference {
    /// A column, and the shape that it must have.
    Column(u16, Shape),
    /// A kind.
    Kind(u16),
    /// A kind of links.
    Links(u16),
    /// The function of a rule, or one made by the lowering.
    Rule(u16),
    /// The function of a step.
    Step(u16),
    /// A table.
    Table(u16),
    /// A range that a value is kept in.
    Range(u16),
    /// A choice of the step that it stands in.
    Choice(u16),
    /// Columns that are fresh together.
    Scope(u16),
    /// An option of the choice that it stands in, and how many arguments it has.
    Option { option: u16, args: u16 },
    /// A text.
    Text(u32),
    /// A need.
    Need(u32),
    /// A number constant.
    Number(u32),
    /// Words of the set constants.
    Pool { from: u32, words: u16 },
    /// Words of the facts.
    Facts { from: u32, words: u16 },
    /// A word of the states.
    State(u32),
}

/// What an instruction needs of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Its entries are single words.
    Scalar,
    /// It is a state, and its entries are single words.
    KeptScalar,
    /// Its entries are sets.
    Sets,
    /// It is a state, and its entries are sets.
    KeptSets,
    /// Its entries are flags.
    Flags,
    /// It can be asked by value: one key, and its entries are things.
    ByValue,
    /// The same, with an inverse index of single words.
    Indexed,
    /// It has one key, and its entries are things of a kind whose sets have so many words.
    Things(u16),
}

impl Op {
    /// Whether nothing comes after it (where it does not jump).
    pub(crate) fn ends(&self) -> bool {
        self.traits().contains(&Trait::Last)
    }

    /// Whether only steps may have it.
    pub(crate) fn is_effect(&self) -> bool {
        self.traits().contains(&Trait::Effect)
    }

    /// How many places it takes: one that does the work of two has the second behind it.
    pub(crate) fn length(&self) -> Pc {
        if self.traits().contains(&Trait::Pair) { 2 } else { 1 }
    }
}

impl Touch {
    pub(super) fn read(&mut self, reg: Reg, words: u16) {
        self.reads.push((reg, words.into()));
    }

    pub(super) fn write(&mut self, reg: Reg, words: u16) {
        self.writes.push((reg, words.into()));
    }
}

/// The words of a set over a kind.
pub(super) fn kind_words(program: &Program, kind: u16) -> u16 {
    program.kinds[kind as usize].words
}

/// The words of what is left at each thing of a kind, and of one of them.
pub(super) fn purse_words(program: &Program, kind: u16) -> u16 {
    program.kinds[kind as usize].purse_words()
}

/// The words of a set over what a kind of links joins.
pub(super) fn end_words(program: &Program, kind: u16) -> u16 {
    let ends = program.book.kinds[kind as usize].ends;
    ends.map_or(1, |(end, _)| program.kinds[end.0 as usize].words)
}

/// The words of a set of keys of a column.
pub(super) fn key_words(program: &Program, column: u16) -> u16 {
    program.columns[column as usize].key_words
}

/// The words of an entry of a column of sets.
pub(super) fn set_words(program: &Program, column: u16) -> u16 {
    program.columns[column as usize].set_words
}

/// The words of the parameters of a function.
pub(super) fn param_words(program: &Program, function: u16) -> u16 {
    program.functions[function as usize].param_words
}

/// The words of the result of a function.
pub(super) fn result_words(program: &Program, function: u16) -> u16 {
    program.functions[function as usize].result_words
}

/// The words that a table is asked with: the leading values and the one across.
pub(super) fn table_words(program: &Program, table: u16) -> u16 {
    program.tables[table as usize].leading.saturating_add(1)
}
