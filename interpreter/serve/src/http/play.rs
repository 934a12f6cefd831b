//! What pages do: POST with JSON.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::at::At;
use super::lobby::make;
use super::look::Told;
use super::sent::Sent;
use crate::keep::Sits;
use crate::links::to_table;
use crate::problem::Problem;
use crate::table::{Chosen, New, Opening, offered};

#[derive(Deserialize)]
struct Choice {
    number: u64,
    option: usize,
    #[serde(default)]
    since: u64,
}

#[derive(Deserialize)]
struct Since {
    #[serde(default)]
    since: u64,
}

/// `POST choose`.
pub async fn choose(at: At, sent: Sent) -> Result<Response, Problem> {
    let Choice { number, option, since } = sent.json()?;
    let seat = at.seat()?;
    let chosen = at.with(move |sitting| sitting.choose(seat, number, option, since)).await?;
    at.wake_bots();
    Ok(match chosen {
        Chosen::Taken(update) => Told(update).into_response(),
        Chosen::Stale(update) => (StatusCode::CONFLICT, Told(update)).into_response(),
    })
}

/// `POST undo`.
pub async fn undo(at: At, sent: Sent) -> Result<Told, Problem> {
    let Since { since } = sent.json()?;
    let seat = at.seat()?;
    let told = at.with(move |sitting| sitting.undo(seat, since)).await?;
    at.wake_bots();
    Ok(Told(told))
}

/// `POST resign`.
pub async fn resign(at: At, sent: Sent) -> Result<Told, Problem> {
    let Since { since } = sent.json()?;
    let seat = at.seat()?;
    at.with(move |sitting| sitting.resign(seat, since)).await.map(Told)
}

/// `POST rematch`: the same people, the same rules, other dice. Whoever asks second comes to the same table.
pub async fn rematch(at: At) -> Result<Json<Value>, Problem> {
    let seat = at.seat()?;
    let ended = at.with(|sitting| Ok(sitting.live.ended().is_some())).await?;
    if !ended {
        return Err(Problem::refused("the game is not over"));
    }
    let At { app, table, who, .. } = at;
    // Both ask at once, and come to the same table.
    let _alone = app.hall.rematches.lock().await;
    let facts = table.facts();
    let next = match facts.rematch.clone().filter(|next| app.hall.table(next).is_ok()) {
        Some(next) => next,
        None => {
            let new = New { setup: Some(facts.setup.clone()), browser: who.browser, ..New::again(&facts) };
            let made = make(&app, new).await?;
            let next = app.hall.table(&made.name)?;
            let (people, name) = (facts.clone(), made.name.clone());
            next.change_soon(move |other| other.seats_from(&people)).await?;
            table.change_soon(|facts| facts.rematch = Some(name)).await?;
            made.name
        }
    };
    Ok(Json(json!({ "url": to_table(&next, &facts.seats[seat].player) })))
}

#[derive(Deserialize)]
struct Fork {
    at: usize,
}

/// `POST fork`: another table, from a point of this game on, for this browser alone: what is to come there can be seen here
/// before, or has been.
pub async fn fork(at: At, sent: Sent) -> Result<Json<Value>, Problem> {
    let Fork { at: choices } = sent.json()?;
    let browser = at.who.browser.clone();
    let saved = at.with(move |sitting| sitting.fork(browser.as_deref(), choices)).await?;
    let At { app, table, page, who } = at;
    let facts = table.facts();
    let mut new = New { saved: Some(saved), browser: who.browser, ..New::again(&facts) };
    for opening in new.seats.values_mut() {
        if matches!(opening, Opening::Link | Opening::Open) {
            *opening = Opening::Mine;
        }
    }
    let made = make(&app, new).await?;
    let seat = page.seat.filter(|seat| !seat.is_empty()).unwrap_or_else(|| facts.seats[0].player.clone());
    Ok(Json(json!({ "url": to_table(&made.name, &seat) })))
}

/// `GET bot`: who plays which seat, and which of them this browser may give to somebody else.
pub async fn seats(at: At) -> Result<Json<Value>, Problem> {
    at.viewer()?;
    let facts = at.table.facts();
    let browser = at.who.browser.as_deref();
    let seats = facts.seats.iter().enumerate().map(|(place, seat)| {
        let bot = seat.sits.bot().map(ToString::to_string).unwrap_or_default();
        let (yours, may) = (seat.access.has(browser), facts.may_reseat(place, browser));
        json!({ "seat": seat.player, "bot": bot, "yours": yours, "may": may })
    });
    Ok(Json(seats.collect()))
}

#[derive(Deserialize)]
struct Bot {
    seat: String,
    bot: String,
}

/// `POST bot`: a bot takes a seat, or gives it back. A seat's own browser may do so, and whoever made the table as long
/// as nobody has sat down there, and a bot's hand would not be told by it.
pub async fn bot(at: At, sent: Sent) -> Result<Told, Problem> {
    let Bot { seat, bot } = sent.json()?;
    let sits = if bot.is_empty() { Sits::Human } else { Sits::Bot(offered(&bot)?) };
    let place = at.table.facts().seats.iter().position(|other| other.player == seat);
    let place = place.ok_or_else(Problem::seat)?;
    let browser = at.who.browser.clone();
    let (viewer, since) = (at.viewer()?, at.page.since);
    // Decided and written while the table is held: in between somebody could choose, and the game have begun.
    let reseated = at.with(move |sitting| {
        let has_begun = sitting.live.has_begun();
        let reseated = sitting.table.change(|facts| {
            if !facts.may_reseat(place, browser.as_deref()) {
                return Err(Problem::seat());
            }
            if has_begun && sits.is_human() && facts.tells_a_hand(place, browser.as_deref()) {
                return Err(Problem::secret(
                    "others have sat down at this table and somebody has chosen: what a bot has in its hand is told to \
                     nobody, so its seat stays with bots; give it to another bot, or begin another table",
                ));
            }
            facts.seats[place].sits = sits;
            Ok(())
        });
        reseated??;
        sitting.facts = sitting.table.facts();
        sitting.reseat(viewer, since)
    });
    let told = reseated.await?;
    at.wake_bots();
    Ok(Told(told))
}
