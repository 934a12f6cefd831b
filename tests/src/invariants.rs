//! What must hold after every decision of a game, and the columns that it is read from.

pub mod lionheart;
pub mod richard;

use blazon_book::{Book, ColumnId, KindId};
use blazon_machine::Machine;

/// A state's or fact's column, by name and number of keys.
fn column(book: &Book, name: &str, keys: usize) -> ColumnId {
    column_of(book, name, keys, None)
}

/// The same, of a certain first key.
fn column_of(book: &Book, name: &str, keys: usize, first: Option<KindId>) -> ColumnId {
    let found = book.columns.iter().position(|column| {
        column.name == name
            && column.keys.len() == keys
            && first.is_none_or(|first| column.keys.first() == Some(&first))
    });
    ColumnId(found.unwrap_or_else(|| panic!("no column `{name}`")) as u32)
}

fn kind(book: &Book, name: &str) -> KindId {
    KindId(book.kinds.iter().position(|k| k.name == name).expect("a kind") as u32)
}

fn thing(book: &Book, kind: KindId, name: &str) -> i64 {
    book.kind(kind).things.iter().position(|t| t.name == name).expect("a thing") as i64
}

fn word(machine: &Machine, column: ColumnId, keys: &[u32]) -> i64 {
    machine.column(column, keys).expect("a value")[0] as i64
}

fn holds(condition: bool, or: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(or()) }
}
