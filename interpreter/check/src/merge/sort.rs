//! What sort of part a change speaks of. The phrases of messages are made here, and nowhere read back.

use std::fmt;

/// What sort of part is changed, missed or taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Kind,
    Column,
    Rule,
    Step,
    Table,
    /// A list of links.
    Links,
    Link,
    /// A test, by what it shows.
    Test,
    /// A declaration that is put and taken out as a whole, by what it is called.
    Whole(&'static str),
    /// A thing of the kind of that name.
    Thing(String),
    /// A row of a table of things.
    Row,
    /// A row of the rule of that name.
    RowOf(String),
    /// A clause of the rule of that name.
    ClauseOf(String),
    /// A need, or a law, of what bears that name.
    NeedOf(String),
    /// A need of what has no name.
    Need,
    /// An option of the step of that name.
    OptionOf(String),
    /// A case of the step of that name.
    CaseOf(String),
    /// A choice of the step of that name.
    ChoiceOf(String),
    /// A line of a setup.
    SetupLine,
    /// A thing that the setup of that name places.
    PlacedIn(String),
    /// What should list a thing.
    Listing,
}

impl Sort {
    /// What one is called, and the name of what it belongs to.
    fn words(&self) -> (&str, Option<&str>) {
        match self {
            Self::Kind => ("kind", None),
            Self::Column => ("fact or state", None),
            Self::Rule => ("rule", None),
            Self::Step => ("step", None),
            Self::Table => ("table", None),
            Self::Links => ("list of links", None),
            Self::Link => ("link", None),
            Self::Test => ("test", None),
            Self::Whole(word) => (word, None),
            Self::Thing(kind) => (kind, None),
            Self::Row => ("row", None),
            Self::RowOf(rule) => ("row", Some(rule)),
            Self::ClauseOf(rule) => ("clause", Some(rule)),
            Self::NeedOf(owner) => ("need", Some(owner)),
            Self::Need => ("need", None),
            Self::OptionOf(step) => ("option", Some(step)),
            Self::CaseOf(step) => ("case", Some(step)),
            Self::ChoiceOf(step) => ("choice", Some(step)),
            Self::SetupLine => ("such", None),
            Self::PlacedIn(_) => ("thing in this setup", None),
            Self::Listing => ("opened part that lists it, so no thing", None),
        }
    }

    /// What is said where one of that name is missed.
    pub fn missed(&self, name: &str) -> String {
        match self.words() {
            (word, Some(owner)) => format!("`{owner}` has no {word} `{name}` to change"),
            (word, None) => format!("there is no {word} `{name}` to change"),
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.words() {
            (word, Some(owner)) => write!(f, "{word} of `{owner}`"),
            (word, None) => f.write_str(word),
        }
    }
}
