//! What a check found out about a game, and a place in one of its pages.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use blazon_check::{Checked, Settings, analyse};
use blazon_diagnostics::{Source, SourceId, Span};
use blazon_syntax::ast::{File, ItemKind, TestLine, TestLineKind};

use super::read::Read;

/// Which tests are looked at with the rules: most of a game are tests, and most questions are not about them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tests {
    /// Those of a page, and for each scene of it one that takes it up.
    Of(SourceId),
    /// Those in which one of these words stands.
    Naming(Vec<String>),
}

/// A game with a stack of variants, checked as it is now.
#[derive(Debug)]
pub struct Analysed {
    /// The pages.
    pub read: Arc<Read>,
    /// What they mean.
    pub checked: Checked,
    /// Which tests were asked for.
    pub tests: Tests,
    /// The headings of the tests that were looked at.
    pub wanted: BTreeSet<Span>,
}

impl Analysed {
    /// Looks at all pages, and at some of the tests.
    pub fn new(read: &Arc<Read>, tests: &Tests) -> Self {
        let wanted = match tests {
            Tests::Of(page) => of_page(read, *page),
            Tests::Naming(words) => naming(read, words),
        };
        Self::with(read, tests.clone(), wanted)
    }

    /// Looks at all pages, and at the tests at some places among those of their pages.
    pub fn of_tests(read: &Arc<Read>, places: &[(SourceId, usize)]) -> Self {
        let test = |(page, place): &(SourceId, usize)| {
            let (test, _) = tests(read.file(*page)?).nth(*place)?;
            Some(test)
        };
        let wanted = places.iter().filter_map(test).collect();
        Self::with(read, Tests::Naming(Vec::new()), wanted)
    }

    fn with(read: &Arc<Read>, tests: Tests, wanted: BTreeSet<Span>) -> Self {
        let settings = Settings { tests: Some(wanted.clone()), unproved: true, ..Settings::default() };
        let checked = analyse(&read.parsed, &settings);
        Self { read: read.clone(), checked, tests, wanted }
    }
}

fn files(read: &Read) -> impl Iterator<Item = &File> {
    read.parsed.files.iter().map(|(_, file)| &**file)
}

fn of_page(read: &Read, page: SourceId) -> BTreeSet<Span> {
    let Some(file) = read.file(page) else { return BTreeSet::new() };
    let mut wanted: BTreeSet<Span> = tests(file).map(|(test, _)| test).collect();
    let scenes = file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Scene(scene) => Some(&scene.name.text),
        ItemKind::Test(_) | ItemKind::Declaration(_) | ItemKind::Amend(_) => None,
    });
    for scene in scenes {
        let takes_up = |lines: &[TestLine]| {
            lines.iter().any(|line| matches!(&line.kind, TestLineKind::From(name) if name.text == *scene))
        };
        let mut all = files(read).flat_map(|file| &file.items);
        wanted.extend(all.find_map(|item| match &item.kind {
            ItemKind::Test(test) if takes_up(&test.lines) => Some(test.span),
            ItemKind::Test(_) | ItemKind::Scene(_) | ItemKind::Declaration(_) | ItemKind::Amend(_) => None,
        }));
    }
    wanted
}

/// Whether a word stands in a text, by itself or as the name of the set of all of a kind.
pub fn names(text: &str, word: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(char::is_alphanumeric);
    text.match_indices(word).any(|(at, _)| {
        let after = &text[at + word.len()..];
        let begins = !text[..at].ends_with(char::is_alphanumeric);
        begins && (ends(after) || after.strip_prefix('s').is_some_and(ends))
    })
}

fn naming(read: &Read, words: &[String]) -> BTreeSet<Span> {
    let names = |extent: Span| {
        let text = read.text(extent);
        words.iter().any(|word| names(text, word))
    };
    // A scene that names it is looked at with the tests that take it up.
    let scenes = files(read).flat_map(|file| &file.items).filter_map(|item| match &item.kind {
        ItemKind::Scene(scene) if names(item.span) => Some(scene.name.text.as_str()),
        ItemKind::Test(_) | ItemKind::Scene(_) | ItemKind::Declaration(_) | ItemKind::Amend(_) => None,
    });
    let scenes: Vec<&str> = scenes.collect();
    let all = files(read).flat_map(tests);
    let wanted = all.filter(|(_, extent)| {
        names(*extent) || scenes.iter().any(|scene| read.text(*extent).contains(scene))
    });
    wanted.map(|(test, _)| test).collect()
}

/// The headings of a page's tests, each with all of the test; those that a variant puts in another's place, too.
fn tests(file: &File) -> impl Iterator<Item = (Span, Span)> {
    file.items.iter().filter_map(|item| crate::outline::test_in(item).map(|test| (test.span, item.span)))
}

/// A page of an analysed game.
#[derive(Clone, Debug)]
pub struct Page {
    /// The game.
    pub book: Arc<Analysed>,
    /// The page.
    pub source: SourceId,
    /// Its file.
    pub path: PathBuf,
}

impl Page {
    /// The pages of the game.
    pub fn read(&self) -> &Arc<Read> {
        &self.book.read
    }

    /// The text with its lines.
    ///
    /// # Errors
    /// None where the page is none of the game, which does not happen.
    pub fn text(&self) -> Option<&Source> {
        self.book.read.source(self.source)
    }

    /// The byte of a place.
    pub fn offset(&self, place: lsp_types::Position) -> u32 {
        self.text().map_or(0, |source| self.book.read.encoding.offset(source, place))
    }

    /// The tree.
    pub fn file(&self) -> Option<&File> {
        self.book.read.file(self.source)
    }
}
