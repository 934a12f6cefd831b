//! Texts of tests in which a name stands: what a refusal or a run-time error is expected to say.
//!
//! Nobody can tell by looking at such a text whether the rules put the name there, by a hole, or the author of the reason
//! wrote the word. So the tests are run: a text keeps the name if its test holds with it, and takes the new one if it
//! holds with that.

use std::collections::{BTreeSet, HashSet};

use blazon::testing::Written;
use blazon::{Reading, Settings};
use blazon_check::project::{Layer, Project};
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{ItemKind, TestLine, TestLineKind};

use super::edits::{Edit, Edits};
use super::verify::rewrite;
use crate::cores;
use crate::occurrences::InStack;
use crate::trying;
use crate::workspace::{Belongs, Read, Workspace};

/// The most names in a text of which each is tried by itself.
const MOST: usize = 4;

/// A text that a test expects.
#[derive(Clone, Debug)]
struct Expected {
    /// The test that it stands in; none if that is a scene.
    test: Option<Span>,
    /// The lines of which one fails if it is not said.
    lines: Vec<Span>,
    /// The text with its quotes.
    text: Span,
}

/// One in which the name stands.
struct Doubtful {
    /// Its place among all texts.
    place: usize,
    /// Where the name stands in its page.
    at: Vec<(u32, u32)>,
    /// Which of those take the new name, one way after the other.
    ways: std::vec::IntoIter<u32>,
    /// The way that is tried.
    way: u32,
}

impl Doubtful {
    fn edits(&self, new: &str) -> impl Iterator<Item = Edit> {
        // Of very many either all or none take it.
        let takes = |bit: usize| self.way.checked_shr(bit as u32).unwrap_or(self.way) & 1 == 1;
        let taken = self.at.iter().enumerate().filter(move |(bit, _)| takes(*bit));
        taken.map(|(_, (start, end))| (*start, *end, new.to_owned()))
    }
}

/// Adds the edits of the texts of a stack in which the name is said by the rules. What cannot be found out, since a test does
/// not hold as it is, is answered in words.
///
/// # Errors
/// In words, if a test that holds would not hold any more.
pub fn in_tests(
    workspace: &Workspace,
    belongs: &Belongs,
    stack: &InStack,
    edits: &mut Edits,
    (old, new): (&str, &str),
) -> Result<Option<String>, String> {
    let read = &stack.book.read;
    let texts = expected(read);
    let mut doubtful = doubtful(read, &texts, old);
    let Some(game) = workspace.game(belongs).filter(|_| !doubtful.is_empty()) else { return Ok(None) };
    let project = game.texts.project(&stack.stack, workspace.documents());
    let said: Vec<&str> = doubtful.iter().map(|one| read.text(texts[one.place].text)).collect();
    let reading = Reading::of(&project, Vec::new());
    let has_one = |test: &Written| {
        let text = reading.text_of(test);
        said.iter().any(|said| text.contains(said))
    };
    let before = run(&reading, has_one);
    let held: HashSet<(String, String)> = before
        .tried
        .iter()
        .filter(|tried| tried.failures.is_empty())
        .map(|tried| (page_of(&reading, tried.span), tried.name.clone()))
        .collect();
    let is_held =
        |reading: &Reading, test: Span, name: &str| held.contains(&(page_of(reading, test), name.to_owned()));
    let mut left = Vec::new();
    let known: BTreeSet<Span> =
        before.tried.iter().filter(|tried| tried.failures.is_empty()).map(|tried| tried.span).collect();
    doubtful.retain(|one| {
        let expected = &texts[one.place];
        let is_known = expected.test.map_or(!known.is_empty(), |test| known.contains(&test));
        if !is_known {
            left.push(read.place(expected.text));
        }
        is_known
    });
    // Each turn takes another way for a text at least, and each text has few.
    while !doubtful.is_empty() {
        let mut trial = edits.clone();
        add(&mut trial, read, &texts, &doubtful, new);
        let mut renamed: Project = project.clone();
        rewrite(&mut renamed, read, &trial);
        let reading = Reading::of(&renamed, Vec::new());
        let after = run(&reading, |test| is_held(&reading, test.span, &test.name));
        if let Some(wrong) = after.failed.first() {
            return Err(format!("`{new}` cannot be the name: {}", wrong.message));
        }
        let lines: Vec<Expected> = reading
            .parsed
            .as_ref()
            .map(|parsed| expected_in(&parsed.files, !parsed.variants.is_empty()))
            .unwrap_or_default();
        let failures: Vec<(&str, &Diagnostic)> = after
            .tried
            .iter()
            .flat_map(|tried| tried.failures.iter().map(|one| (tried.name.as_str(), one)))
            .collect();
        let (mut goes_on, mut tried_anew) = (false, BTreeSet::new());
        for (name, failure) in &failures {
            let is_of = |one: &&mut Doubtful| {
                lines
                    .get(one.place)
                    .is_some_and(|line| line.lines.iter().any(|span| Some(*span) == failure.span))
            };
            let Some(one) = doubtful.iter_mut().find(is_of) else { continue };
            if !tried_anew.insert(one.place) {
                continue;
            }
            goes_on = true;
            let Some(way) = one.ways.next() else {
                return Err(wont_hold(name, &read.place(texts[one.place].text), old, new));
            };
            one.way = way;
        }
        if !goes_on {
            if let Some((name, failure)) = failures.first() {
                let place = failure.span.map(|span| place_in(&reading, span)).unwrap_or_default();
                return Err(wont_hold(name, &place, old, new));
            }
            break;
        }
    }
    add(edits, read, &texts, &doubtful, new);
    Ok(told(&left, old, new))
}

fn wont_hold(test: &str, place: &str, old: &str, new: &str) -> String {
    format!(
        "with the name `{new}` the test \"{test}\" would not hold any more ({place}), whether it says `{old}` there or `{new}`; \
         write what it expects otherwise first"
    )
}

/// What is said of texts of which nothing was found out.
fn told(places: &[String], old: &str, new: &str) -> Option<String> {
    const SHOWN: usize = 5;
    if places.is_empty() {
        return None;
    }
    let shown: Vec<&str> = places.iter().take(SHOWN).map(String::as_str).collect();
    let more =
        if places.len() > SHOWN { format!(" and in {} more", places.len() - SHOWN) } else { String::new() };
    Some(format!(
        "`{old}` stays in texts of tests that do not hold as they are: {}{more}; look whether `{new}` is to stand there",
        shown.join(", ")
    ))
}

fn add(edits: &mut Edits, read: &Read, texts: &[Expected], doubtful: &[Doubtful], new: &str) {
    for one in doubtful {
        let source = texts[one.place].text.source;
        let Some(path) = read.path(source) else { continue };
        one.edits(new).for_each(|edit| edits.add(path, read, source, edit));
    }
}

fn run(reading: &Reading, wanted: impl Fn(&Written) -> bool) -> trying::Outcome {
    // That nothing hidden is told has nothing to do with names.
    let settings = Settings { unproved: true, ..Settings::default() };
    let written = reading.tests(false).into_iter().filter(|test| wanted(test)).map(|test| test.span);
    let wanted: BTreeSet<Span> = written.collect();
    cores::on_all(|| trying::run(reading, |test| wanted.contains(&test.span), &settings))
}

fn page_of(reading: &Reading, span: Span) -> String {
    let source = reading.parsed.as_ref().and_then(|parsed| parsed.sources.find(span.source));
    source.map(|source| source.name.to_string()).unwrap_or_default()
}

fn place_in(reading: &Reading, span: Span) -> String {
    let source = reading.parsed.as_ref().and_then(|parsed| parsed.sources.find(span.source));
    source.map(|source| format!("{}:{}", source.name, source.line_col(span.start).0)).unwrap_or_default()
}

/// The texts that the tests of a stack expect, in their order: with variants those of the variants alone are run.
fn expected(read: &Read) -> Vec<Expected> {
    expected_in(&read.parsed.files, !read.parsed.variants.is_empty())
}

fn expected_in<F: std::ops::Deref<Target = blazon_syntax::ast::File>>(
    files: &[(Layer, F)],
    is_varied: bool,
) -> Vec<Expected> {
    let mut found = Vec::new();
    for (layer, file) in files {
        if *layer == Layer::Library || is_varied && *layer == Layer::Game {
            continue;
        }
        for item in &file.items {
            if let Some(test) = item.test() {
                gather(&test.lines, Some(test.span), &mut found);
            } else if let ItemKind::Scene(scene) = &item.kind {
                gather(&scene.lines, None, &mut found);
            }
        }
    }
    found
}

fn gather(lines: &[TestLine], test: Option<Span>, found: &mut Vec<Expected>) {
    for (place, line) in lines.iter().enumerate() {
        let (text, lines) = match &line.kind {
            TestLineKind::Refuse(_, _, Some(text)) => (text, vec![line.span]),
            // The line before may fail in its stead.
            TestLineKind::Fails(text) => {
                let before = place.checked_sub(1).and_then(|before| lines.get(before));
                (text, before.into_iter().chain([line]).map(|line| line.span).collect())
            }
            TestLineKind::From(_)
            | TestLineKind::Position(_)
            | TestLineKind::Assign(_)
            | TestLineKind::Ruling(..)
            | TestLineKind::Dice(_)
            | TestLineKind::Cards(_)
            | TestLineKind::Play(_)
            | TestLineKind::Decide(..)
            | TestLineKind::Offer(..)
            | TestLineKind::Refuse(..)
            | TestLineKind::Expect(_)
            | TestLineKind::Sight { .. }
            | TestLineKind::Telling { .. } => continue,
        };
        found.push(Expected { test, lines, text: text.span });
    }
}

/// The texts in which a name stands.
fn doubtful(read: &Read, texts: &[Expected], old: &str) -> Vec<Doubtful> {
    let with_name = texts.iter().enumerate().filter_map(|(place, expected)| {
        let at = name_in(read.text(expected.text), old);
        let start = expected.text.start;
        let at: Vec<(u32, u32)> = at.into_iter().map(|(from, to)| (start + from, start + to)).collect();
        (!at.is_empty()).then(|| {
            let all = if at.len() < 32 { (1 << at.len()) - 1 } else { u32::MAX };
            let some = if at.len() <= MOST { 1..all } else { 0..0 };
            let ways: Vec<u32> = std::iter::once(all).chain(some).collect();
            Doubtful { place, at, ways: ways.into_iter(), way: 0 }
        })
    });
    with_name.collect()
}

/// Where a name stands in a text, by itself or for several.
fn name_in(text: &str, name: &str) -> Vec<(u32, u32)> {
    let ends = |rest: &str| !rest.starts_with(char::is_alphanumeric);
    let is_name = |(at, _): &(usize, &str)| {
        let after = &text[at + name.len()..];
        !text[..*at].ends_with(char::is_alphanumeric)
            && (ends(after) || after.strip_prefix('s').is_some_and(ends))
    };
    let found = text.match_indices(name).filter(is_name);
    found.map(|(at, _)| (at as u32, (at + name.len()) as u32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_by_themselves() {
        assert_eq!(name_in("\"Mill, Mills, Millers\"", "Mill"), [(1, 5), (7, 11)]);
        assert_eq!(name_in("\"Windmill\"", "mill"), []);
    }

    #[test]
    fn of_many_places_all_take_the_name_or_none() {
        let at: Vec<(u32, u32)> = (0..40).map(|place| (place, place + 1)).collect();
        let one = |way| Doubtful { place: 0, at: at.clone(), ways: Vec::new().into_iter(), way };
        assert_eq!(one(u32::MAX).edits("Weir").count(), 40);
        assert_eq!(one(0).edits("Weir").count(), 0);
    }

    #[test]
    fn what_is_not_found_out_is_told() {
        assert_eq!(told(&[], "A", "B"), None);
        let places: Vec<String> = (1..=7).map(|line| format!("t:{line}")).collect();
        let said = told(&places, "A", "B").unwrap_or_default();
        assert!(said.contains("t:1, t:2, t:3, t:4, t:5 and in 2 more; look whether `B`"), "{said}");
    }
}
