//! Which browser asks, and as whom: the cookie holds a secret, the tables hold its hash.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};

use crate::keep::Facts;
use crate::problem::Problem;
use crate::secret::{hash, is_secret, new_secret};
use crate::table::Viewer;

/// The cookie's name.
const COOKIE: &str = "blazon";
/// A game may take a year.
const AGE: u64 = 365 * 24 * 60 * 60;

/// Which browser asks.
#[derive(Clone, Debug, Default)]
pub struct Who {
    /// The hash of its secret.
    pub browser: Option<String>,
}

impl Who {
    /// By the cookie.
    pub fn of(headers: &HeaderMap) -> Self {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.split_once('='));
        let secret = pairs.find(|(name, _)| name.trim() == COOKIE).map(|(_, secret)| secret.trim());
        Self { browser: secret.filter(|secret| is_secret(secret)).map(hash) }
    }

    /// The browser's hash; one without a cookie gets one.
    ///
    /// # Errors
    /// If there are no random numbers.
    pub fn or_new(self, secure: bool) -> Result<(String, Option<HeaderValue>), Problem> {
        if let Some(browser) = self.browser {
            return Ok((browser, None));
        }
        let secret = new_secret()?;
        let secure = if secure { "; Secure" } else { "" };
        // Lax, not Strict: the link in a message should lead to the table, and whatever changes something looks at
        // where it comes from.
        let cookie = format!("{COOKIE}={secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age={AGE}{secure}");
        let cookie = HeaderValue::from_str(&cookie).map_err(|error| Problem::internal(error.to_string()))?;
        Ok((hash(&secret), Some(cookie)))
    }

    /// As whom it looks: the seat asked for if it has it, the first that it has, or a spectator.
    ///
    /// # Errors
    /// `serve::seat` if it may not.
    pub fn viewer(&self, facts: &Facts, seat: Option<&str>) -> Result<Viewer, Problem> {
        let browser = self.browser.as_deref();
        match seat {
            Some("") if facts.may_watch(browser) => Ok(None),
            Some("") => Err(Problem::seat()),
            Some(_) => self.seat(facts, seat).map(Some),
            None => match facts.seats_of(browser).first() {
                Some(&seat) => Ok(Some(seat)),
                None if facts.may_watch(browser) => Ok(None),
                None => Err(Problem::seat()),
            },
        }
    }

    /// The seat as which it acts.
    ///
    /// # Errors
    /// `serve::seat` if it has none such.
    pub fn seat(&self, facts: &Facts, seat: Option<&str>) -> Result<usize, Problem> {
        let mine = facts.seats_of(self.browser.as_deref());
        let named = |place: &usize| seat.is_none_or(|seat| facts.seats[*place].player == seat);
        mine.into_iter().find(named).ok_or_else(Problem::seat)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Who {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Self::Rejection> {
        Ok(Self::of(&parts.headers))
    }
}
