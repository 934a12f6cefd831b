//! The one error of this crate: what failed, with its code, and as text.

use std::fmt;
use std::sync::Arc;

use blazon_diagnostics::{Diagnostic, Format, Sources, Style, render};
use blazon_machine::Fault;
use blazon_machine::save::SaveError;

use crate::present::fault_diagnostic;

/// What this crate's functions answer.
pub type Result<T> = std::result::Result<T, Error>;

/// Why something was not done. Nothing has changed then.
#[derive(Clone, Debug)]
pub enum Error {
    /// Something was asked for that there is not: a game, a variant, a setup, a ruling, a player.
    Unknown(Unknown),
    /// A folder that was named cannot be read.
    Unreadable(String),
    /// The rules have errors.
    Rules(Box<Problems>),
    /// The rules failed while a game was played, or an option was chosen that is not open.
    Fault(Box<Failure>),
    /// A saved game is damaged or belongs to other rules.
    Save(SaveError),
}

/// What there is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The code: what sort of thing it is.
    pub code: &'static str,
    /// One sentence, with what there is instead.
    pub message: String,
}

/// Diagnostics with the files that they point into; at least one is an error.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    /// What is wrong, warnings too.
    pub diagnostics: Vec<Diagnostic>,
    /// The files.
    pub sources: Arc<Sources>,
}

/// A fault with the files that its stack points into.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The fault.
    pub fault: Fault,
    /// The files.
    pub sources: Arc<Sources>,
}

impl Error {
    pub(crate) fn unknown(code: &'static str, message: impl Into<String>) -> Self {
        Self::Unknown(Unknown { code, message: message.into() })
    }

    /// A fault with the files that its stack points into.
    pub fn fault(fault: Fault, sources: &Arc<Sources>) -> Self {
        Self::Fault(Box::new(Failure { fault, sources: sources.clone() }))
    }

    /// The code; `blazon_diagnostics::explain` has its page. For rules with errors that of the first one.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown(unknown) => unknown.code,
            Self::Unreadable(_) => "files::unreadable",
            Self::Rules(problems) => {
                let first = problems.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
                first.map_or("run::internal", |diagnostic| diagnostic.code)
            }
            Self::Fault(failure) => failure.fault.code,
            Self::Save(error) => error.code,
        }
    }

    /// The same as diagnostics: those of the rules, or one made of what is wrong.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        match self {
            Self::Unknown(Unknown { code, message }) => vec![Diagnostic::global(code, message.as_str())],
            Self::Unreadable(message) => vec![Diagnostic::global(self.code(), message.as_str())],
            Self::Rules(problems) => problems.diagnostics.clone(),
            Self::Fault(failure) => vec![fault_diagnostic(&failure.fault)],
            Self::Save(error) => vec![Diagnostic::global(error.code, error.message.as_str())],
        }
    }

    /// The files that the diagnostics point into.
    pub fn sources(&self) -> Arc<Sources> {
        match self {
            Self::Rules(problems) => problems.sources.clone(),
            Self::Fault(failure) => failure.sources.clone(),
            Self::Unknown(_) | Self::Unreadable(_) | Self::Save(_) => Arc::default(),
        }
    }

    /// The text to be shown: for people with the source underlined, one line each for editors, or JSON.
    pub fn rendered(&self, format: Format, style: Style) -> String {
        render(&self.diagnostics(), &self.sources(), format, style)
    }
}

/// One line for each thing that is wrong, as editors take it.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rendered(Format::Short, Style::default()).trim_end())
    }
}

impl std::error::Error for Error {}

impl From<Problems> for Error {
    fn from(problems: Problems) -> Self {
        Self::Rules(Box::new(problems))
    }
}

/// Without files: the places of the stack are not shown.
impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::fault(fault, &Arc::default())
    }
}

impl From<SaveError> for Error {
    fn from(error: SaveError) -> Self {
        Self::Save(error)
    }
}
