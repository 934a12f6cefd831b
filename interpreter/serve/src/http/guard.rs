//! Who is let in, and what every answer says to the browser: that it must trust nobody but us.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
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
    /// From where it is reached.
    pub reach: Reach,
    /// How often.
    pub rates: Rates,
    /// How often tables are made.
    pub new_tables: Rates,
}

/// From where a server is reached: what links for others begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// From this machine alone.
    Machine,
    /// From the net, where this machine has the address, if it is known.
    Net(Option<IpAddr>),
    /// By the address at which a proxy stands before it, such as `https://games.example`.
    Public(String),
}

impl Reach {
    /// Whether it is reached through https.
    pub fn is_secure(&self) -> bool {
        match self {
            Self::Public(front) => front.starts_with("https://"),
            Self::Machine | Self::Net(_) => false,
        }
    }

    /// What whoever sends such links is told, if they mean another machine to those who get them.
    pub fn warning(&self, headers: &HeaderMap) -> Option<&'static str> {
        let front = self.front(headers);
        let (name, _) = parted(front.split_once("://").map_or("", |(_, host)| host));
        means_itself(name).then_some(match self {
            Self::Machine => {
                "These links open on this machine alone: the server listens to nobody else. It lets others in if it is \
                 started with `--address 0.0.0.0`."
            }
            Self::Net(_) | Self::Public(_) => {
                "These links open on this machine alone. Others put the name that this machine has in their net where they \
                 say so."
            }
        })
    }

    /// The front of links that are sent to others, for a browser that has called us by a name: what means this machine to
    /// itself means another to them.
    pub fn front(&self, headers: &HeaderMap) -> String {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let (name, port) = parted(host);
        match self {
            Self::Public(front) => front.clone(),
            Self::Net(Some(address)) if means_itself(name) => {
                format!("http://{}", SocketAddr::new(*address, port.unwrap_or(80)))
            }
            Self::Net(_) | Self::Machine => format!("http://{host}"),
        }
    }
}

/// Whether whoever says the name means his own machine.
fn means_itself(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost")
        || bare(name).parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
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
    let table = table_of(request.uri());
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
    with_headers(problem.map_or(answer, |problem| Failed::at(table, problem).into_response()))
}

/// Looks at requests that make a table: whoever has no link to anything may make one, and there is room for so many.
pub async fn ration(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response {
    if app.doors.new_tables.allows(None, peer.0, app.hall.most.new_tables) {
        return next.run(request).await;
    }
    Problem::limit("so many new tables at once are too many; wait a minute").into_response()
}

/// Whether somebody goes there himself, by a link or a form, and not a script of ours: he is to read what goes wrong.
fn wants_page(request: &Request) -> bool {
    let accepts = request.headers().get(header::ACCEPT).and_then(|accepts| accepts.to_str().ok());
    accepts.is_some_and(|accepts| accepts.contains("text/html"))
}

/// The page of the table below which an address lies, as the seat that it names.
fn table_of(address: &Uri) -> Option<String> {
    let (table, _) =
        address.path().strip_prefix("/t/")?.split_once('/').filter(|(_, act)| !act.is_empty())?;
    let query = address.query().map(|query| format!("?{query}")).unwrap_or_default();
    Some(format!("/t/{table}/{query}"))
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
            self.own_page(request.headers(), host)?;
        }
        let known = who.browser.as_deref().filter(|browser| app.hall.browsers.know(browser));
        if self.rates.allows(known, peer.0, app.hall.most.rate) {
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
        let text = format!(
            "this server does not go by the name `{}`; start it with `--host NAME` if it should",
            short(host)
        );
        Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, "serve::host", text))
    }

    /// What changes something comes from a page of ours: browsers say so. A proxy that stands before us may have called us by
    /// another name than the browser called it.
    fn own_page(&self, headers: &HeaderMap, host: &str) -> Result<(), Problem> {
        let origin = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok()).unwrap_or_default();
        let from = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        let by_proxy = matches!(&self.reach, Reach::Public(front) if front.eq_ignore_ascii_case(origin));
        if by_proxy || from.is_some_and(|from| from.eq_ignore_ascii_case(host)) {
            return Ok(());
        }
        let told = match origin {
            "" => "the browser does not say from which page it comes".to_owned(),
            origin => format!("it comes from a page of `{}`", short(origin)),
        };
        let text = format!(
            "that did not come from a page of this server: {told}, and was sent to `{}`. If that page is this server's own, a \
             proxy stands before it and gives it another name: start the server with `--public` and the address that \
             browsers have of it, such as `--public https://games.example`",
            short(host)
        );
        Err(Problem::new(StatusCode::FORBIDDEN, "serve::host", text))
    }
}

/// As much of a name as anybody reads.
fn short(name: &str) -> &str {
    name.get(..100).unwrap_or(name)
}

/// Whether a name with or without a port is one that no stranger can make his own.
fn is_own(host: &str, hosts: &[String]) -> bool {
    let (name, _) = parted(host);
    bare(name).parse::<IpAddr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || hosts.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// A host's name, and its port if it says one.
fn parted(host: &str) -> (&str, Option<u16>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => {
            (name, port.parse().ok())
        }
        _ => (host, None),
    }
}

/// A name without the brackets that an address of many numbers stands in.
fn bare(name: &str) -> &str {
    name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_for_others_lead_to_this_machine_from_there() {
        let asked = |reach: Reach, host: &str| {
            let headers = HeaderMap::from_iter([(header::HOST, HeaderValue::from_str(host).unwrap())]);
            reach.front(&headers)
        };
        let home = || Reach::Net(Some([192, 168, 1, 7].into()));
        for (reach, host, front) in [
            (Reach::Machine, "127.0.0.1:4711", "http://127.0.0.1:4711"),
            (home(), "localhost:4711", "http://192.168.1.7:4711"),
            (home(), "[::1]:4711", "http://192.168.1.7:4711"),
            (home(), "kitchen.local:4711", "http://kitchen.local:4711"),
            (Reach::Net(None), "localhost:4711", "http://localhost:4711"),
            (Reach::Public("https://games.example".to_owned()), "127.0.0.1:4711", "https://games.example"),
        ] {
            assert_eq!(asked(reach, host), front, "{host}");
        }
    }

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
