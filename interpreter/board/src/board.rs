//! The board of a game: what never changes of it, and what a seat is shown.

use std::sync::Arc;

use blazon::book::{Book, Look, Part, Says};
use blazon::diagnostics::Diagnostic;
use blazon::machine::Event;
use blazon::{Game, OptionId, PlayerId, Program, Result};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use crate::decision::{self, Decision, Refused};
use crate::display::{Display, belongs, display, displays, recall, scene};
use crate::layout::{Layout, MapProblem, Plan};
use crate::looks::Looks;
use crate::picture::Picture;
use crate::piece::Drawer;
use crate::places::places;
use crate::seen::Seen;
use crate::signs::{Sort, hatches, n};
use crate::trays::{Trays, fragments, key, key_html};

/// The board of a game, for all games of one program.
pub struct Board {
    program: Arc<Program>,
    looks: Looks,
    displays: Vec<Display>,
    plan: Plan,
    /// The looks of the rules that draw nothing, by their places in the book.
    idle: Vec<usize>,
    layout: Layout,
    differs: Vec<MapProblem>,
    sheet: String,
    key: String,
}

/// A part of the page that changes: the element of that id, in the layer of that name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fragment {
    /// Where it stands: `pieces`, `head`, `trays`, `hand` or `scene`; a server may add layers of its own.
    pub layer: &'static str,
    /// Its id.
    pub id: String,
    /// All of it.
    pub html: String,
}

/// What a seat is shown.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Everything that changes, in order.
    pub fragments: Vec<Fragment>,
    /// What it is asked.
    pub decision: Decision,
    behind: decision::Behind,
}

impl Shown {
    /// The options of the game that stand behind an option of the decision. There are several where they look the same
    /// to the seat: then one of them is to be taken by chance.
    pub fn behind(&self, option: usize) -> &[OptionId] {
        self.behind.get(option).map(Vec::as_slice).unwrap_or_default()
    }
}

impl Board {
    /// The board of a program, with its drawn map if it has one. Where the map differs from the rules is in
    /// [`Self::differs`].
    ///
    /// # Errors
    /// If the map cannot be read, or may not be shown.
    pub fn new(program: Arc<Program>, map: Option<&str>) -> std::result::Result<Self, Vec<MapProblem>> {
        let book = &program.book;
        let looks = Looks::of(book);
        let plan = Plan::of(book, &looks, map.is_some());
        let (displays, of_displays) = displays(book, &looks);
        let mut idle = looks.idle(book, plan);
        idle.extend(of_displays);
        let (layout, differs) = Layout::of(book, &looks, map)?;
        let sheet = sheet(&layout, "").into_string();
        let key = key(book, &looks, plan);
        let key = key.map(|key| key_html(&key).into_string()).unwrap_or_default();
        Ok(Self { program, looks, displays, plan, idle, layout, differs, sheet, key })
    }

    /// The board as it is before anything stands on it: `<svg id="board">`, whose layer `pieces` takes fragments. The
    /// layers `reach` and `over` are the client's.
    pub fn sheet(&self) -> &str {
        &self.sheet
    }

    /// The same with what stands on it: the fragments of the layer `pieces`, one after the other.
    pub fn sheet_with(&self, pieces: &str) -> String {
        sheet(&self.layout, pieces).into_string()
    }

    /// Where the drawn map differs from the rules: what is not there is left out, what has no shape is drawn as a disc.
    pub fn differs(&self) -> &[MapProblem] {
        &self.differs
    }

    /// The tincture of a side, by its place in the kind of players.
    pub fn tincture(&self, side: usize) -> &'static str {
        self.looks.tincture(u32::try_from(side).ok())
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(crate) fn looks(&self) -> &Looks {
        &self.looks
    }

    pub(crate) fn book(&self) -> &Book {
        &self.program.book
    }

    pub(crate) fn place_name(&self, place: usize) -> &str {
        let things = self.looks.place.map(|places| &self.program.book.kind(places).things);
        things.and_then(|things| things.get(place)).map_or("", |thing| thing.name.as_str())
    }

    /// The key to the map, as HTML.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The looks of the rules that draw nothing: what they are about has no such part on this board, or is drawn by no
    /// such sign. Each as the warning that tells of it (`looks::part`).
    pub fn idle(&self) -> impl Iterator<Item = Diagnostic> {
        let looks = self.idle.iter().filter_map(|&place| self.program.book.looks.get(place));
        looks.map(|look| self.why_idle(look))
    }

    fn why_idle(&self, look: &Look) -> Diagnostic {
        let book = &self.program.book;
        let (why, help) = match &look.says {
            Says::Part(_, part, _) if !self.plan.draws(*part) => self.why_not_so(*part),
            Says::Part(..) | Says::Display(..) => (
                "the board shows nothing that has such a part".to_owned(),
                "pieces stand on places and have a side, cards have a hidden face and a hand; see 4.6 of the reference"
                    .to_owned(),
            ),
            Says::Sign(word, None) if self.looks.bears_no_sign(book, word) => (
                format!("`{word}` bears no sign by itself"),
                format!("take the line out; a variant takes away what the game says by `remove look {word}`"),
            ),
            Says::Sign(word, None) => (
                format!("`{word}` is told nowhere else than where it is drawn"),
                "`none` of a part, as in `look piece pips: none`, draws it there no more".to_owned(),
            ),
            Says::Sign(word, sign) => {
                let drawn_by = |plan| self.looks.drawn_by(book, word, plan);
                let sorts: Vec<&str> = drawn_by(self.plan).into_iter().map(Sort::called).collect();
                match (sorts.is_empty(), sign.unwrap_or("none")) {
                    (true, _) if !drawn_by(self.plan.without_map()).is_empty() => (
                        format!("there is a drawn map, and `{word}` looks as it is drawn there"),
                        "change it in the map, or take the map out of the folder: then the rules draw the board".to_owned(),
                    ),
                    (true, _) => (
                        format!("the board shows nothing by the name of `{word}`"),
                        "players have tinctures, kinds of pieces and, where there is no grid, facts of places glyphs; a grid has grounds and lines; see 4.6 of the reference".to_owned(),
                    ),
                    (false, sign) => (
                        format!("`{word}` is not drawn by such a sign as `{sign}`"),
                        format!("give it {}", sorts.join(", or ")),
                    ),
                }
            }
        };
        let message = format!("`look {}` draws nothing: {why}", look.name);
        Diagnostic::warning("looks::part", look.span, message).help(help)
    }

    /// Why a part of places or links is not drawn on this board, and what is.
    fn why_not_so(&self, part: Part) -> (String, String) {
        let part = part.word();
        match self.plan {
            Plan::Grid => (
                format!("a grid draws no `{part}`"),
                "a grid shows ground and regions, and lines along and across its sides by the flags of links, such as `river`; leave the look out, or draw a map".to_owned(),
            ),
            Plan::MapOfGrid => (
                format!("a drawn map of a grid draws no `{part}`"),
                "leave the look out: the map shows it, or nothing does".to_owned(),
            ),
            Plan::Map | Plan::Points => (
                format!("only a grid draws `{part}`"),
                "leave the look out: a drawn map shows it, or nothing does".to_owned(),
            ),
        }
    }

    /// What a seat is shown; without a seat, what all seats see.
    ///
    /// # Errors
    /// If the rules fail that say who sees what.
    pub fn show(&self, game: &mut Game, viewer: Option<PlayerId>) -> Result<Shown> {
        let book = self.program.book.clone();
        let (view, behind) = game.view_and_behind(Some(viewer.unwrap_or(PlayerId::PUBLIC)))?;
        let seen = Seen::new(&book, &view, &behind);
        let drawer = Drawer { book: &book, looks: &self.looks, seen: &seen };
        let side = viewer.map(u32::from);
        let mut shown = places(&drawer, &self.layout, side);
        shown.extend(fragments(&drawer, &Trays::new(&drawer, &view.deciders, side, game.setup().index())));
        shown.extend(display(&drawer, &self.displays, &view.deciders, side));
        let (decision, behind) = decision::decision(game, &self.looks, &seen, viewer);
        Ok(Shown { fragments: shown, decision, behind })
    }

    /// What a seat sees as one SVG file that needs nothing beside it: the board, what stands on it and beside it, and the
    /// stylesheet. Without a seat, what all seats see.
    ///
    /// # Errors
    /// As [`Self::show`].
    pub fn picture(&self, game: &mut Game, viewer: Option<PlayerId>) -> Result<String> {
        let book = self.program.book.clone();
        let (view, behind) = game.view_and_behind(Some(viewer.unwrap_or(PlayerId::PUBLIC)))?;
        let seen = Seen::new(&book, &view, &behind);
        let drawer = Drawer { book: &book, looks: &self.looks, seen: &seen };
        let side = viewer.map(u32::from);
        let standing: String =
            places(&drawer, &self.layout, side).into_iter().map(|fragment| fragment.html).collect();
        let trays = Trays::new(&drawer, &view.deciders, side, game.setup().index());
        let picture = Picture {
            drawer: &drawer,
            layout: &self.layout,
            board: layers(&self.layout, &standing),
            trays: &trays,
            key: key(&book, &self.looks, self.plan),
        };
        Ok(picture.file())
    }

    /// The lines of the log for events, as a seat may know them, as HTML; nothing for an event of which it is told
    /// nothing.
    pub fn lines(&self, game: &Game, events: &[Event], viewer: Option<PlayerId>) -> Vec<Option<String>> {
        let viewer = viewer.unwrap_or(PlayerId::PUBLIC);
        events.iter().map(|event| crate::log::line(game, &self.looks, event, viewer)).collect()
    }

    /// By what it is known whether the same is displayed at the same place as in another position, as for
    /// [`Self::recall`]; nothing, where nothing is displayed.
    pub fn scene(&self, game: &Game) -> Option<u64> {
        scene(game, &self.displays)
    }

    /// Whether an event comes of the step that is displayed, or of one that this does.
    pub fn is_of_scene(&self, game: &Game, event: &Event) -> bool {
        event.span(game.program()).is_some_and(|at| belongs(game, &self.displays, at))
    }

    /// Puts [lines of the log](Self::lines) into what is displayed, if anything is: the last dice, and what came of them.
    pub fn recall(fragments: &mut [Fragment], lines: &[&str]) {
        recall(fragments, lines);
    }

    /// What could be asked about and is not open, with the first need that refuses it.
    ///
    /// # Errors
    /// As [`Self::show`].
    pub fn why(&self, game: &mut Game, player: PlayerId) -> Result<Vec<Refused>> {
        let book = self.program.book.clone();
        let (view, behind) = game.view_and_behind(Some(player))?;
        let seen = Seen::new(&book, &view, &behind);
        Ok(decision::refused(game, &seen, player))
    }
}

fn sheet(layout: &Layout, pieces: &str) -> Markup {
    html! {
        svg id="board" viewBox={ "0 0 " (n(layout.width)) " " (n(layout.height)) } role="group" aria-label="The board" {
            (layers(layout, pieces))
        }
    }
}

/// All that the board is drawn of, with some pieces on it.
fn layers(layout: &Layout, pieces: &str) -> Markup {
    html! {
        defs {
            (hatches())
            clipPath id="edge" { rect width=(n(layout.width)) height=(n(layout.height)) {} }
        }
        g id="ground" clip-path="url(#edge)" { (layout.ground) }
        g id="reach" {}
        g id="lines" clip-path="url(#edge)" { (layout.lines) }
        g id="names" { @if let Some(names) = &layout.names { (names) } }
        g id="pieces" { (PreEscaped(pieces)) }
        g id="over" {}
    }
}
