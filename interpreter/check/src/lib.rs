//! Reads a game's files into one book: lays library, game and variants together, applies amendments, resolves names
//! and types, and proves what can be proved before anything is played.
//!
//! ```text
//! pages ──parse──► trees ──merge──► one tree ──amend──► one tree ──check──► Book
//! ```

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]
// No files, clock, environment, threads: see `interpreter/clippy.toml`.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod analysis;
mod assemble;
mod infer;
mod merge;
pub mod project;
mod resolve;
mod tidy;

pub use merge::print;
pub use project::manifest;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use blazon_book::{Book, KindId};
use blazon_diagnostics::Diagnostic;

use crate::analysis::Calls;
use crate::merge::Merged;
use crate::project::Parsed;
use crate::resolve::Checker;

/// What is chosen before a game.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The setup, by name or second name; the manifest's, if absent.
    pub setup: Option<String>,
    /// Rulings other than their defaults: name and value.
    pub rulings: Vec<(String, String)>,
}

/// The outcome of a check.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The book, if there was no error.
    pub book: Option<Arc<Book>>,
    /// What was said, those of the parser first.
    pub diagnostics: Vec<Diagnostic>,
    /// The paragraphs of the outline that nothing cites and nothing accounts for.
    pub uncited: Vec<String>,
}

/// Checks a parsed project.
pub fn check(parsed: &Parsed, settings: &Settings) -> Checked {
    let mut diagnostics = parsed.diagnostics.clone();
    let (mut merged, amends) = Merged::collect(parsed, &mut diagnostics);
    for (layer, amend) in &amends {
        merge::apply(&mut merged, *layer, amend, &parsed.variants, &mut diagnostics);
    }
    resolve::grids::add_coordinates(&mut merged, &mut diagnostics);
    let mut checker = Checker {
        parsed,
        merged: &merged,
        diagnostics,
        kinds: Vec::new(),
        kind_names: HashMap::new(),
        things: HashMap::new(),
        links: HashMap::new(),
        without: HashSet::new(),
        grids: Vec::new(),
        columns: Vec::new(),
        rules: Vec::new(),
        steps: Vec::new(),
        functions: HashMap::new(),
        rulings: Vec::new(),
        rulings_read: 0,
        ruling_kinds: Vec::new(),
        used: BTreeSet::new(),
        writes: merge::visit::writes(&merged),
        options: merge::visit::options(&merged),
        player: KindId(0),
        players: Vec::new(),
        made_steps: Vec::new(),
        made_rules: Vec::new(),
    };
    let book = checker.book(settings);
    let mut diagnostics = checker.diagnostics;
    let uncited = uncited(parsed);
    let book = book.map(|mut book| {
        let calls = Calls::of(&book);
        analysis::cycles(&book, &calls, &mut diagnostics);
        analysis::scopes(&mut book, &calls, &mut diagnostics);
        book
    });
    let diagnostics = tidy::tidy(diagnostics);
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    Checked { book: book.filter(|_| !failed).map(Arc::new), diagnostics, uncited }
}

/// The paragraphs that no page cites.
fn uncited(parsed: &Parsed) -> Vec<String> {
    let cites = parsed.files.iter().flat_map(|(_, file)| &file.cites);
    let cited: BTreeSet<&str> = cites.map(|cite| cite.text.as_str()).collect();
    parsed.outline.iter().map(|(number, _)| number).filter(|n| !cited.contains(n.as_str())).cloned().collect()
}
