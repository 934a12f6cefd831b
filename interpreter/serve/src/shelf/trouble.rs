//! What is wrong with rules that are being changed, in words.

use blazon::diagnostics::{Diagnostic, Sources};

/// So many messages are shown.
const MOST: usize = 20;

/// What is wrong with rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The first of it, errors before warnings.
    pub messages: Vec<Message>,
    /// How many more there are.
    pub more: usize,
    /// Whether the rules are in force all the same: at a table that is all one's own nobody can learn a secret.
    pub is_in_force: bool,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its code.
    pub code: &'static str,
    /// Whether it is an error.
    pub is_error: bool,
    /// File, line and column, if it is about a place.
    pub place: Option<String>,
    /// What is wrong.
    pub text: String,
    /// How to mend it.
    pub help: Option<String>,
}

impl Trouble {
    /// What was said of some files.
    pub fn of(said: &[Diagnostic], sources: &Sources) -> Self {
        let mut all: Vec<&Diagnostic> = said.iter().collect();
        all.sort_by_key(|diagnostic| !diagnostic.is_error());
        let more = all.len().saturating_sub(MOST);
        let message = |diagnostic: &&Diagnostic| Message {
            code: diagnostic.code,
            is_error: diagnostic.is_error(),
            place: diagnostic
                .span
                .filter(|span| sources.find(span.source).is_some())
                .map(|span| sources.place(span)),
            text: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
        };
        Self { messages: all.iter().take(MOST).map(message).collect(), more, is_in_force: false }
    }

    /// Whether nothing can be played by these rules.
    pub fn has_errors(&self) -> bool {
        self.messages.iter().any(|message| message.is_error)
    }
}

impl From<blazon::Error> for Trouble {
    fn from(error: blazon::Error) -> Self {
        Self::of(&error.diagnostics(), &error.sources())
    }
}
