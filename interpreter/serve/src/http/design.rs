//! What the designer of a game does at a table of his own: what becomes of the game under changed rules, and where in the
//! rules something comes from.

use axum::Json;
use serde::{Deserialize, Serialize};

use super::at::At;
use super::look::Told;
use super::sent::{Query, Sent};
use crate::problem::Problem;
use crate::table::Asked;

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Act {
    Go,
    Stay,
    Without,
    Take,
}

#[derive(Deserialize)]
struct Wanted {
    act: Act,
    #[serde(default)]
    since: u64,
}

/// `POST design`: what becomes of the game.
pub async fn act(at: At, sent: Sent) -> Result<Told, Problem> {
    let Wanted { act, since } = sent.json()?;
    let seat = at.seat()?;
    let told = at.with(move |sitting| {
        sitting.is_designed()?;
        match act {
            Act::Go => sitting.go_on()?,
            Act::Stay => sitting.stay()?,
            Act::Without => sitting.take_out()?,
            Act::Take => sitting.take_in()?,
        }
        sitting.update(Some(seat), since)
    });
    let told = told.await?;
    at.wake_bots();
    Ok(Told(told))
}

/// What was clicked.
#[derive(Deserialize)]
pub struct Clicked {
    /// The number of the decision.
    #[serde(default)]
    number: u64,
    /// An option of it.
    option: Option<usize>,
    /// A line of the log, from 0.
    line: Option<usize>,
    /// What the page calls a thing.
    thing: Option<String>,
}

/// A place in the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// What stands there.
    pub what: String,
    /// File, line and column.
    pub at: String,
}

/// `GET where`: where in the rules something comes from that is seen on the page.
pub async fn places(at: At, Query(clicked): Query<Clicked>) -> Result<Json<Vec<Place>>, Problem> {
    let seat = at.seat()?;
    let asked = match clicked {
        Clicked { option: Some(option), number, .. } => Asked::Option(number, option),
        Clicked { line: Some(line), .. } => Asked::Line(line),
        Clicked { thing: Some(thing), .. } => Asked::Thing(thing),
        Clicked { .. } => Asked::Decision,
    };
    let told = at.with(move |sitting| {
        sitting.is_designed()?;
        sitting.places(seat, &asked)
    });
    let places = told.await?;
    Ok(Json(places.into_iter().map(|(what, at)| Place { what, at }).collect()))
}
