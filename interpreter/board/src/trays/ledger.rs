//! What the seat sees and nothing draws: states of things that stand in no place, and further states of those that do.
//! What is absent, empty, zero, no, or the same for most things of a kind is not told; of cards, flags that most bear are. Of
//! a flag that begins as `yes` it is told who does not bear it.

use std::collections::{BTreeMap, BTreeSet};

use blazon::book::{Base, Book, ColumnId, ExprKind, KindId, Role};
use blazon::machine::{KindView, Value};
use blazon::present::values;

use crate::piece::Drawer;

/// What is told of the things of a kind.
pub struct Ledger<'a> {
    /// The kind.
    pub kind: KindId,
    /// What its things are called.
    pub name: &'a str,
    /// Whether they stand on the board, so that this is only what else there is.
    pub stands: bool,
    /// The things.
    pub rows: Vec<Row>,
}

/// A thing, or backs of which the same is told.
pub struct Row {
    /// The token.
    pub token: String,
    /// Its name.
    pub name: String,
    /// What is told.
    pub told: Vec<String>,
}

/// What is kept by several keys, by the first of them.
type Keyed = BTreeMap<(KindId, u32), Vec<String>>;

/// What is told, for each kind of which there is something to tell.
pub fn ledger<'a>(drawer: &Drawer<'a>) -> Vec<Ledger<'a>> {
    let book = drawer.book;
    let mut keyed: Keyed = BTreeMap::new();
    let untold = &drawer.looks.untold;
    for entry in drawer.seen.view.states.iter().filter(|entry| !untold.contains(&entry.column)) {
        let of = book.column(entry.column).keys.first().zip(entry.keys.first());
        if let Some(((&kind, &first), words)) = of.zip(values::by_its_first(book, entry)) {
            keyed.entry((kind, first)).or_default().push(words);
        }
    }
    let of_kind = |kind: KindId| {
        let rows = rows(drawer, kind, &keyed);
        let stands = Some(kind) == drawer.looks.place || drawer.looks.piece(kind).is_some();
        let name = book.kind(kind).plural.as_str();
        (!rows.is_empty()).then_some(Ledger { kind, name, stands, rows })
    };
    (0..book.kinds.len() as u32).map(KindId).filter_map(of_kind).collect()
}

fn rows(drawer: &Drawer, kind: KindId, keyed: &Keyed) -> Vec<Row> {
    let book = drawer.book;
    let mut drawn = drawer.looks.parts(kind);
    drawn.extend(&drawer.looks.untold);
    let Some(of) = drawer.seen.view.kinds.get(kind.0 as usize) else { return Vec::new() };
    let mut usual = usual(of);
    if drawer.looks.is_card(kind) {
        // Who counts cards looks for just this, and what a seat sees of them is not most of them.
        usual.retain(|(column, _)| book.column(*column).ty.base != Base::Flag);
    }
    let told = |states: &[(ColumnId, Value)]| -> Vec<String> {
        let kept = states.iter().filter(|entry| {
            let begins = begins_as_yes(book, entry.0) && !usual.contains(&(entry.0, Value::Flag(false)));
            let is_nothing = if begins { entry.1 == Value::Flag(true) } else { values::is_nothing(&entry.1) };
            !drawn.contains(&entry.0) && !is_nothing && !usual.contains(entry)
        });
        kept.map(|(column, value)| values::state(book, *column, value)).collect()
    };
    let mut rows = Vec::new();
    for thing in &of.seen {
        // What is kept for a player alone stands with the player.
        let mut words = if kind == book.player { Vec::new() } else { told(&thing.states) };
        if drawer.looks.piece(kind).is_none_or(|look| look.counts.is_none()) {
            words.extend(keyed.get(&(kind, thing.thing)).into_iter().flatten().cloned());
        }
        if !words.is_empty() {
            let name = drawer.seen.name(kind, thing.thing).to_owned();
            rows.push(Row { token: drawer.seen.token(kind, thing.thing), name, told: words });
        }
    }
    let mut backs: BTreeMap<(String, Vec<String>), usize> = BTreeMap::new();
    let hidden = if of.backs.is_empty() { Vec::new() } else { drawer.seen.items(kind) };
    for item in hidden.iter().filter(|item| item.thing.is_none()) {
        *backs.entry((item.token.clone(), told(item.states))).or_default() += 1;
    }
    let backs = backs.into_iter().filter(|((_, told), _)| !told.is_empty());
    rows.extend(backs.map(|((token, told), count)| {
        let name = values::counted(book, kind, count);
        Row { token, name, told }
    }));
    rows
}

/// Whether a state is a flag that all things begin with.
fn begins_as_yes(book: &Book, column: ColumnId) -> bool {
    let column = book.column(column);
    let Role::State { start: Some(start), .. } = &column.role else { return false };
    column.ty.base == Base::Flag && matches!(start.value.kind, ExprKind::Word(1))
}

/// The values that more than half of the things of a kind hold, where there are several things.
fn usual(of: &KindView) -> BTreeSet<&(ColumnId, Value)> {
    let mut counts: BTreeMap<&(ColumnId, Value), usize> = BTreeMap::new();
    for entry in of.seen.iter().flat_map(|thing| &thing.states) {
        *counts.entry(entry).or_default() += 1;
    }
    let most = of.seen.len() / 2;
    counts.into_iter().filter(|(_, count)| most > 0 && *count > most).map(|(entry, _)| entry).collect()
}
