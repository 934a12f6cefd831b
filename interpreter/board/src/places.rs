//! What stands in places: one fragment for each place, with its name, its marks and its pieces.

use std::collections::BTreeMap;

use blazon::book::{Base, Constant};
use maud::{Markup, html};

use crate::Fragment;
use crate::layout::{Layout, token};
use crate::looks::{PieceLook, printed, printed_name};
use crate::piece::{Drawer, brief};
use crate::seen::Item;
use crate::signs::{glyph, n};
use crate::stand::{Group, OVER, Wanted, stand};

/// How high the letters of a name are, in its drawing's units.
const NAME: f64 = 13.0;

/// A piece with its look and whose it is.
type Standing<'a> = (Item<'a>, &'a PieceLook, Option<u32>);

/// The fragments of all places.
pub fn places(drawer: &Drawer, layout: &Layout, viewer: Option<u32>) -> Vec<Fragment> {
    let Some(place) = drawer.looks.place else { return Vec::new() };
    let mut pieces: BTreeMap<(u32, Option<u32>), Vec<Standing>> = BTreeMap::new();
    let mut sites: BTreeMap<u32, Vec<Standing>> = BTreeMap::new();
    for look in &drawer.looks.pieces {
        for item in drawer.seen.items(look.kind) {
            let Some(at) = item.thing_at(drawer.book, look.at) else { continue };
            let side = item.side(drawer.book, look);
            match look.fixed {
                true => sites.entry(at).or_default().push((item, look, side)),
                false => pieces.entry((at, side)).or_default().push((item, look, side)),
            }
        }
    }
    let named = layout.names.is_none();
    let things = &drawer.book.kind(place).things;
    let wanted = wanted(drawer, &pieces, viewer, named.then_some(things.len()));
    let mut groups: BTreeMap<u32, Vec<Group>> = BTreeMap::new();
    for group in stand(&wanted, layout, named) {
        groups.entry(group.place).or_default().push(group);
    }
    let draw = |at: u32| {
        let spot = layout.spots.get(at as usize).copied().flatten()?;
        let own = groups.get(&at).map(Vec::as_slice).unwrap_or_default();
        let sites = sites.get(&at).map(Vec::as_slice).unwrap_or_default();
        if !named && own.is_empty() && sites.is_empty() {
            return None;
        }
        let id = format!("at-{}", token(place, at));
        let html = html! {
            g id=(id) class="at" {
                @for (item, look, _) in sites { (drawer.site(item, look, spot.x, spot.y, spot.r * 0.62)) }
                @if named { (name(drawer, layout, at, own)) }
                @for group in own { (draw_group(drawer, layout, group, pieces.get(&(at, group.side)))) }
            }
        };
        Some(Fragment { layer: "pieces", id, html: html.into_string() })
    };
    let mut all: Vec<Fragment> = (0..things.len() as u32).filter_map(draw).collect();
    if !named {
        let groups = groups.values().flatten();
        let html = html! {
            g id="afar" {
                @for group in groups { (who(drawer, layout, group, pieces.get(&(group.place, group.side)))) }
            }
        };
        all.push(Fragment { layer: "pieces", id: "afar".to_owned(), html: html.into_string() });
    }
    all
}

fn wanted(
    drawer: &Drawer,
    pieces: &BTreeMap<(u32, Option<u32>), Vec<Standing>>,
    viewer: Option<u32>,
    names: Option<usize>,
) -> Vec<Wanted> {
    let mut wanted: Vec<Wanted> = pieces
        .iter()
        .map(|(&(place, side), standing)| Wanted {
            place,
            side,
            count: standing.len(),
            backs: standing.iter().all(|(item, ..)| item.thing.is_none()),
            own: side == viewer && viewer.is_some(),
            label: if names.is_some() { label_width(drawer, place) } else { 0.0 },
            wide: standing.iter().map(|(_, look, _)| drawer.wide(look)).fold(1.0, f64::max),
        })
        .collect();
    for place in 0..names.unwrap_or_default() as u32 {
        if pieces.range((place, None)..=(place, Some(u32::MAX))).next().is_none() {
            let label = label_width(drawer, place);
            wanted.push(Wanted { place, side: None, count: 0, backs: false, own: false, label, wide: 1.0 });
        }
    }
    wanted
}

fn draw_group(drawer: &Drawer, layout: &Layout, group: &Group, standing: Option<&Vec<Standing>>) -> Markup {
    let Some(standing) = standing else { return html! {} };
    let size = layout.size;
    let backs = standing.iter().all(|(item, ..)| item.thing.is_none());
    html! {
        @for (at, (item, look, _)) in standing.iter().enumerate() {
            @let (x, y) = group.spot(at, size);
            (drawer.piece(item, look, x, y, if item.thing.is_none() { size * 0.88 } else { size }))
        }
        @if backs && group.count > 1 {
            g class="many" transform={ "translate(" (n(group.x + group.width / 2.0 - 4.0)) "," (n(group.y - group.height / 2.0 + 4.0)) ")" } {
                circle r="8.5" {}
                text y="3.6" { (group.count) }
            }
        }
    }
}

/// Who stands in a group, beside it, in letters that can be read when all of a grid is seen: what is written on the pieces
/// is too small then. Of many the first two are named; backs have no names.
fn who(drawer: &Drawer, layout: &Layout, group: &Group, standing: Option<&Vec<Standing>>) -> Markup {
    let faces = standing.into_iter().flatten().filter(|(item, ..)| item.thing.is_some());
    let names: Vec<String> = faces.map(|(item, _, side)| brief(&item.name(drawer.book, *side))).collect();
    let (shown, more) = names.split_at(names.len().min(2));
    let left = group.x < layout.width * 0.75;
    let aside = (group.width / 2.0 + 5.0) * if left { 1.0 } else { -1.0 };
    html! {
        @if !shown.is_empty() {
            text class="afar" x=(n(group.x + aside)) y=(n(group.y + 8.0)) text-anchor=[(!left).then_some("end")] {
                (shown.join(", ")) @if !more.is_empty() { " +" (more.len()) }
            }
        }
    }
}

/// Where the name of a place stands: over its pieces, or where they would stand.
fn name(drawer: &Drawer, layout: &Layout, at: u32, groups: &[Group]) -> Markup {
    let Some(place) = drawer.looks.place else { return html! {} };
    let marks = marks(drawer, at);
    let top =
        groups.iter().map(|group| (group.y - group.height / 2.0, group)).min_by(|a, b| a.0.total_cmp(&b.0));
    let Some((top, group)) = top else { return html! {} };
    // In the middle of an empty place ways meet: its name stands over them, its marks beneath.
    let meet = group.count == 0 && layout.ways.iter().any(Option::is_some);
    // How far above the pieces its line is; of an empty place, so that it stands in the middle with its marks.
    let lift = match (group.count, marks.is_empty()) {
        (0, _) if meet => NAME / 2.0 - OVER / 2.0,
        (0, true) => 4.0 - OVER / 2.0 - NAME / 2.0,
        (0, false) => -NAME,
        (_, true) => 6.0,
        (_, false) => 19.0,
    };
    let beneath = if meet { NAME } else { 0.0 };
    let (x, y) = (group.x, top - lift);
    let mut left = x - marks_width(&marks) / 2.0;
    let marks = marks.iter().map(|mark| {
        let at = left;
        left += mark.width();
        (at, mark)
    });
    let things = &drawer.book.kind(place).things;
    html! {
        text class="place-name" data-t=(token(place, at)) x=(n(x)) y=(n(y)) { (things[at as usize].name) }
        @for (left, mark) in marks {
            g class={ "mark" @if mark.tincture != "none" { " own t-" (mark.tincture) } } {
                (glyph(mark.glyph, left + 6.5, y + 9.5 + beneath, 11.5, ""))
                title { (mark.told) }
            }
            @let text = left + 14.0;
            @if !mark.text.is_empty() { text class="sub" x=(n(text)) y=(n(y + 13.0 + beneath)) { (mark.text) } }
        }
    }
}

/// A fact of a place beside its name.
struct Mark {
    glyph: &'static str,
    text: String,
    tincture: &'static str,
    told: String,
}

impl Mark {
    fn width(&self) -> f64 {
        14.0 + if self.text.is_empty() { 0.0 } else { serif(&self.text, 10.5) + 2.0 }
    }
}

fn marks_width(marks: &[Mark]) -> f64 {
    marks.iter().map(Mark::width).sum()
}

/// The width of a text in the serif face, about.
fn serif(text: &str, px: f64) -> f64 {
    text.chars().map(|sign| if sign.is_uppercase() { 0.78 } else { 0.5 }).sum::<f64>() * px
}

fn label_width(drawer: &Drawer, at: u32) -> f64 {
    let name = drawer.looks.place.map_or("", |place| drawer.seen.name(place, at));
    serif(name, 13.0).max(marks_width(&marks(drawer, at))) + 4.0
}

fn marks(drawer: &Drawer, at: u32) -> Vec<Mark> {
    let mut marks = Vec::new();
    for &(column, glyph) in &drawer.looks.marks {
        let of = drawer.book.column(column);
        let Some(value) = printed(drawer.book, column, at) else { continue };
        let named = printed_name(drawer.book, column, at).map(crate::layout::short);
        let told = named.map_or_else(|| of.name.clone(), |name| format!("{}: {name}", of.name));
        let mark = |text: String, tincture| Mark { glyph, text, tincture, told: told.clone() };
        match (value, of.ty.base) {
            (Constant::Word(0), Base::Flag | Base::Number(..)) => {}
            (Constant::Word(_), Base::Flag) => marks.push(mark(String::new(), "none")),
            (Constant::Word(count), Base::Number(..)) => {
                marks.extend((0..(*count).clamp(0, 4)).map(|_| mark(String::new(), "none")));
            }
            (Constant::Word(side), Base::Thing(kind)) if kind == drawer.book.player => {
                marks.push(mark(String::new(), drawer.looks.tincture(u32::try_from(*side).ok())));
            }
            (Constant::Word(_), Base::Thing(kind)) => {
                // A name says something beyond the glyph unless it is one of many pieces.
                let text = if drawer.looks.piece(kind).is_some() { "" } else { named.unwrap_or_default() };
                marks.push(mark(text.to_owned(), "none"));
            }
            (Constant::Set(things), _) if !things.is_empty() => {
                let text = if things.len() > 1 { things.len().to_string() } else { String::new() };
                marks.push(mark(text, "none"));
            }
            _ => {}
        }
    }
    marks
}
