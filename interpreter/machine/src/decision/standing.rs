//! What is said of an option: it is open, or refused by a need, or nobody can be asked about it.

use blazon_diagnostics::Span;

/// An option that is not open, and the first need that refuses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Which of the choice's options.
    pub option: u16,
    /// Its arguments.
    pub args: Vec<i64>,
    /// Its line.
    pub label: String,
    /// Why not: the need's own words, or its condition as written.
    pub reason: String,
    /// The need's label or an empty text.
    pub need: String,
    /// The paragraphs of the need.
    pub cites: Vec<String>,
    /// Where the need stands.
    pub span: Span,
    /// Whether the option stands there at all: one that changes put in the place of another under a condition, or the
    /// other, stands only where that says so.
    pub stands: bool,
}

/// What is to be said about an option that somebody asks about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is open.
    Open,
    /// It is refused by a need.
    Refused(Refusal),
    /// It is not among what can be asked about here.
    Outside,
}
