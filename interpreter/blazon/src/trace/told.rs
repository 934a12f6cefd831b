//! What is told of a rule that was traced: plain data, in the words of the rules.

use serde::Serialize;

use crate::told::Value;

/// A rule that was asked, and why it answered so.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Traced {
    /// What was asked: `levy(Ford)`; for a question that is no rule, the question.
    pub asked: String,
    /// The rule's name; none for a question that is no rule.
    pub rule: Option<String>,
    /// The title of a printed table.
    pub title: Option<String>,
    /// The paragraphs of the rule.
    pub paragraphs: Vec<Paragraph>,
    /// File and line of the rule.
    pub place: Option<String>,
    /// What it gave.
    pub value: Answer,
    /// Its clauses in the written order, the base last; of a table the row that answered.
    pub clauses: Vec<Clause>,
    /// What the clauses asked that decided: rules, states, facts, sets.
    pub reads: Vec<Read>,
    /// The rules among these, traced themselves.
    pub deeper: Vec<Traced>,
}

/// A paragraph of the rulebook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Paragraph {
    /// Its number.
    pub number: String,
    /// Its title in the outline, or an empty text.
    pub title: String,
}

/// What something gave, or why it gave nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Answer {
    /// The value; none if it failed.
    pub value: Option<Value>,
    /// The value in words, or what went wrong.
    pub words: String,
    /// Whether it failed.
    pub failed: bool,
}

/// What a clause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// The value where no exception holds.
    Base,
    /// `except`
    Exception,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `needs`
    Need,
    /// A row of a table.
    Row,
}

/// Whether something held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Held {
    /// It held.
    Yes,
    /// It did not.
    No,
    /// Nobody looked at it: what comes before had decided.
    NotAsked,
    /// It could not be answered.
    Failed,
}

impl Held {
    /// The same of what denies it.
    pub(super) fn denied(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::NotAsked | Self::Failed => self,
        }
    }
}

/// A clause of a rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clause {
    /// What it is.
    pub sort: Sort,
    /// Its label, or an empty text.
    pub label: String,
    /// Its condition as written; empty where it has none. Of a row the row as printed.
    pub condition: String,
    /// Whether it held.
    pub held: Held,
    /// Whether it is among what made the value: the exception that won, the base, the modifiers that held, the need
    /// that refused; all needs of what is allowed.
    pub decides: bool,
    /// Its value, where it was asked: of a modifier what it adds or takes away.
    pub value: Option<Answer>,
    /// The reason that a need gives, as written.
    pub reason: Option<String>,
    /// The exceptions that it outranks, by their labels.
    pub beats: Vec<String>,
    /// What its condition is made of by `and` or `or`, as far as it was looked at; empty where it is one.
    pub parts: Vec<Part>,
    /// Its paragraphs.
    pub paragraphs: Vec<Paragraph>,
    /// File and line.
    pub place: Option<String>,
    /// Whose page it stands on: `library`, `game`, or `variant NAME`.
    pub origin: String,
}

/// A part of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// As written, and in words that say the same where a variant put it; of a need first the cases in which it binds.
    pub text: String,
    /// Whether it held.
    pub held: Held,
}

/// What something reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reads {
    /// A rule.
    Rule,
    /// A state.
    State,
    /// What is printed.
    Fact,
    /// A set or a number that is found by going through things.
    Query,
}

/// Something that a clause asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Read {
    /// What it is.
    pub what: Reads,
    /// What was asked, with its arguments: `levy(Ford)`; of a query as it is written.
    pub asked: String,
    /// What it gave.
    pub value: Answer,
    /// File and line of the rule, state or fact.
    pub place: Option<String>,
}
