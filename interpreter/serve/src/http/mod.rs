//! What is answered to whom: the routes.

mod at;
mod design;
mod edit;
mod files;
mod guard;
mod join;
mod lean;
mod listen;
mod lobby;
mod look;
mod page;
mod play;
mod rate;
mod rules;
mod save;
mod sent;
mod webhook;
mod who;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;

use crate::hall::Hall;

pub use guard::{Doors, Reach};
pub use listen::{Entrance, Peer};

/// What every answer may need.
#[derive(Clone)]
pub struct App {
    /// The tables.
    pub hall: Arc<Hall>,
    /// Who is let in.
    pub doors: Arc<Doors>,
}

/// All routes.
pub fn routes(app: App) -> Router {
    let most = app.hall.most;
    let ration = || from_fn_with_state(app.clone(), guard::ration);
    let table = Router::new()
        .route("/", get(page::bare))
        .route("/update", get(look::update))
        .route("/events", get(look::events))
        .route("/why", get(look::why))
        .route("/hint", get(look::hint))
        .route("/try", get(look::attempt))
        .route("/replay/{choices}", get(look::replay))
        .route("/line/{choices}", get(look::line))
        .route("/paragraph/{number}", get(rules::paragraph))
        .route("/save", get(save::ask).post(save::save))
        .route("/choose", post(play::choose))
        .route("/undo", post(play::undo))
        .route("/resign", post(play::resign))
        .route("/rematch", post(play::rematch).layer(ration()))
        .route("/fork", post(play::fork).layer(ration()))
        .route("/bot", get(play::seats).post(play::bot))
        .route("/design", post(design::act))
        .route("/where", get(design::places))
        .route("/edit", get(edit::list))
        .route("/edit/link", get(edit::link))
        .route("/edit/page", get(edit::page))
        .route("/edit/look", post(edit::look).layer(DefaultBodyLimit::max(most.save)))
        .route("/edit/save", post(edit::save).layer(DefaultBodyLimit::max(most.save)))
        .route("/link", post(join::renew))
        .route("/sit", post(join::sit))
        .route("/webhook", get(webhook::form).post(webhook::keep));
    Router::new()
        .route("/", get(lobby::lobby))
        .route("/new", post(lobby::new).layer(ration()))
        .route("/load", post(lobby::load).layer(DefaultBodyLimit::max(most.save)).layer(ration()))
        .route("/join/{table}/{secret}", get(join::ask).post(join::join))
        .route("/web/{*file}", get(files::file))
        .route("/t/{table}/", get(page::table))
        .nest("/t/{table}", table)
        .fallback(page::missing)
        .method_not_allowed_fallback(page::no_such_act)
        .layer(DefaultBodyLimit::max(most.body))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}
