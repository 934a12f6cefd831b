//! Diagnostics as JSON; the shape is a promise to other programs, so it has types and a version of its own.

use serde::Serialize;

use super::{readable, word};
use crate::{Diagnostic, Edit, Fix, Sources, Span};

/// Raised when a field changes its meaning or goes away; new fields do not raise it.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    diagnostics: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
    label: Option<&'a str>,
    related: Vec<Related<'a>>,
    help: Option<&'a str>,
    fixes: Vec<Mend<'a>>,
}

impl<'a> Entry<'a> {
    fn new(d: &'a Diagnostic, sources: &'a Sources) -> Self {
        let related = |(span, words): &'a (Span, String)| Related {
            place: Place::new(Some(*span), sources),
            label: words,
        };
        Self {
            severity: word(d.severity),
            code: d.code,
            message: &d.message,
            place: Place::new(d.span, sources),
            label: (!d.label.is_empty()).then_some(&d.label),
            related: d.related.iter().map(related).collect(),
            help: d.help.as_deref(),
            fixes: d.fixes.iter().map(|fix| Mend::new(fix, sources)).collect(),
        }
    }
}

#[derive(Serialize)]
struct Related<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    label: &'a str,
}

/// A mend: its edits belong together and do not overlap.
#[derive(Serialize)]
struct Mend<'a> {
    title: &'a str,
    edits: Vec<Change<'a>>,
}

impl<'a> Mend<'a> {
    fn new(fix: &'a Fix, sources: &'a Sources) -> Self {
        let change = |edit: &'a Edit| Change {
            place: Place::new(Some(edit.span), sources),
            replacement: &edit.replacement,
        };
        Self { title: &fix.title, edits: fix.edits.iter().map(change).collect() }
    }
}

/// What is put in the place of the bytes from `start` to `end`.
#[derive(Serialize)]
struct Change<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    replacement: &'a str,
}

/// Line and column from 1, columns in characters; start and end in bytes from 0, half open. All `null` without a place.
#[derive(Serialize, Default)]
struct Place<'a> {
    file: Option<&'a str>,
    line: Option<usize>,
    column: Option<usize>,
    start: Option<usize>,
    end: Option<usize>,
}

impl<'a> Place<'a> {
    fn new(span: Option<Span>, sources: &'a Sources) -> Self {
        let Some(span) = readable(span, sources) else { return Self::default() };
        let source = sources.get(span.source);
        let bytes = source.clamp(span);
        let (line, column) = source.line_col(span.start);
        Self {
            file: Some(&source.name),
            line: Some(line),
            column: Some(column),
            start: Some(bytes.start),
            end: Some(bytes.end),
        }
    }
}

/// One document on one line.
pub(super) fn render(diagnostics: &[&Diagnostic], sources: &Sources) -> String {
    let diagnostics = diagnostics.iter().map(|d| Entry::new(d, sources)).collect();
    let document = Document { schema: SCHEMA, diagnostics };
    // Strings and numbers are always written; were it otherwise, it is said.
    serde_json::to_string(&document).unwrap_or_else(|error| {
        serde_json::json!({ "schema": SCHEMA, "error": error.to_string() }).to_string()
    })
}
