//! What stands beside the board, as HTML: a fragment for each part that changes.

use maud::{Markup, html};

use super::{Card, Clock, Kept, Key, SIZE, Side, Trays};
use crate::Fragment;
use crate::looks::PieceLook;
use crate::piece::Drawer;
use crate::seen::Item;
use crate::signs::{glyph, n};

/// The fragments of everything beside the board.
pub fn fragments(drawer: &Drawer, trays: &Trays) -> Vec<Fragment> {
    let mut fragments = vec![
        fragment("head", "title", title(trays)),
        fragment("head", "clock", clock(&trays.clock)),
        fragment("trays", "sides", html! { @for of in &trays.sides { (side(drawer, of)) } }),
    ];
    fragments.extend(trays.boxes.iter().map(|kept| {
        let place = kept.place.map_or("none".to_owned(), |place| place.to_string());
        let id = format!("box-{}-{place}", kept.look.kind.0);
        let html = html! {
            details id=(id) class="box" open[kept.count <= 12] {
                summary { (kept.name) em { (kept.count) } }
                div class="row" { (row(drawer, kept)) }
            }
        };
        Fragment { layer: "trays", id, html: html.into_string() }
    }));
    fragments.extend(trays.ledger.iter().map(|of| {
        let id = format!("kept-{}", of.kind.0);
        let html = html! {
            details id=(id) class="box" open[!of.stands && of.rows.len() <= 12] {
                summary { (of.name) em { (of.rows.len()) } }
                div class="row" {
                    @for row in &of.rows {
                        span class="mini" data-t=(row.token) { (row.name) ": " (row.told.join(", ")) }
                    }
                }
            }
        };
        Fragment { layer: "trays", id, html: html.into_string() }
    }));
    if let Some(held) = &trays.hand {
        fragments.push(fragment("hand", "cards", hand(held)));
    }
    fragments
}

fn fragment(layer: &'static str, id: &str, inside: Markup) -> Fragment {
    let html = html! { div id=(id) class=(id) { (inside) } };
    Fragment { layer, id: id.to_owned(), html: html.into_string() }
}

fn title(trays: &Trays) -> Markup {
    html! {
        h1 class="game" { (trays.title) }
        @if let Some(setup) = &trays.setup { p class="setup" { (setup) } }
        @for name in &trays.variants { span class="variant" { (name) } }
    }
}

fn clock(clock: &[Clock]) -> Markup {
    html! {
        @for of in clock {
            @match of {
                Clock::Track { name, steps, now } => {
                    div class="track" {
                        span { (name) }
                        ol {
                            @for (at, step) in steps.iter().enumerate() {
                                li class={ @if at < *now { "past" } @else if at == *now { "now" } }
                                    aria-current=[(at == *now).then_some("step")] { (step) }
                            }
                        }
                    }
                }
                Clock::Number { name, number } => { p class="count" { span { (name) } b { (number) } } }
                Clock::Thing { name, token, thing } => {
                    p class="count" { span { (name) } b data-t=(token) { (thing) } }
                }
                Clock::Flag { name } => { p class="count" { span { (name) } } }
            }
        }
    }
}

fn side(drawer: &Drawer, side: &Side) -> Markup {
    html! {
        div class="side" data-t=(side.token) {
            (drawer.badge(side.side, 26))
            div {
                strong { (side.name) }
                @if side.is_viewer { i { "you" } }
                @if side.is_asked { i class="asked" { "to decide" } }
                @for name in &side.holds { i { (name) } }
                p { (side.told.join(" · ")) }
            }
            @for card in &side.before {
                span class="mini" data-t=(card.item.token) data-key=[card.item.key.as_deref()] { (card.name) }
            }
        }
    }
}

fn row(drawer: &Drawer, kept: &Kept) -> Markup {
    html! {
        @for (item, count) in &kept.piles {
            @let chip = chip(drawer, kept.look, item, SIZE);
            @if item.thing.is_some() { (chip) }
            @else { span class="pile" { (chip) @if *count > 1 { em { "× " (count) } } } }
        }
    }
}

/// A piece in a drawing of its own.
pub fn chip(drawer: &Drawer, look: &PieceLook, item: &Item, size: f64) -> Markup {
    let (wide, high) = (size * drawer.wide(look) + 6.0, size + 8.0);
    html! {
        svg class="chip" width=(n(wide)) height=(n(high)) viewBox={ "0 0 " (n(wide)) " " (n(high)) } {
            (drawer.piece(item, look, wide / 2.0, high / 2.0 - 1.0, size))
        }
    }
}

fn hand(held: &[Vec<Card>]) -> Markup {
    html! {
        @for cards in held {
            h2 { "Your hand" em { (cards.len()) } }
            div class="cards" { @for of in cards { (card(of)) } }
        }
    }
}

fn card(card: &Card) -> Markup {
    let number = card.value.map(|number| number.to_string()).unwrap_or_default();
    let told = [card.name.as_str(), &number, &card.label].into_iter().filter(|part| !part.is_empty());
    html! {
        div class={ "card" @if card.special { " ev" } } data-t=(card.item.token) data-key=[card.item.key.as_deref()] role="img" aria-label=(told.collect::<Vec<_>>().join(", ")) {
            span class="cn" { (card.name) }
            @if !number.is_empty() { span class="cv" { (number) } }
            @if !card.label.is_empty() { span class="cl" { (card.label) } }
        }
    }
}

/// The key to a map.
pub fn key(key: &Key) -> Markup {
    html! {
        h2 { "Key" }
        @for (strokes, name, told) in &key.lines {
            p class="keyline" {
                svg width="40" height="10" aria-hidden="true" { @for class in strokes { path class=(class) d="M3 5h34" {} } }
                span { (name) }
                em { (told) }
            }
        }
        @for (sign, name) in &key.marks {
            p class="keyline" { svg width="16" height="16" class="mark" aria-hidden="true" { (glyph(sign, 8.0, 8.0, 14.0, "")) } span { (name) } }
        }
    }
}
