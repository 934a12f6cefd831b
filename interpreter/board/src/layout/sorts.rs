//! The sorts of the links between places, and by which class the line of each is drawn: on the map and in its key alike.

use std::collections::BTreeMap;

use blazon::book::{Book, KindId};

use crate::looks::{Looks, thing, word};

/// A sort of links: those of one word.
pub struct Sort {
    /// The word, by its place in its kind; none of links that have none.
    pub word: Option<i64>,
    /// The word itself.
    pub name: Option<String>,
    /// The classes of its line: which it is of the sorts, and its colour if it names one.
    pub class: String,
}

/// The sorts of links.
pub struct Sorts {
    /// In the order of the first link of each.
    pub all: Vec<Sort>,
    of_links: Vec<usize>,
}

impl Sorts {
    /// Those of the links of a kind.
    pub fn new(book: &Book, looks: &Looks, links: KindId) -> Self {
        let mut sorts = Self { all: Vec::new(), of_links: Vec::new() };
        let mut known: BTreeMap<Option<i64>, usize> = BTreeMap::new();
        let words = looks.line.and_then(|line| thing(book, line)).map(|kind| &book.kind(kind).things);
        for at in 0..book.kind(links).things.len() as u32 {
            let said = looks.line.and_then(|line| word(book, line, at));
            let order = *known.entry(said).or_insert_with(|| {
                let place = said.and_then(|said| usize::try_from(said).ok());
                let name = words.zip(place).and_then(|(words, place)| Some(words.get(place)?.name.clone()));
                let hue = name.as_deref().and_then(|name| looks.colour(name));
                let hue = hue.map(|colour| format!(" hue l-{colour}")).unwrap_or_default();
                let class = format!("n{}{hue}", sorts.all.len() % 4);
                sorts.all.push(Sort { word: said, name, class });
                sorts.all.len() - 1
            });
            sorts.of_links.push(order);
        }
        sorts
    }

    /// The sort of a link.
    pub fn of(&self, link: usize) -> &Sort {
        &self.all[self.of_links[link]]
    }
}
