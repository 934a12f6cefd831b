//! Points and links alone: discs as large as the nearest two points allow, and the links as ways between them. Where places
//! have no points, [`unplaced`] finds some.

use blazon::book::{Book, Constant, KindId};
use maud::html;

use super::Sorts;
use super::unplaced::unplaced;
use super::{Layout, Spot, token};
use crate::looks::{Looks, printed, word};
use crate::signs::n;

/// The width of the board.
pub const WIDTH: f64 = 840.0;
/// Its height.
pub const HEIGHT: f64 = 860.0;

pub fn draw(book: &Book, looks: &Looks, place: KindId) -> Layout {
    let spots = spots(book, looks, place);
    let radius = spots.first().map_or(0.0, |spot| spot.r);
    let things = &book.kind(place).things;
    let disc = |spot: &Spot| html! { circle cx=(n(spot.x)) cy=(n(spot.y)) r=(n(spot.r)) {} };
    let ground = html! {
        rect class="table" width=(n(WIDTH)) height=(n(HEIGHT)) {}
        @for spot in &spots { g class="plot halo" { (disc(spot)) } }
        @for (at, spot) in spots.iter().enumerate() {
            circle class="plot place" id={ "p-" (token(place, at as u32)) } data-t=(token(place, at as u32)) role="img" aria-label=(things[at].name)
                cx=(n(spot.x)) cy=(n(spot.y)) r=(n(spot.r)) {}
        }
        @for (at, spot) in spots.iter().enumerate() {
            @if let Some(owner) = looks.owner.and_then(|owner| word(book, owner, at as u32)) {
                circle class={ "home t-" (looks.tincture(u32::try_from(owner).ok())) } cx=(n(spot.x)) cy=(n(spot.y)) r=(n(spot.r)) {}
            }
        }
    };
    let lines = ways(book, looks, &spots);
    let size = (radius * 0.62).clamp(34.0, 48.0);
    let links = looks.links.map(|links| book.kind(links).things.as_slice()).unwrap_or_default();
    let way_of = |(a, b): (u32, u32)| Some(way((a, b), *spots.get(a as usize)?, *spots.get(b as usize)?));
    let ways = links.iter().map(|link| link.ends.and_then(way_of)).collect();
    let shapes = spots.iter().map(|spot| super::round(*spot)).collect();
    Layout {
        width: WIDTH,
        height: HEIGHT,
        size,
        spots: spots.into_iter().map(Some).collect(),
        ground,
        lines,
        shapes,
        ways,
        names: None,
    }
}

/// Where places lie.
pub fn spots(book: &Book, looks: &Looks, place: KindId) -> Vec<Spot> {
    spread(&points(book, looks, place))
}

/// Where places are drawn, in any unit.
fn points(book: &Book, looks: &Looks, place: KindId) -> Vec<(f64, f64)> {
    let count = book.kind(place).things.len();
    let at = |thing: usize| match printed(book, looks.point?, thing as u32)? {
        Constant::Point(x, y) => Some((*x as f64, *y as f64)),
        Constant::Absent | Constant::Word(_) | Constant::Set(_) | Constant::Text(_) => None,
    };
    let drawn: Vec<Option<(f64, f64)>> = (0..count).map(at).collect();
    if drawn.iter().all(Option::is_some) {
        return drawn.into_iter().flatten().collect();
    }
    let links = looks.links.map(|links| book.kind(links).things.as_slice()).unwrap_or_default();
    let links = links.iter().filter_map(|link| link.ends).map(|(a, b)| (a as usize, b as usize));
    let links: Vec<(usize, usize)> = links.filter(|&(a, b)| a < count && b < count && a != b).collect();
    unplaced(count, &links)
}

/// Points spread over the board, with the largest discs that do not touch. There is no picture under them, so they may
/// be stretched to fit.
fn spread(points: &[(f64, f64)]) -> Vec<Spot> {
    let range = |of: fn(&(f64, f64)) -> f64| {
        let least = points.iter().map(of).fold(f64::INFINITY, f64::min);
        let most = points.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        (least, (most - least).max(1e-9))
    };
    if points.is_empty() {
        return Vec::new();
    }
    let ((left, width), (top, height)) = (range(|point| point.0), range(|point| point.1));
    let (across, down) = (WIDTH * 0.75 / width, HEIGHT * 0.76 / height);
    let (across, down) = (across.min(down * 1.6), down.min(across * 1.6));
    let placed: Vec<(f64, f64)> = points
        .iter()
        .map(|(x, y)| {
            (WIDTH / 2.0 + (x - left - width / 2.0) * across, HEIGHT / 2.0 + (y - top - height / 2.0) * down)
        })
        .collect();
    // From left to right: what lies farther on than the nearest two apart need not be looked at.
    let mut by_x = placed.clone();
    by_x.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut nearest = f64::INFINITY;
    for (place, a) in by_x.iter().enumerate() {
        for b in &by_x[place + 1..] {
            if b.0 - a.0 >= nearest {
                break;
            }
            nearest = nearest.min((a.0 - b.0).hypot(a.1 - b.1));
        }
    }
    // The outermost lie an eighth of the board from its edge: no disc is cut off there.
    let r = (nearest / 2.0 - 9.0).clamp(20.0, 96.0);
    placed.into_iter().map(|(x, y)| Spot { x, y, r }).collect()
}

/// A way between two places, bent a little, this way or that.
pub fn way((a, b): (u32, u32), from: Spot, to: Spot) -> String {
    let bend = if (a + b) % 2 == 0 { 18.0 } else { -18.0 };
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let long = dx.hypot(dy).max(1.0);
    let (qx, qy) = ((from.x + to.x) / 2.0 - dy / long * bend, (from.y + to.y) / 2.0 + dx / long * bend);
    format!("M{},{}Q{},{} {},{}", n(from.x), n(from.y), n(qx), n(qy), n(to.x), n(to.y))
}

/// Links as ways: the first sort is a road with kerbs, the second a dotted track, the third dashes, whatever they are
/// called.
fn ways(book: &Book, looks: &Looks, spots: &[Spot]) -> maud::Markup {
    let Some(links) = looks.links else { return html! {} };
    let sorts = Sorts::new(book, looks, links);
    let mut drawn = Vec::new();
    for (at, link) in book.kind(links).things.iter().enumerate() {
        let Some((a, b)) = link.ends else { continue };
        let (Some(from), Some(to)) = (spots.get(a as usize), spots.get(b as usize)) else { continue };
        drawn.push((
            way((a, b), *from, *to),
            &sorts.of(at).class,
            token(links, at as u32),
            link.name.clone(),
        ));
    }
    html! {
        @for (path, sort, ..) in &drawn { path class={ "way case " (sort) } d=(path) {} }
        @for (path, sort, token, name) in &drawn {
            path class={ "way core " (sort) } id={ "p-" (token) } data-t=(token) d=(path) { title { (name) } }
        }
        @for spot in spots {
            circle class="node" cx=(n(spot.x)) cy=(n(spot.y)) r="9" {}
            circle class="node in" cx=(n(spot.x)) cy=(n(spot.y)) r="4" {}
        }
    }
}
