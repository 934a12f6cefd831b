//! What pages are told: answers to GET that change nothing.

use std::convert::Infallible;

use axum::Json;
use axum::http::header;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt};

use super::at::At;
use super::sent::{Path, Query};
use crate::draw::Changes;
use crate::hall::Listening;
use crate::problem::Problem;
use crate::table::Hints;

/// JSON that is already text.
pub struct Told(pub String);

impl IntoResponse for Told {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}

/// Which option.
#[derive(Deserialize)]
pub struct Which {
    number: u64,
    option: usize,
}

/// `GET update`: what is new.
pub async fn update(at: At) -> Result<Told, Problem> {
    let (viewer, since) = (at.viewer()?, at.page.since);
    let told = at.with(move |sitting| sitting.update(viewer, since)).await?;
    at.wake_bots();
    Ok(Told(told))
}

/// `GET events`: a line whenever there is something new.
pub async fn events(at: At) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let viewer = at.viewer()?;
    let listening = Listening::new(&at.app.hall, &at.table, viewer)?;
    let versions = at.table.versions(viewer).subscribe();
    // What is new since somebody last looked.
    at.with(move |sitting| sitting.version(viewer).map(|_| ())).await?;
    at.wake_bots();
    let events = WatchStream::new(versions).map(move |version| {
        let _ = &listening;
        Ok(Event::default().data(version.to_string()))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

/// `GET why`: why what could be asked about is not open.
pub async fn why(at: At) -> Result<Told, Problem> {
    let seat = at.seat()?;
    at.with(move |sitting| sitting.why(seat)).await.map(Told)
}

/// `GET hint`: what a bot would do that knows what the seat may know.
pub async fn hint(at: At) -> Result<Json<Hints>, Problem> {
    let seat = at.seat()?;
    at.table.hint(&at.app.hall, seat).await.map(Json)
}

/// `GET try`: what an option would change.
pub async fn attempt(at: At, Query(which): Query<Which>) -> Result<Json<Changes>, Problem> {
    let seat = at.seat()?;
    at.with(move |sitting| sitting.attempt(seat, which.number, which.option)).await.map(Json)
}

/// Which way somebody looks at the game.
#[derive(Deserialize)]
pub struct Way {
    /// From a later choice.
    #[serde(default)]
    back: bool,
}

/// `GET replay/N`: what a seat saw after so many choices; when the game is over, what any seat saw.
pub async fn replay(
    at: At,
    Path((_, choices)): Path<(String, usize)>,
    Query(way): Query<Way>,
) -> Result<Told, Problem> {
    let At { app, table, page, who } = at;
    let told = table.with(&app.hall, move |sitting| {
        let facts = sitting.facts.clone();
        let any = sitting.live.ended().is_some() && facts.may_watch(who.browser.as_deref());
        let named = facts.seats.iter().position(|seat| Some(seat.player.as_str()) == page.seat.as_deref());
        let viewer = match named.filter(|_| any) {
            Some(seat) => Some(seat),
            None => who.viewer(&facts, page.seat.as_deref())?,
        };
        sitting.replay(viewer, choices, way.back)
    });
    told.await.map(Told)
}

/// `GET line/N`: what was seen since so many choices, step by step.
pub async fn line(at: At, Path((_, choices)): Path<(String, usize)>) -> Result<Told, Problem> {
    let viewer = at.viewer()?;
    at.with(move |sitting| sitting.line_of_play(viewer, choices)).await.map(Told)
}
