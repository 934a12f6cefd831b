//! What goes wrong, as whoever asked is told it: a status, a code, a sentence.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde_json::json;

/// Why something was not done. Nothing has changed then.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The status of the answer.
    pub status: StatusCode,
    /// The code; `blazon explain` has its page.
    pub code: &'static str,
    /// One or two sentences.
    pub text: String,
}

impl Problem {
    /// Something that is not as it should be.
    pub fn new(status: StatusCode, code: &'static str, text: impl Into<String>) -> Self {
        Self { status, code, text: text.into() }
    }

    /// What was asked cannot be understood.
    pub fn request(text: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "serve::request", text)
    }

    /// There is no such table, or none that this browser may know of.
    pub fn no_table() -> Self {
        Self::new(StatusCode::NOT_FOUND, "serve::table", "there is no such table here")
    }

    /// The seat is not this browser's.
    pub fn seat() -> Self {
        let text = "this browser has no such seat at this table; open the link that was sent for it";
        Self::new(StatusCode::FORBIDDEN, "serve::seat", text)
    }

    /// Too much at once.
    pub fn limit(text: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "serve::limit", text)
    }

    /// It cannot be done as things stand.
    pub fn refused(text: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "serve::refused", text)
    }

    /// The game parts under changed rules, and nobody has said yet what becomes of it.
    pub fn parted() -> Self {
        let text = "under the changed rules the game parts here; say first whether it goes on from here, stays with the \
                    old rules, or goes on without that choice";
        Self::new(StatusCode::CONFLICT, "serve::parted", text)
    }

    /// A choice belongs to what was asked before.
    pub fn stale() -> Self {
        let text = "that was asked before; this is what is asked now";
        Self::new(StatusCode::CONFLICT, "serve::stale", text)
    }

    /// It would tell what a seat may not know.
    pub fn secret(text: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "serve::secret", text)
    }

    /// An address that may not be called.
    pub fn webhook(text: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "serve::webhook", text)
    }

    /// The disk does not take it.
    pub fn kept(text: impl Into<String>) -> Self {
        Self::new(StatusCode::INSUFFICIENT_STORAGE, "serve::kept", text)
    }

    /// A table's files are not as the server left them.
    pub fn damaged(text: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "serve::damaged", text)
    }

    /// A fault of the program.
    pub fn internal(text: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "run::internal", text)
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} [{}]", self.text, self.code)
    }
}

impl std::error::Error for Problem {}

/// A fault of the rules, rules with errors, or something that there is not.
impl From<blazon::Error> for Problem {
    fn from(error: blazon::Error) -> Self {
        let status = match &error {
            blazon::Error::Unknown(_) => StatusCode::NOT_FOUND,
            blazon::Error::Save(_) => StatusCode::UNPROCESSABLE_ENTITY,
            blazon::Error::Unreadable(_) | blazon::Error::Rules(_) | blazon::Error::Fault(_) => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
        };
        Self::new(status, error.code(), error.to_string())
    }
}

impl From<blazon::machine::save::SaveError> for Problem {
    fn from(error: blazon::machine::save::SaveError) -> Self {
        blazon::Error::from(error).into()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let said = Json(json!({ "error": self.text, "code": self.code }));
        // It goes along with the answer: whoever came by a link is shown a page of it.
        (self.status, Extension(self), said).into_response()
    }
}
