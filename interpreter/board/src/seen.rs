//! What a seat sees, with a token for each thing: the only source of everything that is drawn.

use std::collections::BTreeMap;

use blazon::book::{Book, ColumnId, Constant, KindId, Role};
use blazon::machine::{Behind, Value, View};

use crate::layout::token;
use crate::looks::{Looks, PieceLook, printed};

/// The states of a thing, by column.
type States = Vec<(ColumnId, Value)>;

/// What a seat sees of a game.
pub struct Seen<'a> {
    /// The rules.
    pub book: &'a Book,
    /// What it sees.
    pub view: &'a View,
    /// What stands behind the backs: used to find the token of an option's argument, and for nothing that is drawn.
    behind: &'a Behind,
    /// For each kind the different backs, sorted.
    backs: Vec<Vec<&'a States>>,
    /// For each kind and group of look-alikes the different states in which they stand there, sorted.
    alike: BTreeMap<(KindId, u32), Vec<&'a States>>,
    /// For each kind where the things stand in the view.
    faces: Vec<BTreeMap<u32, &'a States>>,
}

/// A thing that is drawn: a face, or a back.
#[derive(Clone, Debug)]
pub struct Item<'a> {
    /// Its kind.
    pub kind: KindId,
    /// Which, if its face is seen.
    pub thing: Option<u32>,
    /// Its token.
    pub token: String,
    /// What it can be followed by from view to view: of a thing that is like no other, its token.
    pub key: Option<String>,
    pub(crate) states: &'a States,
}

impl<'a> Seen<'a> {
    /// Numbers what is seen.
    pub fn new(book: &'a Book, view: &'a View, behind: &'a Behind) -> Self {
        let mut alike: BTreeMap<(KindId, u32), Vec<&States>> = BTreeMap::new();
        let (mut backs, mut faces) = (Vec::new(), Vec::new());
        for kind in &view.kinds {
            let mut distinct: Vec<&States> = kind.backs.iter().collect();
            distinct.dedup();
            backs.push(distinct);
            let info = book.kind(kind.kind);
            for of in kind.seen.iter().filter(|of| !info.is_alone(of.thing)) {
                alike.entry((kind.kind, *info.alike(of.thing).start())).or_default().push(&of.states);
            }
            faces.push(kind.seen.iter().map(|of| (of.thing, &of.states)).collect());
        }
        for states in alike.values_mut() {
            states.sort_unstable();
            states.dedup();
        }
        Self { book, view, behind, backs, alike, faces }
    }

    /// The token of a thing. A thing whose face is hidden has that of its back, which others may share.
    pub fn token(&self, kind: KindId, thing: u32) -> String {
        if let Some(place) = self.behind.backs(kind).iter().position(|&other| other == thing) {
            let states = self.view.kinds.get(kind.0 as usize).and_then(|of| of.backs.get(place));
            let group = states.and_then(|states| self.back(kind, states));
            return format!("b{}-{}", kind.0, group.unwrap_or_default());
        }
        match self.faces.get(kind.0 as usize).and_then(|faces| faces.get(&thing)) {
            Some(states) => self.face(kind, thing, states).0,
            None => token(kind, thing),
        }
    }

    fn back(&self, kind: KindId, states: &States) -> Option<usize> {
        self.backs.get(kind.0 as usize)?.binary_search_by(|other| other.as_slice().cmp(states)).ok()
    }

    /// The token of a thing whose face is seen, and what it can be followed by.
    fn face(&self, kind: KindId, thing: u32, states: &States) -> (String, Option<String>) {
        if self.book.kind(kind).is_alone(thing) {
            let token = token(kind, thing);
            return (token.clone(), Some(token));
        }
        let group = *self.book.kind(kind).alike(thing).start();
        // Look-alikes are told apart by where they stand, never by which they are.
        let rank = self
            .alike
            .get(&(kind, group))
            .and_then(|states_of| states_of.binary_search_by(|other| other.as_slice().cmp(states)).ok());
        (format!("l{}-{group}-{}", kind.0, rank.unwrap_or_default()), None)
    }

    /// Whether a thing's face is seen.
    pub fn is_open(&self, kind: KindId, thing: u32) -> bool {
        !self.behind.backs(kind).contains(&thing)
    }

    /// The name of the place where a thing stands, as far as it is seen.
    pub fn stands_at(&self, looks: &Looks, kind: KindId, thing: u32) -> Option<String> {
        let (look, place) = (looks.piece(kind)?, looks.place?);
        let of = self.view.kinds.get(kind.0 as usize)?;
        let behind = self.behind.backs(kind).iter().position(|&other| other == thing);
        let states = match behind {
            Some(back) => of.backs.get(back)?,
            None => *self.faces.get(kind.0 as usize)?.get(&thing)?,
        };
        let item = Item { kind, thing: None, token: String::new(), key: None, states };
        item.thing_at(self.book, look.at).map(|at| self.name(place, at).to_owned())
    }

    /// All things of a kind: faces in printed order, then backs.
    pub fn items(&self, kind: KindId) -> Vec<Item<'a>> {
        let Some(of) = self.view.kinds.get(kind.0 as usize) else { return Vec::new() };
        let faces = of.seen.iter().map(|of| {
            let (token, key) = self.face(kind, of.thing, &of.states);
            Item { kind, thing: Some(of.thing), token, key, states: &of.states }
        });
        let backs = of.backs.iter().map(|states| {
            let token = format!("b{}-{}", kind.0, self.back(kind, states).unwrap_or_default());
            Item { kind, thing: None, token, key: None, states }
        });
        faces.chain(backs).collect()
    }

    /// What a state without keys holds.
    pub fn alone(&self) -> impl Iterator<Item = (ColumnId, &'a Value)> + '_ {
        self.view
            .states
            .iter()
            .filter(|entry| entry.keys.is_empty())
            .map(|entry| (entry.column, &entry.value))
    }

    /// What a state without keys holds, as far as it is there.
    pub fn held(&self, column: ColumnId) -> Option<&'a Value> {
        self.alone().find(|(other, _)| *other == column).map(|(_, value)| value)
    }

    /// What a state of several keys holds for a first key: the second key, and the value.
    pub fn counts(&self, column: ColumnId, of: u32) -> Vec<(u32, i64)> {
        let entries = self.view.states.iter().filter(|entry| entry.column == column);
        entries
            .filter_map(|entry| match (entry.keys.as_slice(), &entry.value) {
                ([first, second], Value::Number(number)) if *first == of => Some((*second, *number)),
                _ => None,
            })
            .collect()
    }

    /// What a state of each player holds for one.
    pub fn of_player(&self, column: ColumnId, player: u32) -> Option<&'a Value> {
        let of = self.view.kinds.get(self.book.player.0 as usize)?;
        let states = &of.seen.iter().find(|thing| thing.thing == player)?.states;
        states.iter().find(|(other, _)| *other == column).map(|(_, value)| value)
    }

    /// The name of a thing.
    pub fn name(&self, kind: KindId, thing: u32) -> &'a str {
        self.book.kind(kind).things.get(thing as usize).map_or("", |thing| thing.name.as_str())
    }
}

impl Item<'_> {
    /// What a state or fact holds for it; of a thing whose face is not seen, what stands on its back.
    pub fn value(&self, book: &Book, column: ColumnId) -> Option<Value> {
        match (self.states.iter().find(|(other, _)| *other == column), &book.column(column).role) {
            (Some((_, value)), _) => (*value != Value::Absent).then(|| value.clone()),
            (None, Role::State { .. }) => None,
            (None, Role::Fact(_)) => constant(book, column, printed(book, column, self.thing?)?),
        }
    }

    /// The thing that a state or fact holds for it.
    pub fn thing_at(&self, book: &Book, column: ColumnId) -> Option<u32> {
        self.value(book, column)?.thing()
    }

    /// The number that a state or fact holds for it.
    pub fn number(&self, book: &Book, column: ColumnId) -> Option<i64> {
        match self.value(book, column)? {
            Value::Number(number) => Some(number),
            Value::Absent
            | Value::Flag(_)
            | Value::Thing(..)
            | Value::Hidden(_)
            | Value::Set(..)
            | Value::Dice(_) => None,
        }
    }

    /// Whether a flag is set for it.
    pub fn is(&self, book: &Book, column: ColumnId) -> bool {
        self.value(book, column) == Some(Value::Flag(true))
    }

    /// Whose it is.
    pub fn side(&self, book: &Book, look: &PieceLook) -> Option<u32> {
        self.thing_at(book, look.side?)
    }

    /// Its name; of a back, what it says: its side and its kind.
    pub fn name(&self, book: &Book, side: Option<u32>) -> String {
        match self.thing {
            Some(thing) => book
                .kind(self.kind)
                .things
                .get(thing as usize)
                .map(|thing| thing.name.clone())
                .unwrap_or_default(),
            None => {
                let side = side.and_then(|side| book.kind(book.player).things.get(side as usize));
                let side = side.map(|side| format!("{} ", side.name)).unwrap_or_default();
                format!("{side}{}", book.kind(self.kind).name)
            }
        }
    }
}

fn constant(book: &Book, column: ColumnId, constant: &Constant) -> Option<Value> {
    use blazon::book::Base;
    Some(match (constant, book.column(column).ty.base) {
        (Constant::Word(word), Base::Flag) => Value::Flag(*word != 0),
        (Constant::Word(word), Base::Thing(kind)) => Value::Thing(kind, u32::try_from(*word).ok()?),
        (Constant::Word(word), _) => Value::Number(*word),
        (Constant::Absent | Constant::Set(_) | Constant::Text(_) | Constant::Point(..), _) => return None,
    })
}
