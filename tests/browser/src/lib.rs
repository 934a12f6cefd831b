//! A browser, a server, and a player who clicks only what is lit.
//!
//! The browser is Chromium, driven over WebDriver. Where it or its driver is missing, tests fail and say how to get it.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use blazon_serve::{Seating, Server, Settings};
use fantoccini::wd::{Capabilities, TimeoutConfiguration};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::oneshot;

/// How to get what is missing.
const MISSING: &str = "the tests of the board need Chromium and its driver: `apt-get install chromium chromium-driver`, \
     or `brew install --cask chromium chromedriver`, or set CHROMEDRIVER and CHROME to where they are";

/// The player, as it runs in the page.
const PLAY: &str = include_str!("play.js");

/// A browser with its driver; both end with it.
pub struct Browser {
    driver: Child,
    /// The page.
    pub page: Client,
}

impl Browser {
    /// Starts a browser with a window of that size.
    ///
    /// # Panics
    /// If there is none, saying how to get it.
    pub async fn start(width: u32, height: u32) -> Self {
        let program = std::env::var("CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".to_owned());
        let mut driver = Command::new(&program)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("`{program}` does not start ({error}); {MISSING}"));
        let port = port(&mut driver);
        let mut chrome = json!({
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                "--force-prefers-reduced-motion", "--mute-audio", format!("--window-size={width},{height}"),
            ],
        });
        if let Some(binary) = browser() {
            chrome["binary"] = json!(binary);
        }
        let mut wanted = Capabilities::new();
        wanted.insert("goog:chromeOptions".to_owned(), chrome);
        let page = ClientBuilder::new(HttpConnector::new())
            .capabilities(wanted)
            .connect(&format!("http://127.0.0.1:{port}"))
            .await
            .unwrap_or_else(|error| panic!("no browser answers ({error}); {MISSING}"));
        let long = TimeoutConfiguration::new(Some(Duration::from_secs(900)), None, None);
        page.update_timeouts(long).await.expect("a driver that takes timeouts");
        Self { driver, page }
    }

    /// Ends it.
    pub async fn close(mut self) {
        let _ = self.page.clone().close().await;
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }

    /// Plays the table of a link to its end.
    ///
    /// # Panics
    /// If the page cannot be opened, or the player fails in it.
    pub async fn play(&self, link: &str, seed: u64, most: u32) -> Played {
        self.page.goto(link).await.expect("a page");
        let told = self.page.execute_async(PLAY, vec![json!(seed), json!(most)]).await;
        serde_json::from_value(told.expect("a player in the page")).expect("what the player tells")
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.driver.kill();
    }
}

/// Where the browser is, if it is not where the driver looks.
fn browser() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("CHROME") {
        return Some(path.into());
    }
    ["/usr/bin/chromium", "/usr/bin/chromium-browser"]
        .map(PathBuf::from)
        .into_iter()
        .find(|path| path.exists())
}

/// The port that the driver says it listens at.
fn port(driver: &mut Child) -> u16 {
    let out = driver.stdout.take().expect("a pipe");
    let mut lines = BufReader::new(out).lines();
    let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let (_, port) = line.split_once("started successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    // What it says later must go somewhere.
    std::thread::spawn(move || lines.for_each(drop));
    port.expect("a driver that says its port")
}

/// What a player saw.
#[derive(Clone, Debug, Deserialize)]
pub struct Played {
    /// How often he clicked.
    pub clicks: u32,
    /// How often what was lit was covered by something else.
    pub covered: u32,
    /// What went wrong.
    pub problems: Vec<String>,
    /// How the game ended; empty if it did not.
    pub over: String,
}

/// A server on a thread of its own, with a folder that goes with it.
pub struct Table {
    /// The link of the seat that is not a bot's.
    pub link: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
    folder: tempfile::TempDir,
}

impl Table {
    /// Serves a game with variants, and lays a table: a person against bots.
    ///
    /// # Panics
    /// If the game does not check, or no port is free.
    pub fn open(game: &str, variants: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = Settings {
            port: Some(0),
            games: vec![game.to_owned()],
            variants: variants.iter().map(|&variant| variant.to_owned()).collect(),
            ..Settings::new(folder.path())
        };
        let (stop, stopped) = oneshot::channel::<()>();
        let (told, link) = std::sync::mpsc::channel();
        // A server has threads of its own, which may not be begun from those of another.
        let thread = std::thread::spawn(move || {
            let server = Server::open(settings).unwrap_or_else(|error| panic!("no server: {error}"));
            let links = server.ready_table(None, Seating::Bots).expect("a table");
            told.send(links.seats.first().expect("a seat").1.clone()).expect("somebody who waits");
            server.run(async { drop(stopped.await) }).expect("a server that runs");
        });
        let link = link.recv().unwrap_or_else(|_| panic!("{game} {variants:?} is not served"));
        Self { link, stop: Some(stop), thread: Some(thread), folder }
    }

    /// The choices that are kept on the disk, oldest first, as lines.
    ///
    /// # Panics
    /// If the folder cannot be read.
    pub fn kept(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in folder.read_dir().expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.file_name().is_some_and(|name| name == "log.jsonl") {
                    lines.extend(std::fs::read_to_string(path).expect("a log").lines().map(str::to_owned));
                }
            }
        }
        lines
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
