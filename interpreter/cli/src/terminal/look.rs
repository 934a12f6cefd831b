//! All that is printed on a thing and all that a viewer knows of it now.

use std::collections::BTreeMap;
use std::fmt::Write;

use blazon::present::option_search::{self, Words};
use blazon::present::{kinds, values};
use blazon_book::{Book, ColumnId, KindId, Role};
use blazon_machine::{Value, View};

use super::layout::hanging;
use super::shape::columns_of;
use crate::console::{paint, style};

/// The most things that are told at once.
const MOST: usize = 6;

/// Everything about the things that some words mean.
pub fn look(book: &Book, view: &View, typed: &str, width: usize) -> String {
    let mut things: Vec<(KindId, u32)> = Vec::new();
    let mut found = Vec::new();
    for kind in kinds(book) {
        for (place, thing) in book.kind(kind).things.iter().enumerate() {
            // One of several that look alike is enough.
            if thing.group as usize == place {
                things.push((kind, place as u32));
                found.push(Words::new(&thing.name, &format!("{} {}", book.kind(kind).name, thing.name)));
            }
        }
    }
    let places = option_search::find(typed, &found);
    let mut out = String::new();
    for &(kind, thing) in places.iter().take(MOST).map(|&place| &things[place]) {
        out += &one(book, view, kind, thing, width);
    }
    match places.len() {
        0 => out += "  there is nothing of that name\n",
        n if n > MOST => {
            let _ = writeln!(out, "  and {} more: type more words", n - MOST);
        }
        _ => {}
    }
    out
}

fn one(book: &Book, view: &View, kind: KindId, thing: u32, width: usize) -> String {
    let mut out = format!(
        "{} {}\n",
        paint(style::STRONG, values::thing(book, kind, thing)),
        paint(style::FAINT, &book.kind(kind).name)
    );
    let mut facts = Vec::new();
    for column in columns_of(book, kind).map(|id| book.column(id)) {
        if let Role::Fact(constants) = &column.role
            && let Some(text) =
                constants.get(thing as usize).and_then(|c| values::constant(book, column.ty, c))
        {
            facts.push(if text == "yes" { column.name.clone() } else { format!("{} {text}", column.name) });
        }
    }
    if !facts.is_empty() {
        out += &hanging("  printed  ", &facts, " · ", width);
    }
    out += &now(book, view, kind, thing, width);
    if kind != book.player {
        out += &held(book, view, kind, thing, width);
    }
    let links: Vec<String> = links(book, kind, thing);
    if !links.is_empty() {
        out += &hanging("  joined   ", &links, " · ", width);
    }
    out
}

/// What is known now of a thing and of all that look like it: what of them is in the same state is counted.
fn now(book: &Book, view: &View, kind: KindId, thing: u32, width: usize) -> String {
    let things = &book.kind(kind).things;
    let alike = (0..things.len() as u32).filter(|&other| things[other as usize].group == thing);
    let of_kind = view.kinds.iter().find(|of| of.kind == kind);
    let mut known: Vec<(Vec<String>, usize)> = Vec::new();
    let (mut unseen, mut all) = (0, 0);
    for thing in alike {
        all += 1;
        let Some(seen) = of_kind.and_then(|of| of.seen.iter().find(|seen| seen.thing == thing)) else {
            unseen += 1;
            continue;
        };
        let mut states: Vec<String> =
            seen.states.iter().map(|(column, held)| values::state(book, *column, held)).collect();
        states.extend(values::keyed(book, view, kind, thing));
        match known.iter_mut().find(|(other, _)| *other == states) {
            Some((_, count)) => *count += 1,
            None => known.push((states, 1)),
        }
    }
    let mut out = String::new();
    for (states, count) in &known {
        let first = if all == 1 { String::new() } else { format!("{count} of {all}: ") };
        if !states.is_empty() {
            out += &hanging(&format!("  now      {first}"), states, " · ", width);
        }
    }
    match unseen {
        0 => {}
        _ if all == 1 => out += "  now      you do not see its face\n",
        _ if unseen == all => out += "  now      you see the face of none\n",
        n => {
            let _ = writeln!(out, "  now      {n} of {all}: you do not see their faces");
        }
    }
    out
}

/// What the viewer knows to be held by a thing, by the state that says so: who stands in a place, what lies in a box.
fn held(book: &Book, view: &View, kind: KindId, thing: u32, width: usize) -> String {
    let here = |states: &[(ColumnId, Value)]| -> Vec<ColumnId> {
        let holds = states.iter().filter(|(_, value)| *value == Value::Thing(kind, thing));
        holds.map(|(column, _)| *column).collect()
    };
    let mut by_state: BTreeMap<ColumnId, Vec<String>> = BTreeMap::new();
    for of in &view.kinds {
        for seen in &of.seen {
            for column in here(&seen.states) {
                by_state.entry(column).or_default().push(values::thing(book, of.kind, seen.thing));
            }
        }
        let mut backs: BTreeMap<ColumnId, usize> = BTreeMap::new();
        of.backs.iter().flat_map(|back| here(back)).for_each(|column| *backs.entry(column).or_default() += 1);
        for (column, count) in backs {
            by_state.entry(column).or_default().push(values::counted(book, of.kind, count));
        }
    }
    let mut out = String::new();
    for (column, names) in by_state {
        out += &hanging(&format!("  {:<8} ", book.column(column).name), &names, " · ", width);
    }
    out
}

/// The things joined to a thing, with what is printed on the link.
fn links(book: &Book, kind: KindId, thing: u32) -> Vec<String> {
    let mut joined = Vec::new();
    for link in kinds(book).filter(|&link| book.kind(link).ends.is_some_and(|(a, b)| a == kind || b == kind))
    {
        for (place, ends) in book.kind(link).things.iter().enumerate() {
            let other = match ends.ends {
                Some((a, b)) if a == thing => b,
                Some((a, b)) if b == thing => a,
                _ => continue,
            };
            let mut notes = Vec::new();
            for column in columns_of(book, link).map(|id| book.column(id)) {
                if let Role::Fact(constants) = &column.role
                    && let Some(text) =
                        constants.get(place).and_then(|c| values::constant(book, column.ty, c))
                {
                    // What is or is not goes by its name; of the rest the value tells what it is.
                    notes.push(if text == "yes" { column.name.clone() } else { text });
                }
            }
            let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
            joined.push(format!("{}{notes}", values::thing(book, kind, other)));
        }
    }
    joined
}
