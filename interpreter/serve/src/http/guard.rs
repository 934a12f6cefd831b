//! Who is let in, and what every answer says to the browser: that it must trust nobody but us.

use std::net::IpAddr;
use std::time::Duration;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::App;
use super::listen::Peer;
use super::page::Failed;
use super::rate::Rates;
use super::who::Who;
use crate::problem::Problem;

/// So long may an answer take; what is longer is given up.
const LONGEST: Duration = Duration::from_secs(60);

/// Nothing from elsewhere, nothing inline, no frame around us.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const ALWAYS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // Not `no-referrer`: with it a form's `Origin` would be `null`, which could be anybody's.
    (header::REFERRER_POLICY, "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Who is let in.
pub struct Doors {
    /// The names under which this server may be called, besides addresses by number and `localhost`: a page of a
    /// stranger whose name was made to mean this machine (DNS rebinding) comes in under that stranger's name.
    pub hosts: Vec<String>,
    /// Whether it is reached through https.
    pub secure: bool,
    /// How often.
    pub rates: Rates,
}

/// Looks at every request first.
pub async fn guard(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let who = Who::of(request.headers());
    let wants_page = wants_page(&request);
    let answer = match app.doors.check(&request, &app, peer, &who) {
        Err(problem) => problem.into_response(),
        Ok(()) => match tokio::time::timeout(LONGEST, next.run(request)).await {
            Ok(answer) => answer,
            Err(_) => {
                let text = "that took too long and was given up";
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, "serve::limit", text).into_response()
            }
        },
    };
    let problem = answer.extensions().get::<Problem>().filter(|_| wants_page).cloned();
    with_headers(problem.map_or(answer, |problem| Failed::from(problem).into_response()))
}

/// Whether somebody goes there himself, and not a script of ours: he is to read what goes wrong.
fn wants_page(request: &Request) -> bool {
    let accepts = request.headers().get(header::ACCEPT).and_then(|accepts| accepts.to_str().ok());
    *request.method() == Method::GET && accepts.is_some_and(|accepts| accepts.contains("text/html"))
}

fn with_headers(mut answer: Response) -> Response {
    let headers = answer.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    answer
}

impl Doors {
    fn check(&self, request: &Request, app: &App, peer: Peer, who: &Who) -> Result<(), Problem> {
        let host = self.host(request.headers())?;
        let reads = matches!(*request.method(), Method::GET | Method::HEAD);
        if !reads {
            own_page(request.headers(), host)?;
        }
        let known = who.browser.as_deref().filter(|browser| app.hall.browsers.know(browser));
        if self.rates.allows(known, peer.0.ip(), app.hall.most.rate) {
            return Ok(());
        }
        Err(Problem::limit("too much at once; wait a moment"))
    }

    /// The name under which the server was called.
    fn host<'a>(&self, headers: &'a HeaderMap) -> Result<&'a str, Problem> {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        if self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host)) || is_own(host, &self.hosts) {
            return Ok(host);
        }
        let text = "this server does not go by that name; start it with `--host NAME` if it should";
        Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, "serve::host", text))
    }
}

/// Whether a name with or without a port is one that no stranger can make his own.
fn is_own(host: &str, hosts: &[String]) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    bare.parse::<IpAddr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || hosts.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// What changes something comes from a page of ours: browsers say so.
fn own_page(headers: &HeaderMap, host: &str) -> Result<(), Problem> {
    let origin = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok()).unwrap_or_default();
    let from = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    if from.is_some_and(|from| from.eq_ignore_ascii_case(host)) {
        return Ok(());
    }
    let text = "that did not come from a page of this server";
    Err(Problem::new(StatusCode::FORBIDDEN, "serve::host", text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_stranger_could_own_are_not_ours() {
        for own in ["127.0.0.1:4711", "127.0.0.1", "[::1]:80", "localhost:1", "192.168.1.7:4711", "LOCALHOST"]
        {
            assert!(is_own(own, &[]), "{own}");
        }
        for other in ["", "evil.example:4711", "localhost.evil.example", "127.0.0.1.evil.example:80", ":80"] {
            assert!(!is_own(other, &[]), "{other}");
        }
        assert!(is_own("games.example:8080", &["games.example".to_owned()]));
    }
}
