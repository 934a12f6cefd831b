//! The key to the map: which sort of link is drawn how and what its facts say, and what the signs beside names mean.

use blazon::book::{Base, Book, ColumnId};

use crate::looks::{Looks, facts, printed_name, thing, word};

/// The key to the map.
pub struct Key<'a> {
    /// The sorts of links: the classes of their line, their name, and their facts in words.
    pub lines: Vec<(String, String, String)>,
    /// The signs, and what they mean.
    pub marks: Vec<(&'static str, &'a str)>,
}

/// The key to a map; nothing where links are of one sort.
pub fn key<'a>(book: &'a Book, looks: &Looks) -> Option<Key<'a>> {
    let (links, line) = looks.links.zip(looks.line)?;
    let of = thing(book, line)?;
    let mut sorts: Vec<u32> = Vec::new();
    for at in 0..book.kind(links).things.len() as u32 {
        if let Some(sort) = word(book, line, at).and_then(|word| u32::try_from(word).ok())
            && !sorts.contains(&sort)
        {
            sorts.push(sort);
        }
    }
    let columns: Vec<ColumnId> = facts(book, of).collect();
    let lines = sorts.iter().enumerate().map(|(order, &sort)| {
        let name = book.kind(of).things.get(sort as usize).map_or("", |thing| thing.name.as_str());
        let hue = looks.colour(name).map(|colour| format!("hue l-{colour}")).unwrap_or_default();
        let told: Vec<String> = columns.iter().filter_map(|&fact| fact_of(book, fact, sort)).collect();
        (
            format!("link core way n{} {hue}", order % 4),
            format!("{name} {}", book.kind(links).name),
            told.join(", "),
        )
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
