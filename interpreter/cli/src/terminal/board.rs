//! The table as a viewer sees it: places and what stands on them, what is off the board, hands, states.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use blazon::present::values;
use blazon_book::{Book, ColumnId, KindId};
use blazon_machine::{Entry, KindView, Value, View};

use super::layout::hanging;
use super::shape::{Pieces, Shape};
use crate::console::{harmless, padded, paint, style};

/// The most columns that the name of a place takes.
const WIDEST: usize = 24;

/// A view to be shown.
pub struct Board<'a> {
    /// The book of the game.
    pub book: &'a Book,
    /// Its shape.
    pub shape: &'a Shape,
    /// What is seen.
    pub view: &'a View,
    /// The columns of the terminal.
    pub width: usize,
}

/// Where pieces are: on a place, or nowhere, by what they are then.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Spot {
    Place(KindId, u32),
    Off(String),
}

/// What stands on one spot, by owner: the viewer's own first.
#[derive(Default)]
struct Group {
    named: Vec<String>,
    /// Backs: the words for what is known of them, and how many.
    backs: BTreeMap<(KindId, String), usize>,
}

type Groups = BTreeMap<Spot, BTreeMap<(bool, Option<u32>), Group>>;

impl Board<'_> {
    /// All of it.
    pub fn text(&self) -> String {
        let mut out = self.places();
        out += &self.hands(true);
        out += &self.players();
        out += &self.others();
        out += &self.status();
        out
    }

    fn kind(&self, kind: KindId) -> Option<&KindView> {
        self.view.kinds.iter().find(|view| view.kind == kind)
    }

    fn places(&self) -> String {
        let mut groups = Groups::new();
        for pieces in &self.shape.pieces {
            self.lay(pieces, &mut groups);
        }
        let widest = groups.keys().map(|spot| self.spot_name(spot).chars().count()).max().unwrap_or(0);
        let widest = widest.min(WIDEST);
        let mut out = String::new();
        for (heading, mut spots) in self.regions(&groups) {
            if !heading.is_empty() {
                let _ = writeln!(out, "{}", paint(style::STRONG, &heading));
            }
            spots.sort();
            for spot in spots {
                let mut parts: Vec<String> = Vec::new();
                for ((_, owner), group) in groups.get(spot).into_iter().flatten() {
                    let mut group = self.group(*owner, group);
                    if let (Some(first), false) = (group.first_mut(), parts.is_empty()) {
                        first.insert(0, ' ');
                    }
                    parts.extend(group);
                }
                let states = self.place_states(spot);
                if !states.is_empty() {
                    parts.push(paint(style::FAINT, format!(" [{states}]")));
                }
                let name = padded(&paint(style::PLACE, self.spot_name(spot)), widest);
                out += &hanging(&format!("  {name}  "), &parts, " ", self.width);
            }
        }
        out
    }

    /// The spots that hold anything or are marked, by region; all places come before all that is off the board.
    fn regions<'a>(&self, groups: &'a Groups) -> Vec<(String, Vec<&'a Spot>)> {
        let mut regions: BTreeMap<(usize, String), Vec<&Spot>> = BTreeMap::new();
        for spot in groups.keys() {
            let region = match spot {
                Spot::Place(kind, place) => self.shape.region(self.book, *kind, *place).unwrap_or_default(),
                Spot::Off(_) => (usize::MAX, "Off the board".to_owned()),
            };
            regions.entry(region).or_default().push(spot);
        }
        regions.into_iter().map(|((_, name), spots)| (name, spots)).collect()
    }

    /// Sorts the pieces of a kind, seen and hidden, onto their spots.
    fn lay(&self, pieces: &Pieces, groups: &mut Groups) {
        let Some(view) = self.kind(pieces.kind) else { return };
        for thing in &view.seen {
            let spot = self.spot(pieces, &thing.states);
            let mut notes: Vec<String> = Vec::new();
            for (column, value) in &thing.states {
                let told = Some(*column) == pieces.owner
                    || *column == pieces.at
                    || (Some(*column) == pieces.status && matches!(spot, Spot::Off(_)));
                if !told && !self.shape.is_start(*column, Some(thing.thing), value) {
                    notes.push(values::state(self.book, *column, value));
                }
            }
            notes.extend(values::keyed(self.book, self.view, pieces.kind, thing.thing));
            let mut text = harmless(&values::thing(self.book, pieces.kind, thing.thing));
            if !notes.is_empty() {
                text += &paint(style::FAINT, format!(" ({})", notes.join(", ")));
            }
            self.group_of(groups, spot, pieces, Some(thing.thing), &thing.states).named.push(text);
        }
        for back in &view.backs {
            let spot = self.spot(pieces, back);
            let flags: Vec<String> = back
                .iter()
                .filter(|(_, value)| *value == Value::Flag(true))
                .map(|(column, value)| values::state(self.book, *column, value))
                .collect();
            let group = self.group_of(groups, spot, pieces, None, back);
            *group.backs.entry((pieces.kind, flags.join(", "))).or_default() += 1;
        }
        for place in 0..self.book.kind(pieces.place).things.len() as u32 {
            let spot = Spot::Place(pieces.place, place);
            if !self.place_states(&spot).is_empty() {
                groups.entry(spot).or_default();
            }
        }
    }

    fn group_of<'g>(
        &self,
        groups: &'g mut Groups,
        spot: Spot,
        pieces: &Pieces,
        thing: Option<u32>,
        states: &[(ColumnId, Value)],
    ) -> &'g mut Group {
        let owner = pieces.owner_of(self.book, thing, states);
        let other = owner.is_none() || owner != self.view.viewer;
        groups.entry(spot).or_default().entry((other, owner)).or_default()
    }

    fn spot(&self, pieces: &Pieces, states: &[(ColumnId, Value)]) -> Spot {
        match held(states, pieces.at) {
            Some(Value::Thing(kind, place)) => Spot::Place(*kind, *place),
            // A back that does not say where it is.
            None => Spot::Off("somewhere".to_owned()),
            Some(_) => match pieces.status.and_then(|status| held(states, status)) {
                Some(value) => Spot::Off(values::value(self.book, value)),
                None => Spot::Off(String::new()),
            },
        }
    }

    fn spot_name(&self, spot: &Spot) -> String {
        match spot {
            Spot::Place(kind, place) => values::thing(self.book, *kind, *place),
            Spot::Off(name) => name.clone(),
        }
    }

    /// `North: Grey (moved), Brown, 2 armies`, in pieces that may be put on several lines.
    fn group(&self, owner: Option<u32>, group: &Group) -> Vec<String> {
        let mut parts = group.named.clone();
        for ((kind, known), count) in &group.backs {
            let count = values::counted(self.book, *kind, *count);
            let known = if known.is_empty() { String::new() } else { format!(" ({known})") };
            parts.push(paint(style::FAINT, format!("{count}{known}")));
        }
        let last = parts.len().saturating_sub(1);
        for part in &mut parts[..last] {
            part.push(',');
        }
        if let (Some(owner), Some(first)) = (owner, parts.first_mut()) {
            let name = values::thing(self.book, self.book.player, owner);
            *first = format!("{} {first}", paint(style::player(owner), format!("{name}:")));
        }
        parts
    }

    fn place_states(&self, spot: &Spot) -> String {
        let Spot::Place(kind, place) = spot else { return String::new() };
        self.changed(*kind, *place).join(", ")
    }

    /// The states of a thing that differ from the start, and those of several keys.
    fn changed(&self, kind: KindId, thing: u32) -> Vec<String> {
        self.states(kind, thing)
            .filter(|(column, value)| !self.shape.is_start(*column, Some(thing), value))
            .map(|(column, value)| values::state(self.book, *column, value))
            .chain(values::keyed(self.book, self.view, kind, thing))
            .collect()
    }

    /// The states of a thing that are seen.
    fn states(&self, kind: KindId, thing: u32) -> impl Iterator<Item = &(ColumnId, Value)> {
        let view = self.kind(kind).and_then(|view| view.seen.iter().find(|seen| seen.thing == thing));
        view.into_iter().flat_map(|view| &view.states)
    }

    /// What is held in hands; of the viewer's own or of all.
    pub fn hands(&self, all: bool) -> String {
        let mut out = String::new();
        for &kind in &self.shape.hands {
            let Some(view) = self.kind(kind) else { continue };
            // By what says whose they are: `hand North`.
            let mut seen: BTreeMap<(bool, String), Vec<String>> = BTreeMap::new();
            for thing in &view.seen {
                let (own, holder) = self.holder(&thing.states);
                if !holder.is_empty() || self.view.viewer.is_some() {
                    let holder = if holder.is_empty() { self.lying(kind, &thing.states) } else { holder };
                    let name = harmless(&values::thing(self.book, kind, thing.thing));
                    seen.entry((!own, holder)).or_default().push(name);
                }
            }
            let mut hidden: BTreeMap<(bool, String), usize> = BTreeMap::new();
            for back in &view.backs {
                let holder = self.holder(back).1;
                *hidden.entry((holder.is_empty(), holder)).or_default() += 1;
            }
            for ((other, holder), names) in seen {
                if all || !other {
                    let heading = paint(style::STRONG, holder);
                    out += &hanging(&format!("{heading}  "), &names, ", ", self.width);
                }
            }
            for ((_, holder), count) in hidden.into_iter().filter(|_| all) {
                let heading = if holder.is_empty() { "others".to_owned() } else { holder };
                let count = paint(style::FAINT, values::counted(self.book, kind, count));
                let _ = writeln!(out, "{}  {count}", paint(style::STRONG, heading));
            }
        }
        out
    }

    /// What is said of open things that nobody has: the plural of their kind, with what their states say: `cards, spent`.
    fn lying(&self, kind: KindId, states: &[(ColumnId, Value)]) -> String {
        let told = states.iter().filter(|(_, value)| !values::is_nothing(value));
        let words = told.map(|(column, value)| values::state(self.book, *column, value));
        let all: Vec<String> = std::iter::once(self.book.kind(kind).plural.clone()).chain(words).collect();
        all.join(", ")
    }

    /// The states that say which player has a thing, in words, and whether it is the viewer.
    fn holder(&self, states: &[(ColumnId, Value)]) -> (bool, String) {
        let mut words = Vec::new();
        let mut own = false;
        for (column, value) in states {
            if let Value::Thing(kind, player) = value
                && *kind == self.book.player
            {
                own |= Some(*player) == self.view.viewer;
                words.push(format!("{} {}", self.book.column(*column).name, values::value(self.book, value)));
            }
        }
        (own, words.join(", "))
    }

    /// What is kept of the players: of all of them the same states, so that nobody's number is missing beside another's.
    fn players(&self) -> String {
        let kept = self.kept();
        let mut out = String::new();
        for &player in &self.book.players {
            let states = self.states(self.book.player, player);
            let states = states.filter(|(column, value)| {
                let is_number = matches!(value, Value::Number(_));
                let is_start = self.shape.is_start(*column, Some(player), value);
                kept.contains(column) && (is_number || !values::is_nothing(value) || !is_start)
            });
            let mut words: Vec<String> =
                states.map(|(column, value)| values::state(self.book, *column, value)).collect();
            words.extend(values::keyed(self.book, self.view, self.book.player, player));
            if !words.is_empty() {
                let name = values::thing(self.book, self.book.player, player);
                out +=
                    &hanging(&format!("{}  ", paint(style::player(player), name)), &words, ", ", self.width);
            }
        }
        out
    }

    /// The states of players that say something: a number that is not zero, or what is not as at the start, of any.
    fn kept(&self) -> BTreeSet<ColumnId> {
        let of = |&player: &u32| {
            self.states(self.book.player, player).filter_map(move |(column, value)| {
                let is_number = matches!(value, Value::Number(number) if *number != 0);
                let says = is_number || !self.shape.is_start(*column, Some(player), value);
                says.then_some(*column)
            })
        };
        self.book.players.iter().flat_map(of).collect()
    }

    /// Other things that are not as at the start.
    fn others(&self) -> String {
        let mut told = self.shape.place_kinds();
        told.extend(self.shape.pieces.iter().map(|pieces| pieces.kind));
        told.extend(&self.shape.hands);
        told.push(self.book.player);
        let mut out = String::new();
        for view in self.view.kinds.iter().filter(|view| !told.contains(&view.kind)) {
            for thing in &view.seen {
                let states = self.changed(view.kind, thing.thing);
                if !states.is_empty() {
                    let name = values::thing(self.book, view.kind, thing.thing);
                    let heading = paint(style::PLACE, format!("{} {name}", self.book.kind(view.kind).name));
                    out += &hanging(&format!("{heading}  "), &states, ", ", self.width);
                }
            }
        }
        out
    }

    /// The states without keys, in one line: those that have changed, then the others faintly. What is absent, empty
    /// or no is left out.
    pub fn status(&self) -> String {
        let entries = self.view.states.iter().filter(|entry| entry.keys.is_empty()).filter(|entry| {
            match &entry.value {
                Value::Absent | Value::Flag(false) => false,
                Value::Set(_, things, hidden) => !things.is_empty() || *hidden > 0,
                Value::Flag(_) | Value::Number(_) | Value::Thing(..) | Value::Hidden(_) | Value::Dice(_) => {
                    true
                }
            }
        });
        let words = |entry: &&Entry| values::state(self.book, entry.column, &entry.value);
        let (start, changed): (Vec<&Entry>, Vec<&Entry>) =
            entries.partition(|entry| self.shape.is_start(entry.column, None, &entry.value));
        let mut states: Vec<String> = changed.iter().map(words).map(|words| harmless(&words)).collect();
        states.extend(start.iter().map(words).map(|words| paint(style::FAINT, words)));
        if states.is_empty() { String::new() } else { hanging("", &states, " · ", self.width) }
    }
}

fn held(states: &[(ColumnId, Value)], column: ColumnId) -> Option<&Value> {
    states.iter().find(|(other, _)| *other == column).map(|(_, value)| value)
}
