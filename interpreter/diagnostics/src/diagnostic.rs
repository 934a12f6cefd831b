//! A diagnostic as data: what is wrong, where, what was expected and how to mend it.

use crate::{Fix, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something to look at; the book is still played.
    Warning,
    /// The book cannot be played.
    Error,
}

/// When it was found: what comes later may only follow from what came before, so messages are shown in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// While the pages were read and laid together.
    Reading,
    /// In what is declared: kinds, facts, states, the headings of rules and steps.
    Headings,
    /// In what rules and steps say.
    #[default]
    Bodies,
}

/// One message about rules text.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// When it was found.
    pub stage: Stage,
    /// The stable code, like `names::unknown`; every code has an entry in [`crate::explain`].
    pub code: &'static str,
    /// One sentence without a full stop: what is wrong.
    pub message: String,
    /// Where.
    pub span: Option<Span>,
    /// What is said under the underlined words.
    pub label: String,
    /// Other places that belong to it, each with a few words.
    pub related: Vec<(Span, String)>,
    /// How to mend it.
    pub help: Option<String>,
    /// Mends that an editor can make by itself, the likeliest first.
    pub fixes: Vec<Fix>,
    /// Where the name that was probably meant is declared: the slip may be there.
    pub meant: Option<Span>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            stage: Stage::default(),
            code,
            message: message.into(),
            span: Some(span),
            label: String::new(),
            related: Vec::new(),
            help: None,
            fixes: Vec::new(),
            meant: None,
        }
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::error(code, span, message).as_warning()
    }

    /// The same as a warning.
    #[must_use]
    pub fn as_warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// An error about a file or folder as a whole, without a place in a text.
    pub fn global(code: &'static str, message: impl Into<String>) -> Self {
        Self { span: None, ..Self::error(code, Span::default(), message) }
    }

    /// Says a few words under the underlined place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn related(mut self, span: Span, words: impl Into<String>) -> Self {
        self.related.push((span, words.into()));
        self
    }

    /// Says how to mend it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says which name was probably meant at its place, as [`crate::near_miss`] found it, and offers to write it there.
    #[must_use]
    pub fn did_you_mean(mut self, near: impl AsRef<str>) -> Self {
        self.fixes.extend(self.span.map(|span| Fix::rename(span, near.as_ref())));
        self.help(crate::did_you_mean(crate::fix::quoted(near.as_ref())))
    }

    /// Says where the name that was probably meant is declared.
    #[must_use]
    pub fn declared(mut self, meant: Option<Span>) -> Self {
        self.meant = meant;
        self
    }

    /// Offers a mend that can be made without a person.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// Offers several mends, to choose one of.
    #[must_use]
    pub fn with_fixes(mut self, fixes: impl IntoIterator<Item = Fix>) -> Self {
        self.fixes.extend(fixes);
        self
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
