//! Where places lie, and the ground that they lie on: a drawn map, a grid, points, or rings when nothing is said.

mod curves;
mod deco;
mod hexes;
mod labels;
mod map;
mod outline;
mod points;
mod pole;
mod sorts;
mod start;
mod unplaced;

use blazon::book::{Book, KindId, Part};
use maud::Markup;

use crate::looks::Looks;
use crate::signs::n;
pub(crate) use hexes::short;
pub use labels::{MapLabel, labels_of_map};
pub use map::MapProblem;
pub use sorts::Sorts;
pub use start::map_to_begin_with;

/// Where places lie.
pub struct Layout {
    /// The width of the board, in units of its drawing.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// The side of a block, in the same units.
    pub size: f64,
    /// The middle of each place and how much room there is; nothing for a place that is not drawn.
    pub spots: Vec<Option<Spot>>,
    /// Beneath everything, and the shapes of places.
    pub ground: Markup,
    /// Links, over what lights up.
    pub lines: Markup,
    /// The outline of each place as path data; empty for a place that is not drawn.
    pub shapes: Vec<String>,
    /// The way of each link as path data, where links are drawn as ways from middle to middle.
    pub ways: Vec<Option<String>>,
    /// Names that never move. Where there are none, names are drawn with the pieces.
    pub names: Option<Markup>,
}

/// The middle of a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
    /// The radius of the largest circle that fits there.
    pub r: f64,
}

/// What places are laid out by, on which it hangs what of them is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// A drawn map.
    Map,
    /// A drawn map of what the rules lay out as a grid.
    MapOfGrid,
    /// A grid of the rules.
    Grid,
    /// Points, or rings when nothing is said.
    Points,
}

impl Plan {
    /// How the places of a game are laid out.
    pub fn of(book: &Book, looks: &Looks, has_map: bool) -> Self {
        let on_grid = book.grids.first().is_some_and(|grid| Some(grid.things) == looks.place);
        match (has_map, on_grid) {
            (true, true) => Self::MapOfGrid,
            (true, false) => Self::Map,
            (false, true) => Self::Grid,
            (false, false) => Self::Points,
        }
    }

    /// How they are laid out where there is no drawn map.
    pub fn without_map(self) -> Self {
        match self {
            Self::Map => Self::Points,
            Self::MapOfGrid => Self::Grid,
            Self::Grid | Self::Points => self,
        }
    }

    /// Whether a part of places or links is drawn so; parts of pieces and cards are anyhow.
    pub fn draws(self, part: Part) -> bool {
        match part {
            Part::Marks | Part::Point => matches!(self, Self::Map | Self::Points),
            Part::Home | Part::Line => self != Self::Grid,
            Part::Ground => self == Self::Grid,
            Part::Region => matches!(self, Self::Grid | Self::MapOfGrid),
            Part::At
            | Part::Side
            | Part::Pips
            | Part::Corner
            | Part::Counts
            | Part::Glyph
            | Part::Badge
            | Part::Box
            | Part::Aside
            | Part::Spent
            | Part::Hand
            | Part::Value => true,
        }
    }
}

impl Layout {
    /// The layout of a game; a drawn map goes before a grid, that before points.
    ///
    /// # Errors
    /// If the map is not one that can be shown.
    pub fn of(
        book: &Book,
        looks: &Looks,
        map: Option<&str>,
    ) -> Result<(Self, Vec<MapProblem>), Vec<MapProblem>> {
        let Some(place) = looks.place else { return Ok((Self::empty(), Vec::new())) };
        if let Some(text) = map {
            return map::draw(book, looks, place, text);
        }
        let layout = match book.grids.first().filter(|grid| grid.things == place) {
            Some(grid) => hexes::draw(book, looks, grid),
            None => points::draw(book, looks, place),
        };
        Ok((layout, Vec::new()))
    }

    /// A game without places.
    fn empty() -> Self {
        Self {
            width: 800.0,
            height: 600.0,
            size: 46.0,
            spots: Vec::new(),
            ground: maud::html! {},
            lines: maud::html! {},
            shapes: Vec::new(),
            ways: Vec::new(),
            names: None,
        }
    }
}

/// The kind that a token names, and the thing or the first of its look-alikes; of a back the kind alone. Nothing if it is no
/// token.
pub fn thing_of(token: &str) -> Option<(KindId, Option<u32>)> {
    let sort = token.chars().next().filter(|sort| ['t', 'l', 'b'].contains(sort))?;
    let mut numbers = token[1..].split('-').map(|number| number.parse::<u32>().ok());
    let (kind, thing) = (numbers.next()??, numbers.next()??);
    Some((KindId(kind), (sort != 'b').then_some(thing)))
}

/// The token of a place, or of anything that all see: it stands in `data-t`.
pub(crate) fn token(kind: KindId, thing: u32) -> String {
    format!("t{}-{thing}", kind.0)
}

/// A disc of eight curves, so that there is something to pull at.
pub(crate) fn round(Spot { x, y, r }: Spot) -> String {
    let turn = std::f64::consts::TAU / 8.0;
    let at = |place: f64, r: f64| (x + r * (place * turn).cos(), y + r * (place * turn).sin());
    let first = at(0.0, r);
    let mut path = format!("M{},{}", n(first.0), n(first.1));
    for place in 1..=8 {
        let (between, to) = (at(f64::from(place) - 0.5, r / (turn / 2.0).cos()), at(f64::from(place), r));
        path.push_str(&format!("Q{},{} {},{}", n(between.0), n(between.1), n(to.0), n(to.1)));
    }
    path.push('Z');
    path
}
