//! What stands beside the board: title and clock, the sides, what stands in no place, the viewer's hand, the key to the
//! map. Here it is found; [`html`] writes it for a page, [`crate::picture`] draws it.

mod html;
mod key;
mod ledger;

use std::collections::BTreeMap;

use blazon::book::KindId;
use blazon::machine::Value;
use blazon::present::values;

use crate::looks::{CardLook, PieceLook, thing};
use crate::piece::Drawer;
use crate::seen::Item;

pub use html::{chip, fragments, key as key_html};
pub use key::{Key, key};
use ledger::ledger;
pub use ledger::{Ledger, Row};

/// The side of a piece in a tray.
pub const SIZE: f64 = 44.0;

/// Everything beside the board.
pub struct Trays<'a> {
    /// The game's name.
    pub title: &'a str,
    /// What was set up.
    pub setup: Option<String>,
    /// Its variants.
    pub variants: Vec<&'a str>,
    /// The states without keys.
    pub clock: Vec<Clock<'a>>,
    /// Those who play.
    pub sides: Vec<Side<'a>>,
    /// What stands in no place.
    pub boxes: Vec<Kept<'a>>,
    /// What else is kept, by kind.
    pub ledger: Vec<Ledger<'a>>,
    /// The viewer's cards, by kind; nothing for a spectator.
    pub hand: Option<Vec<Vec<Card<'a>>>>,
}

/// A state without keys.
pub enum Clock<'a> {
    /// One of a short list: a track with a marker.
    Track {
        /// What is called so.
        name: &'a str,
        /// The steps, in short.
        steps: Vec<String>,
        /// On which the marker stands.
        now: usize,
    },
    /// A number.
    Number {
        /// What is called so.
        name: &'a str,
        /// How many.
        number: i64,
    },
    /// A thing.
    Thing {
        /// What is called so.
        name: &'a str,
        /// The thing's token.
        token: String,
        /// Its name.
        thing: &'a str,
    },
    /// A flag that is set.
    Flag {
        /// What is called so.
        name: &'a str,
    },
}

/// One who plays.
pub struct Side<'a> {
    /// Who.
    pub side: u32,
    /// The token.
    pub token: String,
    /// The name.
    pub name: &'a str,
    /// Whether it is the viewer.
    pub is_viewer: bool,
    /// Whether something is asked of it.
    pub is_asked: bool,
    /// States that hold it.
    pub holds: Vec<&'a str>,
    /// What is counted of it.
    pub told: Vec<String>,
    /// Cards that lie before it.
    pub before: Vec<Card<'a>>,
}

/// Pieces that stand in no place, and are together somewhere else.
pub struct Kept<'a> {
    /// Of which look.
    pub look: &'a PieceLook,
    /// Where: a thing of the kind that the look's box names.
    pub place: Option<u32>,
    /// What that is called.
    pub name: String,
    /// How many there are.
    pub count: usize,
    /// The pieces; backs that look the same once, with how many there are.
    pub piles: Vec<(Item<'a>, usize)>,
}

/// A card.
pub struct Card<'a> {
    /// What it is.
    pub item: Item<'a>,
    /// Its name, or what its back says.
    pub name: String,
    /// Its value.
    pub value: Option<i64>,
    /// What stands beneath the value: what it is, and what sets the card apart.
    pub label: String,
    /// Whether it is set apart.
    pub special: bool,
}

impl<'a> Trays<'a> {
    /// What a seat sees beside the board; without a viewer, what all see.
    pub fn new(drawer: &'a Drawer<'a>, deciders: &[u32], viewer: Option<u32>, setup: usize) -> Self {
        let book = drawer.book;
        let setup = book.setups.get(setup).map(|setup| match &setup.title {
            Some(title) => format!("{} ({title})", setup.name),
            None => setup.name.clone(),
        });
        Self {
            title: &book.title,
            setup,
            variants: book.variants.iter().map(|(name, _)| name.as_str()).collect(),
            clock: clock(drawer),
            sides: book.players.iter().map(|&side| of_side(drawer, deciders, viewer, side)).collect(),
            boxes: boxes(drawer),
            ledger: ledger(drawer),
            hand: viewer.map(|viewer| hand(drawer, viewer)),
        }
    }
}

/// The states without keys: those of a short list as a track, numbers as they are.
fn clock<'a>(drawer: &'a Drawer<'a>) -> Vec<Clock<'a>> {
    let book = drawer.book;
    let track = |kind: KindId| {
        let count = book.kind(kind).things.len();
        kind != book.player
            && Some(kind) != drawer.looks.place
            && (2..=14).contains(&count)
            && drawer.looks.piece(kind).is_none()
    };
    let of = drawer.alone().filter_map(|(column, value)| {
        let name = book.column(column).name.as_str();
        Some(match value {
            Value::Thing(kind, now) if track(*kind) => {
                let steps = book.kind(*kind).things.iter().map(|thing| abbreviated(&thing.name)).collect();
                Clock::Track { name, steps, now: *now as usize }
            }
            Value::Number(number) => Clock::Number { name, number: *number },
            Value::Thing(kind, thing) => Clock::Thing {
                name,
                token: drawer.seen.token(*kind, *thing),
                thing: drawer.seen.name(*kind, *thing),
            },
            Value::Flag(true) => Clock::Flag { name },
            Value::Absent | Value::Flag(false) | Value::Hidden(_) | Value::Set(..) | Value::Dice(_) => {
                return None;
            }
        })
    });
    of.collect()
}

fn abbreviated(name: &str) -> String {
    if name.chars().count() > 5 { name.chars().take(3).collect() } else { name.to_owned() }
}

fn of_side<'a>(drawer: &'a Drawer<'a>, deciders: &[u32], viewer: Option<u32>, side: u32) -> Side<'a> {
    let book = drawer.book;
    let holds = drawer.alone().filter(|(_, value)| **value == Value::Thing(book.player, side));
    let before = drawer.looks.cards.iter().flat_map(|look| {
        let lies = move |item: &Item| {
            look.before.iter().any(|&column| item.thing_at(drawer.book, column) == Some(side))
        };
        drawer.seen.items(look.kind).into_iter().filter(lies).map(|item| card(drawer, look, item))
    });
    Side {
        side,
        token: drawer.seen.token(book.player, side),
        name: drawer.seen.name(book.player, side),
        is_viewer: Some(side) == viewer,
        is_asked: deciders.contains(&side),
        holds: holds.map(|(column, _)| book.column(column).name.as_str()).collect(),
        told: counted(drawer, side),
        before: before.collect(),
    }
}

/// What is counted of a side: pieces on the board, cards in hand, numbers kept for it.
fn counted(drawer: &Drawer, side: u32) -> Vec<String> {
    let book = drawer.book;
    let mut told = Vec::new();
    for look in drawer.looks.pieces.iter().filter(|look| !look.fixed) {
        let of = |item: &Item| item.side(book, look) == Some(side) && item.thing_at(book, look.at).is_some();
        let count = drawer.seen.items(look.kind).iter().filter(|item| of(item)).count();
        if count > 0 {
            told.push(format!("{} on the board", values::counted(book, look.kind, count)));
        }
    }
    for card in &drawer.looks.cards {
        let of = |item: &&Item| item.thing_at(book, card.hand) == Some(side);
        let count = drawer.seen.items(card.kind).iter().filter(of).count();
        if count > 0 {
            told.push(format!("{} in hand", values::counted(book, card.kind, count)));
        }
    }
    let sides = drawer.seen.view.kinds.get(book.player.0 as usize);
    let states = sides.and_then(|kind| kind.seen.iter().find(|thing| thing.thing == side));
    let kept = states.into_iter().flat_map(|thing| &thing.states);
    for (column, value) in kept.filter(|(column, _)| !drawer.looks.untold.contains(column)) {
        match value {
            Value::Number(number) if *number != 0 => {
                told.push(format!("{} {number}", book.column(*column).name))
            }
            Value::Flag(true) | Value::Thing(..) => told.push(values::state(book, *column, value)),
            Value::Absent
            | Value::Flag(false)
            | Value::Number(_)
            | Value::Hidden(_)
            | Value::Set(..)
            | Value::Dice(_) => {}
        }
    }
    told
}

/// Pieces that stand in no place, by the state that says where they are instead.
fn boxes<'a>(drawer: &'a Drawer<'a>) -> Vec<Kept<'a>> {
    let book = drawer.book;
    let mut boxes = Vec::new();
    for look in drawer.looks.pieces.iter().filter(|look| !look.fixed) {
        let mut held: BTreeMap<Option<u32>, Vec<Item>> = BTreeMap::new();
        for item in drawer.seen.items(look.kind) {
            if item.thing_at(book, look.at).is_none() {
                let place = look.elsewhere.and_then(|column| item.thing_at(book, column));
                held.entry(place).or_default().push(item);
            }
        }
        for (place, items) in held {
            let kind = look.elsewhere.and_then(|column| thing(book, column));
            let name = match (kind, place) {
                (Some(kind), Some(place)) => drawer.seen.name(kind, place).to_owned(),
                _ => format!("{} not on the board", book.kind(look.kind).plural),
            };
            boxes.push(Kept { look, place, name, count: items.len(), piles: piles(items) });
        }
    }
    boxes
}

fn piles(items: Vec<Item>) -> Vec<(Item, usize)> {
    let mut piles: Vec<(Item, usize)> = Vec::new();
    let mut backs: BTreeMap<String, (Item, usize)> = BTreeMap::new();
    for item in items {
        match item.thing {
            Some(_) => piles.push((item, 1)),
            None => backs.entry(item.token.clone()).or_insert((item, 0)).1 += 1,
        }
    }
    piles.extend(backs.into_values());
    piles
}

/// The viewer's own cards.
fn hand<'a>(drawer: &'a Drawer<'a>, viewer: u32) -> Vec<Vec<Card<'a>>> {
    let of = |look: &'a CardLook| {
        let held = drawer.seen.items(look.kind).into_iter();
        let held = held.filter(|item| item.thing_at(drawer.book, look.hand) == Some(viewer));
        held.map(|item| card(drawer, look, item)).collect::<Vec<_>>()
    };
    drawer.looks.cards.iter().map(of).filter(|held| !held.is_empty()).collect()
}

fn card<'a>(drawer: &'a Drawer<'a>, look: &CardLook, item: Item<'a>) -> Card<'a> {
    let book = drawer.book;
    let special = look.special.filter(|&special| item.is(book, special));
    let (name, value) = (item.name(book, None), look.value.and_then(|value| item.number(book, value)));
    let told = look.value.filter(|_| value.is_some()).into_iter().chain(special);
    let told: Vec<&str> = told.map(|column| book.column(column).name.as_str()).collect();
    let label = told.join(", ");
    Card { item, name, value, label, special: special.is_some() }
}
