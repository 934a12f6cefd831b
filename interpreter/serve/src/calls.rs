//! Calling those whose turn it is: a POST to an address that a seat has named, at a host that whoever runs the server has
//! allowed. Nothing of the game is told but that it is somebody's turn.

use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use axum::http::Uri;
use serde_json::json;

use crate::problem::Problem;

/// So many calls may wait; what comes then is left out.
const WAITING: usize = 200;
/// An answer is waited for so long.
const PATIENCE: Duration = Duration::from_secs(10);
/// An address is no longer.
const LONGEST: usize = 1000;

/// Whoever calls.
pub struct Calls {
    /// The hosts that may be called, as they stand in addresses.
    hosts: Vec<String>,
    /// How the server is reached, for the link in a call.
    front: String,
    queue: OnceLock<SyncSender<Call>>,
}

/// What became of a seat's last call; nothing while there was none.
pub type Fate = Arc<Mutex<Option<String>>>;

/// A call.
pub struct Call {
    /// Where.
    pub address: String,
    /// The game's name.
    pub game: String,
    /// The seat.
    pub seat: String,
    /// The table's name.
    pub table: String,
    /// The table's path for the seat.
    pub path: String,
    /// Where it is noted what became of it.
    pub fate: Fate,
}

impl Calls {
    /// One that may call some hosts, for a server that is reached so.
    pub fn new(hosts: Vec<String>, front: String) -> Self {
        Self { hosts, front, queue: OnceLock::new() }
    }

    /// The hosts that may be called.
    pub fn hosts(&self) -> &[String] {
        &self.hosts
    }

    /// Whether an address may be called.
    ///
    /// # Errors
    /// `serve::webhook` if not.
    pub fn allows(&self, address: &str) -> Result<(), Problem> {
        if self.hosts.is_empty() {
            return Err(Problem::webhook(
                "this server calls nobody; whoever runs it can allow hosts by `--webhook-host`",
            ));
        }
        let uri = address.parse::<Uri>().ok().filter(|_| address.len() <= LONGEST);
        let whole = uri.as_ref().filter(|uri| matches!(uri.scheme_str(), Some("https" | "http")));
        let Some(authority) = whole.and_then(Uri::authority) else {
            return Err(Problem::webhook(
                "an address begins with https:// or http:// and has at most 1,000 letters",
            ));
        };
        // A port that the scheme has anyway is none.
        let usual = if whole.and_then(Uri::scheme_str) == Some("https") { 443 } else { 80 };
        let called = match authority.port_u16() {
            Some(port) if port == usual && !authority.as_str().contains('@') => authority.host(),
            _ => authority.as_str(),
        };
        if !self.hosts.iter().any(|host| host.eq_ignore_ascii_case(called)) {
            let has_port = authority.port().is_some() && !authority.as_str().contains('@');
            let is_port =
                has_port && self.hosts.iter().any(|host| host.eq_ignore_ascii_case(authority.host()));
            let text = match is_port {
                true => format!(
                    "this server calls {} at no such port; whoever runs it can allow {called}",
                    authority.host()
                ),
                false => format!("this server calls only {}", self.hosts.join(", ")),
            };
            return Err(Problem::webhook(text));
        }
        Ok(())
    }

    /// Calls soon, on a thread of its own. If too much waits already, it is noted as the call's fate.
    pub fn call(&self, call: Call) {
        let queue = self.queue.get_or_init(|| {
            let (sender, calls) = sync_channel(WAITING);
            let front = self.front.clone();
            std::thread::spawn(move || make(&calls, &front));
            sender
        });
        if let Err(TrySendError::Full(call) | TrySendError::Disconnected(call)) = queue.try_send(call) {
            note(&call.fate, "it was left out: too many calls were waiting");
        }
    }
}

/// Makes one call after the other, as long as the server is there.
fn make(calls: &Receiver<Call>, front: &str) {
    let settings = ureq::Agent::config_builder().timeout_global(Some(PATIENCE)).max_redirects(0);
    let agent = ureq::Agent::new_with_config(settings.build());
    for call in calls {
        let text = format!("{}: it is your turn, {}.", call.game, call.seat);
        // `text` and `content` are what chats look for; names may not call up everybody there.
        let body = json!({
            "text": text, "content": text, "allowed_mentions": {"parse": []},
            "game": call.game, "seat": call.seat, "table": call.table, "url": format!("{front}{}", call.path),
        });
        let answer = agent.post(&call.address).content_type("application/json").send(body.to_string());
        match answer {
            Ok(answer) => note(&call.fate, &format!("it was answered by {}", answer.status().as_u16())),
            Err(error) => note(&call.fate, &format!("it failed: {error}")),
        }
    }
}

fn note(fate: &Fate, text: &str) {
    *fate.lock().unwrap_or_else(PoisonError::into_inner) = Some(text.to_owned());
}

#[cfg(test)]
mod tests {
    use super::Calls;

    #[test]
    fn only_allowed_hosts_are_called() {
        let nobody = Calls::new(Vec::new(), String::new());
        assert!(nobody.allows("https://chat.example/x").unwrap_err().text.contains("--webhook-host"));
        let calls = Calls::new(vec!["chat.example".into(), "localhost:8000".into()], String::new());
        for fine in [
            "https://chat.example/hooks/1",
            "https://CHAT.example",
            "https://chat.example:443/",
            "http://chat.example:80",
            "http://localhost:8000/x?y=z",
        ] {
            assert!(calls.allows(fine).is_ok(), "{fine}");
        }
        for wrong in [
            "https://chat.example:81/",
            "https://chat.example.evil/",
            "https://a@chat.example/",
            "https://a@chat.example:443/",
            "http://chat.example:443/",
            "http://localhost/",
            "ftp://chat.example/",
            "chat.example",
            "/x",
            "",
            "https://169.254.169.254/",
        ] {
            assert_eq!(calls.allows(wrong).unwrap_err().code, "serve::webhook", "{wrong}");
        }
        assert!(calls.allows(&format!("https://chat.example/{}", "x".repeat(2000))).is_err());
        let port = calls.allows("https://chat.example:81/").unwrap_err().text;
        assert!(port.contains("chat.example at no such port") && port.contains("chat.example:81"), "{port}");
    }
}
