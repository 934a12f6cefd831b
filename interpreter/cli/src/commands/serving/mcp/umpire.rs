//! Who does what is asked: one after the other, on one thread, with the rules on the desk and the game on the table.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;

use blazon::files::put_whole;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::desk::Desk;
use super::refusal::Refusal;
use super::table::Table;
use crate::exit::Failure;

/// What comes of something that was asked.
pub type Answer = Result<Value, Refusal>;

/// Something to do, and where the answer goes.
pub struct Job {
    /// What.
    pub work: Box<dyn FnOnce(&mut Umpire) -> Answer + Send>,
    /// Where its answer is waited for.
    pub reply: oneshot::Sender<Answer>,
}

/// The umpire.
pub struct Umpire {
    /// The rules.
    pub desk: Desk,
    /// The game under way.
    table: Option<Table>,
    /// Where the amendment may be kept.
    keep: Option<PathBuf>,
    /// The files of it that were written there, as they were.
    kept: BTreeMap<String, String>,
}

impl Umpire {
    /// One with rules and no game yet.
    pub fn new(desk: Desk, keep: Option<PathBuf>) -> Self {
        Self { desk, table: None, keep, kept: BTreeMap::new() }
    }

    /// Does what is asked, until nobody can ask any more.
    pub fn work(&mut self, jobs: &Receiver<Job>) {
        for job in jobs {
            let answer = catch_unwind(AssertUnwindSafe(|| (job.work)(self)));
            let answer = answer.unwrap_or_else(|_| {
                // What a game is like that was left in the middle of something nobody knows.
                self.table = None;
                Err(Refusal::from(Failure::Bug).help("the game under way was given up; the amendment stands"))
            });
            // Whoever does not wait any more needs no answer.
            let _ = job.reply.send(answer);
        }
    }

    /// The game under way.
    ///
    /// # Errors
    /// If there is none.
    pub fn table(&mut self) -> Result<&mut Table, Refusal> {
        let none = || {
            Refusal::new("mcp::table", "no game is under way")
                .help("begin one with `begin`, or go on with `load`")
        };
        self.table.as_mut().ok_or_else(none)
    }

    /// Begins a game.
    ///
    /// # Errors
    /// If the rules have errors or fail, or there is no such setup or player.
    pub fn begin(&mut self, setup: Option<String>, seed: Option<u64>, players: &[String]) -> Answer {
        let table = Table::begin(self.desk.rules()?, self.desk.selection(setup), seed, players)?;
        self.seat(table, "note", None)
    }

    /// Goes on with a saved game.
    ///
    /// # Errors
    /// If it is damaged, or of other rules.
    pub fn load(&mut self, text: &str, players: &[String]) -> Answer {
        let (table, note) = Table::of_save(self.desk.rules()?, self.desk.selection(None), text, players)?;
        self.seat(table, "note", note)
    }

    /// Plays the game under way again by the rules as they are now.
    ///
    /// # Errors
    /// If there is none, or the rules have errors.
    pub fn again(&mut self) -> Answer {
        let (rules, selection) = (self.desk.rules()?, self.desk.selection(None));
        let (table, again) = self.table()?.again(rules, selection)?;
        self.seat(table, "again", Some(again))
    }

    /// A game comes on the table and goes on; where its rules fail then, it stands there to be looked at. What is known of
    /// it is told beside the news.
    fn seat(&mut self, table: Table, key: &str, known: Option<Value>) -> Answer {
        let table = self.table.insert(table);
        let mut news = table.go_on()?;
        news["game"] = table.played();
        if let Some(known) = known {
            news[key] = known;
        }
        Ok(news)
    }

    /// Changes a page of the amendment, and tells what the rules are like then.
    ///
    /// # Errors
    /// If it cannot be changed so; an amendment with errors stands, and they are told.
    pub fn amend(
        &mut self,
        page: &str,
        text: Option<String>,
        find: Option<&str>,
        with: Option<&str>,
    ) -> Answer {
        let amendment = &mut self.desk.amendment;
        match (text, find, with) {
            (Some(text), None, None) => amendment.put(page, Some(text))?,
            (None, None, None) => amendment.put(page, None)?,
            (None, Some(find), Some(with)) => amendment.replace(page, find, with)?,
            (_, _, _) => {
                let message = "a page is amended by its whole `text`, or by `find` and `with`; by none of them it goes away";
                return Err(Refusal::new("mcp::request", message));
            }
        }
        self.desk.check()
    }

    /// The amendment as it stands: the files of a variant.
    ///
    /// # Errors
    /// If there is no game that it is for.
    pub fn amendment(&self) -> Answer {
        let files = self.desk.amendment.files(&self.desk.rules()?.name());
        let files = files.into_iter().map(|(file, text)| json!({ "file": file, "text": text }));
        Ok(json!({ "empty": self.desk.amendment.is_empty(), "files": files.collect::<Vec<_>>() }))
    }

    /// Writes the amendment as a variant into the folder that whoever started it named.
    ///
    /// # Errors
    /// If none was named, or there are files in it of somebody else's; then nothing is written.
    pub fn keep(&mut self) -> Answer {
        let Some(folder) = self.keep.clone() else {
            let message = "nothing may be written here";
            return Err(Refusal::new("mcp::keep", message).help(
                "`amendment` tells all files; or start it with `--keep FOLDER`, a folder for the variant",
            ));
        };
        let files: BTreeMap<String, String> =
            self.desk.amendment.files(&self.desk.rules()?.name()).into_iter().collect();
        let shown = blazon::shown(&folder);
        if let Some(strange) = strange(&folder, &self.kept) {
            let message = format!("`{shown}` holds {strange}");
            return Err(Refusal::new("mcp::keep", message).help(
                "name a folder that is empty or not there yet; what somebody changed in it is his, and is brought into the \
                 amendment by `amend` with the text as it is there",
            ));
        }
        let failed = |error: std::io::Error| {
            Refusal::new("mcp::keep", format!("`{shown}` cannot be written: {error}"))
        };
        // Each file is noted as it is written: what fails can be done again.
        for (name, text) in &files {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(&folder)).map_err(failed)?;
            put_whole(&path, text).map_err(failed)?;
            self.kept.insert(name.clone(), text.clone());
        }
        for gone in self.kept.keys().filter(|name| !files.contains_key(*name)).cloned().collect::<Vec<_>>() {
            match std::fs::remove_file(folder.join(&gone)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
                Ok(()) | Err(_) => self.kept.remove(&gone),
            };
        }
        let whole = self.desk.check()?["whole"].take();
        Ok(json!({ "folder": shown, "files": self.kept.keys().collect::<Vec<_>>(), "whole": whole }))
    }
}

/// Something in a folder that was not written there, or not so, with what is amiss with it.
fn strange(folder: &Path, kept: &BTreeMap<String, String>) -> Option<String> {
    let tests = folder.join("tests");
    let names = |folder: &Path, before: &str| -> Vec<String> {
        let entries = folder.read_dir().into_iter().flatten().flatten();
        entries.map(|entry| format!("{before}{}", entry.file_name().to_string_lossy())).collect()
    };
    let there = names(folder, "").into_iter().filter(|name| *name != "tests").chain(names(&tests, "tests/"));
    let quoted = |name: &str| format!("`{}`", blazon::present::harmless(name));
    let amiss = |name: String| match kept.get(&name) {
        None => Some(format!("{}, which was not kept here before", quoted(&name))),
        Some(text) => {
            let is_as_kept = std::fs::read(folder.join(&name)).is_ok_and(|there| there == text.as_bytes());
            (!is_as_kept).then(|| format!("{}, which was changed since it was kept here", quoted(&name)))
        }
    };
    // A link is somebody's who wants something to be written elsewhere.
    let is_link = |path: &Path| path.symlink_metadata().is_ok_and(|about| about.is_symlink());
    there.into_iter().find_map(amiss).or_else(|| is_link(&tests).then(|| "a link `tests`".to_owned()))
}
