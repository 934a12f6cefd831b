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
    // What is missed within what could not be read whole may stand on a line that was left out.
    const MISSES: [&str; 2] = ["steps::case", "tests::empty"];
    let unread = |said: &&Diagnostic| said.is_error() && said.code.starts_with("syntax::");
    let unread: Vec<Span> = diagnostics.iter().filter(unread).filter_map(|said| said.span).collect();
    let is_read_whole = |said: &Diagnostic| {
        let Some(around) = said.span.filter(|_| MISSES.contains(&said.code)) else { return true };
        // Of a test the heading is told: any line behind it may be one of its own.
        let is_test = said.code == "tests::empty";
        let is_within = |at: &Span| at.start >= around.start && (is_test || at.start <= around.end);
        !unread.iter().any(|at| at.source == around.source && is_within(at))
    };
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
            || !is_read_whole(&diagnostic)
            || errors && diagnostic.code == "names::unused";
        if !follows && said.insert((diagnostic.span, diagnostic.code, diagnostic.message.clone())) {
            kept.push(diagnostic);
        }
    }
    kept
}
