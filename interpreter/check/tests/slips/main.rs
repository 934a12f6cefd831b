//! Slips of one letter: every word of two small pages that is a keyword is misspelt in every way (a letter left out,
//! doubled, altered, two swapped), and the messages are asked for the keyword. `games`: words of the games, some of all.
//!
//! `BLAZON_SLIPS=1` prints the slips whose messages do not name it.

#[path = "../common/mod.rs"]
mod common;
mod games;
#[path = "../editor/loading.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod loading;

use std::fmt::Write;

use blazon_fixtures::Section;
use common::{checked, tests};

/// The words of the language, as chapter 22 of the reference lists them; pairs by their words.
const KEYWORDS: &str = "and or not in where by within otherwise if else beats all any count first most least total reach \
     yes no none let for while stop return choose case when option needs except say announce kind fact state rule step \
     table links setup ruling whenever omitted test before after under replace remove waive back others from position \
     play dice cards offer refuse expect fails seen each fresh set of flag number text permission";

/// All slips of one letter in a word, each once; none that is a word of the language itself.
fn slips(word: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for at in 0..word.len() {
        let (before, rest) = word.split_at(at);
        let (letter, after) = rest.split_at(1);
        let altered =
            if letter == "z" { "y".to_owned() } else { char::from(letter.as_bytes()[0] + 1).to_string() };
        let mut next = after.chars();
        let swapped = next.next().map(|other| format!("{before}{other}{letter}{}", next.as_str()));
        found.push(format!("{before}{after}"));
        found.push(format!("{before}{letter}{letter}{after}"));
        found.push(format!("{before}{altered}{after}"));
        found.extend(swapped);
    }
    found.retain(|slip| !slip.is_empty() && !KEYWORDS.split_whitespace().any(|keyword| keyword == slip));
    found.sort_unstable();
    found.dedup();
    found
}

/// The keywords of a page, texts and names of things left out: where each stands.
fn keywords(page: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut in_text = false;
    let mut start = 0;
    for (at, c) in page.char_indices().chain([(page.len(), ' ')]) {
        if c.is_alphanumeric() || c == '-' {
            continue;
        }
        let word = &page[start..at];
        if !in_text && KEYWORDS.split_whitespace().any(|keyword| keyword == word) {
            found.push((start, word));
        }
        in_text ^= c == '"';
        start = at + c.len_utf8();
    }
    found
}

/// Whether a message names a keyword: alone, or with others in one pair of backquotes.
fn names(said: &str, keyword: &str) -> bool {
    said.split('`').skip(1).step_by(2).any(|quoted| quoted.split_whitespace().any(|word| word == keyword))
}

#[derive(Default)]
struct Count {
    all: usize,
    caught: usize,
    named: usize,
    named_first: usize,
    missed: String,
}

fn count(section: &str, pages: &[(&str, &str)], page: &str, count: &mut Count) {
    for (at, word) in keywords(page) {
        for slip in slips(word) {
            let text = format!("{}{slip}{}", &page[..at], &page[at + word.len()..]);
            let sections: Vec<Section> = pages
                .iter()
                .map(|(name, whole)| Section::new(*name, if *name == section { &text } else { whole }))
                .collect();
            let (_, said) = checked(&sections);
            let first = said.split("\n\nerror[").next().unwrap_or("");
            count.all += 1;
            count.caught += usize::from(!said.is_empty());
            count.named += usize::from(names(&said, word));
            count.named_first += usize::from(names(first, word));
            if !names(&said, word) {
                let line = page[..at].rfind('\n').map_or(0, |newline| newline + 1);
                let line = text[line..].lines().next().unwrap_or("");
                let first: String = first.lines().take(3).collect::<Vec<_>>().join(" ");
                let _ = writeln!(count.missed, "{word} -> {slip}: {line}\n      {first}");
            }
        }
    }
}

#[test]
fn the_keyword_that_was_meant_is_named() {
    let read =
        |name: &str| std::fs::read_to_string(tests().join("slips").join(name)).expect("a page of slips");
    let (page, variant) = (read("page.blazon"), read("variant.blazon"));
    let pages = [("page", page.as_str()), ("variant", variant.as_str())];
    let whole: Vec<Section> = pages.iter().map(|(name, text)| Section::new(*name, text)).collect();
    let (_, said) = checked(&whole);
    assert!(!said.contains("error"), "the pages without slips have no error:\n{said}");
    let mut found = Count::default();
    // Alone, since the game's tests are not asked of a variant.
    count("page", &pages[..1], &page, &mut found);
    count("variant", &pages, &variant, &mut found);
    if std::env::var_os("BLAZON_SLIPS").is_some() {
        println!("{}", found.missed);
    }
    let Count { all, caught, named, named_first, .. } = found;
    println!("{all} slips: {caught} caught, {named} named, {named_first} in the first message");
    assert_eq!(caught, all, "every slip is caught");
    assert!(named * 1000 >= all * 995, "{named} named of {all}");
    assert!(named_first * 1000 >= all * 995, "{named_first} named first of {all}");
}
