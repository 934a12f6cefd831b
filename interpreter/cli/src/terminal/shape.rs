//! What a game looks like on a table, found in its declarations: which things stand on places, whose they are, what is
//! held in a hand. The program knows no game, so it looks for the shapes that games have in common; what the rules' looks
//! say of them goes before.

use std::collections::BTreeMap;

use blazon::Game;
use blazon::present::{kinds, set_when_taken_off, whose};
use blazon_book::{Base, Book, ColumnId, Constant, KindId, Part, Role, Says};
use blazon_machine::Value;

/// The shape of a game.
pub struct Shape {
    /// The kinds that stand on places.
    pub pieces: Vec<Pieces>,
    /// The kinds that have faces and stand on no place: cards and the like.
    pub hands: Vec<KindId>,
    /// The regions that a kind of places lies in: the fact of that name.
    regions: BTreeMap<KindId, ColumnId>,
    /// The states of the start, by state and thing; of states without keys by state alone.
    start: BTreeMap<(ColumnId, Option<u32>), Value>,
}

/// A kind of things that stand on places.
#[derive(Clone, Copy, Debug)]
pub struct Pieces {
    /// The kind.
    pub kind: KindId,
    /// The state that says where a piece is.
    pub at: ColumnId,
    /// The kind of places.
    pub place: KindId,
    /// The state that says whose it is, or else the fact.
    pub owner: Option<ColumnId>,
    /// The state that says what it is when it is nowhere: one that is set where its place is taken from it.
    pub status: Option<ColumnId>,
}

impl Shape {
    /// The shape of a game; nothing is under way in it yet.
    pub fn new(game: &mut Game) -> Self {
        let book = game.book().clone();
        let pieces: Vec<Pieces> = kinds(&book).filter_map(|kind| Pieces::find(&book, kind)).collect();
        let is_piece = |kind: KindId| pieces.iter().any(|pieces| pieces.kind == kind);
        let hands = kinds(&book).filter(|&kind| book.kind(kind).seen.is_some() && !is_piece(kind)).collect();
        let region = |pieces: &Pieces| {
            let place = pieces.place;
            let named = || fact(&book, place, "region");
            Some((place, looked(&book, place, Part::Region).unwrap_or_else(named)?))
        };
        let regions = pieces.iter().filter_map(region).collect();
        let mut start = BTreeMap::new();
        if let Ok(view) = game.view_by_id(None) {
            for kind in &view.kinds {
                for thing in &kind.seen {
                    start.extend(
                        thing
                            .states
                            .iter()
                            .map(|(column, value)| ((*column, Some(thing.thing)), value.clone())),
                    );
                }
            }
            let alone = view.states.into_iter().filter(|entry| entry.keys.is_empty());
            start.extend(alone.map(|entry| ((entry.column, None), entry.value)));
        }
        Self { pieces, hands, regions, start }
    }

    /// Whether a state is as it is at the start.
    pub fn is_start(&self, column: ColumnId, thing: Option<u32>, value: &Value) -> bool {
        self.start.get(&(column, thing)) == Some(value)
    }

    /// The kinds of places, each once.
    pub fn place_kinds(&self) -> Vec<KindId> {
        let mut kinds: Vec<KindId> = self.pieces.iter().map(|pieces| pieces.place).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// The name of the region of a place, and its rank among the regions; nothing in a game without regions.
    pub fn region(&self, book: &Book, kind: KindId, place: u32) -> Option<(usize, String)> {
        let column = book.column(*self.regions.get(&kind)?);
        let Role::Fact(values) = &column.role else { return None };
        match (values.get(place as usize)?, column.ty.base) {
            (Constant::Word(word), Base::Thing(kind)) => {
                let thing = usize::try_from(*word).ok()?;
                Some((thing, book.kind(kind).things.get(thing)?.name.clone()))
            }
            (Constant::Word(number), _) => {
                Some((usize::try_from(*number).ok()?, format!("{} {number}", column.name)))
            }
            (Constant::Text(text), _) => {
                let first = values.iter().position(|value| value == &Constant::Text(text.clone()))?;
                Some((first, text.clone()))
            }
            _ => None,
        }
    }
}

impl Pieces {
    /// Things stand on places if a state of theirs names one; places are what links join.
    fn find(book: &Book, kind: KindId) -> Option<Self> {
        if book.kind(kind).ends.is_some() || kind == book.player {
            return None;
        }
        let is_place = |place: KindId| {
            place != kind
                && book.kinds.iter().any(|links| links.ends.is_some_and(|(a, b)| a == place || b == place))
        };
        let thing = |column: ColumnId| book.column(column).ty.base.thing();
        let mut found = None;
        let mut others = Vec::new();
        for column in columns_of(book, kind) {
            let is_state = matches!(book.column(column).role, Role::State { .. });
            match thing(column) {
                // Of several places that a thing remembers, `at` is where it is.
                Some(place)
                    if is_state
                        && is_place(place)
                        && (found.is_none() || book.column(column).name == "at") =>
                {
                    found = Some((column, place));
                }
                Some(other) if is_state && other != book.player && !is_place(other) => others.push(column),
                _ => {}
            }
        }
        if let Some(Some(at)) = looked(book, kind, Part::At) {
            let is_state = matches!(book.column(at).role, Role::State { .. });
            found = thing(at).filter(|_| is_state).map(|place| (at, place)).or(found);
        }
        let (at, place) = found?;
        let lost = set_when_taken_off(book, at);
        let guessed = || others.into_iter().find(|column| lost.contains(column));
        let status = looked(book, kind, Part::Box).unwrap_or_else(guessed);
        let owner = looked(book, kind, Part::Side).unwrap_or_else(|| whose(book, kind));
        Some(Self { kind, at, place, owner, status })
    }

    /// Whose a piece is: by its states, or what stands on its back, or by what is printed on it if it is seen.
    pub fn owner_of(&self, book: &Book, thing: Option<u32>, states: &[(ColumnId, Value)]) -> Option<u32> {
        let owner = self.owner?;
        let told = states.iter().find(|(column, _)| *column == owner).map(|(_, value)| value);
        match (told, &book.column(owner).role) {
            (Some(Value::Thing(_, owner)), _) => Some(*owner),
            (None, Role::Fact(values)) => match values.get(thing? as usize) {
                Some(Constant::Word(owner)) => u32::try_from(*owner).ok(),
                _ => None,
            },
            _ => None,
        }
    }
}

/// What the rules say that a part of a kind is, or that it is nothing; the last look counts.
fn looked(book: &Book, kind: KindId, part: Part) -> Option<Option<ColumnId>> {
    book.looks.iter().rev().find_map(|look| match &look.says {
        Says::Part(of, is, columns) if (*of, *is) == (kind, part) => Some(columns.first().copied()),
        Says::Part(..) | Says::Display(..) | Says::Sign(..) => None,
    })
}

/// The facts and states asked of one thing of a kind.
pub fn columns_of(book: &Book, kind: KindId) -> impl Iterator<Item = ColumnId> + '_ {
    let of_kind = move |column: &ColumnId| book.column(*column).keys == [kind];
    (0..book.columns.len() as u32).map(ColumnId).filter(of_kind)
}

fn fact(book: &Book, kind: KindId, name: &str) -> Option<ColumnId> {
    columns_of(book, kind)
        .find(|&column| book.column(column).name == name && matches!(book.column(column).role, Role::Fact(_)))
}
