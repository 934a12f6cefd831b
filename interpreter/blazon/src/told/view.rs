//! What a seat sees.

use std::collections::BTreeMap;

use blazon_book::{Book, ColumnId};
use blazon_machine::{Value as Raw, View as RawView};
use serde::Serialize;

use crate::game::Game;
use crate::present::values;

/// A position as somebody sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// Who; nobody sees everything.
    pub viewer: Option<String>,
    /// Who must decide.
    pub deciders: Vec<String>,
    /// The kinds that have states or backs, by name.
    pub kinds: BTreeMap<String, KindView>,
    /// The states without keys, and those with several of which the viewer sees all keys.
    pub states: Vec<State>,
}

/// The things of a kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindView {
    /// The things whose faces the viewer sees, in printed order.
    pub seen: Vec<ThingView>,
    /// The backs of the others, sorted by what stands on them: states by name.
    pub backs: Vec<BTreeMap<String, Value>>,
}

/// A thing with its states.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ThingView {
    /// Its name.
    pub name: String,
    /// Its states of one key, by name.
    pub states: BTreeMap<String, Value>,
}

/// An entry of a state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct State {
    /// The name of the state.
    pub state: String,
    /// The things of which; none for a state without keys.
    pub keys: Vec<String>,
    /// What it holds.
    pub value: Value,
}

/// A value as somebody sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Nothing.
    Nothing,
    /// Yes or no.
    Flag(bool),
    /// A number.
    Number(i64),
    /// A thing by its name.
    Thing(String),
    /// A thing whose face the viewer does not see.
    Hidden {
        /// Its kind.
        hidden: String,
    },
    /// Things, all known to the viewer.
    Things(Vec<String>),
    /// Things of which the viewer does not know some.
    Partly {
        /// Those that he knows.
        things: Vec<String>,
        /// How many others.
        hidden: usize,
    },
    /// Dice.
    Dice(Vec<u8>),
}

impl Value {
    pub(crate) fn of(book: &Book, held: &Raw) -> Self {
        match held {
            Raw::Absent => Self::Nothing,
            Raw::Flag(flag) => Self::Flag(*flag),
            Raw::Number(number) => Self::Number(*number),
            Raw::Thing(kind, thing) => Self::Thing(values::thing(book, *kind, *thing)),
            Raw::Hidden(kind) => Self::Hidden { hidden: book.kind(*kind).name.clone() },
            Raw::Set(kind, things, hidden) => {
                let things = things.iter().map(|&thing| values::thing(book, *kind, thing)).collect();
                match *hidden {
                    0 => Self::Things(things),
                    hidden => Self::Partly { things, hidden },
                }
            }
            Raw::Dice(dice) => Self::Dice(dice.clone()),
        }
    }
}

fn states(book: &Book, states: &[(ColumnId, Raw)]) -> BTreeMap<String, Value> {
    let named =
        states.iter().map(|(column, held)| (book.column(*column).name.clone(), Value::of(book, held)));
    named.collect()
}

impl View {
    pub(crate) fn of(game: &Game, view: &RawView) -> Self {
        let book = game.book();
        let mut kinds = BTreeMap::new();
        for of in &view.kinds {
            if of.seen.iter().all(|thing| thing.states.is_empty()) && of.backs.is_empty() {
                continue;
            }
            let seen = of.seen.iter().map(|thing| ThingView {
                name: values::thing(book, of.kind, thing.thing),
                states: states(book, &thing.states),
            });
            let backs = of.backs.iter().map(|back| states(book, back));
            let kind = KindView { seen: seen.collect(), backs: backs.collect() };
            kinds.insert(book.kind(of.kind).name.clone(), kind);
        }
        let entries = view.states.iter().map(|entry| {
            let column = book.column(entry.column);
            let keys = column.keys.iter().zip(&entry.keys);
            State {
                state: column.name.clone(),
                keys: keys.map(|(kind, key)| values::thing(book, *kind, *key)).collect(),
                value: Value::of(book, &entry.value),
            }
        });
        let name = |player: u32| game.player_name(player.into());
        Self {
            viewer: view.viewer.map(name),
            deciders: view.deciders.iter().copied().map(name).collect(),
            kinds,
            states: entries.collect(),
        }
    }
}
