//! What pages are told: answers to GET that change nothing.

use std::convert::Infallible;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt};

use super::App;
use super::who::Who;
use crate::draw::Changes;
use crate::hall::Listening;
use crate::problem::Problem;

/// JSON that is already text.
pub struct Told(pub String);

impl IntoResponse for Told {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}

/// What a page says about itself.
#[derive(Deserialize)]
pub struct Page {
    /// As whom it looks; the empty text is a spectator.
    pub seat: Option<String>,
    /// The version that it has.
    #[serde(default)]
    pub since: u64,
}

/// Which option.
#[derive(Deserialize)]
pub struct Which {
    seat: Option<String>,
    number: u64,
    option: usize,
}

/// `GET update`: what is new.
pub async fn update(
    State(app): State<App>,
    Path(table): Path<String>,
    Query(page): Query<Page>,
    who: Who,
) -> Result<Told, Problem> {
    let table = app.hall.table(&table)?;
    let viewer = who.viewer(&table.facts(), page.seat.as_deref())?;
    let told = table.with(&app.hall, move |sitting| sitting.update(viewer, page.since)).await?;
    table.wake_bots(&app.hall);
    Ok(Told(told))
}

/// `GET events`: a line whenever there is something new.
pub async fn events(
    State(app): State<App>,
    Path(table): Path<String>,
    Query(page): Query<Page>,
    who: Who,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let table = app.hall.table(&table)?;
    let viewer = who.viewer(&table.facts(), page.seat.as_deref())?;
    let listening = Listening::new(&app.hall, &table)?;
    let versions = table.versions(viewer).subscribe();
    // What is new since somebody last looked.
    table.with(&app.hall, move |sitting| sitting.update(viewer, u64::MAX).map(|_| ())).await?;
    table.wake_bots(&app.hall);
    let events = WatchStream::new(versions).map(move |version| {
        let _ = &listening;
        Ok(Event::default().data(version.to_string()))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

/// `GET why`: why what could be asked about is not open.
pub async fn why(
    State(app): State<App>,
    Path(table): Path<String>,
    Query(page): Query<Page>,
    who: Who,
) -> Result<Told, Problem> {
    let table = app.hall.table(&table)?;
    let seat = who.seat(&table.facts(), page.seat.as_deref())?;
    table.with(&app.hall, move |sitting| sitting.why(seat)).await.map(Told)
}

/// `GET try`: what an option would change.
pub async fn attempt(
    State(app): State<App>,
    Path(table): Path<String>,
    Query(which): Query<Which>,
    who: Who,
) -> Result<Json<Changes>, Problem> {
    let table = app.hall.table(&table)?;
    let seat = who.seat(&table.facts(), which.seat.as_deref())?;
    table.with(&app.hall, move |sitting| sitting.attempt(seat, which.number, which.option)).await.map(Json)
}

/// `GET replay/N`: what a seat saw after so many choices; when the game is over, what any seat saw.
pub async fn replay(
    State(app): State<App>,
    Path((table, choices)): Path<(String, usize)>,
    Query(page): Query<Page>,
    who: Who,
) -> Result<Told, Problem> {
    let table = app.hall.table(&table)?;
    let told = table.with(&app.hall, move |sitting| {
        let facts = sitting.facts.clone();
        let any = sitting.live.ended().is_some() && facts.may_watch(who.browser.as_deref());
        let named = facts.seats.iter().position(|seat| Some(seat.player.as_str()) == page.seat.as_deref());
        let viewer = match named.filter(|_| any) {
            Some(seat) => Some(seat),
            None => who.viewer(&facts, page.seat.as_deref())?,
        };
        sitting.replay(viewer, choices)
    });
    told.await.map(Told)
}

/// `GET save`: the game as a file.
pub async fn save(State(app): State<App>, Path(table): Path<String>, who: Who) -> Result<Response, Problem> {
    let table = app.hall.table(&table)?;
    let file = format!("attachment; filename=\"{}.game\"", table.name);
    let text = table.with(&app.hall, move |sitting| sitting.save(who.browser.as_deref())).await?;
    let headers =
        [(header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, file)];
    Ok((headers, text).into_response())
}
