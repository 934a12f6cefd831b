//! What is sent along with a request: in its address, its query, its body. What cannot be read there is answered as
//! everything is that goes wrong, by an error and a code.

use axum::body::Bytes;
use axum::extract::{self, FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::problem::Problem;

/// The parts of an address that routes name.
pub struct Path<T>(pub T);

/// A query.
pub struct Query<T>(pub T);

/// A form.
pub struct Form<T>(pub T);

/// A text.
pub struct Text(pub String);

/// A body of JSON that has not been read yet.
pub struct Sent(Bytes);

impl Sent {
    /// What is sent; nothing at all is an object without fields.
    ///
    /// # Errors
    /// `serve::request` if it is something else.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        let text: &[u8] = if self.0.is_empty() { b"{}" } else { &self.0 };
        serde_json::from_slice(text).map_err(strange)
    }
}

fn strange(why: impl std::fmt::Display) -> Problem {
    Problem::request(format!("this is not what is wanted here: {why}"))
}

/// What is wrong with a body: it may be too long.
fn refused(status: StatusCode, why: &str) -> Problem {
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        return Problem::new(status, "serve::limit", "this is longer than what is taken here");
    }
    Problem { status, ..strange(why) }
}

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let read = extract::Path::<T>::from_request_parts(parts, state).await;
        read.map(|extract::Path(read)| Self(read)).map_err(|error| strange(error.body_text()))
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let read = extract::Query::<T>::from_request_parts(parts, state).await;
        read.map(|extract::Query(read)| Self(read)).map_err(|error| strange(error.body_text()))
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Form<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let read = extract::Form::<T>::from_request(request, state).await;
        read.map(|extract::Form(read)| Self(read))
            .map_err(|error| refused(error.status(), &error.body_text()))
    }
}

impl<S: Send + Sync> FromRequest<S> for Text {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let read = String::from_request(request, state).await;
        read.map(Self).map_err(|error| refused(error.status(), &error.body_text()))
    }
}

impl<S: Send + Sync> FromRequest<S> for Sent {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let read = Bytes::from_request(request, state).await;
        read.map(Self).map_err(|error| refused(error.status(), &error.body_text()))
    }
}
