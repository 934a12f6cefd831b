//! Rules texts damaged at random, always in the same way for the same seed: what a slip of the hand, a bad merge or a
//! torn file makes of a page, a manifest or a table.

use blazon_check::project::{Folder, Page, Project};
use blazon_kernel::chance::Stream;

/// What is put where something stood, or between two things.
const PIECES: &[&str] = &[
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
    ",",
    ":",
    ":=",
    "=",
    "-",
    "--",
    "@",
    "@5.21",
    " in ",
    " where ",
    " any ",
    " not ",
    " all ",
    " count ",
    " if ",
    "rule ",
    "\n}\n",
    "\t",
    "\r\n",
    "’",
    "é",
    "{{",
    "\u{0}",
    "\u{feff}",
    "..",
    " needs ",
    " none ",
    " otherwise ",
    "?",
    "*",
    "/",
    "+",
    "&",
    " least ",
    " first ",
    " yes ",
    " 0 ",
];

/// Numbers at the edges of what numbers can be.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "63",
    "64",
    "65",
    "128",
    "255",
    "256",
    "9999",
    "65535",
    "65536",
    "999999999",
    "99999999999999999999",
];

/// Damages a project in one place, or in up to four.
pub fn damage(project: &mut Project, seed: u64) {
    let mut stream = Stream::new(seed);
    let places = 1 + [0, 0, 0, 1, 2, 3][stream.below(6)];
    for _ in 0..places {
        let mut pages: Vec<&mut Page> = pages(&mut project.game);
        for variant in &mut project.variants {
            pages.extend(self::pages(variant));
        }
        let longest = pages.iter().map(|page| page.text.len()).sum::<usize>().max(1);
        // A long page is hit more often than a short one, but every page is hit at times.
        let mut at = stream.below(longest);
        let mut chosen = stream.below(pages.len().max(1));
        if stream.below(3) > 0 {
            for (place, page) in pages.iter().enumerate() {
                if at < page.text.len() {
                    chosen = place;
                    break;
                }
                at -= page.text.len();
            }
        }
        if let Some(page) = pages.get_mut(chosen) {
            page.text = damaged(&page.text, &mut stream);
        }
    }
}

/// Everything of a folder that can be damaged.
fn pages(folder: &mut Folder) -> Vec<&mut Page> {
    folder
        .pages
        .iter_mut()
        .chain(&mut folder.tests)
        .chain(&mut folder.data)
        .chain(&mut folder.manifest)
        .collect()
}

/// A text with one thing wrong.
fn damaged(text: &str, stream: &mut Stream) -> String {
    match stream.below(24) {
        0 => bytes(text, stream),
        1 => text[..boundary(text, stream.below(text.len() + 1))].to_owned(),
        2..=4 => lines(text, stream),
        5 | 6 => items(text, stream),
        _ => tokens(text, stream),
    }
}

/// A few bytes cut, and something else put there.
fn bytes(text: &str, stream: &mut Stream) -> String {
    let from = boundary(text, stream.below(text.len() + 1));
    let to = boundary(text, (from + stream.below(8)).min(text.len())).max(from);
    format!("{}{}{}", &text[..from], PIECES[stream.below(PIECES.len())], &text[to..])
}

/// A line left out, doubled, moved or mixed with another.
fn lines(text: &str, stream: &mut Stream) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    disturb(&mut lines, stream);
    lines.concat()
}

/// An item left out, doubled or moved. An item begins at a line that is not indented.
fn items(text: &str, stream: &mut Stream) -> String {
    let mut items: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        let begins = line.starts_with(|c: char| c.is_alphabetic());
        match items.last_mut() {
            Some(item) if !begins => item.push_str(line),
            _ => items.push(line.to_owned()),
        }
    }
    disturb(&mut items, stream);
    items.concat()
}

/// A word, number or sign left out, doubled, moved, replaced by another one of the page or by one at the edges.
fn tokens(text: &str, stream: &mut Stream) -> String {
    let mut tokens = split(text);
    let solid: Vec<usize> = (0..tokens.len()).filter(|&place| !tokens[place].trim().is_empty()).collect();
    if solid.is_empty() {
        return PIECES[stream.below(PIECES.len())].to_owned();
    }
    let place = solid[stream.below(solid.len())];
    let other = tokens[solid[stream.below(solid.len())]];
    let same = |token: &str, as_token: &str| class(token) == class(as_token);
    match stream.below(12) {
        // What is likely to be read all the same: a name for a name, a number for a number.
        0..=5 => {
            let alike: Vec<&str> =
                solid.iter().map(|&at| tokens[at]).filter(|token| same(token, tokens[place])).collect();
            tokens[place] = alike[stream.below(alike.len())];
        }
        6..=8 => {
            let numbers: Vec<usize> =
                solid.into_iter().filter(|&at| class(tokens[at]) == Class::Number).collect();
            if let Some(&at) = numbers.get(stream.below(numbers.len().max(1))) {
                tokens[at] = NUMBERS[stream.below(NUMBERS.len())];
            }
        }
        9 => tokens[place] = other,
        10 => tokens[place] = PIECES[stream.below(PIECES.len())],
        _ => disturb(&mut tokens, stream),
    }
    tokens.concat()
}

/// Leaves out, doubles, swaps or replaces one of several parts.
fn disturb<T: Clone>(parts: &mut Vec<T>, stream: &mut Stream) {
    if parts.is_empty() {
        return;
    }
    let (a, b) = (stream.below(parts.len()), stream.below(parts.len()));
    match stream.below(4) {
        0 => {
            parts.remove(a);
        }
        1 => parts.insert(b, parts[a].clone()),
        2 => parts.swap(a, b),
        _ => parts[a] = parts[b].clone(),
    }
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Blank,
    Number,
    Word,
    Sign,
}

fn class(token: &str) -> Class {
    match token.chars().next() {
        None => Class::Blank,
        Some(c) if c.is_whitespace() => Class::Blank,
        Some(c) if c.is_ascii_digit() => Class::Number,
        Some(c) if c.is_alphabetic() => Class::Word,
        Some(_) => Class::Sign,
    }
}

/// Words, numbers, runs of blanks, and single signs; together they are the text.
fn split(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut from = 0;
    let mut known: Option<Class> = None;
    for (at, c) in text.char_indices() {
        let next = class(&text[at..at + c.len_utf8()]);
        let goes_on = match (known, next) {
            (Some(Class::Word), Class::Number | Class::Word) => true,
            (Some(before), next) => before == next && next != Class::Sign,
            (None, _) => true,
        };
        if !goes_on {
            tokens.push(&text[from..at]);
            from = at;
            known = Some(next);
        }
        known = known.or(Some(next));
    }
    tokens.push(&text[from..]);
    tokens
}

/// The next place at or before `at` that does not split a letter.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
