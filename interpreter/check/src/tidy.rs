//! The last look at what was said: what only follows from something else is left out.

use std::collections::HashSet;

use blazon_diagnostics::{Diagnostic, Span, Stage};

/// Leaves out what only follows from something else that is said: repetitions, and names that are unknown because the
/// item that declares them could not be read.
pub(crate) fn tidy(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    const FOLLOWS: [&str; 8] = [
        "names::unknown",
        "names::unused",
        "rules::promise",
        "amend::missing",
        "files::manifest",
        "setup::missing",
        "setup::place",
        "steps::choice-empty",
    ];
    let broken = diagnostics.iter().any(|d| d.code.starts_with("syntax::"));
    let errors = diagnostics.iter().any(Diagnostic::is_error);
    let mut kept: Vec<Diagnostic> = Vec::new();
    let mut said: HashSet<(Option<Span>, &'static str, String)> = HashSet::new();
    for diagnostic in diagnostics {
        // What is wrong in a manifest itself, found while it was read, follows from no page.
        let stands_there = diagnostic.code == "files::manifest"
            && diagnostic.stage == Stage::Reading
            && diagnostic.span.is_some();
        let follows = broken && FOLLOWS.contains(&diagnostic.code) && !stands_there
            || errors && diagnostic.code == "names::unused";
        if !follows && said.insert((diagnostic.span, diagnostic.code, diagnostic.message.clone())) {
            kept.push(diagnostic);
        }
    }
    kept
}
