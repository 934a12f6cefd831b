//! By which rules a game was played, and how others differ from them, in words.

use std::collections::{BTreeSet, HashMap};

use blazon_book::{Book, Digest, DigestLayer, PageDigest};
use serde::{Deserialize, Serialize};

/// How many items a message names.
const NAMED: usize = 5;

/// Rules, by name and by what their text comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The game.
    pub game: String,
    /// Its version.
    pub version: String,
    /// The variants and their versions, in the order in which they were laid; a stack is a set.
    pub variants: Vec<(String, String)>,
    /// The rulings and the values chosen.
    pub rulings: Vec<(String, String)>,
    /// What the text comes to; the first format does not say.
    pub text: Option<Text>,
}

/// What the text of rules comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// The hash of all, in sixteen hexadecimal digits: the same here means the same text.
    digest: String,
    /// For each page its layer, its name, and the first half of each item's hash in eight digits: they only serve to
    /// say what has changed.
    pages: Vec<(String, String, String)>,
}

impl Text {
    /// The hash of all: the same means the same text.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The text of a book.
    pub fn of(book: &Book) -> Self {
        Self::of_digest(&book.digest)
    }

    /// The text of a book, its variants in the order of others: earlier programs laid them as they were asked for.
    fn in_order(book: &Book, variants: &[(String, String)]) -> Self {
        let mut digest = book.digest.clone();
        digest.pages.sort_by_key(|page| match &page.layer {
            DigestLayer::Library => 0,
            DigestLayer::Game => 1,
            DigestLayer::Variant(name) => {
                2 + variants.iter().position(|(other, _)| other == name).unwrap_or(variants.len())
            }
        });
        Self::of_digest(&digest)
    }

    fn of_digest(digest: &Digest) -> Self {
        let pages = digest.pages.iter().map(|page| {
            let items: String = page.items.iter().map(|item| short(item.hash)).collect();
            (page.layer.to_string(), page.name.clone(), items)
        });
        Self { digest: format!("{:016x}", digest.hash()), pages: pages.collect() }
    }
}

/// The half of a hash that a save holds of an item.
fn short(hash: u64) -> String {
    format!("{:08x}", hash >> 32)
}

impl Rules {
    /// The rules of a book.
    pub fn of(book: &Book) -> Self {
        let rulings = book.rulings.iter().map(|ruling| {
            let value = ruling.values.get(ruling.chosen).cloned().unwrap_or_default();
            (ruling.name.clone(), value)
        });
        Self {
            game: book.title.clone(),
            version: book.version.clone(),
            variants: book.variants.clone(),
            rulings: rulings.collect(),
            text: Some(Text::of(book)),
        }
    }

    /// How a book differs from these rules, in words; `None` if it does not. A version counts only where the text
    /// differs, too.
    pub fn difference(&self, book: &Book) -> Option<String> {
        let other = Self::of(book);
        if self.game != other.game {
            return Some(format!("it is a game of {}, not of {}", self.game, other.game));
        }
        let names =
            |rules: &Self| rules.variants.iter().map(|(name, _)| name.clone()).collect::<BTreeSet<_>>();
        if names(self) != names(&other) {
            return Some(self.other_variants(&other));
        }
        if let Some(ruling) = self.other_ruling(&other) {
            return Some(ruling);
        }
        let (saved, here) = (self.text.as_ref()?, Text::in_order(book, &self.variants));
        if saved.digest == here.digest {
            return None;
        }
        let versions = |rules: &Self| rules.variants.iter().cloned().collect::<BTreeSet<_>>();
        let how = if versions(self) != versions(&other) {
            self.other_variants(&other)
        } else if self.version != other.version {
            format!("it was played by version {}, this is version {}", self.version, other.version)
        } else {
            "the text of the rules has changed since it was saved".to_owned()
        };
        Some(format!("{how}: {}", changes(saved, book)))
    }

    fn other_variants(&self, other: &Self) -> String {
        let (saved, here) = (listed(&self.variants), listed(&other.variants));
        format!("it was played {saved}; here it would be {here}")
    }

    fn other_ruling(&self, other: &Self) -> Option<String> {
        let ruling = self.rulings.iter().find(|ruling| !other.rulings.contains(ruling));
        if let Some((name, value)) = ruling {
            let here = other.rulings.iter().find(|(n, _)| n == name).map_or("unknown", |(_, v)| v.as_str());
            return Some(format!("it was played with the ruling `{name}` = {value}; here it is {here}"));
        }
        let known = |name: &String| self.rulings.iter().any(|(n, _)| n == name);
        let (name, value) = other.rulings.iter().find(|(name, _)| !known(name))?;
        Some(format!("here there is a ruling `{name}` = {value} that it does not know"))
    }
}

fn listed(variants: &[(String, String)]) -> String {
    match variants {
        [] => "without variants".to_owned(),
        pairs => {
            let pairs: Vec<String> = pairs.iter().map(|(a, b)| format!("{a} {b}")).collect();
            format!("with {}", pairs.join(", "))
        }
    }
}

/// What of a text has changed.
#[derive(Default)]
struct Changes {
    /// The first items that are new or changed.
    told: Vec<String>,
    /// How many more of them there are.
    more: usize,
    /// Pages from which items are gone, and how many beside those that others stand for.
    gone: Vec<(String, usize)>,
}

/// What of the text has changed: the items that are new or changed by name, then the pages from which some are gone.
fn changes(saved: &Text, book: &Book) -> String {
    let mut changes = Changes::default();
    for layer in layers(saved, book) {
        changes.compare(saved, book, &layer);
    }
    changes.in_words().unwrap_or_else(|| reordered(saved, book))
}

impl Changes {
    /// Compares the items of one layer, wherever on its pages they stand.
    fn compare(&mut self, saved: &Text, book: &Book, layer: &str) {
        let pages = || saved.pages.iter().filter(|(of, ..)| of == layer);
        let mut left: HashMap<&str, usize> = HashMap::new();
        for hash in pages().flat_map(|(.., items)| hashes(items)) {
            *left.entry(hash).or_default() += 1;
        }
        let mut fresh: HashMap<&str, usize> = HashMap::new();
        for page in book.digest.pages.iter().filter(|page| page.layer.to_string() == layer) {
            for item in &page.items {
                if take(&mut left, &short(item.hash)) {
                    continue;
                }
                *fresh.entry(&page.name).or_default() += 1;
                match self.told.len() {
                    ..NAMED => self.told.push(named(page, item, book)),
                    _ => self.more += 1,
                }
            }
        }
        for (_, name, items) in pages() {
            let lost = hashes(items).filter(|hash| take(&mut left, hash)).count();
            let replaced = fresh.get(name.as_str()).copied().unwrap_or_default();
            if lost > replaced {
                self.gone.push((of_layer_name(layer, name), lost - replaced));
            }
        }
    }

    /// What has changed in words; nothing if there are the same items as before.
    fn in_words(self) -> Option<String> {
        let mut parts = self.told;
        if self.more > 0 {
            parts.push(format!("{} more", self.more));
        }
        let mut words = match parts.split_last() {
            None => Vec::new(),
            Some((one, [])) => vec![format!("{one} is new or changed")],
            Some((last, others)) => vec![format!("{} and {last} are new or changed", others.join(", "))],
        };
        words.extend(self.gone.iter().take(NAMED).map(|(page, count)| match count {
            1 => format!("1 item of {page} is gone"),
            count => format!("{count} items of {page} are gone"),
        }));
        if self.gone.len() > NAMED {
            words.push(format!("and so of {} more pages", self.gone.len() - NAMED));
        }
        (!words.is_empty()).then(|| words.join("; "))
    }
}

/// Takes one of a hash, if one is left.
fn take(left: &mut HashMap<&str, usize>, hash: &str) -> bool {
    match left.get_mut(hash) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    }
}

/// The layers of a save and of a book, each once.
fn layers(saved: &Text, book: &Book) -> Vec<String> {
    let mut layers: Vec<String> = Vec::new();
    let here = book.digest.pages.iter().map(|page| page.layer.to_string());
    for layer in saved.pages.iter().map(|(layer, ..)| layer.clone()).chain(here) {
        if !layers.contains(&layer) {
            layers.push(layer);
        }
    }
    layers
}

/// The hashes of a page's items, as a save holds them; what is no hash counts as one that no item has.
fn hashes(items: &str) -> impl Iterator<Item = &str> {
    let starts = (0..items.len()).step_by(8);
    starts.map(|start| items.get(start..items.len().min(start + 8)).unwrap_or_default())
}

/// The same items in another order: the first page that has another item where it had one.
fn reordered(saved: &Text, book: &Book) -> String {
    for layer in layers(saved, book) {
        let mut before =
            saved.pages.iter().filter(|(of, ..)| *of == layer).flat_map(|(.., items)| hashes(items));
        for page in book.digest.pages.iter().filter(|page| page.layer.to_string() == layer) {
            let differs = |item: &&blazon_book::ItemDigest| before.next() != Some(short(item.hash).as_str());
            if let Some(item) = page.items.iter().find(differs) {
                return format!("its items stand in another order, from {} on", named(page, item, book));
            }
        }
    }
    "it has another digest".to_owned()
}

/// An item and where it stands.
fn named(page: &PageDigest, item: &blazon_book::ItemDigest, book: &Book) -> String {
    let place = of_layer_name(&page.layer.to_string(), &page.name);
    if page.name.ends_with(".blazon") {
        let what = item.what(&book.sources);
        let line = book.sources.find(item.span.source).map(|source| source.line_col(item.span.start).0);
        return format!("{what} in {place} (line {})", line.unwrap_or_default());
    }
    match page.name.ends_with(".ron") {
        true => format!("who plays or how it begins in {place}"),
        false => format!("the list of rows in {place}"),
    }
}

/// A page's name, and whose it is if it is not the game's.
fn of_layer_name(layer: &str, name: &str) -> String {
    if layer == DigestLayer::Game.to_string() { name.to_owned() } else { format!("{name} ({layer})") }
}
