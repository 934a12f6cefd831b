//! A drawn map: `map.svg`, whose shapes are found by label and checked both ways against the rules.
//!
//! A layer is a group whose label folds to the name of a kind, the innermost around a shape; a shape in it whose label is the
//! name of a thing is that thing. The label is `inkscape:label`, else the first `<title>`, else `id`. Everything else is decoration. A map comes
//! from strangers: only what stands in a list of elements and attributes is taken over, and what could run or reach out
//! is refused.

use blazon::book::{Book, KindId};
use blazon::diagnostics::near_miss;
use kurbo::{Affine, BezPath, PathEl, Shape};
use maud::{Markup, html};
use roxmltree::{Document, Node, ParsingOptions};

use super::Sorts;
use super::deco::{self, Drawn as Deco};
use super::labels::label;
use super::outline::{FAR, is_about, is_near, outline, rings};
use super::pole::pole;
use super::{Layout, Spot, hexes, token};
use crate::looks::{Looks, word};
use crate::signs::n;

/// The largest map in bytes.
const LARGEST: usize = 3 << 20;
/// The most nodes of one.
pub(super) const NODES: u32 = 200_000;
/// The height of the board that a map is scaled to.
const HEIGHT: f64 = 1000.0;

/// Something wrong with a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapProblem {
    /// Its code.
    pub code: &'static str,
    /// Where: a byte in the file.
    pub at: usize,
    /// What is wrong.
    pub message: String,
    /// How to mend it.
    pub help: String,
}

impl MapProblem {
    fn new(code: &'static str, at: usize, message: String, help: &str) -> Self {
        Self { code, at, message, help: help.to_owned() }
    }
}

/// A shape with its label.
struct Labelled {
    layer: Option<KindId>,
    label: Option<String>,
    at: usize,
    class: &'static str,
    path: BezPath,
}

/// Reads a map. Where it differs from the rules is told beside it: what it shows and there is not is left out, what it
/// lacks is drawn as a disc among its neighbours.
///
/// # Errors
/// If the map cannot be read, or may not be shown.
pub fn draw(
    book: &Book,
    looks: &Looks,
    place: KindId,
    text: &str,
) -> Result<(Layout, Vec<MapProblem>), Vec<MapProblem>> {
    let is_layer = |label: &str, kind: KindId| {
        let kind = book.kind(kind);
        [&kind.name, &kind.plural].iter().any(|name| name.to_lowercase() == label)
    };
    let layer_of = |label: &str| {
        let label = label.to_lowercase();
        looks.links.into_iter().chain([place]).find(|&kind| is_layer(&label, kind))
    };
    let (frame, shapes) =
        read(text, &layer_of).map_err(|problems| problems.into_iter().take(100).collect::<Vec<_>>())?;
    // The cells of a grid are as large as without a map, so that pieces, names and lines are, too.
    let grid = book.grids.first().filter(|grid| grid.things == place);
    let scale = match grid {
        Some(grid) => {
            let cells = book.kind(place).things.len().max(1) as f64;
            (hexes::area(grid) * cells / (frame.2 * frame.3).max(1.0)).sqrt()
        }
        None => HEIGHT / frame.3.max(1.0),
    };
    let onto = Affine::scale(scale) * Affine::translate((-frame.0, -frame.1));
    let mut problems = Vec::new();
    let mut map = Map {
        places: vec![None; book.kind(place).things.len()],
        links: looks.links.map(|links| vec![None; book.kind(links).things.len()]).unwrap_or_default(),
        beneath: Vec::new(),
        above: Vec::new(),
    };
    for mut shape in shapes {
        shape.path.apply_affine(onto);
        map.take(book, looks, place, shape, &mut problems);
    }
    map.missing(book, looks, place, &mut problems);
    Ok((map.layout(book, looks, place, (frame.2 * scale, frame.3 * scale), grid.is_some()), problems))
}

/// The viewBox of a map and its shapes.
type Drawn = ((f64, f64, f64, f64), Vec<Labelled>);

fn read(text: &str, layer_of: &dyn Fn(&str) -> Option<KindId>) -> Result<Drawn, Vec<MapProblem>> {
    if text.len() > LARGEST {
        let message = format!("the map has {} bytes; {LARGEST} are the most", text.len());
        return Err(vec![MapProblem::new(
            "map::unreadable",
            0,
            message,
            "leave pictures out of it, and simplify its paths",
        )]);
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let at = error.pos();
        let message = format!("this is no SVG that can be read: {error}");
        let line: usize =
            text.split_inclusive('\n').take(at.row.saturating_sub(1) as usize).map(str::len).sum();
        vec![MapProblem::new("map::unreadable", line.min(text.len()), message, "save it again as plain SVG")]
    })?;
    let root = document.root_element();
    let frame = frame(&root);
    let mut reader = Reader { layer_of, frame, shapes: Vec::new(), problems: Vec::new() };
    if frame.is_none() {
        let message = "the map doesn't say how large it is".to_owned();
        let help = "give `<svg>` a `viewBox` of a thousandth to a million units";
        reader.problem("map::unreadable", &root, message, help);
    }
    reader.element(&root, Affine::IDENTITY, None, 0);
    match (frame, reader.problems.is_empty()) {
        (Some(frame), true) => Ok((frame, reader.shapes)),
        _ => Err(reader.problems),
    }
}

fn frame(root: &Node) -> Option<(f64, f64, f64, f64)> {
    let numbers: Vec<f64> = match root.attribute("viewBox") {
        Some(text) => text
            .split([' ', ','])
            .filter(|part| !part.is_empty())
            .map(str::parse)
            .collect::<Result<_, _>>()
            .ok()?,
        None => {
            let of = |name| root.attribute(name)?.trim_end_matches("px").parse::<f64>().ok();
            vec![0.0, 0.0, of("width")?, of("height")?]
        }
    };
    match numbers[..] {
        [x, y, width, height] => {
            let is_size = |size| (1.0 / 1000.0..=FAR).contains(&size);
            let is_frame = is_near(x) && is_near(y) && is_size(width) && is_size(height);
            is_frame.then_some((x, y, width, height))
        }
        _ => None,
    }
}

struct Reader<'k> {
    /// The kind whose things a group of this label shows.
    layer_of: &'k dyn Fn(&str) -> Option<KindId>,
    /// Where the map lies, if it says so.
    frame: Option<(f64, f64, f64, f64)>,
    shapes: Vec<Labelled>,
    problems: Vec<MapProblem>,
}

pub(super) const SVG: &str = "http://www.w3.org/2000/svg";
/// What is passed over, with all in it: it draws nothing that the board shows.
pub(super) const IGNORED: [&str; 8] =
    ["style", "defs", "metadata", "title", "desc", "text", "pattern", "clipPath"];

impl Reader<'_> {
    fn problem(&mut self, code: &'static str, node: &Node, message: String, help: &str) {
        if self.problems.len() < 100 {
            self.problems.push(MapProblem::new(code, node.range().start, message, help));
        }
    }

    fn element(&mut self, node: &Node, outer: Affine, layer: Option<KindId>, depth: usize) {
        if !node.is_element() || node.tag_name().namespace() != Some(SVG) {
            return;
        }
        let name = node.tag_name().name();
        if depth > 100 {
            self.problem(
                "map::unreadable",
                node,
                "the groups stand more than 100 deep in each other".to_owned(),
                "ungroup some",
            );
            return;
        }
        if !self.harmless(node, name) || IGNORED.contains(&name) {
            return;
        }
        let Some(inner) = transform(node) else {
            let message = "this `transform` cannot be read".to_owned();
            return self.problem(
                "map::unreadable",
                node,
                message,
                "write `translate`, `scale`, `rotate` or `matrix`",
            );
        };
        let here = outer * inner;
        if matches!(name, "svg" | "g") {
            let layer = label(node).and_then(|own| (self.layer_of)(&own.text)).or(layer);
            for child in node.children() {
                self.element(&child, here, layer, depth + 1);
            }
            return;
        }
        let path = outline(node, name).map(|path| here * path);
        match path {
            Some(path) if self.frame.is_some_and(|frame| !is_about(&path, frame)) => {
                let message = format!("this `<{name}>` lies far outside the map");
                let help = "its `viewBox` says where that is: move it there, or take it out";
                self.problem("map::unreadable", node, message, help);
            }
            Some(path) => {
                let class = deco::class(node.attribute("class").unwrap_or_default());
                self.shapes.push(Labelled {
                    layer,
                    label: label(node).map(|label| label.text),
                    at: node.range().start,
                    class,
                    path,
                });
            }
            None => {
                let message = format!("this `<{name}>` has no shape that can be read");
                let help = "check its numbers: none is above a million";
                self.problem("map::unreadable", node, message, help);
            }
        }
    }

    /// Whether an element may stand in a map at all.
    fn harmless(&mut self, node: &Node, name: &str) -> bool {
        const DRAWN: [&str; 9] =
            ["svg", "g", "path", "rect", "circle", "ellipse", "polygon", "polyline", "line"];
        if !DRAWN.contains(&name) && !IGNORED.contains(&name) {
            let message = format!("`<{}>` may not stand in a map", blazon::diagnostics::plain(name));
            self.problem(
                "map::element",
                node,
                message,
                "a map has groups and shapes: paths, rects, circles, ellipses, polygons, lines",
            );
            return false;
        }
        for attribute in node.attributes() {
            let lower = attribute.name().to_lowercase();
            let reaches =
                lower == "href" || lower == "src" || attribute.value().to_lowercase().contains("url(");
            if lower.starts_with("on") || reaches && !attribute.value().trim_start().starts_with("url(#") {
                let message = format!(
                    "the attribute `{}` may not stand in a map",
                    blazon::diagnostics::plain(attribute.name())
                );
                self.problem(
                    "map::element",
                    node,
                    message,
                    "a map runs nothing, and reads nothing outside itself: take it out",
                );
                return false;
            }
        }
        true
    }
}

fn transform(node: &Node) -> Option<Affine> {
    let Some(text) = node.attribute("transform") else { return Some(Affine::IDENTITY) };
    let read: svgtypes::Transform = text.parse().ok()?;
    Some(Affine::new([read.a, read.b, read.c, read.d, read.e, read.f]))
}

/// What a map shows of a game.
struct Map {
    places: Vec<Option<BezPath>>,
    links: Vec<Option<BezPath>>,
    /// Decoration that stands before the first place in the drawing, and behind it.
    beneath: Vec<Deco>,
    above: Vec<Deco>,
}

impl Map {
    fn take(
        &mut self,
        book: &Book,
        looks: &Looks,
        place: KindId,
        shape: Labelled,
        problems: &mut Vec<MapProblem>,
    ) {
        let links = looks.links.filter(|&links| shape.layer == Some(links));
        let (kind, into) = match (links, shape.layer) {
            (Some(links), _) => (links, &mut self.links),
            (None, Some(_)) => (place, &mut self.places),
            (None, None) => {
                let is_above = self.places.iter().any(Option::is_some);
                let into = if is_above { &mut self.above } else { &mut self.beneath };
                return into.push((shape.class, data(&shape.path)));
            }
        };
        let label = shape.label.unwrap_or_default();
        let things = &book.kind(kind).things;
        let is = |at: &usize| {
            things[*at].name.eq_ignore_ascii_case(&label)
                || links.is_some() && joins(book, place, things[*at].ends, &label)
        };
        // Two links that join the same places are drawn by two shapes of one label.
        let free = (0..things.len()).filter(is).find(|&at| into[at].is_none());
        let found = free.or_else(|| (0..things.len()).find(is));
        let of = &book.kind(kind).name;
        let mut problem = |code, message: String, help: String| {
            problems.push(MapProblem { code, at: shape.at, message, help });
        };
        match found {
            None => {
                let near = near_miss(&label, things.iter().map(|thing| thing.name.as_str()));
                let help = near.map_or_else(
                    || format!("label it with the name of a {of}, or move it out of this layer"),
                    |near| format!("did you mean `{near}`?"),
                );
                let label = blazon::diagnostics::plain(&label);
                problem("map::unknown", format!("there is no {of} `{label}`"), help);
            }
            Some(at) if into[at].is_some() => {
                let help = "join the shapes to one path, or label one of them otherwise".to_owned();
                problem("map::twice", format!("`{}` is drawn twice", things[at].name), help);
            }
            Some(at) => into[at] = Some(shape.path),
        }
    }

    /// Places that no shape shows; a place without room for a circle is none.
    fn missing(&self, book: &Book, looks: &Looks, place: KindId, problems: &mut Vec<MapProblem>) {
        let mut missing = |kind: KindId, shapes: &[Option<BezPath>]| {
            for (thing, _) in book.kind(kind).things.iter().zip(shapes).filter(|(_, shape)| shape.is_none()) {
                let of = &book.kind(kind).name;
                let help = format!("draw it in the layer `{of}` and label it `{}`", thing.name);
                problems.push(MapProblem {
                    code: "map::missing",
                    at: 0,
                    message: format!("the {of} `{}` has no shape on the map", thing.name),
                    help,
                });
            }
        };
        missing(place, &self.places);
        // Links need no lines of their own: where areas touch one sees that they do. A layer of links is a whole one.
        if let Some(links) = looks.links.filter(|_| self.links.iter().any(Option::is_some)) {
            missing(links, &self.links);
        }
    }

    fn layout(
        mut self,
        book: &Book,
        looks: &Looks,
        place: KindId,
        (width, height): (f64, f64),
        on_grid: bool,
    ) -> Layout {
        let mut spots: Vec<Option<Spot>> =
            self.places.iter().map(|shape| shape.as_ref().and_then(|shape| pole(&rings(shape)))).collect();
        let mut room: Vec<f64> = spots.iter().flatten().map(|spot| spot.r).collect();
        room.sort_by(f64::total_cmp);
        let median = room.get(room.len() / 2).copied().unwrap_or(40.0);
        self.stand_in(book, looks, &mut spots, (width, height), median);
        let things = &book.kind(place).things;
        let paths: Vec<String> =
            self.places.iter().map(|shape| shape.as_ref().map(data).unwrap_or_default()).collect();
        // What lies on places takes no click from them; lines stand over what lights up, as links do.
        let above = |lines: bool| {
            let mut drawn = self.above.iter().filter(|(class, _)| deco::is_line(class) == lines).peekable();
            html! { @if drawn.peek().is_some() { g pointer-events="none" { @for of in drawn { (deco::draw(of)) } } } }
        };
        let ground = html! {
            @for of in &self.beneath { (deco::draw(of)) }
            @for wave in ["w4", "w3", "w2", "w1"] { path class={ "shore " (wave) } d=(paths.concat()) {} }
            @for (at, path) in paths.iter().enumerate() {
                path class="land place" id={ "p-" (token(place, at as u32)) } data-t=(token(place, at as u32))
                    role="img" aria-label=(things[at].name) d=(path) {}
            }
            @for (at, path) in paths.iter().enumerate() {
                @if let Some(owner) = looks.owner.and_then(|owner| word(book, owner, at as u32)) {
                    path class={ "home t-" (looks.tincture(u32::try_from(owner).ok())) } d=(path) {}
                }
            }
            (above(false))
        };
        let lines = looks.links.map(|links| self.lines(book, looks, links));
        Layout {
            width,
            height,
            size: if on_grid { hexes::SIZE } else { (median * 1.25).clamp(36.0, 52.0) },
            names: on_grid.then(|| {
                let middles: Vec<_> = spots.iter().map(|spot| spot.map(|spot| (spot.x, spot.y))).collect();
                hexes::names(book, looks, place, &middles)
            }),
            spots,
            ground,
            lines: html! { (above(true)) @if let Some(lines) = lines { (lines) } },
            shapes: paths,
            ways: Vec::new(),
        }
    }

    /// Draws what has no shape as a disc amid its neighbours.
    fn stand_in(
        &mut self,
        book: &Book,
        looks: &Looks,
        spots: &mut [Option<Spot>],
        (width, height): (f64, f64),
        r: f64,
    ) {
        let links = looks.links.map(|links| book.kind(links).things.as_slice()).unwrap_or_default();
        for at in 0..spots.len() {
            if spots[at].is_some() {
                continue;
            }
            let beside = links.iter().filter_map(|link| link.ends).filter_map(|(a, b)| match at as u32 {
                at if at == a => spots.get(b as usize).copied().flatten(),
                at if at == b => spots.get(a as usize).copied().flatten(),
                _ => None,
            });
            let beside: Vec<Spot> = beside.collect();
            let count = beside.len() as f64;
            let (x, y) = match beside.is_empty() {
                true => (width / 2.0, height - r),
                false => (
                    beside.iter().map(|spot| spot.x).sum::<f64>() / count,
                    beside.iter().map(|spot| spot.y).sum::<f64>() / count,
                ),
            };
            self.places[at] = Some(kurbo::Circle::new((x, y), r).to_path(0.1));
            spots[at] = Some(Spot { x, y, r });
        }
    }

    fn lines(&self, book: &Book, looks: &Looks, links: KindId) -> Markup {
        let sorts = Sorts::new(book, looks, links);
        let mut drawn = Vec::new();
        for (at, path) in self.links.iter().enumerate() {
            let Some(path) = path else { continue };
            drawn.push((
                &sorts.of(at).class,
                data(path),
                token(links, at as u32),
                &book.kind(links).things[at].name,
            ));
        }
        html! {
            @for (class, path, ..) in &drawn { path class={ "link case " (class) } d=(path) {} }
            @for (class, path, token, name) in &drawn {
                path class={ "link core " (class) } id={ "p-" (token) } data-t=(token) d=(path) { title { (name) } }
            }
        }
    }
}

/// Whether a label such as `North Gate - Mill` names both ends of a link.
fn joins(book: &Book, place: KindId, ends: Option<(u32, u32)>, label: &str) -> bool {
    let Some((a, b)) = ends else { return false };
    let name =
        |thing: u32| book.kind(place).things.get(thing as usize).map(|thing| thing.name.to_lowercase());
    let (Some(a), Some(b)) = (name(a), name(b)) else { return false };
    let label = label.to_lowercase().replace(['–', '—'], "-");
    label == format!("{a} - {b}") || label == format!("{b} - {a}")
}

/// Path data, to a tenth.
fn data(path: &BezPath) -> String {
    let mut data = String::new();
    let mut put = |sign: &str, points: &[kurbo::Point]| {
        data.push_str(sign);
        let points: Vec<String> =
            points.iter().map(|point| format!("{},{}", n(point.x), n(point.y))).collect();
        data.push_str(&points.join(" "));
    };
    for element in path.elements() {
        match *element {
            PathEl::MoveTo(a) => put("M", &[a]),
            PathEl::LineTo(a) => put("L", &[a]),
            PathEl::QuadTo(a, b) => put("Q", &[a, b]),
            PathEl::CurveTo(a, b, c) => put("C", &[a, b, c]),
            PathEl::ClosePath => put("Z", &[]),
        }
    }
    data
}
