//! Why a saved game is not taken.

/// Why a saved game is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveError {
    /// `save::damaged`, `save::foreign` or `save::format`.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for SaveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SaveError {}

pub(super) fn damaged(message: impl Into<String>) -> SaveError {
    SaveError { code: "save::damaged", message: message.into() }
}

pub(super) fn foreign(message: impl Into<String>) -> SaveError {
    SaveError { code: "save::foreign", message: message.into() }
}

pub(super) fn unknown_format(format: u32) -> SaveError {
    let message =
        format!("it has format {format}, and this program reads formats 1 and 2; take a newer blazon");
    SaveError { code: "save::format", message }
}
