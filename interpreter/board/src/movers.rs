//! Which things move over a game's board: for whoever counts what happens where, game after game, without drawing it.

use blazon::book::{Book, ColumnId, KindId};

use crate::looks::Looks;

/// The kinds that move over the board of a game.
#[derive(Clone, Debug)]
pub struct Movers {
    /// The kind of the places.
    pub places: KindId,
    /// The kind of the links between them.
    pub links: Option<KindId>,
    /// The kinds that move from place to place.
    pub kinds: Vec<Mover>,
}

/// A kind that moves from place to place.
#[derive(Clone, Copy, Debug)]
pub struct Mover {
    /// The kind.
    pub kind: KindId,
    /// The state that says where one stands.
    pub at: ColumnId,
    /// The state or fact that says whose it is.
    pub side: Option<ColumnId>,
}

impl Movers {
    /// What the declarations of a game say, as its board is drawn by them. Nothing for a game without places.
    pub fn of(book: &Book) -> Option<Self> {
        let looks = Looks::of(book);
        let moving = looks.pieces.iter().filter(|piece| !piece.fixed);
        let kinds = moving.map(|piece| Mover { kind: piece.kind, at: piece.at, side: piece.side }).collect();
        Some(Self { places: looks.place?, links: looks.links, kinds })
    }
}
