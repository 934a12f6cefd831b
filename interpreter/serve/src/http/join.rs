//! Links: a secret that is shown once, exchanged for a cookie.

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};

use super::App;
use super::at::Page;
use super::page::{Failed, say};
use super::play::url;
use super::sent::{Path, Query};
use super::who::Who;
use crate::problem::Problem;
use crate::secret::{hash, is_secret, new_secret};

/// `GET /join/TABLE/SECRET`: whoever has the link has the seat from now on.
pub async fn join(
    State(app): State<App>,
    Path((name, secret)): Path<(String, String)>,
    who: Who,
) -> Result<Response, Failed> {
    let table = app.hall.table(&name)?;
    let facts = table.facts();
    let hashed = hash(&secret);
    let unknown = || Problem {
        text: "this link opens nothing, or a newer one has taken its place".into(),
        ..Problem::no_table()
    };
    if !is_secret(&secret) {
        return Err(unknown().into());
    }
    let seat = facts.seats.iter().position(|seat| seat.access.link == hashed);
    if seat.is_none() && facts.watch.link != hashed {
        return Err(unknown().into());
    }
    let (browser, cookie) = who.or_new(app.doors.secure)?;
    take_seat(&table, seat, &browser)?;
    let to = seat.map_or_else(|| format!("/t/{name}/?seat="), |seat| url(&name, &facts.seats[seat].player));
    let mut answer = Redirect::to(&to).into_response();
    if let Some(cookie) = cookie {
        answer.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(answer)
}

/// A browser has a seat from now on, or looks on.
fn take_seat(table: &crate::table::Table, seat: Option<usize>, browser: &str) -> Result<(), Problem> {
    let facts = table.facts();
    let has_it = match seat {
        Some(seat) => facts.opened_with(seat).iter().all(|&seat| facts.seats[seat].access.has(Some(browser))),
        None => facts.watch.has(Some(browser)),
    };
    if has_it {
        return Ok(());
    }
    let mut is_told = false;
    table.change(|facts| {
        let mut then = facts.clone();
        match seat {
            Some(seat) => then.take(seat, browser),
            None => then.watch.give(browser),
        }
        // Somebody may be told at this very moment. Whoever takes all seats that people have plays against none of them.
        is_told = seat.is_some() && facts.told && !then.has_all(browser);
        if is_told {
            return;
        }
        *facts = then;
        // A table that the server made is theirs who come first.
        if facts.ready && facts.owner.is_empty() && seat.is_some() {
            facts.owner = browser.to_owned();
        }
    })?;
    if is_told {
        let text = "somebody here has been told the whole game: it was saved, goes on from a saved game or from a point of \
                    another, or its rules were changed meanwhile. So nobody else may sit down; begin another with the one \
                    who sent the link";
        return Err(Problem::secret(text));
    }
    Ok(())
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
    let wanted = |seat: &crate::keep::Seat| seat.open && Some(seat.player.as_str()) == page.seat.as_deref();
    let Some(seat) = facts.seats.iter().position(wanted) else {
        return Err(Problem::refused("somebody else has taken this seat").into());
    };
    let (browser, cookie) = who.or_new(app.doors.secure)?;
    take_seat(&table, Some(seat), &browser)?;
    let mut answer = Redirect::to(&url(&name, &facts.seats[seat].player)).into_response();
    if let Some(cookie) = cookie {
        answer.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(answer)
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
    let browser = who.browser.as_deref();
    // Whoever made the table must not come in behind one who has sat down.
    let may = seat.map_or(facts.is_owner(browser), |seat| {
        let access = &facts.seats[seat].access;
        access.has(browser) || facts.is_owner(browser) && access.browsers.is_empty()
    });
    if !may {
        return Err(Problem::seat().into());
    }
    let secret = renewed(&table, seat)?;
    let whom = match seat {
        Some(seat) => {
            let seats = facts.linked_with(seat);
            let names: Vec<&str> = seats.iter().map(|&seat| facts.seats[seat].player.as_str()).collect();
            names.join(", ")
        }
        None => "spectators".to_owned(),
    };
    let link = format!("{}{}", base(&headers, app.doors.secure), link(&name, &secret));
    let mut lines = vec![format!("For {whom}; the one before opens nothing any more. It is shown only now.")];
    if seat.is_some() && facts.told {
        lines.push(
            "Somebody here has been told the whole game: it opens only for a browser that has all seats of people then."
                .to_owned(),
        );
    }
    Ok(say("A new link", &lines, &[(whom, link)], Some((&format!("/t/{name}/"), "To the table"))))
}

/// Another secret for a seat, or for spectators; where somebody has been told the whole game, for all seats in that hand.
///
/// # Errors
/// If the disk does not take it.
pub fn renewed(table: &crate::table::Table, seat: Option<usize>) -> Result<String, Problem> {
    let secret = new_secret()?;
    let hashed = hash(&secret);
    table.change(|facts| match seat {
        Some(seat) => {
            for seat in facts.linked_with(seat) {
                facts.seats[seat].access.link.clone_from(&hashed);
            }
        }
        None => facts.watch.link = hashed,
    })?;
    Ok(secret)
}

/// The way of a link.
pub fn link(table: &str, secret: &str) -> String {
    format!("/join/{table}/{secret}")
}

/// The front of links: as the browser has called us.
pub fn base(headers: &HeaderMap, secure: bool) -> String {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    format!("{}://{host}", if secure { "https" } else { "http" })
}
