//! Slips in keywords: a word that is nearly a word of the language, where the language's word would make sense.
//!
//! In a line that cannot be read this is tried out: the keyword is put in the word's place and the item read again. What
//! reads further than the line was meant. In a name nothing can be tried; there the words around it decide.

use std::ops::Range;

use blazon_diagnostics::{Diagnostic, Fix, SourceId, Span, did_you_mean, list, slips_between};
use blazon_grammar::{Rule, run};

use crate::keywords::{KEYWORDS, class};
use crate::lexer::{Token, TokenKind, lex};
use crate::line_joining::lay_out;

/// How many keywords are tried for one broken line.
const TRIES: usize = 12;

/// What is longer is not read again and again.
const LONGEST_ITEM: usize = 20_000;

/// A message of the reader, and what stands where it could not go on.
#[derive(Debug)]
pub(crate) struct Said {
    /// The message.
    pub diagnostic: Diagnostic,
    /// The item, if its words can be tried.
    pub broken: Option<Broken>,
}

/// An item that cannot be read.
#[derive(Debug)]
pub(crate) struct Broken {
    /// The item as written, without the lines that are left out.
    pub text: String,
    /// Where it begins in its file.
    pub start: usize,
    /// Where in it the reader could not go on.
    pub at: usize,
}

impl From<Diagnostic> for Said {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { diagnostic, broken: None }
    }
}

impl Said {
    /// The message; if a keyword is misspelt, one that says so.
    pub(crate) fn guessed(self, source: SourceId) -> Diagnostic {
        let Some((broken, (word, meant))) =
            self.broken.and_then(|broken| broken.slip(source).map(|slip| (broken, slip)))
        else {
            return self.diagnostic;
        };
        let span = Span::new(source, broken.start + word.start, broken.start + word.end);
        let message = format!("a word of the language is misspelt: `{}`", &broken.text[word]);
        let misspelt = match self.diagnostic.code {
            "syntax::item" => Diagnostic { fixes: Vec::new(), ..self.diagnostic },
            code => Diagnostic::error(code, span, message).label("the line cannot be read"),
        };
        match meant[..] {
            [meant] => {
                misspelt.help(did_you_mean(meant)).fix(Fix::replace(format!("write `{meant}`"), span, meant))
            }
            _ => misspelt.help(format!("perhaps {} is meant", list(&meant, "or"))),
        }
    }
}

impl Broken {
    /// The word that is misspelt, and what may be meant.
    fn slip(&self, source: SourceId) -> Option<(Range<usize>, Vec<&'static str>)> {
        if self.text.len() > LONGEST_ITEM {
            return None;
        }
        let tokens = lex(source, &self.text).tokens;
        let mut tries = 0;
        for word in self.suspects(&tokens) {
            let mut meant = near_words(word.text(&self.text), Place::Line);
            tries += meant.len();
            if tries > TRIES {
                return None;
            }
            meant.retain(|(_, meant)| self.reads_with(source, word, meant));
            let nearest = nearest(meant);
            if !nearest.is_empty() {
                return Some((word.start..word.end, nearest));
            }
        }
        None
    }

    /// The words that may be at fault, the nearest first: those before the place on its line, and, at the end of a line,
    /// the first word of the next; at its beginning those of the line before.
    fn suspects(&self, tokens: &[Token]) -> Vec<Token> {
        let here = tokens.partition_point(|token| token.end <= self.at);
        let ends_line = |i: usize| tokens[i].kind == TokenKind::Newline;
        let behind = tokens[here.min(tokens.len())..].iter().find(|token| token.kind != TokenKind::Newline);
        let at_end = here >= tokens.len() || ends_line(here);
        let line_of = |end: usize| {
            tokens[..end].iter().rposition(|t| t.kind == TokenKind::Newline).map_or(0, |n| n + 1)
        };
        let mut first = line_of(here);
        if first == here && here > 0 && !at_end {
            first = line_of(here - 1);
        }
        let last = if at_end { here } else { here + 1 };
        let mut suspects: Vec<Token> = tokens[first..last].iter().rev().copied().collect();
        if at_end {
            suspects.extend(behind);
        }
        // `is` is no slip, but how others compare.
        suspects.retain(|token| token.kind == TokenKind::Word && token.text(&self.text) != "is");
        suspects
    }

    /// Whether a keyword in the place of a word makes the item readable beyond the line.
    fn reads_with(&self, source: SourceId, word: Token, meant: &str) -> bool {
        let mut text = self.text.clone();
        text.replace_range(word.start..word.end, meant);
        let line_end = |at: usize| text[at.min(text.len())..].find('\n').map_or(text.len(), |n| at + n);
        let moved = self.at + meant.len() - (word.end - word.start).min(self.at + meant.len());
        let limit = line_end(floor(&text, moved)).max(line_end(word.start));
        let lexed = lex(source, &text);
        let laid = lay_out(source, &text, &lexed, false);
        match run(Rule::item_entry, &laid.text) {
            Ok(_) => true,
            Err(error) => match error.location {
                pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => at > limit,
            },
        }
    }
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Where in a name a keyword may hide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Anywhere: what is tried out.
    Line,
    /// The first word of a name.
    First,
    /// A later word.
    Later,
}

/// A word of a name that is nearly a word of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slip<'n> {
    /// What stands before it in the name; empty if nothing does.
    pub before: &'n str,
    /// The word.
    pub word: &'n str,
    /// What stands behind it.
    pub after: &'n str,
    /// What it may be meant for, each as likely as the others.
    pub meant: Vec<&'static str>,
}

/// The words of a name that may be misspelt words of the language: one that opens a value or a statement at its
/// beginning, one that stands between names further on.
pub fn slips_in_name(name: &str) -> Vec<Slip<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    for word in name.split(' ') {
        let end = start + word.len();
        let mut meant = nearest(near_words(word, if start == 0 { Place::First } else { Place::Later }));
        let (before, after) = (name[..start].trim_end(), name[end..].trim_start());
        if !after.is_empty() {
            meant.retain(|meant| !VALUES.contains(meant));
        }
        if !meant.is_empty() {
            found.push(Slip { before, word, after, meant });
        }
        start = end + 1;
    }
    found
}

/// The words of the language that a word may be a slip for, with the number of slips. A word of the language itself is
/// none.
fn near_words(word: &str, place: Place) -> Vec<(usize, &'static str)> {
    let small = word.to_lowercase();
    let letters = small.chars().count();
    let capital = small != word;
    let allowed = match letters {
        _ if capital => 0,
        1 if place != Place::First => 1,
        1 | 13.. => return Vec::new(),
        2..=5 => 1,
        _ => 2,
    };
    let mut found: Vec<(usize, &'static str)> = Vec::new();
    for keyword in KEYWORDS {
        let stands = match place {
            Place::Line => true,
            Place::First => keyword.is(class::OPENING | class::STATEMENT) || FIRST.contains(&keyword.word),
            Place::Later => keyword.is(class::INNER) || keyword.word == "needs",
        };
        for part in keyword.word.split(' ').filter(|_| stands) {
            if part == word {
                return Vec::new();
            }
            if part.len().abs_diff(letters) > allowed {
                continue;
            }
            let slips = slips_between(&small, part);
            let hides = letters > 1 || part.len() == 2 && part.contains(&small);
            if slips <= allowed && hides && !found.iter().any(|(_, other)| *other == part) {
                found.push((slips, part));
            }
        }
    }
    found
}

/// Those with the fewest slips.
fn nearest(found: Vec<(usize, &'static str)>) -> Vec<&'static str> {
    let fewest = found.iter().map(|(slips, _)| *slips).min();
    found.into_iter().filter(|(slips, _)| Some(*slips) == fewest).map(|(_, keyword)| keyword).collect()
}

/// What stands alone.
const VALUES: [&str; 3] = ["yes", "no", "none"];

/// What else stands before a value.
const FIRST: [&str; 3] = ["not", "each", "set of"];
