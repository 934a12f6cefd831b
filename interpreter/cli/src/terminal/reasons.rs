//! Why something is not offered.

use std::fmt::Write;

use blazon::present::{cited, option_search};
use blazon::told::Refusal;
use blazon::{Game, PlayerId};
use blazon_book::Book;

use super::options::{self, Open};
use crate::console::{harmless, paint, style};

/// The most refusals and the most reasons that are listed.
const MOST: usize = 20;

/// Answers `why WORDS`: the refused options that the words mean, each with its reason and paragraph. Without words
/// all reasons, with how many options each refuses.
pub fn why(game: &mut Game, player: PlayerId, typed: &str, open: &[Open]) -> String {
    let book = game.book().clone();
    let refused = game.refusals(player);
    if typed.trim().is_empty() {
        return reasons(&refused);
    }
    let words = |refusal: &Refusal| {
        let args: Vec<String> = refusal.args.iter().map(|(_, value)| value.to_string()).collect();
        options::words_of(&refusal.option, &args, &refusal.label)
    };
    let found: Vec<_> = refused.iter().map(words).collect();
    let places = option_search::find(typed, &found);
    let mut out = String::new();
    let mut told: Vec<&String> = Vec::new();
    for refusal in places.iter().take(MOST).map(|&place| &refused[place]) {
        let _ = writeln!(
            out,
            "  {}: {}{}",
            harmless(&refusal.label),
            harmless(&refusal.reason),
            paint(style::PLACE, cited(&refusal.paragraphs))
        );
        for cite in refusal.paragraphs.iter().filter(|cite| !told.contains(cite)).collect::<Vec<_>>() {
            told.push(cite);
        }
    }
    if places.len() > MOST {
        let _ = writeln!(out, "  and {} more like these: type more words", places.len() - MOST);
    }
    for cite in told {
        if let Some(title) = title(&book, cite) {
            let _ = writeln!(out, "  {}", paint(style::FAINT, format!("@{cite} {title}")));
        }
    }
    let matches = options::meant(typed, open);
    if out.is_empty() || matches.len() == 1 {
        for option in matches.iter().take(MOST) {
            let _ = writeln!(
                out,
                "  {} {}{}: it is open",
                option.number(),
                harmless(&option.label),
                option.apart()
            );
        }
    }
    if out.is_empty() {
        out += "  nothing like that can be asked about here; `why` alone lists every reason\n";
    }
    out
}

fn reasons(refused: &[Refusal]) -> String {
    let mut counts: Vec<(&str, &[String], usize)> = Vec::new();
    for refusal in refused {
        match counts
            .iter_mut()
            .find(|(reason, cites, _)| *reason == refusal.reason && *cites == refusal.paragraphs)
        {
            Some((_, _, count)) => *count += 1,
            None => counts.push((&refusal.reason, &refusal.paragraphs, 1)),
        }
    }
    counts.sort_by_key(|(_, _, count)| std::cmp::Reverse(*count));
    let mut out = String::new();
    for (reason, cites, count) in counts.iter().take(MOST) {
        let _ = writeln!(out, "  {count:>4}  {}{}", harmless(reason), paint(style::PLACE, cited(cites)));
    }
    if counts.len() > MOST {
        let _ = writeln!(out, "  and {} more reasons", counts.len() - MOST);
    }
    if out.is_empty() {
        out += "  everything that can be asked about is open\n";
    }
    out
}

/// The title of a paragraph.
pub fn title<'a>(book: &'a Book, cite: &str) -> Option<&'a str> {
    book.outline.iter().find(|(number, _)| number == cite).map(|(_, title)| title.as_str())
}

/// The paragraphs whose number begins so, with their titles.
pub fn paragraphs(book: &Book, typed: &str) -> String {
    let number = typed.trim().trim_start_matches('@').to_lowercase();
    let mut out = String::new();
    for (cite, title) in
        book.outline.iter().filter(|(cite, _)| cite.to_lowercase().starts_with(&number)).take(MOST)
    {
        let _ = writeln!(out, "  {} {}", paint(style::PLACE, format!("@{cite}")), harmless(title));
    }
    if out.is_empty() {
        out += "  the outline has no such paragraph\n";
    }
    out
}
