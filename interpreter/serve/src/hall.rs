//! All tables, and what they share.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::sync::Mutex as Queue;

use crate::browsers::Browsers;
use crate::calls::Calls;
use crate::cores::Cores;
use crate::editor::Editor;
use crate::keep::{Data, Facts, read};
use crate::problem::Problem;
use crate::secret::{Chance, is_name};
use crate::shelf::{Kit, Shelf, Wanted};
use crate::table::{Table, Viewer};

/// How often something may be done.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// So often in a minute, in the long run.
    pub a_minute: u32,
    /// So often at once.
    pub at_once: u32,
}

/// How much there may be of everything.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// Tables on the disk.
    pub tables: usize,
    /// Pages that listen for one seat of a table, and for its spectators together.
    pub listeners: usize,
    /// Pages that listen in all.
    pub all_listeners: usize,
    /// Connections.
    pub connections: usize,
    /// Bytes of a request.
    pub body: usize,
    /// The same of one that brings a saved game along.
    pub save: usize,
    /// Requests of one browser or one address.
    pub rate: Rate,
    /// Tables that one address makes: strangers leave room for others.
    pub new_tables: Rate,
    /// Choices that bots make in a row while no person does anything at the table.
    pub alone: usize,
}

impl Default for Most {
    fn default() -> Self {
        Self {
            tables: 1000,
            listeners: 32,
            all_listeners: 1500,
            connections: 2000,
            body: 16 << 10,
            save: 4 << 20,
            rate: Rate { a_minute: 6000, at_once: 500 },
            new_tables: Rate { a_minute: 2, at_once: 200 },
            alone: 10_000,
        }
    }
}

/// A table sleeps when nobody was there for so long.
const SLEEPY: Duration = Duration::from_secs(600);

/// What becomes of rules that are changed while they are played.
#[derive(Clone, Debug)]
pub enum Design {
    /// Nothing: they are as they were read.
    Fixed,
    /// Changed files are taken in while games are under way.
    Watched,
    /// The same, and they may be changed in the browser as well.
    Edited {
        /// The designer's own editor, if it is opened from the board.
        editor: Option<Editor>,
    },
}

impl Design {
    /// Whether changed files are taken in while games are under way.
    pub fn watches(&self) -> bool {
        match self {
            Self::Fixed => false,
            Self::Watched | Self::Edited { .. } => true,
        }
    }

    /// Whether rules may be changed in the browser.
    pub fn edits(&self) -> bool {
        match self {
            Self::Fixed | Self::Watched => false,
            Self::Edited { .. } => true,
        }
    }

    /// The designer's own editor, if it is opened from the board.
    pub fn editor(&self) -> Option<&Editor> {
        match self {
            Self::Fixed | Self::Watched => None,
            Self::Edited { editor } => editor.as_ref(),
        }
    }
}

/// A table whose `table.json` is not as it was written: it is left alone.
struct Damaged {
    /// What is wrong, as whoever asks for it is told.
    why: String,
    /// What stands there, in which a browser may be known all the same.
    text: String,
}

/// All tables, and what they share.
pub struct Hall {
    /// The games.
    pub shelf: Shelf,
    /// The folder.
    pub data: Data,
    /// How much there may be of everything.
    pub most: Most,
    /// The seed of new tables and their bots, if it is fixed.
    pub seed: Option<u64>,
    /// What becomes of rules that are changed while they are played.
    pub design: Design,
    /// How many pages listen.
    pub listeners: AtomicUsize,
    /// Whoever calls those whose turn it is.
    pub calls: Calls,
    /// What there is to work on.
    pub cores: Cores,
    /// What bots have that think for long.
    pub thinking: Cores,
    /// What there is for games to be compiled on: those who play do not wait for that.
    pub compiling: Cores,
    /// The browsers that have something at some table.
    pub browsers: Browsers,
    /// One rematch at a time.
    pub rematches: Queue<()>,
    tables: RwLock<BTreeMap<String, Arc<Table>>>,
    /// Those that could not be read, by name.
    damaged: BTreeMap<String, Damaged>,
}

impl Hall {
    /// The tables of a folder, with the names of those that cannot be read and why.
    pub fn open(
        shelf: Shelf,
        data: Data,
        most: Most,
        calls: Calls,
        seed: Option<u64>,
        design: Design,
    ) -> (Self, Vec<String>) {
        let mut hall = Self {
            shelf,
            data,
            most,
            seed,
            design,
            listeners: AtomicUsize::new(0),
            calls,
            cores: Cores::new(),
            thinking: Cores::for_long_work(),
            compiling: Cores::for_long_work(),
            browsers: Browsers::default(),
            rematches: Queue::default(),
            tables: RwLock::default(),
            damaged: BTreeMap::new(),
        };
        let mut strange = Vec::new();
        for name in std::mem::take(&mut hall.data.names) {
            let log = hall.data.table(&name).join("log.jsonl");
            match hall.facts(&name) {
                Ok(facts) => {
                    let log = facts.log();
                    if facts.logged && !hall.data.table(&name).join(&log).exists() {
                        strange.push(format!("the table `{name}` does not go on: its `{log}` is not there"));
                    }
                    hall.add_new(&name, facts);
                }
                // A folder becomes a table with its facts: this one was never a table, if nothing was done there.
                Err(None) if std::fs::metadata(log).map_or(true, |log| log.len() == 0) => {
                    strange.push(format!("the folder `{name}` holds no table and is left alone"));
                }
                Err(damaged) => {
                    let gone = || Damaged { why: "it is not there".to_owned(), text: String::new() };
                    let damaged = damaged.unwrap_or_else(gone);
                    strange.push(format!(
                        "the table `{name}` cannot be read and is left alone: `table.json`: {}",
                        damaged.why
                    ));
                    hall.damaged.insert(name, damaged);
                }
            }
        }
        (hall, strange)
    }

    /// What is played at a table that lies in the folder; nothing, if no such file is there.
    fn facts(&self, name: &str) -> Result<Facts, Option<Damaged>> {
        let folder = self.data.table(name);
        let text = read(&folder.join("table.json")).map_err(|error| {
            let is_there = error.kind() != std::io::ErrorKind::NotFound;
            is_there.then(|| Damaged { why: error.to_string(), text: String::new() })
        })?;
        let mut facts: Facts = match serde_json::from_str(&text) {
            Ok(facts) => facts,
            // In what words is not told: they might quote what stands there.
            Err(error) => {
                let (line, column) = (error.line(), error.column());
                let why = format!("line {line}, column {column} is not as it was written");
                return Err(Some(Damaged { why, text }));
            }
        };
        if facts.format != Facts::FORMAT {
            let (other, ours) = (facts.format, Facts::FORMAT);
            let why = format!("it has format {other}, and this server knows {ours}; take a newer blazon");
            return Err(Some(Damaged { why, text }));
        }
        // Older servers did not note it, and let others sit down there.
        facts.saved |= folder.join("begin.game").exists();
        facts.told |= facts.saved;
        Ok(facts)
    }

    /// What pages have seen is counted on from here: no page of an earlier start can have a version as high.
    fn first_version(&self) -> u64 {
        self.data.boot << 32
    }

    /// What is needed to play something, from where nobody may wait for it to be compiled.
    ///
    /// # Errors
    /// As [`Shelf::kit`].
    pub async fn kit(self: &Arc<Self>, wanted: Wanted) -> Result<Arc<Kit>, Problem> {
        if let Some(kit) = self.shelf.known(&wanted) {
            return Ok(kit);
        }
        let hall = self.clone();
        self.compiling.work(move || hall.shelf.kit(&wanted)).await?.map_err(Problem::from)
    }

    /// A table by name.
    ///
    /// # Errors
    /// If there is none, or `serve::damaged` if it could not be read.
    pub fn table(&self, name: &str) -> Result<Arc<Table>, Problem> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        let found = tables.get(name).filter(|_| is_name(name)).cloned();
        found.ok_or_else(|| self.damaged.get(name).map_or_else(Problem::no_table, |it| it.problem(name)))
    }

    /// What is wrong with the tables of a browser that could not be read, as far as it is known there.
    pub fn damaged(&self, browser: &str) -> Vec<Problem> {
        let known = self.damaged.iter().filter(|(_, damaged)| damaged.text.contains(browser));
        known.map(|(name, damaged)| damaged.problem(name)).collect()
    }

    /// All tables, the newest first.
    pub fn tables(&self) -> Vec<Arc<Table>> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        let mut tables: Vec<Arc<Table>> = tables.values().cloned().collect();
        tables.sort_by_key(|table| std::cmp::Reverse(table.facts().made));
        tables
    }

    /// Whether a browser is that of whoever started the server: it sits at a table that the server made, whose links were
    /// told to nobody else.
    pub fn is_hosts(&self, browser: Option<&str>) -> bool {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        tables
            .values()
            .map(|table| table.facts())
            .any(|facts| facts.ready && !facts.seats_of(browser).is_empty())
    }

    /// Adds a table that is on the disk.
    pub fn add_new(&self, name: &str, facts: Facts) {
        let chance = Chance::new(self.seed);
        let (folder, browsers) = (self.data.table(name), self.browsers.clone());
        let table = Table::new(name, folder, facts, browsers, self.first_version(), chance);
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        tables.insert(table.name.clone(), Arc::new(table));
    }

    /// Whether there may be one more.
    ///
    /// # Errors
    /// `serve::limit` if not.
    pub fn has_room(&self) -> Result<(), Problem> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner).len();
        if tables < self.most.tables {
            return Ok(());
        }
        let text = format!("this server keeps {tables} tables and no more; remove old ones from its folder");
        Err(Problem::limit(text))
    }

    /// Lets tables sleep that nobody uses, from time to time, for ever.
    pub async fn doze(self: Arc<Self>) {
        loop {
            tokio::time::sleep(SLEEPY / 4).await;
            let idle = now().saturating_sub(SLEEPY.as_secs());
            for table in self.tables().iter().filter(|table| table.used() < idle) {
                table.doze().await;
            }
        }
    }

    /// Lets all tables sleep: the server stops.
    pub async fn close(&self) {
        for table in self.tables() {
            table.sleep().await;
        }
    }
}

impl Damaged {
    fn problem(&self, name: &str) -> Problem {
        let why = &self.why;
        Problem::damaged(format!(
            "the table `{name}` is left alone, since its `table.json` cannot be read: {why}; put the file back as it was \
             and start the server again"
        ))
    }
}

/// One more page listens, as long as this lives.
pub struct Listening {
    hall: Arc<Hall>,
    table: Arc<Table>,
    viewer: Viewer,
}

impl Listening {
    /// One more page of a viewer. Each seat has places of its own: no spectator takes them from those who play.
    ///
    /// # Errors
    /// If there are too many.
    pub fn new(hall: &Arc<Hall>, table: &Arc<Table>, viewer: Viewer) -> Result<Self, Problem> {
        let of_viewer = table.listeners(viewer).fetch_add(1, Ordering::SeqCst);
        let in_all = hall.listeners.fetch_add(1, Ordering::SeqCst);
        let listening = Self { hall: hall.clone(), table: table.clone(), viewer };
        if of_viewer >= hall.most.listeners || in_all >= hall.most.all_listeners {
            return Err(Problem::limit("too many pages are open; close some of them"));
        }
        Ok(listening)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.table.listeners(self.viewer).fetch_sub(1, Ordering::SeqCst);
        self.hall.listeners.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
