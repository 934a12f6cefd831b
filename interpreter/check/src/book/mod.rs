//! The checked book: one game with its library and variants, flat, every name resolved and typed.
//!
//! Everything is a number into a table of this book. What the checker has proved is written at the field:
//! the lowering relies on it and the program's verifier checks what can be checked again.

mod expressions;
mod played;
mod procedures;
mod rules;
mod tests;

use std::sync::Arc;

use blazon_diagnostics::{Sources, Span};

pub use blazon_syntax::ast::Stagger;
pub use expressions::*;
pub use procedures::*;
pub use rules::*;
pub use tests::*;

/// A kind of things, by its place in [`Book::kinds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KindId(pub u32);
/// A fact or a state, by its place in [`Book::columns`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColumnId(pub u32);
/// A rule, by its place in [`Book::rules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(pub u32);
/// A step, by its place in [`Book::steps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepId(pub u32);
/// A variable of a rule or step, by its place in the `locals` of its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// A whole game, checked.
#[derive(Clone, Debug)]
pub struct Book {
    /// The game's name.
    pub title: String,
    /// The game's version, as its manifest has it.
    pub version: String,
    /// The variants, in the order of stacking: name and version.
    pub variants: Vec<(String, String)>,
    /// All kinds.
    pub kinds: Vec<Kind>,
    /// All facts and states.
    pub columns: Vec<Column>,
    /// All grids.
    pub grids: Vec<Grid>,
    /// All rules.
    pub rules: Vec<Rule>,
    /// All steps. No step can call itself, directly or not.
    pub steps: Vec<Step>,
    /// All watches.
    pub watches: Vec<Watch>,
    /// All setups.
    pub setups: Vec<Setup>,
    /// All rulings, with the value that this book was checked under.
    pub rulings: Vec<Ruling>,
    /// All tests.
    pub tests: Vec<Test>,
    /// The kind whose things decide.
    pub player: KindId,
    /// Those of its things that sit at the table, in the order of the manifest.
    pub players: Vec<u32>,
    /// A rule `chooser(s)` of one player that says who decides for him, if the book has one.
    pub chooser: Option<RuleId>,
    /// The first step; it has no parameters.
    pub begins: StepId,
    /// The setup used when nothing else is asked for.
    pub default_setup: usize,
    /// The paragraphs of the outline(s), in order: number and title.
    pub outline: Vec<(String, String)>,
    /// Statement ids of the audit that tests may cite.
    pub statements: Vec<String>,
    /// The files, for places.
    pub sources: Arc<Sources>,
}

/// A kind.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// The name of the set of all.
    pub plural: String,
    /// Its things, in printed order.
    pub things: Vec<Thing>,
    /// For a kind of links: the kinds of its ends (equal kinds in all supported books).
    pub ends: Option<(KindId, KindId)>,
    /// Who sees the face of a thing; everybody, if absent.
    pub seen: Option<Seen>,
    /// The columns that everybody sees of a thing whose face he does not see.
    pub back: Vec<ColumnId>,
    /// Whether the name stands on the back, too.
    pub name_on_back: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A thing.
#[derive(Clone, Debug)]
pub struct Thing {
    /// Its name as printed.
    pub name: String,
    /// Look-alikes share a group (the place of the first of them); others are alone in theirs.
    pub group: u32,
    /// For a link: its two ends.
    pub ends: Option<(u32, u32)>,
    /// Where it is listed.
    pub span: Span,
}

/// `grid border by number, even columns low`
#[derive(Clone, Debug)]
pub struct Grid {
    /// The kind of its links: one between every two things that touch.
    pub links: KindId,
    /// The kind of its things.
    pub things: KindId,
    /// The fact that holds the printed number, absent for a thing that is not on the grid.
    pub number: ColumnId,
    /// The fact that holds the column; counted in half hexes where the rows are staggered.
    pub across: ColumnId,
    /// The fact that holds the row; counted in half hexes where the columns are staggered.
    pub down: ColumnId,
    /// How the things lie.
    pub stagger: Stagger,
}

/// `seen by v: …`
#[derive(Clone, Debug)]
pub struct Seen {
    /// Local 0 is the viewer (a player), local 1 the thing.
    pub locals: Vec<Local>,
    /// A flag.
    pub when: Expr,
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// What it is when it is there.
    pub base: Base,
    /// Whether it may be absent (things and numbers only).
    pub optional: bool,
}

/// The types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// `yes` or `no`.
    Flag,
    /// A number in these bounds, both included.
    Number(i64, i64),
    /// One thing.
    Thing(KindId),
    /// A set of things.
    Set(KindId),
    /// A roll of several dice.
    Dice,
    /// A text (facts and rulings' questions only).
    Text,
    /// Two numbers.
    Point,
    /// Yes, or no with a reason.
    Permission,
    /// `1..n`, as the source of a loop or the right side of `in`.
    Numbers,
    /// The type of `none`.
    Nothing,
}

/// A fact (printed) or a state (kept).
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The kinds it is asked of; empty for one value.
    pub keys: Vec<KindId>,
    /// What it holds.
    pub ty: Type,
    /// Printed or kept.
    pub role: Role,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where it is declared.
    pub span: Span,
}

/// Printed or kept.
#[derive(Clone, Debug)]
pub enum Role {
    /// Printed: the values of all combinations of keys, the last key running fastest.
    Fact(Vec<Constant>),
    /// Kept.
    State {
        /// The value at the start and at each reset; reads facts and the key variables only. `None`: no,
        /// 0 (or the number nearest to it that the range has), absent, empty, or the first thing (then the
        /// state is set before it is read).
        start: Option<Start>,
        /// The steps that reset it when they begin and when they end.
        fresh: Vec<StepId>,
    },
}

/// The start of a state: an expression over its keys.
#[derive(Clone, Debug)]
pub struct Start {
    /// The key variables, in order, then whatever queries bind.
    pub locals: Vec<Local>,
    /// The value.
    pub value: Expr,
}

/// A printed value.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// Not there.
    Absent,
    /// A flag (0, 1), a number or a thing.
    Word(i64),
    /// A set, by its things in ascending order.
    Set(Vec<u32>),
    /// A text.
    Text(String),
    /// Two numbers.
    Point(i64, i64),
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name; empty for one that the checker made.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// `whenever`
#[derive(Clone, Debug)]
pub struct Watch {
    /// Its label.
    pub name: String,
    /// The variables of the condition.
    pub locals: Vec<Local>,
    /// What must become true.
    pub condition: Expr,
    /// A step without parameters that happens then.
    pub body: StepId,
    /// It sleeps while none of these steps is under way; empty: it never sleeps.
    pub awake: Vec<StepId>,
    /// Where.
    pub span: Span,
}

/// A setup.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Its name.
    pub name: String,
    /// Its second name.
    pub title: Option<String>,
    /// A step without parameters that only sets states.
    pub body: StepId,
    /// Where.
    pub span: Span,
}

/// A ruling.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// Its name.
    pub name: String,
    /// Its values, as written; the first is the default.
    pub values: Vec<String>,
    /// The value chosen for this book, by place.
    pub chosen: usize,
    /// The question.
    pub question: String,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where.
    pub span: Span,
}

impl Book {
    /// The kind of that number.
    pub fn kind(&self, id: KindId) -> &Kind {
        &self.kinds[id.0 as usize]
    }
    /// The column of that number.
    pub fn column(&self, id: ColumnId) -> &Column {
        &self.columns[id.0 as usize]
    }
    /// The rule of that number.
    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.0 as usize]
    }
    /// The step of that number.
    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id.0 as usize]
    }
}

impl Type {
    /// One that is always there.
    pub fn of(base: Base) -> Self {
        Self { base, optional: false }
    }
    /// One that may be absent.
    pub fn maybe(base: Base) -> Self {
        Self { base, optional: true }
    }
}
