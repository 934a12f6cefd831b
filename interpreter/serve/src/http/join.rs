//! Links: a secret that is shown once, exchanged for a cookie.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;

use super::App;
use super::at::Page;
use super::page::{Failed, frame, say};
use super::sent::{Path, Query};
use super::who::Who;
use crate::keep::{Facts, Seat};
use crate::links::{to_join, to_table};
use crate::problem::Problem;
use crate::secret::{hash, is_secret, new_secret};
use crate::table::Table;

/// What a link opens.
struct Opened {
    table: Arc<Table>,
    facts: Arc<Facts>,
    /// The seat; none for spectators.
    seat: Option<usize>,
    hashed: String,
}

impl Opened {
    /// What a link opens.
    ///
    /// # Errors
    /// `serve::table` if it opens nothing.
    fn by(app: &App, name: &str, secret: &str) -> Result<Self, Problem> {
        let table = app.hall.table(name)?;
        let (facts, hashed) = (table.facts(), hash(secret));
        let seat = facts.seats.iter().position(|seat| seat.access.link == hashed);
        if !is_secret(secret) || !opens(&facts, seat, &hashed) {
            return Err(opens_nothing());
        }
        Ok(Self { table, facts, seat, hashed })
    }

    /// Where it leads.
    fn leads_to(&self) -> String {
        to_table(&self.table.name, self.seat.map_or("", |seat| &self.facts.seats[seat].player))
    }
}

/// Whether a link opens a seat, or the table for spectators.
fn opens(facts: &Facts, seat: Option<usize>, hashed: &str) -> bool {
    seat.map_or(&facts.watch.link, |seat| &facts.seats[seat].access.link) == hashed
}

fn opens_nothing() -> Problem {
    let text = "this link opens nothing, or a newer one has taken its place";
    Problem { text: text.to_owned(), ..Problem::no_table() }
}

/// `GET /join/TABLE/SECRET`: what the link opens, and a button. Nobody sits down by looking: a mail filter looks, too, and a
/// chat that shows what it links to.
pub async fn ask(
    State(app): State<App>,
    Path((name, secret)): Path<(String, String)>,
    who: Who,
) -> Result<Response, Failed> {
    let opened = Opened::by(&app, &name, &secret)?;
    let Opened { facts, seat, .. } = &opened;
    if who.browser.is_some_and(|browser| facts.has_opened(*seat, &browser)) {
        return Ok(Redirect::to(&opened.leads_to()).into_response());
    }
    let does = match seat {
        Some(seat) if facts.is_bots(*seat) => return Err(bots().into()),
        Some(seat) => format!("Sit down as {}", names(facts, &facts.manned_with(*seat))),
        None => "Look on".to_owned(),
    };
    let body = html! {
        body class="plain" {
            main {
                h1 { (facts.title) }
                p { (facts.setup) @for variant in &facts.variants { " + " (variant) } }
                form method="post" { button class="go" { (does) } }
            }
        }
    };
    Ok(frame(&facts.title, body).into_response())
}

/// `POST /join/TABLE/SECRET`: whoever has the link has the seat from now on.
pub async fn join(
    State(app): State<App>,
    Path((name, secret)): Path<(String, String)>,
    who: Who,
) -> Result<Response, Failed> {
    let opened = Opened::by(&app, &name, &secret)?;
    let (browser, cookie) = who.or_new(app.doors.reach.is_secure())?;
    let to = opened.leads_to();
    let Opened { table, seat, hashed, .. } = opened;
    let may = move |facts: &Facts| match opens(facts, seat, &hashed) {
        true => Ok(()),
        false => Err(opens_nothing()),
    };
    take_seat(&table, seat, &browser, may).await?;
    let mut answer = Redirect::to(&to).into_response();
    if let Some(cookie) = cookie {
        answer.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(answer)
}

/// The names of the players of some seats.
fn names(facts: &Facts, seats: &[usize]) -> String {
    let names: Vec<&str> = seats.iter().map(|&seat| facts.seats[seat].player.as_str()).collect();
    names.join(", ")
}

/// A browser has a seat from now on, or looks on, if it may: that is asked once more at the moment when it sits down, when
/// somebody else may just have done so.
async fn take_seat(
    table: &Arc<Table>,
    seat: Option<usize>,
    browser: &str,
    may: impl FnOnce(&Facts) -> Result<(), Problem> + Send + 'static,
) -> Result<(), Problem> {
    let facts = table.facts();
    if facts.has_opened(seat, browser) {
        return may(&facts);
    }
    let browser = browser.to_owned();
    let taken = table.change_soon(move |facts| {
        may(facts)?;
        if seat.is_some_and(|seat| facts.is_bots(seat)) {
            return Err(bots());
        }
        let mut then = facts.clone();
        match seat {
            Some(seat) => then.take(seat, &browser),
            None => then.watch.give(&browser),
        }
        // Somebody may be told at this very moment. Whoever takes all seats that people have plays against none of them.
        if seat.is_some() && facts.told && !then.has_all(&browser) {
            return Err(told());
        }
        *facts = then;
        // A table that the server made is theirs who come first.
        if facts.ready && facts.owner.is_empty() && seat.is_some() {
            facts.owner = browser;
        }
        Ok(())
    });
    taken.await?
}

/// While others take a seat for a bot's, nobody looks into its hand.
fn bots() -> Problem {
    Problem::refused(
        "a bot plays this seat, and as long as it does nobody sits down there and there is no link for it; give it to a \
         person first: “Who plays” in the menu of the table",
    )
}

fn told() -> Problem {
    Problem::secret(
        "somebody here has been told the whole game: it was saved, goes on from a saved game or from a point of another, or \
         its rules were changed meanwhile. So nobody else may sit down; begin another with the one who sent the link",
    )
}

/// `POST sit`: whoever comes first takes an open seat.
pub async fn sit(
    State(app): State<App>,
    Path(name): Path<String>,
    Query(page): Query<Page>,
    who: Who,
) -> Result<Response, Failed> {
    let table = app.hall.table(&name)?;
    let facts = table.facts();
    let wanted = |seat: &Seat| seat.is_open() && Some(seat.player.as_str()) == page.seat.as_deref();
    let Some(seat) = facts.seats.iter().position(wanted) else {
        return Err(taken().into());
    };
    let (browser, cookie) = who.or_new(app.doors.reach.is_secure())?;
    let is_open = move |facts: &Facts| if facts.seats[seat].is_open() { Ok(()) } else { Err(taken()) };
    take_seat(&table, Some(seat), &browser, is_open).await?;
    let mut answer = Redirect::to(&to_table(&name, &facts.seats[seat].player)).into_response();
    if let Some(cookie) = cookie {
        answer.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(answer)
}

fn taken() -> Problem {
    Problem::refused("somebody else has taken this seat")
}

/// `POST link`: another link for a seat, or for spectators; the one before opens nothing any more.
pub async fn renew(
    State(app): State<App>,
    Path(name): Path<String>,
    Query(page): Query<Page>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Failed> {
    let table = app.hall.table(&name)?;
    let facts = table.facts();
    let seat = facts.seats.iter().position(|seat| Some(seat.player.as_str()) == page.seat.as_deref());
    let secret = new_secret()?;
    let (browser, hashed) = (who.browser, hash(&secret));
    let linked = table.change_soon(move |facts| {
        let browser = browser.as_deref();
        if !seat.map_or(facts.is_owner(browser), |seat| facts.may_reseat(seat, browser)) {
            return Err(Problem::seat());
        }
        if seat.is_some_and(|seat| !facts.seats[seat].sits.is_human()) {
            return Err(bots());
        }
        facts.link_anew(seat, &hashed);
        Ok(())
    });
    linked.await??;
    let whom = match seat {
        Some(seat) => names(&facts, &facts.linked_with(seat)),
        None => "spectators".to_owned(),
    };
    let link = format!("{}{}", app.doors.reach.front(&headers), to_join(&name, &secret));
    let mut lines = vec![format!("For {whom}; the one before opens nothing any more. It is shown only now.")];
    if seat.is_some() && facts.told {
        lines.push(
            "Somebody here has been told the whole game: it opens only for a browser that has all seats of people then."
                .to_owned(),
        );
    }
    lines.extend(app.doors.reach.warning(&headers).map(str::to_owned));
    Ok(say("A new link", &lines, &[(whom, link)], Some((&format!("/t/{name}/"), "To the table"))))
}
