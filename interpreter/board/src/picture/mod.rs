//! A picture: the board of a position as one SVG file that needs nothing beside it. The board and its pieces are those
//! of the page, drawn by the same functions; what a page has beside them as HTML is drawn here from the same data.

mod column;
mod style;

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};

use self::column::Column;
use crate::layout::Layout;
use crate::piece::Drawer;
use crate::signs::{hatches, n};
use crate::trays::{Key, Trays};

/// Around and between board and trays.
const GAP: f64 = 14.0;
/// The height of a board beside which trays are as large as on a page. Beside a higher one they grow.
const HEIGHT: f64 = 1000.0;

/// What a picture shows.
pub struct Picture<'a> {
    /// What draws pieces.
    pub drawer: &'a Drawer<'a>,
    /// Where places lie.
    pub layout: &'a Layout,
    /// The board with everything that stands on it.
    pub board: Markup,
    /// What stands beside it.
    pub trays: &'a Trays<'a>,
    /// The key to the map.
    pub key: Option<Key<'a>>,
}

impl Picture<'_> {
    /// The file.
    pub fn file(&self) -> String {
        // A game without places has no board.
        let (wide, high) = match self.drawer.looks.place {
            Some(_) => (self.layout.width, self.layout.height),
            None => (0.0, 0.0),
        };
        let scale = (high / HEIGHT).max(1.0);
        let room = if high > 0.0 { high / scale } else { HEIGHT };
        let mut column = Column::new(self.drawer, room);
        column.trays(self.trays, self.key.as_ref());
        let (beside, aside) = (column.width() * scale, column.height() * scale);
        let left = GAP + beside + GAP;
        let mut hand = Column::new(self.drawer, f64::INFINITY).at(left, GAP + high + GAP, wide.max(480.0));
        hand.hand(self.trays);
        let below = if hand.height() > 0.0 { GAP + hand.height() } else { 0.0 };
        let width = left + wide.max(if below > 0.0 { 480.0 } else { 0.0 }) + GAP;
        let height = GAP + aside.max(high + below) + GAP;
        let inside = html! {
            rect class="desk" width=(n(width)) height=(n(height)) {}
            @if high > 0.0 { g transform={ "translate(" (n(left)) "," (n(GAP)) ")" } { (self.board) } }
            @else { defs { (hatches()) } }
            g class="beside" transform={ "translate(" (n(GAP)) "," (n(GAP)) ") scale(" (format!("{scale:.3}")) ")" } { (PreEscaped(column.drawn())) }
            g class="beside" { (PreEscaped(hand.drawn())) }
        };
        self.with_style(&inside.into_string(), (width, height))
    }

    fn with_style(&self, inside: &str, (width, height): (f64, f64)) -> String {
        let (w, h) = (n(width), n(height));
        let mut file = String::new();
        // Writing to a string does not fail.
        let _ = writeln!(
            file,
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" role="img">"#
        );
        let title = html! { title { (self.trays.title) } };
        let _ = writeln!(file, "{}", title.into_string());
        let _ = writeln!(file, "<style>\n{}</style>", style::plain(inside));
        let _ = writeln!(file, "{}\n</svg>", inside.replace("><g", ">\n<g"));
        file
    }
}
