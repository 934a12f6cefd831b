//! The lobby: tables of this browser, open seats, a form for a new game made from the rules' own text.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use blazon::machine::save::{Save, SaveError};
use maud::{Markup, html};
use serde::Deserialize;

use super::App;
use super::page::{Failed, frame, say};
use super::sent::{Form, Query, Text};
use super::who::Who;
use crate::cores::waiting;
use crate::hall::now;
use crate::keep::{Facts, Seat, bots_of};
use crate::links::{encoded, of_seat, to_join, to_table};
use crate::problem::Problem;
use crate::shelf::{Kit, Offered, Wanted};
use crate::table::{Made, New, Opening, Table, offered};

/// The bots that one may play against, and what is said of them.
const SKILLS: [(&str, &str); 3] = [
    ("greedy", "a bot that looks ahead"),
    ("search", "a bot that thinks for a while"),
    ("random", "a bot that moves without a thought"),
];

/// The longest list of tables that is shown.
const SHOWN: usize = 100;

/// What the lobby is asked.
#[derive(Deserialize)]
pub struct Asked {
    /// Which game's form.
    game: Option<String>,
}

/// `GET /`.
pub async fn lobby(
    State(app): State<App>,
    Query(asked): Query<Asked>,
    who: Who,
) -> Result<Html<String>, Failed> {
    let shelf = &app.hall.shelf;
    let game = match &asked.game {
        Some(key) => shelf.game(key).ok_or_else(|| Problem::request("there is no such game here"))?,
        None => shelf.games().first().ok_or_else(|| Problem::internal("no game is served"))?,
    };
    // To compile a game takes a moment, and its rules may have errors.
    let wanted = Wanted { game: game.key.clone(), ..Wanted::default() };
    let kit = app.hall.kit(wanted).await;
    let tables = app.hall.tables();
    let browser = who.browser.as_deref();
    let mut mine: Vec<_> =
        tables.iter().filter(|table| table.facts().knows(browser.unwrap_or("-"))).collect();
    mine.sort_by_key(|table| !table.waits_for(browser));
    let mine = mine.into_iter().take(SHOWN);
    // Where somebody has been told the whole game, nobody else may sit down.
    let has_room = |facts: &Facts| !facts.told && facts.seats.iter().any(Seat::is_open);
    let open = tables.iter().filter(|table| has_room(&table.facts())).take(SHOWN);
    let damaged = browser.map(|browser| app.hall.damaged(browser)).unwrap_or_default();
    let body = html! {
        body class="plain lobby" {
            main {
                h1 { "Blazon" }
                (list("Your tables", mine, |table| yours(table, browser)))
                @if !damaged.is_empty() {
                    section { h2 { "Your tables that cannot be read" }
                        @for problem in damaged.iter().take(SHOWN) { p class="refused" { (problem.text) } }
                    }
                }
                (list("Open seats", open, |table| open_seats(table, browser)))
                section id="new" {
                    h2 { "New game" }
                    nav aria-label="Games" {
                        @for other in shelf.games() {
                            a href={ "/?game=" (encoded(&other.key)) } aria-current=[(other.key == game.key).then_some("true")] { (other.name) } " "
                        }
                    }
                    @match &kit {
                        Ok(kit) => (form(game, kit)),
                        Err(problem) => { p class="refused" { (game.name) " cannot be played:" } pre { (problem.text) } }
                    }
                }
                section id="load" {
                    h2 { "Go on with a saved game" }
                    p { label { "A file of " code { "blazon play" } " or of this server: " input type="file" id="file"; } }
                    p { "One that was downloaded here goes on with its bots, and all other seats are yours. " i { "Who plays" } " in the menu of the table says otherwise." }
                    p { "It tells everything, the dice to come among it. So it goes on for you alone, against bots or at one screen; nobody else can sit down there." }
                    p id="loaded" class="refused" role="status" {}
                }
            }
            script type="module" src="/web/lobby.js" {}
        }
    };
    Ok(frame("Blazon", body))
}

fn list<'a>(
    title: &str,
    tables: impl Iterator<Item = &'a Arc<Table>>,
    line: impl Fn(&Table) -> Markup,
) -> Markup {
    let lines: Vec<Markup> = tables.map(|table| line(table)).collect();
    html! {
        @if !lines.is_empty() {
            section { h2 { (title) } ul class="tables" { @for line in lines { li { (line) } } } }
        }
    }
}

/// What is played at a table, by whom and since when: tables of one game are told apart by that, and by their names.
fn played(table: &Table, browser: Option<&str>) -> Markup {
    let facts = table.facts();
    let asked = table.asked().unwrap_or_default();
    let is_mine = |place: &usize| facts.seats[*place].access.has(browser);
    let names: Vec<&str> = asked.iter().map(|&place| facts.seats[place].player.as_str()).collect();
    html! {
        span {
            b { (facts.title) } " · " (facts.setup)
            @for variant in &facts.variants { " + " (variant) }
        }
        @if let Some(ended) = table.ended() { span { (ended) } }
        @else if asked.iter().any(is_mine) { strong class="turn" { "your turn" } }
        @else if !asked.is_empty() { span { (names.join(", ")) @if names.len() == 1 { " decides" } @else { " decide" } } }
        small {
            @for seat in &facts.seats { (seat.player) ": " (who_sits(seat, browser)) " · " }
            "begun " (ago(now().saturating_sub(facts.made))) " · table " (table.name)
        }
    }
}

/// Who plays a player, as everybody may know it.
fn who_sits(seat: &Seat, browser: Option<&str>) -> String {
    let whose = match &seat.access {
        access if access.has(browser) => Some("you"),
        access if !access.browsers.is_empty() => Some("somebody"),
        _ => None,
    };
    let Some(skill) = seat.sits.bot() else { return whose.unwrap_or("nobody yet").to_owned() };
    let bot = SKILLS.into_iter().find(|(word, _)| skill.to_string().starts_with(word));
    let bot = bot.map_or("a bot", |(_, told)| told);
    // Whoever lets a bot play for him sees what it sees.
    whose.map_or_else(|| bot.to_owned(), |whose| format!("{bot}, for {whose}"))
}

/// A time that has passed, in seconds, as people say it.
fn ago(seconds: u64) -> String {
    let (count, unit) = match seconds {
        0..60 => return "just now".to_owned(),
        60..3600 => (seconds / 60, "minute"),
        3600..86_400 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" })
}

fn yours(table: &Table, browser: Option<&str>) -> Markup {
    let facts = table.facts();
    let seats = facts.seats_of(browser);
    html! {
        (played(table, browser)) " "
        @for seat in &seats { @let name = &facts.seats[*seat].player; a href=(to_table(&table.name, name)) aria-label={ (name) ", table " (table.name) } { (name) } " " }
        @if seats.is_empty() { a href=(to_table(&table.name, "")) { "look on" } }
        @if facts.is_owner(browser) {
            @for seat in facts.seats.iter().filter(|seat| seat.sits.is_human() && seat.access.browsers.is_empty()) {
                form method="post" action={ "/t/" (table.name) "/link?" (of_seat(&seat.player)) } {
                    button { "New link for " (seat.player) }
                }
            }
        }
    }
}

fn open_seats(table: &Table, browser: Option<&str>) -> Markup {
    let facts = table.facts();
    html! {
        (played(table, browser)) " "
        @for seat in facts.seats.iter().filter(|seat| seat.is_open()) {
            form method="post" action={ "/t/" (table.name) "/sit?" (of_seat(&seat.player)) } {
                button { "Sit down as " (seat.player) }
            }
        }
    }
}

/// The form for a new game.
fn form(game: &Offered, kit: &Kit) -> Markup {
    let book = &kit.pool.program().book;
    let things = &book.kind(book.player).things;
    let players = book.players.iter().filter_map(|&player| things.get(player as usize));
    html! {
        form method="post" action="/new" {
            input type="hidden" name="game" value=(game.key);
            @if book.setups.len() > 1 {
                p { label { "Begin with " select name="setup" {
                    @for (place, setup) in book.setups.iter().enumerate() {
                        option value=(setup.name) selected[place == book.default_setup] {
                            (setup.name) @if let Some(title) = &setup.title { " – " (title) }
                        }
                    }
                } } }
            }
            @for (place, player) in players.enumerate() {
                p { label { (player.name) " is played by " select name={ "seat." (player.name) } {
                    option value="mine" selected[place == 0] { "me" }
                    @for (word, told) in SKILLS {
                        option value=(word) selected[place != 0 && word == "greedy"] { (told) }
                    }
                    option value="link" { "somebody to whom I send a link" }
                    option value="open" { "whoever comes first" }
                } } }
            }
            @let variants = game.variants();
            @if !variants.is_empty() {
                fieldset { legend { "Variants" }
                    @for variant in variants.iter() {
                        label { input type="checkbox" name="variant" value=(variant.key); " " (variant.name)
                            @for (place, (_, name)) in variant.with.iter().enumerate() {
                                (if place == 0 { " (with " } else { ", " }) (name)
                            }
                            @if !variant.with.is_empty() { ")" }
                        } " "
                    }
                }
            }
            @if !book.rulings.is_empty() {
                details { summary { "Rulings: where the rulebook leaves a question open" }
                    @for ruling in &book.rulings {
                        p { label { (ruling.question) " " select name={ "ruling." (ruling.name) } {
                            @for (place, value) in ruling.values.iter().enumerate() {
                                option value=(if place == 0 { "" } else { value.as_str() }) { (value) }
                            }
                        } } }
                    }
                }
            }
            p { button class="go" { "Begin" } }
        }
    }
}

/// `POST /new`: the form.
pub async fn new(
    State(app): State<App>,
    who: Who,
    headers: HeaderMap,
    Form(fields): Form<Vec<(String, String)>>,
) -> Result<Response, Failed> {
    let (browser, cookie) = who.or_new(app.doors.reach.is_secure())?;
    let new = New { browser: Some(browser), ..read(fields)? };
    let openings = new.seats.clone();
    let made = make(&app, new).await?;
    let reach = &app.doors.reach;
    let mut answer = begun(&app, &made, &openings, (&reach.front(&headers), reach.warning(&headers)))?;
    if let Some(cookie) = cookie {
        answer.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(answer)
}

/// What a form asks for.
fn read(fields: Vec<(String, String)>) -> Result<New, Problem> {
    let mut new = New::default();
    for (name, value) in fields {
        match name.split_once('.') {
            Some(("seat", player)) => {
                let opening = match value.as_str() {
                    "mine" => Opening::Mine,
                    "link" => Opening::Link,
                    "open" => Opening::Open,
                    bot => Opening::Bot(offered(bot)?),
                };
                new.seats.insert(player.to_owned(), opening);
            }
            Some(("ruling", _)) if value.is_empty() => {}
            Some(("ruling", ruling)) => new.wanted.rulings.push((ruling.to_owned(), value)),
            _ => match name.as_str() {
                "game" => new.wanted.game = value,
                "setup" => new.setup = Some(value),
                "variant" => new.wanted.variants.push(value),
                _ => return Err(Problem::request(format!("nothing here is called `{name}`"))),
            },
        }
    }
    Ok(New { wanted: new.wanted.sorted(), ..new })
}

/// Makes a table on a thread that may wait.
pub async fn make(app: &App, mut new: New) -> Result<Made, Problem> {
    app.hall.has_room()?;
    if let Some(game) = app.hall.shelf.game(&new.wanted.game) {
        new.wanted = game.whole(new.wanted);
    }
    let _kit = app.hall.kit(new.wanted.clone()).await?;
    let hall = app.hall.clone();
    // A long game is played again first: players do not wait for that.
    let cores = if new.saved.is_some() { &app.hall.compiling } else { &app.hall.cores };
    cores.work(move || hall.make(new)).await?
}

/// Where to go from a new table: to it, or first to the links that are to be sent.
fn begun(
    app: &App,
    made: &Made,
    openings: &BTreeMap<String, Opening>,
    (base, warning): (&str, Option<&str>),
) -> Result<Response, Problem> {
    let facts = app.hall.table(&made.name)?.facts();
    let mine = facts.seats.iter().find(|seat| openings.get(&seat.player) == Some(&Opening::Mine));
    let to = match mine {
        Some(seat) => to_table(&made.name, &seat.player),
        None => to_table(&made.name, ""),
    };
    let sent = facts
        .seats
        .iter()
        .zip(&made.secrets)
        .filter(|(seat, _)| openings.get(&seat.player).is_none_or(|opening| *opening == Opening::Link));
    let mut links: Vec<(String, String)> = sent
        .map(|(seat, secret)| (seat.player.clone(), format!("{base}{}", to_join(&made.name, secret))))
        .collect();
    if links.is_empty() {
        return Ok(Redirect::to(&to).into_response());
    }
    if let Some(watch) = made.secrets.last() {
        links.push(("Spectators".to_owned(), format!("{base}{}", to_join(&made.name, watch))));
    }
    let mut lines = vec![
        "Send each his link. Whoever sits down by it has the seat; it is shown only now.".to_owned(),
        "The page of all tables makes a new one as long as nobody has sat down.".to_owned(),
    ];
    lines.extend(warning.map(str::to_owned));
    Ok(say(&facts.title, &lines, &links, Some((&to, "To the table"))))
}

/// Why a file is not taken as a saved game, for whoever may never have looked into one.
fn not_taken(error: SaveError) -> Problem {
    let problem = Problem::from(error.clone());
    let text = match error.code {
        "save::damaged" => format!(
            "This file is no saved game, or it is damaged. Choose one as it was written: by “Download the game” in the \
             menu of a table, or by blazon play. (In the file: {}.)",
            error.message.trim_end_matches('.')
        ),
        _ => format!("This saved game is not taken: {}.", error.message.trim_end_matches('.')),
    };
    Problem { text, ..problem }
}

/// `POST /load`: the body is a saved game; answers where it goes on. Seats that bots had are theirs again; all others are
/// this browser's, and stay so: a saved game holds what everybody keeps secret.
pub async fn load(State(app): State<App>, who: Who, Text(text): Text) -> Result<Response, Problem> {
    let (browser, cookie) = who.or_new(app.doors.reach.is_secure())?;
    // A file of megabytes is read where others need not wait for it.
    let read = waiting(move || Ok((Save::from_text(&text).map_err(not_taken)?, text)));
    let (save, text) = read.await?;
    let shelf = &app.hall.shelf;
    let Some(game) = shelf.games().iter().find(|game| game.name == save.rules.game) else {
        let text = format!("the game `{}` is not served here", save.rules.game);
        return Err(Problem::new(axum::http::StatusCode::NOT_FOUND, "serve::game", text));
    };
    let known = game.variants();
    let key = |name: &String| known.iter().find(|other| other.name == *name).map(|known| known.key.clone());
    let variants: Option<Vec<String>> = save.rules.variants.iter().map(|(name, _)| key(name)).collect();
    let Some(variants) = variants else {
        return Err(Problem::request("it was played with a variant that is not served here"));
    };
    let wanted = Wanted { game: game.key.clone(), variants, rulings: save.rules.rulings.clone() }.sorted();
    let bots = bots_of(&text).into_iter();
    let bots = bots.filter_map(|(player, bot)| Some((player, Opening::Bot(offered(&bot).ok()?))));
    let new = New {
        wanted,
        seats: bots.collect(),
        mine: true,
        saved: Some(text),
        browser: Some(browser.clone()),
        ..New::default()
    };
    let made = make(&app, new).await?;
    let facts = app.hall.table(&made.name)?.facts();
    let mine = facts.seats_of(Some(&browser)).first().copied();
    let to = to_table(&made.name, mine.map_or("", |seat| &facts.seats[seat].player));
    let mut answer = axum::Json(serde_json::json!({ "url": to })).into_response();
    if let Some(cookie) = cookie {
        answer.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(answer)
}
