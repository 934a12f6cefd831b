//! Pieces: blocks of wood with a paper face, counters, backs, and sites that never move.

use blazon::book::{Book, ColumnId};
use blazon::machine::Value;
use maud::{Markup, html};

use crate::looks::{Looks, PieceLook, printed_name};
use crate::seen::{Item, Seen};
use crate::signs::{device, glyph, n};

/// What is needed to draw pieces.
pub struct Drawer<'a> {
    /// The rules.
    pub book: &'a Book,
    /// What the board shows.
    pub looks: &'a Looks,
    /// What the seat sees.
    pub seen: &'a Seen<'a>,
}

impl<'a> Drawer<'a> {
    /// What a state without keys holds, of those that are told.
    pub fn alone(&self) -> impl Iterator<Item = (ColumnId, &'a Value)> + '_ {
        self.seen.alone().filter(|(column, _)| !self.looks.untold.contains(column))
    }
}

/// The width of a text of the narrow face, about.
fn narrow(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.485
}

impl Drawer<'_> {
    /// A piece with its middle at a point.
    pub fn piece(&self, item: &Item, look: &PieceLook, x: f64, y: f64, size: f64) -> Markup {
        let is_block = look.pips.is_some() || look.corner.is_some() || item.thing.is_none();
        if is_block { self.block(item, look, x, y, size) } else { self.counter(item, look, x, y, size) }
    }

    /// How wide a piece is, as a part of the size.
    pub fn wide(&self, look: &PieceLook) -> f64 {
        if look.pips.is_some() || look.corner.is_some() { 1.0 } else { 1.26 }
    }

    /// What is said of a piece to those who read by ear.
    pub fn told(&self, item: &Item, look: &PieceLook) -> String {
        let side = item.side(self.book, look);
        let mut told = vec![item.name(self.book, side)];
        if item.thing.is_none() {
            told.push("face hidden".to_owned());
        } else if let Some(side) = side.map(|side| self.seen.name(self.book.player, side))
            && told.first().is_none_or(|name| name != side)
        {
            told.push(side.to_owned());
        }
        told.extend(self.corner(item, look));
        if let Some((steps, of)) = look.pips
            && let (Some(left), Some(most)) = (item.number(self.book, steps), item.number(self.book, of))
        {
            told.push(format!("{} {left} of {most}", self.book.column(steps).name));
        }
        if let (Some(counts), Some(thing)) = (look.counts, item.thing) {
            for (of, count) in self.seen.counts(counts, thing).into_iter().filter(|(_, count)| *count != 0) {
                told.push(format!("{count} {}", self.counted(counts, of)));
            }
        }
        if let (Some(place), Some(at)) = (self.looks.place, item.thing_at(self.book, look.at)) {
            told.push(format!("in {}", self.seen.name(place, at)));
        }
        told.join(", ")
    }

    /// What stands in the corner of a face: what a fact or state holds.
    fn corner(&self, item: &Item, look: &PieceLook) -> Option<String> {
        item.thing?;
        match item.value(self.book, look.corner?)? {
            Value::Thing(kind, thing) => Some(self.seen.name(kind, thing).to_owned()),
            Value::Number(number) => Some(number.to_string()),
            Value::Absent | Value::Flag(_) | Value::Hidden(_) | Value::Set(..) | Value::Dice(_) => None,
        }
    }

    fn counted(&self, counts: ColumnId, of: u32) -> &str {
        self.book.column(counts).keys.get(1).map_or("", |&kind| self.seen.name(kind, of))
    }

    fn group(&self, item: &Item, look: &PieceLook, class: &str, x: f64, y: f64, inside: &Markup) -> Markup {
        let tincture = self.looks.tincture(item.side(self.book, look));
        let is_spent = look.spent.is_some_and(|spent| item.is(self.book, spent));
        let told = self.told(item, look);
        html! {
            g class={ "piece " (class) " t-" (tincture) @if is_spent { " spent" } } data-t=(item.token) data-key=[item.key.as_deref()]
                transform={ "translate(" (n(x)) "," (n(y)) ")" } role="img" aria-label=(told) { title { (told) } (inside) }
        }
    }

    fn block(&self, item: &Item, look: &PieceLook, x: f64, y: f64, size: f64) -> Markup {
        let side = item.side(self.book, look);
        let tincture = self.looks.tincture(side);
        let (r, edge) = (size * 0.1, size * 0.085);
        let s = n(size);
        let order = side.unwrap_or(5) as usize;
        let inside = html! {
            rect class="ring" x="-2.5" y="-2.5" width=(n(size + 5.0)) height=(n(size + 6.5)) rx=(n(r + 2.5)) {}
            rect class="foot" y=(n(size * 0.05)) width=(s) height=(n(size * 1.02)) rx=(n(r)) {}
            rect class="wood" width=(s) height=(s) rx=(n(r)) {}
            rect class="hat" width=(s) height=(s) rx=(n(r)) fill={ "url(#h-" (tincture) ")" } {}
            @if item.thing.is_none() {
                (device(order, size / 2.0, size / 2.0, size * 0.21))
            } @else {
                rect class="face" x=(n(edge)) y=(n(edge)) width=(n(size - 2.0 * edge)) height=(n(size - 2.0 * edge)) rx=(n(r * 0.6)) {}
                (self.pips(item, look, size))
                (self.title(&item.name(self.book, side), size, edge))
                @if let Some(corner) = self.corner(item, look) {
                    text class="rt" x=(n(size / 2.0)) y=(n(size * 0.865)) font-size=(n(size * 0.25)) { (corner) }
                }
                g class="dv" { (device(order, size * 0.16 + edge * 0.2, size * 0.815, size * 0.052)) }
                @if let Some(sign) = self.sign(item, look) { (glyph(sign, size * 0.81, size * 0.8, size * 0.24, "")) }
                (self.borne(item, look, size, size))
            }
        };
        let class = if item.thing.is_none() { "block back" } else { "block" };
        self.group(item, look, class, x - size / 2.0, y - size / 2.0, &inside)
    }

    /// Steps as lozenges on the top edge; lost ones are hollow.
    fn pips(&self, item: &Item, look: &PieceLook, size: f64) -> Markup {
        let Some((steps, of)) = look.pips else { return html! {} };
        let (left, most) =
            (item.number(self.book, steps).unwrap_or(0), item.number(self.book, of).unwrap_or(0));
        let most = most.max(left).clamp(0, 8);
        let (pip, gap) = (size * 0.115, size * 0.045);
        let first = size / 2.0 - (most - 1) as f64 * (pip + gap) / 2.0;
        let h = n(pip / 2.0);
        html! {
            @for at in 0..most {
                path class=(if at < left { "pip" } else { "pip lost" })
                    d={ "M" (n(first + at as f64 * (pip + gap))) "," (n(size * 0.2 - pip / 2.0)) "l" (h) "," (h) "l-" (h) "," (h) "l-" (h) ",-" (h) "l" (h) ",-" (h) "z" } {}
            }
        }
    }

    /// A name on one line or two; what stands in brackets goes beneath.
    fn title(&self, name: &str, size: f64, edge: f64) -> Markup {
        let px = (size * 0.215).max(9.4);
        let room = size - 2.0 * edge - 3.0;
        let (lines, under) = lines(name, px, room);
        let top = if lines.len() == 1 { size * 0.47 } else { size * 0.43 };
        let last = top + (lines.len() - 1) as f64 * px * 0.93;
        html! {
            @for (at, line) in lines.iter().enumerate() {
                text class="nm" x=(n(size / 2.0)) y=(n(top + at as f64 * px * 0.93)) font-size=(n(px))
                    textLength=[(narrow(line, px) > room).then(|| n(room))] lengthAdjust="spacingAndGlyphs" { (line) }
            }
            @if let Some(under) = under {
                text class="un" x=(n(size / 2.0)) y=(n(last + px * 0.86)) font-size=(n((px * 0.86).max(9.0))) { (under) }
            }
        }
    }

    /// A piece without steps: the side's strip with its name, and under it what it counts.
    fn counter(&self, item: &Item, look: &PieceLook, x: f64, y: f64, size: f64) -> Markup {
        let side = item.side(self.book, look);
        let tincture = self.looks.tincture(side);
        let (w, h) = (size * 1.26, size);
        let strip = h * 0.4;
        let name = brief(&item.name(self.book, side));
        let px = size * 0.26;
        let strip_path =
            format!("M0,4a4,4 0 0 1 4,-4h{}a4,4 0 0 1 4,4v{}h{}z", n(w - 8.0), n(strip - 4.0), n(-w));
        let inside = html! {
            rect class="ring" x="-4" y="-4" width=(n(w + 8.0)) height=(n(h + 8.0)) rx="7" {}
            rect class="foot" y="2.5" width=(n(w)) height=(n(h)) rx="4" {}
            rect class="face" width=(n(w)) height=(n(h)) rx="4" {}
            path class="wood" d=(strip_path) {}
            path class="hat" d=(strip_path) fill={ "url(#h-" (tincture) ")" } {}
            text class="nm on" x=(n(w / 2.0)) y=(n(strip * 0.75)) font-size=(n(px))
                textLength=[(narrow(&name, px) > w - 7.0).then(|| n(w - 7.0))] lengthAdjust="spacingAndGlyphs" { (name) }
            (self.numbers(item, look, w, h, size))
            (self.borne(item, look, w, size))
            g class="dv" { (device(side.unwrap_or(5) as usize, size * 0.1, h * 0.86, size * 0.05)) }
        };
        self.group(item, look, "counter", x - w / 2.0, y - h / 2.0, &inside)
    }

    /// The sign of what a piece is by a fact, or else of its kind.
    fn sign(&self, item: &Item, look: &PieceLook) -> Option<&'static str> {
        let kind = &self.book.kind(item.kind).name;
        let word = item.thing.and_then(|thing| printed_name(self.book, look.glyph?, thing));
        word.map_or_else(|| self.looks.glyph(kind), |word| self.looks.glyph_or(word, kind))
    }

    /// The sign of a flag that a piece bears, at its upper right corner.
    fn borne(&self, item: &Item, look: &PieceLook, width: f64, size: f64) -> Markup {
        let borne = look.badge.filter(|(badge, _)| item.is(self.book, *badge));
        html! { @if let Some((_, sign)) = borne { (glyph(sign, width - size * 0.02, -size * 0.02, size * 0.34, "badge")) } }
    }

    fn numbers(&self, item: &Item, look: &PieceLook, w: f64, h: f64, size: f64) -> Markup {
        let (Some(counts), Some(thing)) = (look.counts, item.thing) else {
            return html! { @if let Some(sign) = self.sign(item, look) { (glyph(sign, w / 2.0, h * 0.7, size * 0.4, "")) } };
        };
        let held: Vec<(u32, i64)> =
            self.seen.counts(counts, thing).into_iter().filter(|(_, count)| *count != 0).collect();
        let step = w * 0.48;
        let first = w / 2.0 - held.len().saturating_sub(1) as f64 * step / 2.0;
        html! {
            @if held.is_empty() { text class="ct none" x=(n(w / 2.0)) y=(n(h * 0.82)) font-size=(n(size * 0.3)) { "–" } }
            @for (at, (of, count)) in held.iter().enumerate() {
                @let x = first + at as f64 * step + size * 0.08;
                @let left = x - count.to_string().len() as f64 * size * 0.09 - size * 0.13;
                text class="ct" x=(n(x)) y=(n(h * 0.83)) font-size=(n(size * 0.32)) { (count) }
                @if *of == 0 { circle class="sort" cx=(n(left)) cy=(n(h * 0.715)) r=(n(size * 0.07)) {} }
                @else { path class="sort" d={ "M" (n(left)) "," (n(h * 0.615)) "l" (n(size * 0.09)) "," (n(size * 0.1)) "l" (n(size * -0.09)) "," (n(size * 0.1)) "l" (n(size * -0.09)) "," (n(size * -0.1)) "z" } {} }
            }
        }
    }

    /// A piece that never moves: a glyph in its holder's tincture, on a plate in the shape of his device.
    pub fn site(&self, item: &Item, look: &PieceLook, x: f64, y: f64, size: f64) -> Markup {
        let side = item.side(self.book, look);
        let tincture = self.looks.tincture(side);
        let r = size * 0.62;
        let plate = match side.unwrap_or(1) % 4 {
            0 => format!("M0,{q}L{p},0L0,{p}L{q},0Z", q = n(r * -1.34), p = n(r * 1.34)),
            1 => format!(
                "M{q},0a{p},{p} 0 1 1 {d},0a{p},{p} 0 1 1 -{d},0z",
                q = n(-r),
                p = n(r),
                d = n(2.0 * r)
            ),
            2 => {
                format!("M{q},{q}h{d}v{p}q0,{p} {q},{p}q{q},0 {q},-{p}z", q = n(-r), p = n(r), d = n(2.0 * r))
            }
            _ => format!("M{q},{q}h{d}v{d}h-{d}z", q = n(r * -0.9), d = n(r * 1.8)),
        };
        let sign = self.sign(item, look).unwrap_or("tower");
        let inside = html! {
            path class="ring" d=(plate) {}
            path class="disc" d=(plate) {}
            path class="hat" d=(plate) fill={ "url(#h-" (tincture) ")" } {}
            (glyph(sign, 0.0, 0.0, size * 0.82, ""))
        };
        self.group(item, look, "site", x, y, &inside)
    }

    /// A badge for a side, to stand in text.
    pub fn badge(&self, side: u32, px: u32) -> Markup {
        badge(self.looks, side, px)
    }
}

/// A badge for a side, to stand in text.
pub fn badge(looks: &Looks, side: u32, px: u32) -> Markup {
    let tincture = looks.tincture(Some(side));
    html! {
        svg class={ "badge t-" (tincture) } width=(px) height=(px) viewBox="0 0 22 22" aria-hidden="true" {
            rect class="wood" x="1" y="1" width="20" height="20" rx="3.5" {}
            rect class="hat" x="1" y="1" width="20" height="20" rx="3.5" fill={ "url(#h-" (tincture) ")" } {}
            (device(side as usize, 11.0, 11.0, 5.0))
        }
    }
}

fn lines(name: &str, px: f64, room: f64) -> (Vec<String>, Option<String>) {
    if let Some((before, inside)) = name.strip_suffix(')').and_then(|name| name.rsplit_once(" (")) {
        return (vec![before.to_owned()], Some(inside.to_owned()));
    }
    let words: Vec<&str> = name.split(' ').collect();
    if narrow(name, px) <= room || words.len() == 1 {
        return (vec![name.to_owned()], None);
    }
    let halves = (1..words.len()).map(|at| (words[..at].join(" "), words[at..].join(" ")));
    let best = halves.min_by_key(|(first, second)| first.chars().count().max(second.chars().count()));
    (best.map(|(first, second)| vec![first, second]).unwrap_or_default(), None)
}

/// A long name of the form `Baron of Somewhere`, as `B. Somewhere`.
pub fn brief(name: &str) -> String {
    match name.split_once(" of ") {
        Some((first, rest)) if name.chars().count() > 12 => {
            format!("{}. {rest}", first.chars().next().unwrap_or_default())
        }
        _ => name.to_owned(),
    }
}
