//! A server within the test, on a folder of its own.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use blazon_serve::{Links, Seating, Server, Settings};
use serde_json::Value;
use tokio::sync::oneshot;

use crate::client::{Answer, Browser};

/// A server under way. It stops when it is dropped; then every game is on the disk.
pub struct Running {
    /// The links of the table that it made, or went on with.
    pub links: Links,
    /// What it says of its folder when it starts.
    pub strange: String,
    /// Its port.
    pub port: u16,
    stop: Option<oneshot::Sender<()>>,
    runs: Option<JoinHandle<()>>,
}

impl Running {
    /// Starts it with the small game of the tests, in which armies are seen from behind.
    pub fn start(data: &Path, seating: Seating) -> Self {
        let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/two-rivers");
        let settings =
            Settings { port: Some(0), games: vec![game.display().to_string()], ..Settings::new(data) };
        let server = Server::open(settings).expect("it starts");
        let links = server.ready_table(None, seating).expect("a table").expect("rules");
        let strange = server.strange.join("\n");
        let port = server.front().rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        let (stop, stopped) = oneshot::channel();
        let runs = std::thread::spawn(move || {
            let stopped = async move {
                let _ = stopped.await;
            };
            server.run(stopped).expect("it runs");
        });
        Self { links, strange, port, stop: Some(stop), runs: Some(runs) }
    }

    /// A browser that has followed the link of the first seat.
    pub fn player(&self) -> Browser {
        let mut browser = Browser::new(self.port);
        browser.follow(&self.links.seats.first().expect("a link").1);
        browser
    }

    /// The lobby's form for a table whose seats are all its maker's.
    pub fn form(&self) -> String {
        let lobby = Browser::new(self.port).get("/").body;
        let game = lobby.split("name=\"game\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
        format!("game={}&seat.North=mine&seat.South=mine", game.expect("a game").replace('/', "%2F"))
    }

    /// Sends a form of the lobby.
    pub fn new_game(&self, browser: &Browser, form: &str) -> Answer {
        self.post(browser, "/new", "application/x-www-form-urlencoded", form)
    }

    /// Posts something that is no table's, as a page of the server does it.
    pub fn post(&self, browser: &Browser, path: &str, kind: &str, body: &str) -> Answer {
        let origin = format!("http://127.0.0.1:{}", self.port);
        let headers = [("Origin", origin.as_str()), ("Content-Type", kind)];
        browser.send("POST", path, &headers, body).expect("an answer")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(runs) = self.runs.take() {
            let ended = runs.join();
            assert!(ended.is_ok() || std::thread::panicking(), "it ends well");
        }
    }
}

/// The folder of a browser's table.
pub fn folder(data: &Path, browser: &Browser) -> PathBuf {
    data.join(browser.table.trim_matches('/').rsplit('/').next().expect("a name"))
}

/// The same browser where an answer sends it.
pub fn sent_on(browser: &Browser, answer: &Answer) -> Browser {
    assert_eq!(answer.status, 200, "{answer:?}");
    let url = answer.json()["url"].as_str().expect("an address").to_owned();
    let (table, seat) = url.split_once("?seat=").expect("a seat");
    Browser { table: table.to_owned(), seat: seat.to_owned(), ..browser.clone() }
}

/// Takes the last option of whoever has to decide, so many times: to rest.
pub fn play(browser: &Browser, choices: usize) {
    for _ in 0..choices {
        let answer = decide(browser);
        assert_eq!(answer.status, 200, "{answer:?}");
    }
}

/// The same once; answers what came of it.
pub fn decide(browser: &Browser) -> Answer {
    let seat = browser.update()["decision"]["deciders"][0].as_str().expect("a decider").to_owned();
    let decider = Browser { seat, ..browser.clone() };
    let update = decider.update();
    decider.choose(&update, crate::client::options(&update) - 1)
}

/// The status and the code of an answer.
pub fn said(answer: &Answer) -> (u16, String) {
    let code = match serde_json::from_str::<Value>(&answer.body) {
        Ok(json) => json["code"].as_str().unwrap_or_default().to_owned(),
        Err(_) => {
            let codes = [
                "serve::secret",
                "serve::damaged",
                "serve::kept",
                "serve::table",
                "serve::refused",
                "serve::seat",
            ];
            codes.into_iter().find(|code| answer.body.contains(code)).unwrap_or_default().to_owned()
        }
    };
    (answer.status, code)
}
