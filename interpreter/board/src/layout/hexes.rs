//! A grid: hexes or squares, with ground, regions, rivers, roads and numbers as far as the rules print them.

use std::collections::{BTreeMap, BTreeSet};

use blazon::book::{Book, ColumnId, Grid, KindId, Stagger};
use maud::{Markup, html};

use super::curves::{Corner, curves};
use super::deco::{self, Drawn};
use super::{Layout, Spot, token};
use crate::looks::{Looks, facts, printed_name, word};
use crate::signs::{Ground, Line, n};

/// From the middle of a hex to a corner.
pub const R: f64 = 40.0;
/// The side of a block on it.
pub const SIZE: f64 = R * 0.85;
/// Above so many places, those who read by ear are told of a place when it can be taken, not before.
const MANY: usize = 200;

/// A place on the lattice of half hexes (or half squares) that corners and middles lie on.
type Lattice = (i64, i64);
/// A side by its corners, the smaller first.
type Side = (Lattice, Lattice);

/// The geometry of one grid.
struct Cells<'a> {
    book: &'a Book,
    looks: &'a Looks,
    stagger: Stagger,
    places: KindId,
    links: KindId,
    /// The middle of each place, if it is on the grid.
    middles: Vec<Option<Lattice>>,
    /// The ground of every cell, and of those just beyond the edge.
    grounds: BTreeMap<Lattice, Ground>,
    /// The sides of places, each with one or two of them.
    sides: BTreeMap<Side, Vec<u32>>,
    /// The least lattice coordinates.
    origin: Lattice,
}

/// A grid as a drawing that is to be bent.
pub struct Outlines {
    /// How large all is.
    pub size: (f64, f64),
    /// The outline of each place that is on the grid, and where its name stands.
    pub places: Vec<Option<(String, f64, f64)>>,
    /// What lies on the places, and the lines between and across them, in the order in which they are drawn.
    pub deco: Vec<Drawn>,
}

/// What a map of a grid begins with.
pub fn outlines(book: &Book, looks: &Looks, grid: &Grid) -> Outlines {
    let cells = Cells::new(book, looks, grid);
    let outline = |middle: Lattice| {
        let (x, y) = cells.xy(middle);
        (cells.shape(middle), x, y)
    };
    let mut deco = vec![("sea", cells.outline_on_sheet(Ground::Sea))];
    deco.extend(cells.covers());
    deco.push(("tree", cells.trees()));
    deco.extend(cells.strokes());
    deco.retain(|(_, path)| !path.is_empty());
    Outlines {
        size: cells.size(),
        places: cells.middles.iter().map(|middle| middle.map(outline)).collect(),
        deco,
    }
}

pub fn draw(book: &Book, looks: &Looks, grid: &Grid) -> Layout {
    let cells = Cells::new(book, looks, grid);
    let (width, height) = cells.size();
    let spot = |middle: &Option<Lattice>| {
        middle.map(|middle| cells.xy(middle)).map(|(x, y)| Spot { x, y, r: R * 0.8 })
    };
    Layout {
        width,
        height,
        size: SIZE,
        spots: cells.middles.iter().map(spot).collect(),
        ground: cells.ground(width, height),
        lines: cells.lines(),
        shapes: cells
            .middles
            .iter()
            .map(|middle| middle.map_or(String::new(), |at| cells.shape(at)))
            .collect(),
        ways: Vec::new(),
        names: Some(cells.names()),
    }
}

impl<'a> Cells<'a> {
    fn new(book: &'a Book, looks: &'a Looks, grid: &Grid) -> Self {
        let count = book.kind(grid.things).things.len() as u32;
        let place = |thing| Some((word(book, grid.across, thing)?, word(book, grid.down, thing)?));
        let middles: Vec<Option<Lattice>> =
            (0..count).map(|thing| Some(middle(grid.stagger, place(thing)?))).collect();
        let mut cells = Self {
            book,
            looks,
            stagger: grid.stagger,
            places: grid.things,
            links: grid.links,
            middles,
            grounds: BTreeMap::new(),
            sides: BTreeMap::new(),
            origin: (0, 0),
        };
        cells.lay();
        cells
    }

    fn lay(&mut self) {
        let middles = self.middles.clone();
        for (thing, &middle) in middles.iter().enumerate() {
            let Some(middle) = middle else { continue };
            let ground = self.looks.ground.and_then(|ground| printed_name(self.book, ground, thing as u32));
            self.grounds
                .insert(middle, ground.and_then(|word| self.looks.ground_of(word)).unwrap_or(Ground::Clear));
            for side in self.sides_of(middle) {
                self.sides.entry(side).or_default().push(thing as u32);
            }
        }
        let corners: Vec<Lattice> = self.grounds.keys().flat_map(|&middle| self.corners(middle)).collect();
        self.origin = (
            corners.iter().map(|corner| corner.0).min().unwrap_or(0),
            corners.iter().map(|corner| corner.1).min().unwrap_or(0),
        );
        // Beyond the edge the ground goes on, so that coasts and woods run off the sheet.
        let edge: Vec<(Lattice, Ground)> =
            self.grounds.iter().map(|(&middle, &ground)| (middle, ground)).collect();
        for (middle, ground) in edge {
            for beyond in self.beside(middle) {
                self.grounds.entry(beyond).or_insert(ground);
            }
        }
    }

    fn corners(&self, (x, y): Lattice) -> Vec<Lattice> {
        match self.stagger {
            Stagger::Columns { .. } => {
                vec![(x + 2, y), (x + 1, y + 1), (x - 1, y + 1), (x - 2, y), (x - 1, y - 1), (x + 1, y - 1)]
            }
            Stagger::Rows { .. } => {
                vec![(x, y + 2), (x + 1, y + 1), (x + 1, y - 1), (x, y - 2), (x - 1, y - 1), (x - 1, y + 1)]
            }
            Stagger::Squares => vec![(x + 1, y + 1), (x - 1, y + 1), (x - 1, y - 1), (x + 1, y - 1)],
        }
    }

    /// The middles of the cells around one.
    fn beside(&self, (x, y): Lattice) -> Vec<Lattice> {
        match self.stagger {
            Stagger::Columns { .. } => {
                vec![(x, y + 2), (x, y - 2), (x + 3, y + 1), (x + 3, y - 1), (x - 3, y + 1), (x - 3, y - 1)]
            }
            Stagger::Rows { .. } => {
                vec![(x + 2, y), (x - 2, y), (x + 1, y + 3), (x + 1, y - 3), (x - 1, y + 3), (x - 1, y - 3)]
            }
            Stagger::Squares => vec![(x + 2, y), (x - 2, y), (x, y + 2), (x, y - 2)],
        }
    }

    fn sides_of(&self, middle: Lattice) -> Vec<Side> {
        let corners = self.corners(middle);
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).map(|(&a, &b)| if a < b { (a, b) } else { (b, a) }).collect()
    }

    fn xy(&self, (x, y): Lattice) -> (f64, f64) {
        let (long, short) = (R / 2.0, R * 3.0_f64.sqrt() / 2.0);
        let (across, down) = match self.stagger {
            Stagger::Columns { .. } => (long, short),
            Stagger::Rows { .. } => (short, long),
            Stagger::Squares => (R, R),
        };
        ((x - self.origin.0) as f64 * across, (y - self.origin.1) as f64 * down)
    }

    /// The outline of the cell around a middle.
    fn shape(&self, middle: Lattice) -> String {
        let corners = self.corners(middle).into_iter().map(|corner| self.xy(corner));
        let path: Vec<String> = corners.map(|(x, y)| format!("{},{}", n(x), n(y))).collect();
        format!("M{}Z", path.join("L"))
    }

    /// How large the grid is.
    fn size(&self) -> (f64, f64) {
        let corners = self.middles.iter().flatten().flat_map(|&middle| self.corners(middle));
        corners.map(|corner| self.xy(corner)).fold((0.0, 0.0), |(w, h), (x, y)| (w.max(x), h.max(y)))
    }

    fn tenths(&self, corner: Lattice) -> Corner {
        let (x, y) = self.xy(corner);
        ((x * 10.0).round() as i64, (y * 10.0).round() as i64)
    }

    fn curve(&self, sides: impl IntoIterator<Item = Side>) -> String {
        curves(sides.into_iter().map(|(a, b)| (self.tenths(a), self.tenths(b))))
    }

    /// The outline of all ground of a sort.
    fn outline(&self, is: impl Fn(Ground) -> bool) -> String {
        self.around(self.grounds.iter().filter(|(_, ground)| is(**ground)).map(|(&middle, _)| middle))
    }

    /// The outline of all cells with these middles together: a side between two of them is none of it.
    fn around(&self, middles: impl Iterator<Item = Lattice>) -> String {
        let mut once: BTreeSet<Side> = BTreeSet::new();
        for side in middles.flat_map(|middle| self.sides_of(middle)) {
            if !once.remove(&side) {
                once.insert(side);
            }
        }
        self.curve(once)
    }

    fn ground(&self, width: f64, height: f64) -> Markup {
        let has = |ground: Ground| self.grounds.values().any(|&other| other == ground);
        let land = self.outline(|ground| ground != Ground::Sea);
        let corners: Vec<String> = self
            .corners(self.origin)
            .into_iter()
            .map(|corner| self.xy(corner))
            .map(|(x, y)| format!("{},{}", n(x), n(y)))
            .collect();
        let few = self.middles.len() <= MANY;
        let things = &self.book.kind(self.places).things;
        html! {
            defs { polygon id="cell" points=(corners.join(" ")) {} }
            @if has(Ground::Sea) {
                rect class="sea" width=(n(width)) height=(n(height)) {}
                @for wave in ["w4", "w3", "w2", "w1"] { path class={ "shore " (wave) } d=(land) {} }
            }
            path class="land whole" fill-rule="evenodd" d=(land) {}
            @for cover in self.covers() { (deco::draw(&cover)) }
            g class="trees" { (deco::draw(&("tree", self.trees()))) }
            @for (thing, middle) in self.middles.iter().enumerate() {
                @if let Some((x, y)) = middle.map(|middle| self.xy(middle)) {
                    use class="place" id={ "p-" (token(self.places, thing as u32)) } data-t=(token(self.places, thing as u32))
                        role=[few.then_some("img")] aria-label=[few.then_some(&things[thing].name)] href="#cell" x=(n(x)) y=(n(y)) {}
                }
            }
        }
    }

    /// What covers the land.
    fn covers(&self) -> Vec<Drawn> {
        let sorts = [Ground::Wood, Ground::Hill, Ground::Marsh, Ground::Sand].into_iter();
        sorts.map(|sort| (sort.class(), self.outline(|ground| ground == sort))).collect()
    }

    /// The outline of all ground of a sort, without what lies beyond the edge.
    fn outline_on_sheet(&self, sort: Ground) -> String {
        let middles = self.middles.iter().flatten().copied();
        self.around(middles.filter(|middle| self.grounds.get(middle) == Some(&sort)))
    }

    /// A few trees in each wood, standing where its number says.
    fn trees(&self) -> String {
        let mut path = String::new();
        for (place, (&middle, _)) in
            self.grounds.iter().filter(|(_, ground)| **ground == Ground::Wood).enumerate()
        {
            let (x, y) = self.xy(middle);
            for tree in 0..5 {
                let turn = ((place * 37 + tree * 77) % 360) as f64 / 360.0 * std::f64::consts::TAU;
                let out = R * (0.38 + 0.054 * ((place + tree * 3) % 5) as f64);
                let size = R * 0.1;
                let (tx, ty) = (x + out * turn.cos(), y + out * 0.8 * turn.sin() - size * 1.6);
                path.push_str(&format!(
                    "M{},{}l{},{}h{}z",
                    n(tx),
                    n(ty),
                    n(size),
                    n(size * 2.0),
                    n(size * -2.0)
                ));
            }
        }
        path
    }

    /// The side between two places that touch.
    fn between(&self) -> BTreeMap<(u32, u32), Side> {
        let pairs = self.sides.iter().filter_map(|(&side, places)| match places.as_slice() {
            [a, b] => Some(((*a.min(b), *a.max(b)), side)),
            _ => None,
        });
        pairs.collect()
    }

    fn lines(&self) -> Markup {
        html! { @for stroke in self.strokes() { (deco::draw(&stroke)) } }
    }

    /// The sides of places, the marches between regions, and what runs along and across sides.
    fn strokes(&self) -> Vec<Drawn> {
        let grid: String = self
            .sides
            .keys()
            .map(|&(a, b)| (self.xy(a), self.xy(b)))
            .map(|((ax, ay), (bx, by))| format!("M{},{}L{},{}", n(ax), n(ay), n(bx), n(by)))
            .collect();
        let between = self.between();
        let march = self.looks.region.map(|region| self.marches(region));
        let flags: Vec<(Line, ColumnId)> = facts(self.book, self.links)
            .filter_map(|column| Some((self.looks.line_of(&self.book.column(column).name)?, column)))
            .collect();
        let along = |line: Line| {
            let columns = flags.iter().filter(move |(other, _)| *other == line).map(|(_, column)| *column);
            let sides: Vec<Side> = columns
                .flat_map(|column| self.flagged(column))
                .filter_map(|(a, b, _)| between.get(&(a.min(b), a.max(b))).copied())
                .collect();
            sides
        };
        vec![
            ("grid", grid),
            ("march", march.unwrap_or_default()),
            ("stream", self.curve(along(Line::Stream))),
            ("river", self.curve(along(Line::River))),
            ("wall", self.curve(along(Line::Wall))),
            ("road", self.roads(&along(Line::Road))),
            ("bridge", self.bridges(&along(Line::Bridge))),
        ]
    }

    /// The links that bear a flag, with their ends.
    fn flagged(&self, column: ColumnId) -> Vec<(u32, u32, u32)> {
        let links = &self.book.kind(self.links).things;
        let flagged = links
            .iter()
            .enumerate()
            .filter(|(at, _)| word(self.book, column, *at as u32).is_some_and(|word| word != 0));
        flagged.filter_map(|(at, link)| link.ends.map(|(a, b)| (a, b, at as u32))).collect()
    }

    /// The sides between two regions.
    fn marches(&self, region: ColumnId) -> String {
        let of = |place: u32| word(self.book, region, place);
        let sides = self.sides.iter().filter(|(_, places)| match places.as_slice() {
            [a, b] => matches!((of(*a), of(*b)), (Some(a), Some(b)) if a != b),
            _ => false,
        });
        self.curve(sides.map(|(&side, _)| side))
    }

    /// Roads run from side to side through the middle.
    fn roads(&self, sides: &[Side]) -> String {
        let mut at: BTreeMap<Lattice, Vec<(f64, f64)>> = BTreeMap::new();
        for side in sides {
            let ((ax, ay), (bx, by)) = (self.xy(side.0), self.xy(side.1));
            for place in self.sides.get(side).into_iter().flatten() {
                if let Some(middle) = self.middles[*place as usize] {
                    at.entry(middle).or_default().push(((ax + bx) / 2.0, (ay + by) / 2.0));
                }
            }
        }
        let mut path = String::new();
        for (middle, ways) in at {
            let (x, y) = self.xy(middle);
            match ways.as_slice() {
                [(ax, ay), (bx, by)] => {
                    path.push_str(&format!("M{},{}Q{},{} {},{}", n(*ax), n(*ay), n(x), n(y), n(*bx), n(*by)));
                }
                ways => {
                    for (ax, ay) in ways {
                        path.push_str(&format!("M{},{}L{},{}", n(*ax), n(*ay), n(x), n(y)));
                    }
                }
            }
        }
        path
    }

    /// Two strokes across the side.
    fn bridges(&self, sides: &[Side]) -> String {
        let mut path = String::new();
        for side in sides {
            let ((ax, ay), (bx, by)) = (self.xy(side.0), self.xy(side.1));
            let (mx, my, ux, uy) = ((ax + bx) / 2.0, (ay + by) / 2.0, (bx - ax) / R, (by - ay) / R);
            for along in [-0.12, 0.12] {
                let (x, y) = (mx + ux * R * along - uy * R * 0.17, my + uy * R * along + ux * R * 0.17);
                path.push_str(&format!("M{},{}l{},{}", n(x), n(y), n(uy * R * 0.34), n(ux * R * -0.34)));
            }
        }
        path
    }

    /// What is written on the grid.
    fn names(&self) -> Markup {
        let middles = self.middles.iter().map(|middle| middle.map(|middle| self.xy(middle)));
        names(self.book, self.looks, self.places, &middles.collect::<Vec<_>>())
    }
}

/// What is written on a grid, whose places have their middles there: regions in the middle of their places, places that have
/// names of their own beneath them, numbers above.
pub fn names(book: &Book, looks: &Looks, places: KindId, middles: &[Option<(f64, f64)>]) -> Markup {
    let things = &book.kind(places).things;
    let spots: Vec<(usize, f64, f64)> =
        middles.iter().enumerate().filter_map(|(place, middle)| middle.map(|(x, y)| (place, x, y))).collect();
    let mut regions: BTreeMap<&str, (f64, f64, f64)> = BTreeMap::new();
    if let Some(region) = looks.region {
        for &(place, x, y) in &spots {
            if let Some(name) = printed_name(book, region, place as u32) {
                let sum = regions.entry(name).or_default();
                *sum = (sum.0 + x, sum.1 + y, sum.2 + 1.0);
            }
        }
    }
    let number = |place: usize| {
        let grid = book.grids.first()?;
        word(book, grid.number, place as u32).map(|number| format!("{number:04}"))
    };
    html! {
        @for (name, (x, y, count)) in &regions {
            text class="region" x=(n(x / count)) y=(n(y / count)) { (name) }
        }
        @for &(place, x, y) in &spots {
            @if things[place].name.starts_with(|first: char| !first.is_ascii_digit()) {
                text class="town" x=(n(x)) y=(n(y + R * 0.76)) { (short(&things[place].name)) }
            }
            @if let Some(number) = number(place) { text class="num" x=(n(x)) y=(n(y - R * 0.66)) { (number) } }
        }
    }
}

/// How large the cells of a grid are.
pub fn area(grid: &Grid) -> f64 {
    match grid.stagger {
        Stagger::Columns { .. } | Stagger::Rows { .. } => 1.5 * 3.0_f64.sqrt() * R * R,
        Stagger::Squares => 4.0 * R * R,
    }
}

/// The middle of the cell at these coordinates of the book.
fn middle(stagger: Stagger, (across, down): (i64, i64)) -> Lattice {
    match stagger {
        Stagger::Columns { .. } => (3 * across, down),
        Stagger::Rows { .. } => (across, 3 * down),
        Stagger::Squares => (2 * across, 2 * down),
    }
}

/// A name without what stands in brackets.
pub(crate) fn short(name: &str) -> &str {
    name.split(" (").next().unwrap_or(name)
}
