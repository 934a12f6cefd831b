//! The browser and what is done in it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::actions::{
    InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, PointerAction, TouchActions,
};
use fantoccini::wd::{Capabilities, TimeoutConfiguration};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tempfile::TempDir;

/// How to get what is missing.
const MISSING: &str = "the tests of the board need Chromium and its driver: `apt-get install chromium chromium-driver`, \
     or `brew install --cask chromium chromedriver`, or set CHROMEDRIVER and CHROME to where they are";

/// The player, as it runs in the page.
const PLAY: &str = include_str!("play.js");
/// What reads the page's log.
const LOG: &str = include_str!("log.js");
/// How often a page is asked whether something has come, and for how long.
const EACH: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_secs(20);

/// The usual window.
pub const WIDE: u32 = 1440;
/// Its height.
pub const TALL: u32 = 900;

/// A browser with its driver; both end with it.
pub struct Browser {
    driver: Child,
    /// Where its session is, until that has ended.
    session: Option<(u16, String)>,
    /// The page.
    pub page: Client,
    /// What it leaves lying about goes with it.
    _folder: TempDir,
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

impl Browser {
    /// Starts a browser with a window of that size.
    ///
    /// # Panics
    /// If there is none, saying how to get it.
    pub async fn start(width: u32, height: u32) -> Self {
        Self::with(vec![format!("--window-size={width},{height}")], None).await
    }

    /// Starts a browser as it is on a phone.
    ///
    /// # Panics
    /// As [`Self::start`].
    pub async fn phone() -> Self {
        Self::hand(390, 844).await
    }

    /// Starts a browser as it is on something that is held in the hand, with a screen of that size.
    ///
    /// # Panics
    /// As [`Self::start`].
    pub async fn hand(width: u32, height: u32) -> Self {
        let metrics = json!({ "width": width, "height": height, "pixelRatio": 2, "touch": true });
        Self::with(Vec::new(), Some(json!({ "deviceMetrics": metrics }))).await
    }

    async fn with(more: Vec<String>, phone: Option<Value>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (driver, port) = driver(folder.path());
        let always = "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars \
                      --force-prefers-reduced-motion --mute-audio";
        let args: Vec<String> = always.split_whitespace().map(str::to_owned).chain(more).collect();
        let mut chrome = json!({ "args": args });
        if let Some(phone) = phone {
            chrome["mobileEmulation"] = phone;
        }
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
        let session = page.session_id().await.expect("a session").expect("a session");
        Self { driver, session: Some((port, session)), page, _folder: folder }
    }

    /// Shows the page as on a medium with such a feature, `print` or `forced-colors`; as on a screen, if none is named.
    ///
    /// # Panics
    /// If the browser does not take it.
    pub fn show_as(&self, medium: &str, feature: Option<(&str, &str)>) {
        let features: Vec<Value> =
            feature.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
        let params = json!({ "media": medium, "features": features });
        let body = json!({ "cmd": "Emulation.setEmulatedMedia", "params": params }).to_string();
        let (port, session) = self.session.as_ref().expect("a session");
        let asked = format!("POST /session/{session}/goog/cdp/execute");
        let answer = ask_driver(*port, &asked, &body).expect("a driver that answers");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }

    /// Ends it.
    pub async fn close(mut self) {
        let _ = self.page.clone().close().await;
        self.session = None;
    }

    /// Clicks the first element that fits.
    ///
    /// # Panics
    /// If there is none, or it cannot be clicked.
    pub async fn click(&self, selector: &str) {
        let found = self.page.find(Locator::Css(selector)).await;
        let found = found.unwrap_or_else(|error| panic!("no `{selector}` on the page: {error}"));
        found.click().await.unwrap_or_else(|error| panic!("`{selector}` cannot be clicked: {error}"));
    }

    /// Draws a finger from the middle of an element so many pixels down, or up.
    ///
    /// # Panics
    /// If there is no such element, or no touch screen.
    pub async fn draw(&self, selector: &str, down: f64) {
        let middle = format!(
            "const at = document.querySelector('{selector}').getBoundingClientRect(); return [at.x + at.width / 2, at.y + at.height / 2]"
        );
        // A finger is put on what stands still.
        let (mut x, mut y): (f64, f64) = self.run(&middle).await;
        loop {
            tokio::time::sleep(2 * EACH).await;
            let before = (x, y);
            (x, y) = self.run(&middle).await;
            if (x, y) == before {
                break;
            }
        }
        let finger = TouchActions::new("finger".to_owned())
            .then(PointerAction::MoveTo { duration: None, x, y })
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(PointerAction::MoveBy { duration: Some(Duration::from_millis(80)), x: 0.0, y: down })
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.page.perform_actions(finger).await.expect("a finger");
    }

    /// Runs a script in the page; what it returns.
    ///
    /// # Panics
    /// If it fails, or returns something else.
    pub async fn run<T: DeserializeOwned>(&self, script: &str) -> T {
        let told =
            self.page.execute(script, Vec::new()).await.unwrap_or_else(|error| panic!("{script}: {error}"));
        serde_json::from_value(told).unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits until an expression holds in the page. While one page follows another the browser may break off what it is
    /// asked: an expression that fails does not hold yet.
    ///
    /// # Panics
    /// If it does not hold for long.
    pub async fn until(&self, holds: &str) {
        let begun = Instant::now();
        let script = format!("return !!({holds})");
        loop {
            let told = self.page.execute(&script, Vec::new()).await;
            if matches!(told, Ok(Value::Bool(true))) {
                return;
            }
            assert!(begun.elapsed() < LONGEST, "never: {holds} (at last: {told:?})");
            tokio::time::sleep(EACH).await;
        }
    }

    /// Presses a key and lets it go.
    ///
    /// # Panics
    /// If there is no such key.
    pub async fn press(&self, key: char) {
        let strokes = KeyActions::new("keys".to_owned())
            .then(KeyAction::Down { value: key })
            .then(KeyAction::Up { value: key });
        self.page.perform_actions(strokes).await.expect("a keyboard");
    }

    /// The lines of the page's log, each after what sort it is of: `chosen`, `said`, `dice`, `over`.
    ///
    /// # Panics
    /// If the page is none of a table.
    pub async fn log(&self) -> Vec<String> {
        self.run(LOG).await
    }

    /// Plays the game of the page that is open.
    ///
    /// # Panics
    /// If the player fails in it.
    pub async fn play(&self, seed: u64, most: u32) -> Played {
        let told = self.page.execute_async(PLAY, vec![json!(seed), json!(most)]).await;
        serde_json::from_value(told.expect("a player in the page")).expect("what the player tells")
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // A test that failed: without this the browser would go on when its driver is gone.
        if let Some((port, session)) = self.session.take() {
            let _ = ask_driver(port, &format!("DELETE /session/{session}"), "");
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Asks a driver something, and waits for how its answer begins.
fn ask_driver(port: u16, asked: &str, body: &str) -> std::io::Result<String> {
    let mut driver = TcpStream::connect(("127.0.0.1", port))?;
    driver.set_read_timeout(Some(LONGEST))?;
    let length = body.len();
    write!(
        driver,
        "{asked} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )?;
    let mut bytes = [0; 64];
    let count = driver.read(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes[..count]).into_owned())
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

/// A driver, which keeps what it writes in a folder, and the port that it says it listens at.
fn driver(folder: &Path) -> (Child, u16) {
    let program = std::env::var("CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".to_owned());
    // It takes a free port of one kind of address and ends if somebody has that of the other kind: then it tries again.
    for _ in 0..10 {
        let mut driver = Command::new(&program)
            .arg("--port=0")
            .env("TMPDIR", folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("`{program}` does not start ({error}); {MISSING}"));
        let out = driver.stdout.take().expect("a pipe");
        let mut lines = BufReader::new(out).lines();
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        // What it says later must go somewhere.
        std::thread::spawn(move || lines.for_each(drop));
        if let Some(port) = port {
            return (driver, port);
        }
        let _ = driver.wait();
    }
    panic!("`{program}` says no port that it listens at; {MISSING}")
}
