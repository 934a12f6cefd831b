//! Rules: exceptions, modifiers, needs, tables.

use blazon_diagnostics::Span;

use crate::*;

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// The title of a printed table.
    pub title: Option<String>,
    /// How many of the first locals are parameters.
    pub params: usize,
    /// Parameters and all variables of its queries.
    pub locals: Vec<Local>,
    /// What it gives.
    pub ty: Type,
    /// How.
    pub body: RuleBody,
    /// Paragraphs of the base.
    pub cites: Vec<String>,
    /// Where it is declared.
    pub span: Span,
}

/// How a rule is answered.
#[derive(Clone, Debug)]
pub enum RuleBody {
    /// A base, exceptions, modifiers.
    Value {
        /// The base.
        base: Expr,
        /// The exceptions. Of those that hold, one that no other holding one outranks decides; two such with
        /// different values are the run-time error `run::clash`.
        exceptions: Vec<Exception>,
        /// The modifiers; all that hold are added.
        modifiers: Vec<Modifier>,
    },
    /// Needs, in order; the first that fails refuses.
    Permission(Vec<Need>),
    /// A table: rows tried by the leading parameters, columns by the last one. Complete and without overlap.
    Table(RuleTable),
}

/// `except label beats …: value if when`
#[derive(Clone, Debug)]
pub struct Exception {
    /// Its label or an empty text.
    pub label: String,
    /// The places (in `exceptions`) of those that it outranks.
    pub beats: Vec<usize>,
    /// The value instead.
    pub value: Expr,
    /// When.
    pub when: Option<Expr>,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where.
    pub span: Span,
}

/// `+ label: value if when`
#[derive(Clone, Debug)]
pub struct Modifier {
    /// Its label or an empty text.
    pub label: String,
    /// Whether it takes away.
    pub minus: bool,
    /// What is added: a number, or a set (or one thing, as a set).
    pub value: Expr,
    /// When.
    pub when: Option<Expr>,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where.
    pub span: Span,
}

/// `needs label: condition else "reason"`
#[derive(Clone, Debug)]
pub struct Need {
    /// Its label or an empty text.
    pub label: String,
    /// A flag or a permission; when a permission fails, its own reason is given.
    pub condition: Expr,
    /// Why not.
    pub reason: Option<Text>,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where.
    pub span: Span,
}

/// A rule that is a table.
#[derive(Clone, Debug)]
pub struct RuleTable {
    /// The leading columns: which parameter each one reads.
    pub leading: Vec<LocalId>,
    /// The parameter that the other columns read.
    pub across: LocalId,
    /// The ranges (or things, as `t..t`) of the other columns, in order.
    pub headings: Vec<(i64, i64)>,
    /// The rows: ranges of the leading columns, then one value per heading.
    pub rows: Vec<TableRow>,
    /// The rows as printed, the heading first.
    pub printed: Vec<Vec<String>>,
}

/// A row of a rule's table: the ranges of its leading columns, and its values.
pub type TableRow = (Vec<(i64, i64)>, Vec<Constant>);
