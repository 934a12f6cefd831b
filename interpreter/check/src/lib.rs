//! Reads a game's files into one book: lays library, game and variants together, applies amendments, resolves names
//! and types, and proves what can be proved before anything is played.
//!
//! ```text
//! pages ──parse──► trees ──merge──► one tree ──amend──► one tree ──check──► Book
//! ```
//!
//! [`project::parse`] and [`check`] are all that is needed to play. What is wrong with a game comes back as
//! [diagnostics](blazon_diagnostics::Diagnostic); only a game without errors comes back as a book.
//!
//! # For an editor
//!
//! An editor holds a [`project::Project`], changes the text of a page in it, and looks again:
//!
//! * [`project::parse_anyway`] parses the pages whose text is another than before; the [`project::ParseCache`] has the
//!   trees of the others. What cannot be read is left out, be it a line or a manifest.
//! * [`analyse`] checks as [`check`] does and notes besides what every name means. [`Checked::model`] is there whatever
//!   is wrong: holes ([`ExprKind::Invalid`](blazon_book::ExprKind::Invalid)) stand in the places of errors, and
//!   everything around them is typed. A [`Model`] with holes cannot be lowered: only [`Model::playable`] gives the book.
//! * [`Checked::references`] leads from uses to definitions and back; [`project::Parsed::doc`] has the comment above a
//!   definition; [`Model::askable`] and [`Model::variables_at`] are what can be offered at a place.
//! * A diagnostic has [fixes](blazon_diagnostics::Diagnostic::fixes), and a source its places in
//!   [UTF-16](blazon_diagnostics::Source::position).
//!
//! ```
//! use blazon_check::project::{Folder, Page, ParseCache, Project, parse_anyway};
//! use blazon_check::{DefinitionKind, Settings, analyse};
//!
//! let page = |name: &str, text: &str| Page { name: name.to_owned(), text: text.to_owned() };
//! let text = "\
//! -- Who plays.
//! kind side = Red, Blue
//! rule rival(s: side): side = Blue
//!   except blue: Red if s = Bleu
//! ";
//! let manifest = r#"Game(name: "Duel", player: "side", begins: "game")"#;
//! let game = Folder {
//!     manifest: Some(page("blazon.ron", manifest)),
//!     pages: vec![page("duel.blazon", text)],
//!     ..Folder::default()
//! };
//! let project = Project { game, ..Project::default() };
//!
//! // Once for each edit, with the same cache.
//! let mut cache = ParseCache::default();
//! let parsed = parse_anyway(&project, &mut cache);
//! let checked = analyse(&parsed, &Settings::default());
//!
//! // There is a model, with a hole in it.
//! assert!(checked.model.playable().is_none());
//! assert_eq!(checked.model.rules[0].name, "rival");
//!
//! // One reference: the parameter's type.
//! let source = parsed.files[0].1.source;
//! let at = text.find("s: side").unwrap() + 3;
//! let side = checked.references.at(source, at as u32)[0];
//! assert_eq!(side.kind, DefinitionKind::Kind);
//! assert_eq!(parsed.doc(side).as_deref(), Some("Who plays."));
//!
//! // One fix.
//! let wrong = checked.diagnostics.iter().find(|d| d.code == "names::unknown").unwrap();
//! let mended = wrong.fixes[0].apply(source, text);
//! assert!(mended.ends_with("if s = Blue\n"));
//! ```

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]
// No files, clock, environment, threads: see `interpreter/clippy.toml`.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod analysis;
mod assemble;
mod beneath;
mod hygiene;
mod infer;
mod merge;
mod misspelt;
mod model;
mod modules;
pub mod project;
mod readings;
mod references;
mod resolve;
mod tidy;

pub use analysis::is_about_tests;
pub use merge::{print, printed_before};
pub use model::{Model, Variable};
pub use project::manifest;
pub use readings::is_proved_of_all_readings;
pub use references::{Definition, DefinitionKind, References};

use std::collections::BTreeSet;
use std::sync::Arc;

use blazon_book::Book;
use blazon_book::graph::Numbers;
use blazon_diagnostics::{Diagnostic, Span, Stage, list};

use crate::analysis::Calls;
use crate::project::Parsed;
use crate::references::Uses;
use crate::resolve::Checker;

/// What is chosen before a game.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The setup, by name or second name; the manifest's, if absent.
    pub setup: Option<String>,
    /// Rulings other than their defaults: name and value.
    pub rulings: Vec<(String, String)>,
    /// The tests that are wanted, by their headings; if nothing is said all, with variants only theirs.
    pub tests: Option<BTreeSet<Span>>,
    /// The stretches of text that are looked at: rules and steps of which none holds the heading have a hole for a body,
    /// unless a change amends them. For whoever asks where a name stands, and knows in which items it is written: the
    /// book is not whole, and what only the whole can say is not said.
    pub within: Option<Vec<Span>>,
    /// Whether the book has its invariants, to be looked at while it is played. They are checked in any case.
    pub invariants: bool,
    /// Whether the program that is made of the book counts what comes up.
    pub coverage: bool,
    /// Whether it is left unproved that nobody learns what is hidden: for whoever has had it proved before, perhaps
    /// [of all readings](is_proved_of_all_readings).
    pub unproved: bool,
    /// How many expressions and statements that proof may look at; if nothing is said, forty times what a game of
    /// hundreds of rules takes. What is not proved within these is said.
    pub proof_limit: Option<u64>,
}

/// The outcome of a check.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The book, if there was no error.
    pub book: Option<Arc<Book>>,
    /// The same book, or what there is of it where there was an error.
    pub model: Model,
    /// What was said, those of the parser first.
    pub diagnostics: Vec<Diagnostic>,
    /// The paragraphs of the outline that nothing cites and nothing accounts for.
    pub uncited: Vec<String>,
    /// What names mean; empty unless [`analyse`] looked for it.
    pub references: References,
}

/// One warning for all [paragraphs that no page carries out](Checked::uncited).
pub fn about_uncited(paragraphs: &[String]) -> Option<Diagnostic> {
    let marked: Vec<String> = paragraphs.iter().map(|paragraph| format!("@{paragraph}")).collect();
    let are = match marked.len() {
        0 => return None,
        1 => "the outline has a paragraph that no page cites:",
        _ => "the outline has paragraphs that no page cites:",
    };
    let said = Diagnostic::global("cites::uncited", format!("{are} {}", list(&marked, "and")));
    Some(said.as_warning().help("cite it where it is carried out, or write `omitted @… \"why\"`"))
}

/// Checks a parsed project.
pub fn check(parsed: &Parsed, settings: &Settings) -> Checked {
    look(parsed, settings, false)
}

/// Checks a parsed project and notes what every name means, as an editor wants it.
pub fn analyse(parsed: &Parsed, settings: &Settings) -> Checked {
    look(parsed, settings, true)
}

fn look(parsed: &Parsed, settings: &Settings, wanted: bool) -> Checked {
    let mut diagnostics = parsed.diagnostics.clone();
    analysis::among_tests::changes(parsed, &mut diagnostics);
    let wanted = wanted || analysis::among_tests::may_lean(parsed);
    let mut merged = merge::merge(parsed, Uses::wanted(wanted), &mut diagnostics);
    match &settings.tests {
        Some(wanted) => merged.tests.retain(|test| wanted.contains(&test.test.span)),
        None if parsed.variants.is_empty() => {}
        None => merged.keep_tests_of_variants(),
    }
    resolve::grids::add_coordinates(&mut merged, &mut diagnostics);
    diagnostics.iter_mut().for_each(|said| said.stage = Stage::Reading);
    let mut uses = merged.uses.taken();
    let mut checker = Checker::new(parsed, &merged, diagnostics, wanted);
    let mut book = checker.book(settings);
    checker.use_headings();
    uses.extend(checker.uses.taken());
    let names = std::mem::take(&mut checker.known);
    let (is_partial, first_hole) = (checker.is_partial, checker.first_hole);
    let laws = std::mem::take(&mut checker.laws_at);
    let (mut diagnostics, mut if_right) = (checker.diagnostics, checker.if_right);
    let uncited = uncited(parsed);
    analysis::among_tests::leaning(parsed, &uses, &mut diagnostics);
    analysis::starts(&book, &mut diagnostics);
    if !is_partial {
        let calls = Calls::of(&book);
        analysis::cycles(&book, &calls, &mut diagnostics);
        if first_hole.is_none() {
            analysis::endless(&book, &calls, parsed, &mut diagnostics);
            analysis::falls(&book, &calls, parsed, &mut diagnostics);
            analysis::unseated(&book, parsed, &mut diagnostics);
            analysis::taken_twice(&book, parsed, &mut diagnostics);
            analysis::late_laws(&book, &calls, &laws, &mut diagnostics);
            let of_tests = analysis::OfTests::of(&book);
            analysis::never_gets(&book, &of_tests, parsed, &mut if_right);
            analysis::overwritten(&book, &calls, &of_tests, parsed, &mut if_right);
            analysis::unwatched(&book, &calls, parsed, &mut if_right);
        }
        analysis::scopes::scopes(&mut book, &calls, &mut diagnostics);
        if !settings.unproved && first_hole.is_none() && !diagnostics.iter().any(Diagnostic::is_error) {
            let most = settings.proof_limit;
            diagnostics.extend(analysis::leaks(&book, &calls, parsed, &Numbers::default(), most));
        }
    }
    if !diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.extend(if_right);
    }
    if !settings.invariants {
        let first = book.invariants.first().map(|invariant| invariant.rule.0 as usize);
        book.rules.truncate(first.unwrap_or(book.rules.len()));
        book.invariants.clear();
    }
    if parsed.is_partial {
        // What a manifest leaves unsaid makes the pages look wrong.
        diagnostics.clone_from(&parsed.diagnostics);
        diagnostics.iter_mut().for_each(|said| said.stage = Stage::Reading);
    }
    let mut diagnostics = tidy::tidy(diagnostics);
    if settings.within.is_none() {
        modules::mention(parsed, &mut diagnostics);
        misspelt::mention(parsed, &mut diagnostics);
    }
    beneath::mention(parsed, &mut diagnostics);
    diagnostics.extend(first_hole.and_then(|hole| unsaid(&diagnostics, hole)));
    diagnostics.iter_mut().for_each(hygiene::unmark);
    book.whole &= !diagnostics.iter().any(Diagnostic::is_error);
    let model = Model::new(book, names);
    Checked { book: model.playable(), model, diagnostics, uncited, references: References::new(uses) }
}

/// Of a hole something is always said; if not, nobody must think that all is well.
fn unsaid(diagnostics: &[Diagnostic], hole: Span) -> Option<Diagnostic> {
    (!diagnostics.iter().any(Diagnostic::is_error)).then(|| {
        Diagnostic::error("run::internal", hole, "this is wrong, but it is not known why")
            .help("this is a mistake of the checker; please report it with these lines")
    })
}

/// The paragraphs that no page cites.
fn uncited(parsed: &Parsed) -> Vec<String> {
    let cites = parsed.files.iter().flat_map(|(_, file)| &file.cites);
    let cited: BTreeSet<&str> = cites.map(|cite| cite.text.as_str()).collect();
    parsed.outline.iter().map(|(number, _)| number).filter(|n| !cited.contains(n.as_str())).cloned().collect()
}
