//! Why the umpire does not do what is asked.

use blazon::Error;
use blazon_diagnostics::{Format, Style, render};
use serde_json::{Value, json};

use crate::exit::Failure;
use crate::protocol::request::Problem;

/// What is told to a program whose request is not carried out: nothing has changed then.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Its code: `mcp::…` and `protocol::…` stand in UMPIRE.md, the others the tool `explain` explains.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// How to mend it.
    help: Option<String>,
    /// The steps and rules under way, the innermost first.
    stack: Vec<String>,
    /// What is wrong with the rules, drawn.
    drawn: Option<String>,
}

impl Refusal {
    /// One with a code and a sentence.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: None, stack: Vec::new(), drawn: None }
    }

    /// The same with how to mend it.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// The object that is told.
    pub fn told(&self) -> Value {
        let mut told = json!({ "code": self.code, "message": self.message });
        if let Some(help) = &self.help {
            told["help"] = help.as_str().into();
        }
        if !self.stack.is_empty() {
            told["stack"] = self.stack.clone().into();
        }
        if let Some(drawn) = &self.drawn {
            told["drawn"] = drawn.as_str().into();
        }
        told
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self { stack: problem.stack, ..Self::new(problem.code, problem.message) }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match &error {
            Error::Unknown(unknown) => Self::new(unknown.code, unknown.message.as_str()),
            Error::Unreadable(message) => Self::new(error.code(), message.as_str()),
            Error::Rules(problems) => {
                let mut wrong = problems.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
                let first = wrong.next().map_or("the rules have errors", |first| first.message.as_str());
                let more = match wrong.count() {
                    0 => String::new(),
                    1 => "; 1 more error".to_owned(),
                    more => format!("; {more} more errors"),
                };
                let drawn = render(&problems.diagnostics, &problems.sources, Format::Human, Style::default());
                Self { drawn: Some(drawn), ..Self::new(error.code(), format!("{first}{more}")) }
            }
            Error::Fault(_) | Error::Save(_) => Self::from(Problem::from(error)),
        }
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Unreported(error) => Self::from(error),
            Failure::Usage(message) => Self::new("mcp::request", message),
            Failure::Problem(message) | Failure::Environment(message) => Self::new("mcp::request", message),
            Failure::Problems => Self::new("mcp::request", "the rules or the games have problems"),
            Failure::Interrupted => Self::new("mcp::stopped", "it was stopped"),
            Failure::Bug => {
                Self::new("mcp::bug", "this is a bug in Blazon, not in your rules; please report it")
            }
        }
    }
}
