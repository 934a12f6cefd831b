//! Whose a thing is.

use blazon_book::{Book, ColumnId, KindId, Role};

/// The state or fact that says whose a thing of a kind is, unless a look says it: what is called as the players are, be it
/// printed, and not who has looked at the thing, say; else the first state that holds a player, else the first such fact.
pub fn whose(book: &Book, kind: KindId) -> Option<ColumnId> {
    let called = &book.kind(book.player).name;
    let of_player = (0..book.columns.len() as u32).map(ColumnId).filter(|&column| {
        let column = book.column(column);
        column.keys == [kind] && column.ty.base.thing() == Some(book.player)
    });
    // Of those that are as good the first.
    of_player.min_by_key(|&column| {
        let column = book.column(column);
        (column.name != *called, matches!(column.role, Role::Fact(_)))
    })
}
