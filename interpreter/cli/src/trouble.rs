//! How a command ends when it does not end well, and the exit codes that programs rely on.

use std::process::ExitCode;

/// Why a command ends without success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The rules, a test or a saved game has problems. They have been reported already.
    Problems,
    /// The same, with a last word.
    Problem(String),
    /// The command line asks for something that there is not.
    Usage(String),
    /// A file, folder or stream does not do its part.
    Environment(String),
    /// Somebody stopped the work; what was done has been told.
    Interrupted,
    /// The program itself failed; the panic has said where.
    Bug,
}

/// What commands answer.
pub type Result<T> = std::result::Result<T, Trouble>;

impl Trouble {
    /// What is left to be said.
    pub fn message(&self) -> Option<&str> {
        match self {
            Self::Problem(message) | Self::Usage(message) | Self::Environment(message) => Some(message),
            Self::Problems | Self::Interrupted => None,
            Self::Bug => Some("this is a bug in Blazon, not in your rules; please report it"),
        }
    }

    /// 1 problems, 2 usage, 3 environment, 130 interrupted, 101 a bug of ours.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Problems | Self::Problem(_) => 1,
            Self::Usage(_) => 2,
            Self::Environment(_) => 3,
            Self::Interrupted => 130,
            Self::Bug => 101,
        })
    }
}
