//! A server, and tables that are laid in its lobby as people do.

use std::path::{Path, PathBuf};

use blazon_serve::{Seating, Server, Settings};
use fantoccini::Locator;
use serde::Deserialize;
use tokio::sync::oneshot;

use crate::Browser;

/// Whether the page is that of a table.
const TABLE: &str = "document.querySelector('#tabs')";

/// A server on a thread of its own, with a folder that goes with it. The same clicks at its tables are the same games.
pub struct Tables {
    /// Where it is reached.
    pub front: String,
    /// The game that is served.
    pub game: String,
    /// Whether changed pages are taken in.
    watch: bool,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
    folder: tempfile::TempDir,
    /// The link that was printed for whoever started the server, where rules can be changed.
    host: Option<String>,
}

/// A table that was laid.
#[derive(Clone, Debug)]
pub struct Laid {
    /// Where its page is.
    pub url: String,
    /// As whom it plays.
    pub seat: String,
    /// Its folder.
    folder: PathBuf,
}

/// What of a table's own file tells how its game began.
#[derive(Clone, Debug, Deserialize)]
pub struct Begun {
    /// The seed of its chance.
    pub seed: u64,
    /// Its variants, by folder.
    pub variants: Vec<String>,
    /// Its setup.
    pub setup: String,
}

impl Tables {
    /// Serves a game: the name of one inside the program, or a folder.
    ///
    /// # Panics
    /// If the game does not check, or no port is free.
    pub fn open(game: &str, seed: u64) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut tables = Self {
            front: String::new(),
            host: None,
            game: game.to_owned(),
            watch: false,
            stop: None,
            thread: None,
            folder,
        };
        tables.serve(0, seed);
        tables
    }

    /// Serves the game of a folder and takes changes of its pages in.
    ///
    /// # Panics
    /// As [`Self::open`].
    pub fn watching(folder: &Path, seed: u64) -> Self {
        let data = tempfile::tempdir().expect("a folder");
        let game = folder.display().to_string();
        let mut tables = Self {
            front: String::new(),
            host: None,
            game,
            watch: true,
            stop: None,
            thread: None,
            folder: data,
        };
        tables.serve(0, seed);
        tables
    }

    fn serve(&mut self, port: u16, seed: u64) {
        let settings = Settings {
            port: Some(port),
            watch: self.watch,
            games: vec![self.game.clone()],
            seed: Some(seed),
            ..Settings::new(self.folder.path())
        };
        let (stop, stopped) = oneshot::channel::<()>();
        let (told, front) = std::sync::mpsc::channel();
        // A server has threads of its own, which may not be begun from those of another.
        let thread = std::thread::spawn(move || {
            let server = Server::open(settings).unwrap_or_else(|error| panic!("no server: {error}"));
            let links =
                server.watches().then(|| server.ready_table(None, Seating::HotSeat).expect("a table"));
            let host = links.and_then(|links| links?.seats.into_iter().next()).map(|(_, link)| link);
            told.send((server.front().to_owned(), host)).expect("somebody who waits");
            server.run(async { drop(stopped.await) }).expect("a server that runs");
        });
        (self.front, self.host) = front.recv().unwrap_or_else(|_| panic!("{} is not served", self.game));
        (self.stop, self.thread) = (Some(stop), Some(thread));
    }

    /// Stops answering; what is on the disk stays.
    pub fn stop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }

    /// Forgets all tables, as somebody does who clears the folder.
    ///
    /// # Panics
    /// If the folder cannot be cleared.
    pub fn forget(&self) {
        for entry in
            self.folder.path().read_dir().expect("a folder").flatten().filter(|entry| entry.path().is_dir())
        {
            std::fs::remove_dir_all(entry.path()).expect("a folder that goes");
        }
    }

    /// Answers again where it did before.
    ///
    /// # Panics
    /// As [`Self::open`].
    pub fn start_again(&mut self, seed: u64) {
        let port = self.front.rsplit_once(':').and_then(|(_, port)| port.parse().ok());
        self.serve(port.expect("a port"), seed);
    }

    /// Lays a table in the lobby, by its form: one seat for oneself, by place, and bots that move without a thought in the
    /// others. The browser is at the table then.
    ///
    /// # Panics
    /// If the form is not as it was, or no table comes of it.
    pub async fn lay(&self, browser: &Browser, variants: &[&str], seat: usize) -> Laid {
        let page = &browser.page;
        if let Some(link) = &self.host {
            page.goto(link).await.expect("what the link opens");
            // A browser that has sat down there is at the table already.
            if let Ok(button) = page.find(Locator::Css("main form button.go")).await {
                button.click().await.expect("a seat");
                browser.until(TABLE).await;
            }
        }
        page.goto(&self.front).await.expect("a lobby");
        let seats = page.find_all(Locator::Css("#new select[name^='seat.']")).await.expect("a form");
        for (place, select) in seats.iter().enumerate() {
            let who = if place == seat % seats.len() { "mine" } else { "random" };
            select.select_by_value(who).await.expect("somebody who plays");
        }
        for variant in variants {
            browser.click(&format!("#new input[name=variant][value$='{variant}']")).await;
        }
        browser.click("#new button.go").await;
        browser.until(TABLE).await;
        let url = page.current_url().await.expect("an address");
        let name = url.path().trim_matches('/').rsplit('/').next().expect("a name").to_owned();
        let folder = find(self.folder.path().to_owned(), &name).expect("a folder of the table");
        let seat = url.query_pairs().find(|(name, _)| name == "seat").expect("a seat").1.into_owned();
        Laid { seat, folder, url: url.into() }
    }
}

impl Drop for Tables {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Laid {
    /// How the game began.
    ///
    /// # Panics
    /// If the table's file cannot be read.
    pub fn begun(&self) -> Begun {
        let text = std::fs::read_to_string(self.folder.join("table.json")).expect("a table's file");
        serde_json::from_str(&text).expect("how it began")
    }

    /// The choices that are kept on the disk, oldest first, as lines.
    ///
    /// # Panics
    /// If they cannot be read.
    pub fn kept(&self) -> Vec<String> {
        let log = self.folder.join("log.jsonl");
        let text = if log.exists() { std::fs::read_to_string(log).expect("a log") } else { String::new() };
        text.lines().map(str::to_owned).collect()
    }
}

/// The folder of that name somewhere below another.
fn find(below: PathBuf, name: &str) -> Option<PathBuf> {
    let folders = below.read_dir().ok()?.flatten().map(|entry| entry.path()).filter(|path| path.is_dir());
    folders.into_iter().find_map(|path| if path.ends_with(name) { Some(path) } else { find(path, name) })
}
