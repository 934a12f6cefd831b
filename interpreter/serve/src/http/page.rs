//! The page of a table, and pages that say one thing.

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::App;
use super::at::Page;
use super::sent::{Path, Query};
use super::who::Who;
use crate::keep::Facts;
use crate::links::{of_seat, to_table};
use crate::problem::Problem;
use crate::table::Viewer;

/// A problem as a page, for people who followed a link.
pub struct Failed {
    problem: Problem,
    /// The page from which it was asked for, if that may be gone back to.
    table: Option<String>,
}

impl Failed {
    /// What cannot be had at a table, asked for from its page.
    pub fn at(table: Option<String>, problem: Problem) -> Self {
        Self { problem, table }
    }
}

impl From<Problem> for Failed {
    fn from(problem: Problem) -> Self {
        Self::at(None, problem)
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        let Self { problem: Problem { status, code, text }, table } = self;
        let page = say(
            "This did not work",
            &[format!("{}.", sentence(&text)), code.to_owned()],
            &[],
            Some(table.as_deref().map_or(("/", "All tables"), |table| (table, "To the table"))),
        );
        (status, page).into_response()
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.trim_end_matches('.').chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// What is nowhere.
pub async fn missing() -> Response {
    Failed::from(Problem::new(StatusCode::NOT_FOUND, "serve::table", "there is nothing here")).into_response()
}

/// The frame of every page.
pub fn frame(title: &str, body: Markup) -> Html<String> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                link id="icon" rel="icon" type="image/svg+xml" href="/web/icon.svg";
                link rel="stylesheet" href="/web/drawing.css";
                link rel="stylesheet" href="/web/board.css";
                link rel="stylesheet" href="/web/design.css";
            }
            (body)
        }
    };
    Html(page.into_string())
}

/// A page that says something, perhaps with links to be sent on, and where to go from there.
pub fn say(title: &str, lines: &[String], links: &[(String, String)], to: Option<(&str, &str)>) -> Response {
    let body = html! {
        body class="plain" {
            main {
                h1 { (title) }
                @for line in lines { p { (marked(line)) } }
                @if !links.is_empty() {
                    // Loaded anew, the page of links would make another table.
                    dl class="links" data-then=[to.map(|(to, _)| to)] {
                        @for (whom, link) in links {
                            dt { (whom) }
                            dd { code { (link) } " " button type="button" data-copy=(link) hidden { "Copy" } }
                        }
                    }
                    script type="module" src="/web/lobby.js" {}
                }
                @if let Some((to, words)) = to { p { a href=(to) { (words) } } }
            }
        }
    };
    frame(title, body).into_response()
}

/// A line, in which what stands between backticks is to be typed.
fn marked(line: &str) -> Markup {
    html! {
        @for (place, part) in line.split('`').enumerate() { @if place % 2 == 1 { code { (part) } } @else { (part) } }
    }
}

/// `GET /t/TABLE`: the addresses in the page are below the table, so it needs its stroke.
pub async fn bare(
    State(app): State<App>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Redirect, Failed> {
    let table = app.hall.table(&name)?;
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    Ok(Redirect::to(&format!("/t/{}/{query}", table.name)))
}

/// What is there, and does not do what is asked of it.
pub async fn no_such_act() -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "serve::request", "that cannot be done here")
}

/// `GET /t/TABLE/`: the page of a table for a seat.
pub async fn table(
    State(app): State<App>,
    Path(name): Path<String>,
    Query(page): Query<Page>,
    who: Who,
) -> Result<Response, Failed> {
    let table = app.hall.table(&name)?;
    let facts = table.facts();
    let viewer = who.viewer(&facts, page.seat.as_deref())?;
    let mine = facts.seats_of(who.browser.as_deref());
    let named = page.seat.is_some();
    let calls = !app.hall.calls.hosts().is_empty();
    let edits = app.hall.design.edits();
    let is_hosts = app.hall.is_hosts(who.browser.as_deref());
    let answer = table.with(&app.hall, move |sitting| {
        // Whoever has several seats comes to the one that is asked.
        let asked = mine.iter().find(|seat| sitting.live.standing().deciders.contains(seat));
        if let (false, Some(&seat)) = (named, asked.filter(|seat| Some(**seat) != viewer)) {
            let facts = &sitting.facts;
            return Ok(
                Redirect::to(&to_table(&sitting.table.name, &facts.seats[seat].player)).into_response()
            );
        }
        // What stands in the page is not told again.
        let version = sitting.version(viewer)?;
        let state = sitting.update(viewer, version)?;
        let pieces = sitting.pieces(viewer)?;
        let lines = sitting.lines(viewer);
        let designs = sitting.is_open_to_design() && viewer.is_some();
        let pen = match viewer {
            Some(_) if edits && sitting.lies_in_a_folder() => Pen::of(designs, is_hosts),
            _ => Pen::None,
        };
        let has_editor = pen == Pen::Edits && sitting.has_editor();
        let board = &sitting.live.kit.board;
        let deciders = &sitting.live.standing().deciders;
        let passes = viewer.is_some_and(|seat| !deciders.contains(&seat))
            && mine.iter().any(|seat| deciders.contains(seat));
        let frame = Parts {
            name: &sitting.table.name,
            facts: &sitting.facts,
            viewer,
            mine: &mine,
            passes,
            pieces: &pieces,
            lines: &lines,
            calls,
            designs,
            pen,
            has_editor,
        };
        Ok(frame.page(board, &state).into_response())
    });
    let answer = answer.await?;
    table.wake_bots(&app.hall);
    Ok(answer)
}

/// Whether somebody may change the rules in the browser, and else what he would have to do, if he is the one to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pen {
    Edits,
    /// He has not opened the link that the server printed.
    Elsewhere,
    /// Others have a part in the table.
    Shared,
    None,
}

impl Pen {
    fn of(designs: bool, is_hosts: bool) -> Self {
        match (designs, is_hosts) {
            (true, true) => Self::Edits,
            (true, false) => Self::Elsewhere,
            (false, true) => Self::Shared,
            (false, false) => Self::None,
        }
    }

    fn said(self) -> Option<&'static str> {
        match self {
            Self::Elsewhere => Some(
                "The rules are changed in the browser that has opened the link which blazon serve printed.",
            ),
            Self::Shared => Some(
                "The rules are changed only at a table that is all yours. Another browser has a seat here or looks on, perhaps \
                 another of your own: begin a table of your own from “All tables”.",
            ),
            Self::Edits | Self::None => None,
        }
    }
}

/// What a page is put together from.
struct Parts<'a> {
    name: &'a str,
    facts: &'a Facts,
    viewer: Viewer,
    mine: &'a [usize],
    pieces: &'a [(String, String)],
    lines: &'a [String],
    /// Whether another of the browser's seats is asked: the screen goes to who has it before anything is seen.
    passes: bool,
    /// Whether the server calls anybody.
    calls: bool,
    /// Whether its rules may be changed while it is played.
    designs: bool,
    /// Whether they may be changed in the browser, by this one.
    pen: Pen,
    /// Whether its designer has an editor of his own that is opened from the board.
    has_editor: bool,
}

impl Parts<'_> {
    fn page(&self, board: &crate::draw::Board, state: &str) -> Html<String> {
        let Self { name, facts, viewer, mine, .. } = *self;
        let player = |seat: usize| facts.seats.get(seat).map(|seat| seat.player.as_str()).unwrap_or_default();
        let mine: Vec<&str> = mine.iter().map(|&seat| player(seat)).collect();
        let all: Vec<&str> = facts.seats.iter().map(|seat| seat.player.as_str()).collect();
        let json = |names: &[&str]| serde_json::to_string(names).unwrap_or_default();
        let body = html! {
            body class=[self.passes.then_some("passing")] data-table=(name) data-seat=(viewer.map(player).unwrap_or_default())
                data-seats=(json(&mine)) data-all=(json(&all))
                data-design[self.designs] {
                header id="head" {
                    (self.layer("head"))
                    @if self.pen == Pen::Edits { a class="rules" href="#edit=" { "Change the rules" } }
                    @if let Some(said) = self.pen.said() { details class="rules" { summary { "Change the rules?" } p { (said) } } }
                }
                @if self.designs { div id="design" data-editor[self.has_editor] { (self.layer("design")) } }
                aside id="trays" aria-label="Trays" {
                    (self.layer("trays"))
                    @if self.calls && viewer.is_some() {
                        p class="keyline" { a href={ "webhook?" (self.query()) } { "Call me when it is my turn" } }
                    }
                }
                main id="stage" {
                    // With its pieces: nothing has to be patched before it can be looked at.
                    (PreEscaped(board.sheet_with(&self.layer("pieces").into_string())))
                    section id="scene" { (self.layer("scene")) }
                }
                aside id="panel" aria-label="Decision" {
                    section id="decision" {
                        p class="note" { "What is asked comes with the page's scripts. If this stays, load the page again, in a browser that runs scripts and is of 2024 or later." }
                    }
                    section id="hand" { (self.layer("hand")) }
                    section id="log" role="log" { ol tabindex="0" { @for line in self.lines { (PreEscaped(line)) } } }
                }
                script type="application/json" id="state" { (PreEscaped(in_script(state))) }
                script type="module" src="/web/table.js" {}
                @if self.designs { script type="module" src="/web/design.js" {} }
            }
        };
        frame(&facts.title, body)
    }

    /// The end of the page's own address.
    fn query(&self) -> String {
        let seat = self.viewer.and_then(|seat| self.facts.seats.get(seat));
        seat.map(|seat| of_seat(&seat.player)).unwrap_or_default()
    }

    fn layer(&self, layer: &str) -> Markup {
        html! { @for (_, html) in self.pieces.iter().filter(|(other, _)| other == layer) { (PreEscaped(html)) } }
    }
}

/// JSON that stands in a page: nothing in it ends the element.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}
