//! Trays, one under the other; where the room ends, another column begins.

use maud::{Markup, html};

use crate::piece::Drawer;
use crate::signs::{glyph, n};
use crate::trays::{Card, Clock, Kept, Key, Ledger, Row, SIZE, Side, Trays};

/// The width of a column.
const WIDTH: f64 = 226.0;
/// Between two trays, and between two columns.
const GAP: f64 = 10.0;
/// Between a tray's edge and what is in it.
const EDGE: f64 = 9.0;
/// A card.
const CARD: (f64, f64) = (62.0, 80.0);

/// Trays that are being drawn.
pub struct Column<'a> {
    drawer: &'a Drawer<'a>,
    /// Where columns begin.
    origin: (f64, f64),
    /// The width of one.
    wide: f64,
    /// The height after which the next begins.
    room: f64,
    /// How many columns are full.
    full: usize,
    /// How far the one under way goes.
    y: f64,
    /// How far the longest goes.
    longest: f64,
    drawn: String,
}

/// The width of a text of the sans face, about.
fn sans(text: &str, px: f64) -> f64 {
    text.chars().count() as f64 * px * 0.55
}

/// A text in lines of some width; a word that is longer has a line of its own.
fn wrapped(text: &str, px: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if sans(line, px) + sans(word, px) + px * 0.3 <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

impl<'a> Column<'a> {
    /// Columns of trays, so high.
    pub fn new(drawer: &'a Drawer<'a>, room: f64) -> Self {
        let drawn = String::new();
        Self { drawer, origin: (0.0, 0.0), wide: WIDTH, room, full: 0, y: 0.0, longest: 0.0, drawn }
    }

    /// The same, somewhere else and of another width.
    pub fn at(self, x: f64, y: f64, wide: f64) -> Self {
        Self { origin: (x, y), wide, ..self }
    }

    /// How wide all are.
    pub fn width(&self) -> f64 {
        (self.full + 1) as f64 * (self.wide + GAP) - GAP
    }

    /// How high the highest is.
    pub fn height(&self) -> f64 {
        self.longest.max(self.y) - if self.longest.max(self.y) > 0.0 { GAP } else { 0.0 }
    }

    /// What was drawn.
    pub fn drawn(self) -> String {
        self.drawn
    }

    /// Puts a tray under the last one. It is drawn as if its corner were the origin.
    fn put(&mut self, tray: Markup, high: f64) {
        if self.y > 0.0 && self.y + high > self.room {
            (self.longest, self.y, self.full) = (self.longest.max(self.y), 0.0, self.full + 1);
        }
        let (x, y) = (self.origin.0 + self.full as f64 * (self.wide + GAP), self.origin.1 + self.y);
        let tray = html! { g transform={ "translate(" (n(x)) "," (n(y)) ")" } { (tray) } };
        self.drawn.push_str(&tray.into_string());
        self.y += high + GAP;
    }

    /// Everything but the hand.
    pub fn trays(&mut self, trays: &Trays, key: Option<&Key>) {
        self.title(trays);
        if !trays.clock.is_empty() {
            self.clock(&trays.clock);
        }
        for side in &trays.sides {
            self.side(side);
        }
        for kept in &trays.boxes {
            self.kept(kept);
        }
        for ledger in &trays.ledger {
            self.ledger(ledger);
        }
        if let Some(key) = key {
            self.key(key);
        }
    }

    fn title(&mut self, trays: &Trays) {
        let mut y = 4.0;
        let mut lines = Vec::new();
        let variants = trays.variants.iter().map(|name| (*name, "small", 12.0, 17.0));
        let setup = trays.setup.iter().map(|setup| (setup.as_str(), "setup", 14.0, 19.0));
        for (text, class, px, step) in
            std::iter::once((trays.title, "game", 23.0, 27.0)).chain(setup).chain(variants)
        {
            for line in wrapped(text, px, self.wide) {
                y += step;
                lines.push((line, class, y));
            }
        }
        let tray =
            html! { @for (line, class, y) in &lines { text class=(class) x="0" y=(n(*y)) { (line) } } };
        self.put(tray, y + 4.0);
    }

    fn clock(&mut self, clock: &[Clock]) {
        let mut y = 0.0;
        let tray = html! {
            @for of in clock {
                @match of {
                    Clock::Track { name, steps, now } => (self.track(name, steps, *now, &mut y)),
                    Clock::Number { name, number } => (count(name, &number.to_string(), &mut y)),
                    Clock::Thing { name, thing, .. } => (count(name, thing, &mut y)),
                    Clock::Flag { name } => (count(name, "", &mut y)),
                }
            }
        };
        self.put(tray, y);
    }

    fn track(&self, name: &str, steps: &[String], now: usize, y: &mut f64) -> Markup {
        let first = (sans(name, 12.0) + 8.0).max(58.0);
        let mut x = first;
        let top = *y;
        let boxes: Vec<(f64, f64, f64)> = steps
            .iter()
            .map(|step| {
                let wide = (sans(step, 11.0) + 8.0).max(19.0);
                if x + wide > self.wide && x > first {
                    (x, *y) = (first, *y + 24.0);
                }
                let here = (x, *y, wide);
                x += wide + 2.0;
                here
            })
            .collect();
        *y += 28.0;
        html! {
            text class="small" x="0" y=(n(top + 15.0)) { (name) }
            @for (at, ((x, y, wide), step)) in boxes.iter().zip(steps).enumerate() {
                @let class = if at < now { "rim past" } else if at == now { "now" } else { "rim" };
                rect class=(class) x=(n(*x)) y=(n(*y)) width=(n(*wide)) height="22" rx="4" {}
                text class={ "tag" @if at == now { " on" } } x=(n(x + wide / 2.0)) y=(n(y + 15.0)) { (step) }
            }
        }
    }

    fn side(&mut self, side: &Side) {
        let left = EDGE + 35.0;
        let (mut x, mut y) = (left + sans(side.name, 14.0) + 8.0, 21.0);
        let you = side.is_viewer.then_some(("you", "rim", "tag"));
        let asked = side.is_asked.then_some(("to decide", "now", "tag on"));
        let holds = side.holds.iter().map(|name| (*name, "rim", "tag"));
        let tags: Vec<_> = you.into_iter().chain(asked).chain(holds).collect();
        let mut placed = Vec::new();
        for (text, rim, class) in tags {
            let wide = sans(text, 11.0) + 12.0;
            if x + wide > self.wide - 4.0 && x > left {
                (x, y) = (left, y + 21.0);
            }
            placed.push((text, rim, class, x, y, wide));
            x += wide + 5.0;
        }
        let told = side.told.join(" · ");
        let lines = if told.is_empty() { Vec::new() } else { wrapped(&told, 12.0, self.wide - left - EDGE) };
        let first = y + 18.0;
        y += lines.len() as f64 * 16.0;
        let minis = self.minis(&side.before, &mut y);
        let high = y + 12.0;
        let tray = html! {
            rect class="tray" width=(n(self.wide)) height=(n(high)) rx="8" {}
            g transform={ "translate(" (n(EDGE)) ",8)" } { (self.drawer.badge(side.side, 26)) }
            text class="strong" x=(n(left)) y="21" { (side.name) }
            @for (text, rim, class, x, y, wide) in &placed {
                rect class=(rim) x=(n(*x)) y=(n(y - 13.0)) width=(n(*wide)) height="17" rx="8.5" {}
                text class=(class) x=(n(x + wide / 2.0)) y=(n(*y)) { (text) }
            }
            @for (at, line) in lines.iter().enumerate() {
                text class="small" x=(n(left)) y=(n(first + at as f64 * 16.0)) { (line) }
            }
            (minis)
        };
        self.put(tray, high);
    }

    /// Cards that lie before a side.
    fn minis(&self, cards: &[Card], y: &mut f64) -> Markup {
        if cards.is_empty() {
            return html! {};
        }
        let (mut x, mut top) = (EDGE, *y + 12.0);
        let placed: Vec<(f64, f64, f64)> = cards
            .iter()
            .map(|card| {
                let wide = sans(&card.name, 12.0) + 12.0;
                if x + wide > self.wide - EDGE && x > EDGE {
                    (x, top) = (EDGE, top + 34.0);
                }
                let here = (x, top, wide);
                x += wide + 6.0;
                here
            })
            .collect();
        *y = top + 30.0;
        html! {
            @for ((x, y, wide), card) in placed.iter().zip(cards) {
                rect class="paper" x=(n(*x)) y=(n(*y)) width=(n(*wide)) height="30" rx="4" {}
                text class="mini" x=(n(x + 6.0)) y=(n(y + 19.0)) { (card.name) }
            }
        }
    }

    fn kept(&mut self, kept: &Kept) {
        let (wide, high) = (SIZE * self.drawer.wide(kept.look) + 6.0, SIZE + 8.0);
        let (mut x, mut y) = (EDGE - 3.0, 26.0);
        let mut placed = Vec::new();
        for (item, count) in &kept.piles {
            let many = (*count > 1).then(|| format!("× {count}"));
            let all = wide + many.as_deref().map_or(0.0, |many| sans(many, 12.0) + 8.0);
            if x + all > self.wide - EDGE + 3.0 && x > EDGE {
                (x, y) = (EDGE - 3.0, y + high);
            }
            let piece = self.drawer.piece(item, kept.look, x + wide / 2.0, y + high / 2.0 - 1.0, SIZE);
            placed.push((piece, many, x + wide + 3.0, y + high / 2.0 + 4.0));
            x += all;
        }
        let high = y + high + 4.0;
        let tray = html! {
            rect class="tray open" width=(n(self.wide)) height=(n(high)) rx="8" {}
            text class="head" x=(n(EDGE)) y="19" { (kept.name) }
            text class="head end" x=(n(self.wide - EDGE)) y="19" { (kept.count) }
            @for (piece, many, x, y) in &placed {
                (piece)
                @if let Some(many) = many { text class="small" x=(n(*x)) y=(n(*y)) { (many) } }
            }
        };
        self.put(tray, high);
    }

    /// What is kept of the things of a kind, a thing on each line; where the room ends, the rest stands in a tray of its own.
    fn ledger(&mut self, ledger: &Ledger) {
        const LINE: f64 = 16.0;
        let told = |row: &Row| {
            wrapped(&format!("{}: {}", row.name, row.told.join(", ")), 12.0, self.wide - 2.0 * EDGE)
        };
        let mut lines: Vec<String> = ledger.rows.iter().flat_map(told).collect();
        let most = ((self.room - 40.0) / LINE).max(1.0) as usize;
        while !lines.is_empty() {
            let rest = lines.split_off(lines.len().min(most));
            let high = 32.0 + lines.len() as f64 * LINE;
            let tray = html! {
                rect class="tray" width=(n(self.wide)) height=(n(high)) rx="8" {}
                text class="head" x=(n(EDGE)) y="19" { (ledger.name) }
                text class="head end" x=(n(self.wide - EDGE)) y="19" { (ledger.rows.len()) }
                @for (at, line) in lines.iter().enumerate() {
                    text class="small" x=(n(EDGE)) y=(n(38.0 + at as f64 * LINE)) { (line) }
                }
            };
            self.put(tray, high);
            lines = rest;
        }
    }

    fn key(&mut self, key: &Key) {
        let lines = key.lines.len() as f64;
        let tray = html! {
            text class="head" x="0" y="15" { "Key" }
            @for (at, (strokes, name, told)) in key.lines.iter().enumerate() {
                @let y = 33.0 + at as f64 * 18.0;
                @for class in strokes { path class=(class) d={ "M3 " (n(y - 4.0)) "h34" } {} }
                text class="small" x="46" y=(n(y)) { (name) }
                text class="small end" x=(n(self.wide)) y=(n(y)) { (told) }
            }
            @for (at, (sign, name)) in key.marks.iter().enumerate() {
                @let y = 33.0 + (lines + at as f64) * 18.0;
                g class="mark" { (glyph(sign, 8.0, y - 4.0, 14.0, "")) }
                text class="small" x="22" y=(n(y)) { (name) }
            }
        };
        self.put(tray, 20.0 + (lines + key.marks.len() as f64) * 18.0);
    }

    /// The viewer's cards.
    pub fn hand(&mut self, trays: &Trays) {
        for cards in trays.hand.iter().flatten() {
            let across = ((self.wide + 5.0) / (CARD.0 + 5.0)).floor().max(1.0) as usize;
            let rows = cards.len().div_ceil(across);
            let whose = trays.sides.iter().find(|side| side.is_viewer).map_or("", |side| side.name);
            let tray = html! {
                text class="head" x="0" y="14" { "Hand of " (whose) ": " (cards.len()) }
                @for (at, of) in cards.iter().enumerate() {
                    @let (x, y) = ((at % across) as f64 * (CARD.0 + 5.0), 22.0 + (at / across) as f64 * (CARD.1 + 6.0));
                    (card(of, x, y))
                }
            };
            self.put(tray, 22.0 + rows as f64 * (CARD.1 + 6.0));
        }
    }
}

fn count(name: &str, value: &str, y: &mut f64) -> Markup {
    let top = *y + 14.0;
    *y += 20.0;
    let x = (sans(name, 12.0) + 8.0).max(58.0);
    html! {
        text class="small" x="0" y=(n(top)) { (name) }
        @if !value.is_empty() { text class="strong" x=(n(x)) y=(n(top)) { (value) } }
    }
}

fn card(card: &Card, x: f64, y: f64) -> Markup {
    let (wide, high) = CARD;
    let middle = n(x + wide / 2.0);
    html! {
        rect class={ "paper" @if card.special { " ev" } } x=(n(x)) y=(n(y)) width=(n(wide)) height=(n(high)) rx="6" {}
        @for (at, line) in wrapped(&card.name, 10.0, wide - 4.0).iter().enumerate() {
            text class="cn" x=(middle) y=(n(y + 15.0 + at as f64 * 12.0))
                textLength=[(sans(line, 10.0) > wide - 4.0).then(|| n(wide - 6.0))] lengthAdjust="spacingAndGlyphs" { (line) }
        }
        @if let Some(number) = card.value {
            text class="cv" x=(middle) y=(n(y + high - 22.0)) { (number) }
        }
        @if !card.label.is_empty() {
            text class="cl" x=(middle) y=(n(y + high - 8.0))
                textLength=[(sans(&card.label, 10.0) > wide - 4.0).then(|| n(wide - 6.0))] lengthAdjust="spacingAndGlyphs" { (card.label) }
        }
    }
}
