//! Games that did not come to an end: why, and what is typed to see one again. The same beneath everything that plays many.

use std::fmt::Write;

use blazon_study::tally::Failed;

use crate::console::{harmless, paint, style};
use crate::figures::{counted, grouped};
use crate::words::Words;

/// Why a game did not come to an end.
pub fn why(failed: &Failed) -> String {
    match &failed.fault {
        Some((code, text)) => format!("{code}, after {}: {text}", counted(failed.decisions, "decision")),
        None => format!("not over after {}", counted(failed.decisions, "decision")),
    }
}

/// The command that plays it again, from words that begin a game like it; a game is stopped after so many decisions.
pub fn again(words: Words, failed: &Failed, most: u64) -> String {
    match &failed.fault {
        Some((code, _)) if code == blazon_machine::code::INVARIANT => words.and(&["--invariants"]),
        Some(_) => words,
        None => words.and(&["--most", &most.to_string()]),
    }
    .to_string()
}

/// The first of so many that failed, each with the command that plays it again. Which game it is stands before what came
/// of it.
pub fn list(rows: &[(String, &Failed, String)], all: u64) -> String {
    let mut out = String::new();
    for (which, failed, again) in rows {
        let _ = writeln!(out, "  {}: {}", harmless(which), paint(style::CARE, harmless(&why(failed))));
        let _ = writeln!(out, "    {}", paint(style::PLACE, harmless(again)));
    }
    if all > rows.len() as u64 {
        let _ = writeln!(out, "  and {} more", grouped(all - rows.len() as u64));
    }
    out
}
