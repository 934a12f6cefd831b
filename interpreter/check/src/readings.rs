//! Whether nobody learns what is hidden, whatever the rulings say.
//!
//! To everything that is checked and played a ruling is a constant, and a game of eighty rulings has more readings than
//! can be checked one by one. So the rules are read once more with all rulings open: each is a printed value of which
//! nothing is known but that it is one of its values, and the same throughout. What is proved of that book is proved of
//! every reading. The proof may fail where every reading is sound: it knows less than the proof of one.

use blazon_book::Seen;
use blazon_book::graph::Numbers;
use blazon_diagnostics::Diagnostic;

use crate::analysis::{self, Calls};
use crate::project::Parsed;
use crate::references::Uses;
use crate::resolve::{Checker, grids};
use crate::{Settings, merge};

/// Whether it is proved of all readings of a project at once that nobody learns what is hidden: the proof that
/// [`check`](crate::check) makes of one. The settings are those of any reading in which nothing is wrong.
pub fn is_proved_of_all_readings(parsed: &Parsed, settings: &Settings) -> bool {
    let mut said = parsed.diagnostics.clone();
    let mut merged = merge::merge(parsed, Uses::wanted(false), &mut said);
    grids::add_coordinates(&mut merged, &mut said);
    let mut checker = Checker::new(parsed, &merged, said, false);
    let mut book = checker.open_book(settings);
    let mut said = std::mem::take(&mut checker.diagnostics);
    if checker.first_hole.is_some() || checker.is_partial {
        return false;
    }
    let first = checker.open_rulings.map_or(book.columns.len(), |first| first.0 as usize);
    let rulings: Numbers = (first..book.columns.len()).collect();
    let calls = Calls::of(&book);
    // What who sees a thing hangs on is public: that must be the same states in every reading.
    let is_open = |seen: &Seen| !calls.reads(&seen.when).is_disjoint(&rulings);
    if book.kinds.iter().filter_map(|kind| kind.seen.as_ref()).any(is_open) {
        return false;
    }
    // Rules that lead back to themselves in no reading may seem to in all of them together.
    analysis::cycles(&book, &calls, &mut said);
    if has_errors(&said) {
        return false;
    }
    // What is read outside its scope is told of each reading by itself; here only what is made fresh counts.
    analysis::scopes::scopes(&mut book, &calls, &mut Vec::new());
    said.extend(analysis::leaks(&book, &calls, parsed, &rulings, settings.proof_limit));
    !has_errors(&said)
}

fn has_errors(said: &[Diagnostic]) -> bool {
    said.iter().any(Diagnostic::is_error)
}
