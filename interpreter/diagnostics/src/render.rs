//! Diagnostics as text: drawn for people, one line each for editors, or JSON for programs.

mod human;
mod json;

use std::fmt;
use std::str::FromStr;

use crate::plain::{harmless, steers};
use crate::{Diagnostic, Severity, Sources, Span, did_you_mean, list, near_miss};

/// How diagnostics are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Format {
    /// With the source underlined and a closing count.
    #[default]
    Human,
    /// One line each: `path:line:col: error[code]: message`.
    Short,
    /// One JSON object: `{"schema":1,"diagnostics":[…]}`. A diagnostic has `severity`, `code`, `message`, its place
    /// (`file`, `line`, `column`, `start`, `end`), `label`, `related`, `help` and `fixes`: mends with a `title` and
    /// `edits`, each a place and the `replacement` to put there.
    Json,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 3] = [Format::Human, Format::Short, Format::Json];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Human => "human",
            Format::Short => "short",
            Format::Json => "json",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Format::ALL.into_iter().find(|f| f.name() == name).ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// A word that names no [`Format`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat(
    /// The word.
    pub String,
);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Format::ALL.map(Format::name);
        write!(f, "`{}` is no format: write {}", self.0.escape_debug(), list(names, "or"))?;
        match near_miss(&self.0, names) {
            Some(name) => write!(f, " ({})", did_you_mean(name)),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownFormat {}

/// What the terminal can show; only [`Format::Human`] looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether to colour.
    pub color: bool,
    /// Whether to draw with line characters instead of ASCII.
    pub unicode: bool,
    /// Columns of the terminal, for wrapping messages; source lines are never wrapped.
    pub width: usize,
}

impl Default for Style {
    /// Plain: no colour, line characters, 100 columns.
    fn default() -> Self {
        Self { color: false, unicode: true, width: 100 }
    }
}

/// Writes the diagnostics in a format, causes before what may follow from them ([`crate::Stage`]), then by source and
/// start; those without a place come first.
///
/// The answer is empty without diagnostics, except for JSON, and ends with a line end otherwise. Spans that do not fit
/// their source are moved to where they do; a span of an unknown source is left out.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, format: Format, style: Style) -> String {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|d| (d.stage, d.span.map(|span| (span.source, span.start))));
    match format {
        Format::Human => human::render(&sorted, sources, style),
        Format::Short => sorted.iter().map(|d| short(d, sources) + "\n").collect(),
        Format::Json => json::render(&sorted, sources) + "\n",
    }
}

/// How many there are: `2 errors, 1 warning`; empty when there are none.
pub fn summary<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>) -> String {
    let (mut errors, mut warnings) = (0usize, 0usize);
    for diagnostic in diagnostics {
        match diagnostic.severity {
            Severity::Error => errors += 1,
            Severity::Warning => warnings += 1,
        }
    }
    let counted = |count, word| match count {
        0 => None,
        1 => Some(format!("1 {word}")),
        _ => Some(format!("{count} {word}s")),
    };
    [counted(errors, "error"), counted(warnings, "warning")]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}

/// The word for a severity.
fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// One line, whatever the message contains.
fn short(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let place = match readable(diagnostic.span, sources) {
        Some(span) => format!("{}: ", sources.place(span)),
        None => String::new(),
    };
    let line = format!("{place}{}[{}]: {}", word(diagnostic.severity), diagnostic.code, diagnostic.message);
    line.lines().map(|line| harmless(line.trim())).collect::<Vec<_>>().join(" ")
}

/// The span, if its source is known.
fn readable(span: Option<Span>, sources: &Sources) -> Option<Span> {
    span.filter(|span| sources.find(span.source).is_some())
}

#[cfg(test)]
mod tests;
