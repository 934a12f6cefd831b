//! One line of rules text broken at a time: would anybody notice? A *mutant* is a game with one small change in one of
//! its pages; it falls if the checker refuses it or a test of the game fails. What survives is a hole in the tests, or
//! *equivalent*: no game could show the difference.
//!
//! * [`sites`]: all changes of a page, found in its tree, never in its comments and texts;
//! * [`telling`]: what is only told, in which nothing is changed, either;
//! * [`names`]: which names are of one sort, so that one can be put for another;
//! * [`trial`]: what becomes of a mutant;
//! * [`equivalent`]: the list of those that cannot be told from the original;
//! * [`report`]: counts and survivors.
//!
//! The command is `cargo run -p blazon-tests --example mutate`.

pub mod equivalent;
pub mod names;
pub mod report;
pub mod sites;
pub mod telling;
pub mod trial;

use std::ops::Range;

/// Makes the type of the operators with their names.
macro_rules! operators {
    ($($(#[$doc:meta])* $Name:ident $word:literal;)*) => {
        /// What is done to a line.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Operator { $($(#[$doc])* $Name),* }

        impl Operator {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$Name),*];

            /// Its name in the report.
            pub fn word(self) -> &'static str {
                match self { $(Self::$Name => $word),* }
            }
        }
    };
}

operators! {
    /// A number becomes one more or one less.
    Number "number by one";
    /// `<` becomes `<=` or `>=`, `=` becomes `!=`, `in` becomes `not in`.
    Comparison "comparison turned";
    /// `and` becomes `or`, and the other way.
    AndOr "and for or";
    /// `+` becomes `-`, `+=` becomes `-=`, and the other way.
    Sign "sign turned";
    /// `not` goes.
    NotDropped "not dropped";
    /// `not` comes before a condition.
    NotAdded "not added";
    /// A `needs` goes.
    NeedDeleted "needs deleted";
    /// An `except` goes.
    ExceptDeleted "except deleted";
    /// A clause with `+` or `-` goes.
    ClauseDeleted "clause deleted";
    /// A `seen by` goes, with its clauses.
    SeenDeleted "seen by deleted";
    /// An operand of a `seen by`, or of a condition of its clauses, goes.
    OperandDeleted "operand deleted";
    /// A name of a `back` goes.
    BackNameDeleted "name of back deleted";
    /// A `known to all` goes.
    ReleaseDeleted "release deleted";
    /// The call of a step goes.
    CallDeleted "call deleted";
    /// Another statement goes.
    StatementDeleted "statement deleted";
    /// An `if` of a clause or a `where` goes.
    ConditionDropped "condition dropped";
    /// Two cells of a row change places.
    CellsSwapped "cells swapped";
    /// Another name of the same sort stands there.
    NameSwapped "name swapped";
}

/// One change of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What sort of change.
    pub operator: Operator,
    /// The bytes that go.
    pub span: Range<usize>,
    /// What comes for them.
    pub with: String,
    /// The rulings on which this part of the page depends; none outside `under`.
    pub rulings: Vec<String>,
    /// Whether what is broken says who sees what.
    pub secret: bool,
}

impl Change {
    /// The page with the change.
    pub fn applied(&self, text: &str) -> String {
        let (before, after) = (&text[..self.span.start], &text[self.span.end..]);
        format!("{before}{}{after}", self.with)
    }

    /// The lines that it touches: as they are, and as they become, without citations, with single blanks.
    pub fn lines(&self, text: &str) -> (String, String) {
        let start = text[..self.span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[self.span.end..].find('\n').map_or(text.len(), |at| self.span.end + at);
        let (before, after) = (&text[start..self.span.start], &text[self.span.end..end]);
        (plain(&text[start..end]), plain(&format!("{before}{}{after}", self.with)))
    }

    /// The number of the first line that it touches, from 1.
    pub fn line(&self, text: &str) -> usize {
        text[..self.span.start].matches('\n').count() + 1
    }
}

/// Lines without citations, with single blanks.
fn plain(lines: &str) -> String {
    let words = lines.split_whitespace().filter(|word| !word.starts_with('@'));
    words.collect::<Vec<_>>().join(" ")
}
