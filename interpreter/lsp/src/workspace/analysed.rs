//! What a check found out about a game, and a place in one of its pages.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use blazon_check::project::Layer;
use blazon_check::{Checked, Settings, analyse};
use blazon_diagnostics::{Source, SourceId, Span};
use blazon_syntax::ast::{File, Item, ItemKind, TestLine, TestLineKind};

use super::read::Read;

/// How much of a game is looked at, besides what it declares: most of a game are tests, and most questions are not about
/// them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All rules and steps, with the tests of a page, and for each scene of it one that takes it up.
    Page(SourceId),
    /// The items in which one of the words stands.
    Naming {
        /// The words.
        words: Vec<String>,
        /// Whether tests are among them.
        tests: bool,
    },
}

/// Items, each by its page and its place among those of the page.
pub type Items = BTreeSet<(SourceId, usize)>;

/// A game with a stack of variants, checked as it is now.
#[derive(Debug)]
pub struct Analysed {
    /// The pages.
    pub read: Arc<Read>,
    /// What they mean.
    pub checked: Checked,
    /// What was asked for.
    pub extent: Extent,
    /// The items that were looked at; of a whole game only the tests.
    pub items: Items,
}

impl Analysed {
    /// Looks at as much as is wanted.
    pub fn new(read: &Arc<Read>, extent: &Extent) -> Self {
        let items = match extent {
            Extent::Page(page) => of_page(read, *page),
            Extent::Naming { words, tests } => naming(read, words, *tests),
        };
        Self::of_items(read, extent.clone(), items)
    }

    /// Looks at these items, and at the rest of the game if that is wanted.
    pub fn of_items(read: &Arc<Read>, extent: Extent, items: Items) -> Self {
        let found = |(page, place): &(SourceId, usize)| read.file(*page)?.items.get(*place);
        let wanted = || items.iter().filter_map(found);
        let within = match extent {
            Extent::Page(_) => None,
            Extent::Naming { .. } => Some(wanted().map(|item| item.span).collect()),
        };
        let tests = wanted().filter_map(Item::test).map(|test| test.span).collect();
        let settings = Settings { tests: Some(tests), within, unproved: true, ..Settings::default() };
        let checked = analyse(&read.parsed, &settings);
        Self { read: read.clone(), checked, extent, items }
    }
}

/// All items, by page and place.
fn items(read: &Read) -> impl Iterator<Item = ((SourceId, usize), &Item)> {
    let files = read.parsed.files.iter().map(|(_, file)| file);
    files.flat_map(|file| file.items.iter().enumerate().map(|(place, item)| ((file.source, place), item)))
}

fn of_page(read: &Read, page: SourceId) -> Items {
    let is_test = |item: &Item| item.test().is_some();
    let here = || items(read).filter(|((source, _), _)| *source == page);
    let mut wanted: Items = here().filter(|(_, item)| is_test(item)).map(|(at, _)| at).collect();
    for (_, item) in here() {
        let ItemKind::Scene(scene) = &item.kind else { continue };
        let takes_up = |lines: &[TestLine]| {
            lines
                .iter()
                .any(|line| matches!(&line.kind, TestLineKind::From(name) if name.text == scene.name.text))
        };
        wanted.extend(items(read).find_map(|(at, item)| match &item.kind {
            ItemKind::Test(test) if takes_up(&test.lines) => Some(at),
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

fn naming(read: &Read, words: &[String], tests: bool) -> Items {
    let names = |extent: Span| {
        let text = read.text(extent);
        words.iter().any(|word| names(text, word))
    };
    // A scene that names it is looked at with the tests that take it up.
    let scenes: Vec<&str> = items(read)
        .filter_map(|(_, item)| match &item.kind {
            ItemKind::Scene(scene) if tests && names(item.span) => Some(scene.name.text.as_str()),
            ItemKind::Test(_) | ItemKind::Scene(_) | ItemKind::Declaration(_) | ItemKind::Amend(_) => None,
        })
        .collect();
    let is_varied = !read.parsed.variants.is_empty();
    let files = read.parsed.files.iter();
    let of_variants: BTreeSet<SourceId> =
        files.filter(|(layer, _)| matches!(layer, Layer::Variant(_))).map(|(_, file)| file.source).collect();
    let is_wanted = |at: &(SourceId, usize), item: &Item| match item.test() {
        Some(_) if !tests => false,
        // With a variant the game's own tests say nothing that they do not say without.
        Some(_) if is_varied && !of_variants.contains(&at.0) => false,
        Some(_) => names(item.span) || scenes.iter().any(|scene| read.text(item.span).contains(scene)),
        None => names(item.span),
    };
    items(read).filter(|(at, item)| is_wanted(at, item)).map(|(at, _)| at).collect()
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

    /// The text with its lines; nothing if the game has no such page, which does not happen.
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
