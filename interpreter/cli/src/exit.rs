//! How a command ends when it does not end well, and the exit codes that programs rely on.

use std::process::ExitCode;

use blazon_machine::save::SaveError;

use crate::console::Console;

/// Why a command ends without success.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The rules, a test or a saved game has problems. They have been reported already.
    Problems,
    /// The same, to be reported yet.
    Unreported(blazon::Error),
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
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// Says what is left to be said.
    pub fn tell(&self, console: &Console) {
        match self {
            Self::Problem(message) | Self::Usage(message) | Self::Environment(message) => {
                console.error(message);
            }
            Self::Unreported(error) => console.report(&error.diagnostics(), &error.sources()),
            Self::Problems | Self::Interrupted => {}
            Self::Bug => console.error("this is a bug in Blazon, not in your rules; please report it"),
        }
    }

    /// 1 problems, 2 usage, 3 environment, 130 interrupted, 101 a bug of ours.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Problems | Self::Unreported(_) | Self::Problem(_) => 1,
            Self::Usage(_) => 2,
            Self::Environment(_) => 3,
            Self::Interrupted => 130,
            Self::Bug => 101,
        })
    }
}

impl From<blazon::Error> for Failure {
    fn from(error: blazon::Error) -> Self {
        match error {
            blazon::Error::Unknown(unknown) => Self::Usage(unknown.message),
            blazon::Error::Unreadable(message) => Self::Environment(message),
            blazon::Error::Save(error) => Self::from(error),
            error @ (blazon::Error::Rules(_) | blazon::Error::Fault(_)) => Self::Unreported(error),
        }
    }
}

impl From<SaveError> for Failure {
    fn from(error: SaveError) -> Self {
        Self::Problem(format!("{} [{}]", error.message, error.code))
    }
}
