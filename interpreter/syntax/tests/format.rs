//! The one layout: what it makes of pages, that it changes nothing but blanks, and that it is one.
//!
//! `BLAZON_FORMATTED=10000` lays out so many damaged pages.

mod common;

use blazon_fixtures::{Section, each};
use blazon_syntax::ast::File;
use blazon_syntax::format;
use common::{pages, parse_text, samples, tests};
use proptest::prelude::*;

#[test]
fn pages_are_laid_out() {
    each(&tests().join("format"), |fixture| {
        let page = fixture.section("page").expect("a page");
        let formatted = format(page);
        let mut found = vec![Section::new("laid out", &formatted.text)];
        if !formatted.unread.is_empty() {
            let lines: Vec<String> = formatted.unread.iter().map(usize::to_string).collect();
            found.push(Section::new("unread", &lines.join(", ")));
        }
        found
    });
}

/// What a page says, without places.
fn said(file: &File) -> (Vec<u64>, Vec<String>, Vec<String>) {
    let digests = file.digests.iter().map(|digest| digest.hash).collect();
    let cites = file.cites.iter().map(|cite| cite.text.clone()).collect();
    (digests, cites, file.items.iter().map(common::shape::item).collect())
}

/// Lays a page out and sees that it says the same, and is as it should be.
fn holds(name: &str, text: &str) -> Result<(), String> {
    let formatted = format(text);
    let again = format(&formatted.text);
    if again.text != formatted.text {
        return Err(format!("{name} is laid out anew each time:\n{}", formatted.text));
    }
    let (before, told) = parse_text(name, text);
    let (after, told_after) = parse_text(name, &formatted.text);
    if said(&before) != said(&after) {
        return Err(format!("{name} says something else:\n{}", formatted.text));
    }
    if told.len() != told_after.len() {
        return Err(format!("{name} has other mistakes:\n{told:#?}\n{told_after:#?}"));
    }
    Ok(())
}

#[test]
fn samples_say_the_same() {
    for (name, text) in samples() {
        holds(&name, &text).unwrap();
        assert!(format(&text).unread.is_empty(), "{name}");
    }
}

#[test]
fn every_page_of_the_repository_is_laid_out() {
    let mut wrong = Vec::new();
    for path in pages() {
        let text = std::fs::read_to_string(&path).unwrap();
        holds(&path.to_string_lossy(), &text).unwrap();
        if format(&text).text != text {
            wrong.push(path.display().to_string());
        }
    }
    assert!(wrong.is_empty(), "lay out with `blazon format`:\n{}", wrong.join("\n"));
}

/// What is put into a page.
const PIECES: [&str; 32] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "'",
    "|",
    "\n",
    "\n\n\n",
    ",",
    ":",
    ":=",
    "=",
    "-",
    " - ",
    "--",
    "@5.2",
    " @",
    "  ",
    "\t",
    "\r\n",
    " if ",
    "\nrule ",
    "\n  needs ",
    "\n}\n",
    "é",
    "\u{feff}",
    "..",
    "+",
    ";",
];

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("BLAZON_FORMATTED").ok().and_then(|n| n.parse().ok()).unwrap_or(300),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn damaged_pages_say_the_same(
        page in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..12, prop::sample::select(&PIECES[..])), 1..5),
    ) {
        let all = samples();
        let (name, text) = &all[page.index(all.len())];
        let mut text = text.clone();
        for (at, cut, piece) in edits {
            let whole = |mut at: usize| { while !text.is_char_boundary(at) { at -= 1; } at };
            let from = whole(at.index(text.len() + 1));
            let to = whole((from + cut).min(text.len())).max(from);
            text.replace_range(from..to, piece);
        }
        if let Err(message) = holds(name, &text) {
            return Err(TestCaseError::fail(format!("{message}\n=== the page\n{text}")));
        }
    }
}
