//! All that is printed on a thing and all that a viewer knows of it now.

use std::fmt::Write;

use blazon::present::option_search::{self, Words};
use blazon::present::{kinds, values};
use blazon_book::{Book, KindId, Role};
use blazon_machine::View;

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
    let known = view.kinds.iter().find(|of| of.kind == kind);
    let known = known.and_then(|of| of.seen.iter().find(|seen| seen.thing == thing));
    match known {
        Some(known) => {
            let mut states: Vec<String> =
                known.states.iter().map(|(column, held)| values::state(book, *column, held)).collect();
            states.extend(values::keyed(book, view, kind, thing));
            if !states.is_empty() {
                out += &hanging("  now      ", &states, " · ", width);
            }
        }
        None => out += "  now      you do not see its face\n",
    }
    let links: Vec<String> = links(book, kind, thing);
    if !links.is_empty() {
        out += &hanging("  joined   ", &links, " · ", width);
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
