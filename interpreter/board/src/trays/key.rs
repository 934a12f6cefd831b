//! The key to the map: which sort of link is drawn how and what its facts say, and what the signs beside names mean.

use blazon::book::{Base, Book, ColumnId};

use crate::layout::{Plan, Sorts};
use crate::looks::{Looks, facts, printed_name, thing, word};

/// The key to the map.
pub struct Key<'a> {
    /// The sorts of links: the classes of the strokes of their line, one on the other, their name, and their facts in words.
    pub lines: Vec<(Vec<String>, String, String)>,
    /// The signs, and what they mean.
    pub marks: Vec<(&'static str, &'a str)>,
}

/// The key to a map; nothing where links are of one sort, and on a grid, which draws neither lines by their sort nor signs beside
/// names.
pub fn key<'a>(book: &'a Book, looks: &Looks, plan: Plan) -> Option<Key<'a>> {
    // As ways have, kerbs lie beneath.
    let strokes: &[&str] = match plan {
        Plan::Points => &["way case", "way core"],
        Plan::Map | Plan::MapOfGrid => &["link core"],
        Plan::Grid => return None,
    };
    let (links, line) = looks.links.zip(looks.line)?;
    let of = thing(book, line)?;
    let sorts = Sorts::new(book, looks, links);
    let columns: Vec<ColumnId> = facts(book, of).collect();
    let lines = sorts.all.iter().filter_map(|sort| {
        let name = sort.name.as_ref()?;
        let word = u32::try_from(sort.word?).ok()?;
        let told: Vec<String> = columns.iter().filter_map(|&fact| fact_of(book, fact, word)).collect();
        let classes = strokes.iter().map(|stroke| format!("{stroke} {}", sort.class)).collect();
        Some((classes, format!("{name} {}", book.kind(links).name), told.join(", ")))
    });
    let marks =
        looks.marks.iter().map(|(column, glyph)| (*glyph, book.column(*column).name.as_str())).collect();
    Some(Key { lines: lines.collect(), marks })
}

fn fact_of(book: &Book, fact: ColumnId, of: u32) -> Option<String> {
    let column = book.column(fact);
    match (word(book, fact, of)?, column.ty.base) {
        (0, Base::Flag) => None,
        (_, Base::Flag) => Some(column.name.clone()),
        (number, Base::Number(..)) => Some(format!("{} {number}", column.name)),
        _ => printed_name(book, fact, of).map(str::to_owned),
    }
}
