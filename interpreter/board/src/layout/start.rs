//! A map to begin with: a shape for each place and a line for each link, labelled, to be bent in Inkscape. What is written
//! is what [`super::map`] reads without a word.

use blazon::book::{Book, Grid, KindId};
use maud::{Markup, PreEscaped, html};

use super::deco::Drawn;
use super::{Spot, hexes, points, round};
use crate::looks::Looks;
use crate::signs::n;

/// How the shapes look in Inkscape; the board has colours of its own.
const PLACE: &str = "fill:#f3ead4;stroke:#837250;stroke-width:1";
const LINK: &str = "fill:none;stroke:#8a6a44;stroke-width:3;stroke-linecap:round";
const WATER: &str = "fill:#c9d7d8";
/// How what lies on the places looks there, by its class.
const DECO: [(&str, &str); 13] = [
    ("sea", WATER),
    ("wood", "fill:#d5dcba;fill-rule:evenodd"),
    ("hill", "fill:#e3d3b1;fill-rule:evenodd"),
    ("marsh", "fill:#d3ddcf;fill-rule:evenodd"),
    ("sand", "fill:#f2e2b8;fill-rule:evenodd"),
    ("tree", "fill:#8ea070"),
    ("grid", "fill:none;stroke:#b9a883;stroke-width:0.7"),
    ("march", "fill:none;stroke:#8a5a72;stroke-width:1.3"),
    ("stream", "fill:none;stroke:#557f98;stroke-width:1.7"),
    ("river", "fill:none;stroke:#557f98;stroke-width:3.6"),
    ("wall", "fill:none;stroke:#3a3226;stroke-width:3.6"),
    ("road", "fill:none;stroke:#8a6a44;stroke-width:1.6"),
    ("bridge", "fill:none;stroke:#3a3226;stroke-width:2.2"),
];
const NAME: &str = "font-size:13px;text-anchor:middle;font-family:serif;fill:#3a3226";
/// What is told to whoever opens it.
const HOW: &str = "Bend the shapes, and leave their labels as they are: `blazon check` holds them against the rules. Where \
                   areas touch one sees that they do: then take out the lines of links, all of them. The board writes \
                   the names itself; those here are for you. What lies in no layer is decoration, drawn by its class: sea, wood, \
                   hill, marsh, sand, tree, river, stream, wall, road, bridge, march, grid.";

/// Where everything lies.
struct Start {
    size: (f64, f64),
    /// The outline of each place, and where its name stands.
    places: Vec<(String, f64, f64)>,
    /// The line of each link; none where places touch as they do on a grid.
    links: Vec<String>,
    /// What lies on the places.
    deco: Vec<Drawn>,
}

/// A map to begin with; nothing for a game without places.
pub fn map_to_begin_with(book: &Book) -> Option<String> {
    let looks = Looks::of(book);
    let place = looks.place?;
    let start = match book.grids.first().filter(|grid| grid.things == place) {
        Some(grid) => of_grid(book, &looks, grid),
        None => of_points(book, &looks, place),
    };
    let label = |kind: KindId, at: usize| book.kind(kind).things[at].name.as_str();
    let layer = |kind: KindId, shapes: Markup| {
        html! { g inkscape:groupmode="layer" inkscape:label=(book.kind(kind).name) { "\n" (shapes) } "\n" }
    };
    let places = html! {
        @for (at, (outline, ..)) in start.places.iter().enumerate() {
            path inkscape:label=(label(place, at)) style=(PLACE) d=(outline) {} "\n"
        }
    };
    let names = html! {
        @for (at, (_, x, y)) in start.places.iter().enumerate() {
            text style=(NAME) x=(n(*x)) y=(n(*y)) { (label(place, at)) } "\n"
        }
    };
    let (w, h) = (n(start.size.0), n(start.size.1));
    let inside = html! {
        (PreEscaped(format!("<!-- {HOW} -->\n")))
        rect class="sea" style=(WATER) width=(w) height=(h) {} "\n"
        (layer(place, places))
        @if !start.deco.is_empty() {
            g { "\n"
                @for (class, path) in &start.deco {
                    @let style = DECO.iter().find(|(other, _)| other == class).map(|(_, style)| *style);
                    path class=(class) style=[style] d=(path) {} "\n"
                }
            } "\n"
        }
        @if let Some(links) = looks.links.filter(|_| !start.links.is_empty()) {
            (layer(links, html! {
                @for (at, line) in start.links.iter().enumerate() {
                    path inkscape:label=(label(links, at)) style=(LINK) d=(line) {} "\n"
                }
            }))
        }
        g { "\n" (names) } "\n"
    };
    let inkscape = "http://www.inkscape.org/namespaces/inkscape";
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:inkscape=\"{inkscape}\" width=\"{w}\" height=\"{h}\" \
         viewBox=\"0 0 {w} {h}\">\n{}</svg>\n",
        inside.into_string()
    ))
}

fn of_grid(book: &Book, looks: &Looks, grid: &Grid) -> Start {
    let hexes::Outlines { mut size, places, deco } = hexes::outlines(book, looks, grid);
    // What lies in no cell stands beneath, in rows.
    let (r, step) = (hexes::R * 0.8, hexes::R * 2.0);
    let across = ((size.0 / step) as usize).max(1);
    let (below, mut beside) = (size.1, 0);
    let places = places.into_iter().map(|cell| {
        cell.unwrap_or_else(|| {
            let (x, y) = ((beside % across) as f64, (beside / across) as f64);
            beside += 1;
            let spot = Spot { x: (x + 0.5) * step, y: below + (y + 0.5) * step, r };
            size.1 = size.1.max(spot.y + step / 2.0);
            (round(spot), spot.x, spot.y)
        })
    });
    let places = places.collect();
    Start { size, places, links: Vec::new(), deco }
}

fn of_points(book: &Book, looks: &Looks, place: KindId) -> Start {
    let spots = points::spots(book, looks, place);
    let links = looks.links.map(|links| book.kind(links).things.as_slice()).unwrap_or_default();
    let line = |ends: Option<(u32, u32)>| {
        let (a, b) = ends?;
        Some(points::way((a, b), *spots.get(a as usize)?, *spots.get(b as usize)?))
    };
    let drawn: Option<Vec<String>> = links.iter().map(|link| line(link.ends)).collect();
    Start {
        size: (points::WIDTH, points::HEIGHT),
        places: spots.iter().map(|spot| (round(*spot), spot.x, spot.y)).collect(),
        links: drawn.unwrap_or_default(),
        deco: Vec::new(),
    }
}
