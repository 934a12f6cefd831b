//! Displays: what goes on at one place while a step is under way, such as a battle, seen near: the sides that have part in
//! it with their pieces, who stands aside, and what is counted. Everything in it is read from a seat's view, hidden
//! pieces as backs.

use std::collections::BTreeSet;

use blazon::Game;
use blazon::book::walk::{Deeds, Visit, walk_statement};
use blazon::book::{Base, Book, Column, ColumnId, Role, Says, Statement, StepId, display_by_itself};
use blazon::diagnostics::Span;
use blazon::machine::Value;
use maud::{Markup, PreEscaped, html};

use crate::Fragment;
use crate::looks::{Looks, PieceLook, thing};
use crate::piece::Drawer;
use crate::seen::Item;
use crate::trays::chip;

/// The side of a piece in a display.
const SIZE: f64 = 60.0;
/// The id of what is drawn; there is one at a time.
const ID: &str = "display";
/// How it ends.
const END: &str = "</details>";

/// What is drawn while a step is under way.
#[derive(Clone, Debug)]
pub struct Display {
    /// What goes on.
    title: String,
    /// The state that holds the place.
    at: ColumnId,
    /// The states that hold who has part in it.
    sides: Vec<ColumnId>,
    /// What else is told of it.
    told: Vec<ColumnId>,
    /// What is told of each player.
    of_sides: Vec<ColumnId>,
    /// The flags of pieces that have part in it wherever they stand.
    joining: Vec<ColumnId>,
    /// Where what the step does stands in the rules, and what the steps do that it does.
    statements: Vec<Span>,
}

impl Display {
    fn new(book: &Book, looks: &Looks, step: StepId, columns: &[ColumnId]) -> Option<Self> {
        let (&at, others) = columns.split_first()?;
        if looks.place.is_none() || thing(book, at) != looks.place {
            return None;
        }
        let keyed = |column: &ColumnId| !book.column(*column).keys.is_empty();
        let of_each_player = |column: &ColumnId| book.column(*column).keys == [book.player];
        let of_player = |column: &ColumnId| !keyed(column) && thing(book, *column) == Some(book.player);
        let some =
            |is: &dyn Fn(&ColumnId) -> bool| others.iter().copied().filter(|column| is(column)).collect();
        let name = &book.steps.get(step.0 as usize)?.name;
        let mut letters = name.chars();
        Some(Self {
            title: letters
                .next()
                .map(|first| first.to_uppercase().chain(letters).collect())
                .unwrap_or_default(),
            at,
            sides: some(&of_player),
            told: some(&|column| !keyed(column) && !of_player(column)),
            of_sides: some(&of_each_player),
            joining: some(&|column| keyed(column) && !of_each_player(column)),
            statements: statements(book, step),
        })
    }
}

/// Where all that is done in a step stands, in those that it does, too.
fn statements(book: &Book, step: StepId) -> Vec<Span> {
    struct Places(Vec<Span>);
    impl<'b> Visit<'b> for Places {
        fn visit_statement(&mut self, statement: &'b Statement) {
            self.0.push(statement.span);
            walk_statement(self, statement);
        }
    }
    let mut places = Places(Vec::new());
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![step]);
    while let Some(step) = waiting.pop() {
        if let Some(of) = book.steps.get(step.0 as usize).filter(|_| seen.insert(step)) {
            places.visit_block(&of.body);
            waiting.extend(Deeds::of_block(&of.body).steps);
        }
    }
    places.0
}

/// The displays of a game: what its rules say by `look`, and otherwise of each step to which the state of a place and
/// those of two players belong. Beside them, by their places in the book, the looks of displays that draw nothing.
pub fn displays(book: &Book, looks: &Looks) -> (Vec<Display>, Vec<usize>) {
    let (mut displays, mut idle, mut said) = (Vec::new(), Vec::new(), Vec::new());
    for (place, look) in book.looks.iter().enumerate() {
        if let Says::Display(step, columns) = &look.says {
            said.push(*step);
            match Display::new(book, looks, *step, columns) {
                Some(display) => displays.push(display),
                None if columns.is_empty() => {}
                None => idle.push(place),
            }
        }
    }
    for step in (0..book.steps.len() as u32).map(StepId).filter(|step| !said.contains(step)) {
        displays
            .extend(guess(book, looks, step).and_then(|columns| Display::new(book, looks, step, &columns)));
    }
    (displays, idle)
}

/// What belongs to a step: the state of a place, those of two or more players, and numbers.
fn guess(book: &Book, looks: &Looks, step: StepId) -> Option<Vec<ColumnId>> {
    let belongs = |column: &ColumnId| match &book.column(*column).role {
        Role::State { start, fresh } => start.is_none() && fresh.contains(&step),
        Role::Fact(_) => false,
    };
    let columns = (0..book.columns.len() as u32).map(ColumnId).filter(belongs);
    let plain = columns.map(|id| (id, book.column(id))).filter(|(_, column)| column.keys.is_empty());
    let told: Vec<_> =
        plain.filter(|(id, column)| !is_number(column) || !looks.untold.contains(id)).collect();
    display_by_itself(&told, |kind| Some(kind) == looks.place, book.player)
}

fn is_number(column: &Column) -> bool {
    matches!(column.ty.base, Base::Number(..))
}

/// By what it is known whether the same goes on at the same place as before: two positions in which something is displayed
/// have the same number if it is the same. Nothing, where nothing is displayed.
pub fn scene(game: &Game, displays: &[Display]) -> Option<u64> {
    let places: Vec<Option<u32>> = displays.iter().map(|display| game.machine().held(display.at)).collect();
    let number = |all: u64, place: &Option<u32>| {
        let place = place.map_or(0, |place| u64::from(place) + 1);
        all.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(place)
    };
    places.iter().any(Option::is_some).then(|| places.iter().fold(0, number))
}

/// Whether what happens at a place in the rules belongs to what is displayed.
pub fn belongs(game: &Game, displays: &[Display], at: Span) -> bool {
    let displayed = displays.iter().find(|display| game.machine().held(display.at).is_some());
    displayed.is_some_and(|display| display.statements.iter().any(|statement| statement.contains(at)))
}

/// Puts lines of the log into what is displayed, where something is: what fell, and what came of it.
pub fn recall(fragments: &mut [Fragment], lines: &[&str]) {
    let scene = fragments.iter_mut().find(|fragment| fragment.layer == "scene" && fragment.id == ID);
    if let Some(scene) = scene.filter(|_| !lines.is_empty())
        && let Some(inside) = scene.html.strip_suffix(END)
    {
        let recalled = html! { ol class="last" { @for line in lines { (PreEscaped(line)) } } };
        scene.html = format!("{inside}{}{END}", recalled.into_string());
    }
}

/// One side of what is displayed.
struct Wing<'a> {
    side: u32,
    /// The states that hold it.
    holds: Vec<&'a str>,
    /// Its pieces: those in the field, and those aside by the name of the flag.
    field: Vec<(Item<'a>, &'a PieceLook)>,
    aside: Vec<(Item<'a>, &'a PieceLook)>,
}

/// The fragment of what goes on; nothing while nothing does.
pub fn display(
    drawer: &Drawer,
    displays: &[Display],
    deciders: &[u32],
    viewer: Option<u32>,
) -> Option<Fragment> {
    let held = |column: ColumnId| drawer.seen.held(column);
    let (display, at) = displays.iter().find_map(|display| Some((display, held(display.at)?.thing()?)))?;
    let title = format!("{} in {}", display.title, drawer.seen.name(drawer.looks.place?, at));
    let html = html! {
        details id=(ID) class="display" open aria-label=(title) {
            summary {
                h2 { (title) }
                @for &column in &display.told { @if let Some(value) = held(column) { (told(drawer, column, value)) } }
            }
            @for wing in wings(drawer, display, at, viewer) { (drawn(drawer, display, &wing, deciders)) }
        }
    };
    Some(Fragment { layer: "scene", id: ID.to_owned(), html: html.into_string() })
}

fn wings<'a>(drawer: &'a Drawer<'a>, display: &Display, at: u32, viewer: Option<u32>) -> Vec<Wing<'a>> {
    let book = drawer.book;
    let mut wings: Vec<Wing> = Vec::new();
    for &column in &display.sides {
        if let Some(side) = drawer.seen.held(column).and_then(Value::thing) {
            let name = book.column(column).name.as_str();
            match wings.iter_mut().find(|wing| wing.side == side) {
                Some(wing) => wing.holds.push(name),
                None => wings.push(Wing { side, holds: vec![name], field: Vec::new(), aside: Vec::new() }),
            }
        }
    }
    // Where fewer than two are named, all who stand there have part in it.
    let is_open = wings.len() < 2;
    for look in drawer.looks.pieces.iter().filter(|look| !look.fixed) {
        for item in drawer.seen.items(look.kind) {
            let joins = || display.joining.iter().any(|flag| item.is(book, *flag));
            let takes_part = item.thing_at(book, look.at) == Some(at) || joins();
            let Some(side) = item.side(book, look).filter(|_| takes_part) else { continue };
            let place = wings.iter().position(|wing| wing.side == side).or_else(|| {
                let wing = Wing { side, holds: Vec::new(), field: Vec::new(), aside: Vec::new() };
                is_open.then(|| wings.push(wing)).map(|()| wings.len() - 1)
            });
            let Some(wing) = place.and_then(|place| wings.get_mut(place)) else { continue };
            match look.aside.is_some_and(|aside| item.is(book, aside)) {
                true => wing.aside.push((item, look)),
                false => wing.field.push((item, look)),
            }
        }
    }
    // The viewer's own stand below, nearest to him.
    wings.sort_by_key(|wing| Some(wing.side) == viewer);
    wings
}

fn told(drawer: &Drawer, column: ColumnId, value: &Value) -> Markup {
    let name = &drawer.book.column(column).name;
    html! {
        @match value {
            Value::Number(number) => { span class="count" { (name) " " b { (number) } } }
            Value::Thing(kind, thing) => {
                span class="count" { (name) " " b data-t=(drawer.seen.token(*kind, *thing)) { (drawer.seen.name(*kind, *thing)) } }
            }
            Value::Flag(true) => { span class="count" { (name) } }
            Value::Absent | Value::Flag(false) | Value::Hidden(_) | Value::Set(..) | Value::Dice(_) => {}
        }
    }
}

fn drawn(drawer: &Drawer, display: &Display, wing: &Wing, deciders: &[u32]) -> Markup {
    let player = drawer.book.player;
    let chips = |items: &[(Item, &PieceLook)]| {
        html! { @for (item, look) in items { (chip(drawer, look, item, SIZE)) } }
    };
    html! {
        div class="wing" {
            div class="who" data-t=(drawer.seen.token(player, wing.side)) {
                (drawer.badge(wing.side, 26))
                strong { (drawer.seen.name(player, wing.side)) }
                @if deciders.contains(&wing.side) { i class="asked" { "to decide" } }
                @for name in &wing.holds { i { (name) } }
                @for &column in &display.of_sides {
                    @if let Some(value) = drawer.seen.of_player(column, wing.side) { (told(drawer, column, value)) }
                }
            }
            div class="row" { (chips(&wing.field)) }
            @if !wing.aside.is_empty() {
                div class="row aside" { em { (aside(drawer, wing)) } (chips(&wing.aside)) }
            }
        }
    }
}

/// What the flag is called of those who stand aside.
fn aside<'a>(drawer: &'a Drawer, wing: &Wing) -> &'a str {
    let flag = wing.aside.first().and_then(|(_, look)| look.aside);
    flag.map_or("", |flag| drawer.book.column(flag).name.as_str())
}
