//! Beside the board: title and clock, the sides, what stands in no place, hands, what else has changed.

use std::collections::BTreeMap;

use blazon::book::{Base, ColumnId, KindId};
use blazon::machine::Value;
use blazon::present::values;
use maud::{Markup, html};

use crate::Fragment;
use crate::looks::{CardLook, printed_name, word};
use crate::piece::Drawer;
use crate::seen::Item;
use crate::signs::n;

/// The side of a piece in a tray.
const SIZE: f64 = 44.0;

/// The fragments of everything beside the board.
pub fn trays(drawer: &Drawer, deciders: &[u32], viewer: Option<u32>, setup: usize) -> Vec<Fragment> {
    let mut fragments = vec![
        fragment("head", "title", title(drawer, setup)),
        fragment("head", "clock", clock(drawer)),
        fragment("trays", "sides", sides(drawer, deciders, viewer)),
    ];
    for (id, box_) in boxes(drawer) {
        fragments.push(Fragment { layer: "trays", id, html: box_.into_string() });
    }
    if let Some(viewer) = viewer {
        fragments.push(fragment("hand", "cards", hand(drawer, viewer)));
    }
    fragments
}

fn fragment(layer: &'static str, id: &str, inside: Markup) -> Fragment {
    let html = html! { div id=(id) class=(id) { (inside) } };
    Fragment { layer, id: id.to_owned(), html: html.into_string() }
}

fn title(drawer: &Drawer, setup: usize) -> Markup {
    let book = drawer.book;
    let setup = book.setups.get(setup).map(|setup| match &setup.title {
        Some(title) => format!("{} ({title})", setup.name),
        None => setup.name.clone(),
    });
    html! {
        h1 class="game" { (book.title) }
        @if let Some(setup) = setup { p class="setup" { (setup) } }
        @for (name, _) in &book.variants { span class="variant" { (name) } }
    }
}

/// The states without keys: those of a short list as a track, numbers as they are.
fn clock(drawer: &Drawer) -> Markup {
    let book = drawer.book;
    let track = |kind: KindId| {
        let count = book.kind(kind).things.len();
        kind != book.player
            && Some(kind) != drawer.looks.place
            && (2..=14).contains(&count)
            && drawer.looks.piece(kind).is_none()
    };
    html! {
        @for (column, value) in drawer.seen.alone() {
            @let name = &book.column(column).name;
            @match value {
                Value::Thing(kind, now) if track(*kind) => {
                    div class="track" {
                        span { (name) }
                        ol {
                            @for (at, thing) in book.kind(*kind).things.iter().enumerate() {
                                li class={ @if at < *now as usize { "past" } @else if at == *now as usize { "now" } }
                                    aria-current=[(at == *now as usize).then_some("step")] { (abbreviated(&thing.name)) }
                            }
                        }
                    }
                }
                Value::Number(number) => { p class="count" { span { (name) } b { (number) } } }
                Value::Thing(kind, thing) => {
                    p class="count" { span { (name) } b data-t=(drawer.seen.token(*kind, *thing)) { (drawer.seen.name(*kind, *thing)) } }
                }
                Value::Flag(true) => { p class="count" { span { (name) } } }
                _ => {}
            }
        }
    }
}

fn abbreviated(name: &str) -> String {
    if name.chars().count() > 5 { name.chars().take(3).collect() } else { name.to_owned() }
}

fn sides(drawer: &Drawer, deciders: &[u32], viewer: Option<u32>) -> Markup {
    let book = drawer.book;
    html! {
        @for &side in &book.players {
            div class="side" data-t=(drawer.seen.token(book.player, side)) {
                (drawer.badge(side, 26))
                div {
                    strong { (drawer.seen.name(book.player, side)) }
                    @if Some(side) == viewer { i { "you" } }
                    @if deciders.contains(&side) { i class="asked" { "to decide" } }
                    @for (column, value) in drawer.seen.alone() {
                        @if *value == Value::Thing(book.player, side) { i { (book.column(column).name) } }
                    }
                    p { (of_side(drawer, side).join(" · ")) }
                }
                @for card in &drawer.looks.cards { (before(drawer, card, side)) }
            }
        }
    }
}

/// What is counted of a side: pieces on the board, cards in hand, numbers kept for it.
fn of_side(drawer: &Drawer, side: u32) -> Vec<String> {
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
    for (column, value) in states.into_iter().flat_map(|thing| &thing.states) {
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

/// Cards that lie before a side, open or face-down.
fn before(drawer: &Drawer, card: &CardLook, side: u32) -> Markup {
    html! {
        @for item in drawer.seen.items(card.kind) {
            @if card.before.iter().any(|&column| item.thing_at(drawer.book, column) == Some(side)) {
                span class="mini" data-t=(item.token) data-key=[item.key.as_deref()] { (item.name(drawer.book, None)) }
            }
        }
    }
}

/// Pieces that stand in no place, by the state that says where they are instead.
fn boxes(drawer: &Drawer) -> Vec<(String, Markup)> {
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
            let kind = look.elsewhere.and_then(|column| crate::looks::thing(book, column));
            let name = match (kind, place) {
                (Some(kind), Some(place)) => drawer.seen.name(kind, place).to_owned(),
                _ => format!("{} not on the board", book.kind(look.kind).plural),
            };
            let id =
                format!("box-{}-{}", look.kind.0, place.map_or("none".to_owned(), |place| place.to_string()));
            let html = html! {
                details id=(id) class="box" open[items.len() <= 12] {
                    summary { (name) em { (items.len()) } }
                    div class="row" { (row(drawer, look, &items)) }
                }
            };
            boxes.push((id, html));
        }
    }
    boxes
}

fn row(drawer: &Drawer, look: &crate::looks::PieceLook, items: &[Item]) -> Markup {
    let mut backs: BTreeMap<&str, (&Item, usize)> = BTreeMap::new();
    for item in items.iter().filter(|item| item.thing.is_none()) {
        backs.entry(&item.token).or_insert((item, 0)).1 += 1;
    }
    html! {
        @for item in items.iter().filter(|item| item.thing.is_some()) { (chip(drawer, look, item)) }
        @for (item, count) in backs.values() {
            span class="pile" { (chip(drawer, look, item)) @if *count > 1 { em { "× " (count) } } }
        }
    }
}

/// A piece in a drawing of its own.
fn chip(drawer: &Drawer, look: &crate::looks::PieceLook, item: &Item) -> Markup {
    let (wide, high) = (SIZE * drawer.wide(look) + 6.0, SIZE + 8.0);
    html! {
        svg class="chip" width=(n(wide)) height=(n(high)) viewBox={ "0 0 " (n(wide)) " " (n(high)) } {
            (drawer.piece(item, look, wide / 2.0, high / 2.0 - 1.0, SIZE))
        }
    }
}

/// The viewer's own cards.
fn hand(drawer: &Drawer, viewer: u32) -> Markup {
    let book = drawer.book;
    html! {
        @for look in &drawer.looks.cards {
            @let held: Vec<Item> = drawer.seen.items(look.kind).into_iter()
                .filter(|item| item.thing_at(book, look.hand) == Some(viewer)).collect();
            @if !held.is_empty() {
                h2 { "Your hand" em { (held.len()) } }
                div class="cards" {
                    @for item in &held { (card(drawer, look, item)) }
                }
            }
        }
    }
}

fn card(drawer: &Drawer, look: &CardLook, item: &Item) -> Markup {
    let book = drawer.book;
    let special = look.special.filter(|&special| item.is(book, special));
    let value = look.value.and_then(|value| Some((item.number(book, value)?, &book.column(value).name)));
    html! {
        div class={ "card" @if special.is_some() { " ev" } } data-t=(item.token) data-key=[item.key.as_deref()] aria-label=(item.name(book, None)) {
            span class="cn" { (item.name(book, None)) }
            @if let Some((number, name)) = value {
                span class="cv" { (number) }
                span class="cl" { (special.map_or(name.as_str(), |special| book.column(special).name.as_str())) }
            }
        }
    }
}

/// A key to the lines of the map: which sort of link is drawn how, and what its facts say.
pub fn key(book: &blazon::book::Book, looks: &crate::looks::Looks) -> Markup {
    let Some((links, line)) = looks.links.zip(looks.line) else { return html! {} };
    let Some(of) = crate::looks::thing(book, line) else { return html! {} };
    let mut sorts: Vec<u32> = Vec::new();
    for at in 0..book.kind(links).things.len() as u32 {
        if let Some(sort) = word(book, line, at).and_then(|word| u32::try_from(word).ok())
            && !sorts.contains(&sort)
        {
            sorts.push(sort);
        }
    }
    let facts: Vec<ColumnId> = crate::looks::facts(book, of).collect();
    html! {
        h2 { "Key" }
        @for (order, &sort) in sorts.iter().enumerate() {
            @let name = book.kind(of).things.get(sort as usize).map_or("", |thing| thing.name.as_str());
            @let class = looks.colour(name).map(|colour| format!("l-{colour}")).unwrap_or_default();
            p class="keyline" {
                svg width="40" height="10" aria-hidden="true" {
                    path class={ "link core way n" (order % 4) " " (class) } d="M3 5h34" {}
                }
                span { (name) " " (book.kind(links).name) }
                em { (facts.iter().filter_map(|&fact| fact_of(book, fact, sort)).collect::<Vec<_>>().join(", ")) }
            }
        }
        @for (column, glyph) in &looks.marks {
            p class="keyline" { svg width="16" height="16" class="mark" aria-hidden="true" { (crate::signs::glyph(glyph, 8.0, 8.0, 14.0, "")) } span { (book.column(*column).name) } }
        }
    }
}

fn fact_of(book: &blazon::book::Book, fact: ColumnId, of: u32) -> Option<String> {
    let column = book.column(fact);
    match (word(book, fact, of)?, column.ty.base) {
        (0, Base::Flag) => None,
        (_, Base::Flag) => Some(column.name.clone()),
        (number, Base::Number(..)) => Some(format!("{} {number}", column.name)),
        _ => printed_name(book, fact, of).map(str::to_owned),
    }
}
