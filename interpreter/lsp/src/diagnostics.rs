//! Messages as an editor shows them.

use std::collections::BTreeMap;

use blazon_diagnostics::{Diagnostic, Severity, Span};
use lsp_types::{
    Code, Diagnostic as Shown, DiagnosticRelatedInformation, DiagnosticSeverity, Message, Range, Uri,
};

use crate::workspace::Read;

/// Who says it.
pub const SOURCE: &str = "blazon";

/// The messages of a check, by file; what has no place stands at the head of the game's manifest, or of `fallback`.
pub fn by_file(said: &[Diagnostic], read: &Read, fallback: &Uri) -> BTreeMap<Uri, Vec<Shown>> {
    let mut files: BTreeMap<Uri, Vec<Shown>> = BTreeMap::new();
    for diagnostic in said {
        let at = diagnostic.span.and_then(|span| read.location(span));
        let (uri, range) = match at {
            Some(location) => (location.uri, location.range),
            None => (fallback.clone(), Range::default()),
        };
        files.entry(uri).or_default().push(shown(diagnostic, range, read));
    }
    files
}

/// One message.
pub fn shown(diagnostic: &Diagnostic, range: Range, read: &Read) -> Shown {
    let severity = match diagnostic.severity {
        Severity::Error => DiagnosticSeverity::Error,
        Severity::Warning => DiagnosticSeverity::Warning,
    };
    let related = diagnostic.related.iter().filter_map(|(span, words)| related(*span, words, read));
    let related: Vec<_> = related.collect();
    Shown {
        range,
        severity: Some(severity),
        code: Some(Code::String(diagnostic.code.to_owned())),
        source: Some(SOURCE.to_owned()),
        message: Message::String(words(diagnostic)),
        related_information: (!related.is_empty()).then_some(related),
        ..Shown::default()
    }
}

/// What is said: the message, the words under it, how to mend it.
pub fn words(diagnostic: &Diagnostic) -> String {
    let mut words = diagnostic.message.clone();
    if !diagnostic.label.is_empty() {
        words += &format!(" ({})", diagnostic.label);
    }
    if let Some(help) = &diagnostic.help {
        words += &format!("\n{help}");
    }
    blazon_diagnostics::harmless(&words)
}

fn related(span: Span, words: &str, read: &Read) -> Option<DiagnosticRelatedInformation> {
    let message = blazon_diagnostics::harmless(words);
    Some(DiagnosticRelatedInformation { location: read.location(span)?, message })
}
