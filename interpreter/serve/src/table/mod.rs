//! One table: a game under way, the seats around it, and the pages that look at it.
//!
//! Whoever does something at a table has it for himself until it is on the disk and the pages know of it. The game in
//! memory is nothing but what the log on the disk says: if something goes wrong on the way it is thrown away and made
//! again from there.

mod beginning;
mod bots;
mod doing;
mod hints;
mod live;
mod looking;
mod past;
mod places;
mod seen;
mod strip;
#[cfg(test)]
mod tests;
mod trial;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use blazon::files::put_whole;
use tokio::sync::{Mutex as Queue, watch};

use crate::browsers::Browsers;
use crate::calls::{Call, Fate};
use crate::cores::waiting;
use crate::desk::Desk;
use crate::hall::Hall;
use crate::keep::{Facts, Journal, Standing};
use crate::problem::Problem;
use crate::secret::Chance;
use trial::Trial;

pub use beginning::{Made, New, Opening, digest};
pub use bots::offered;
pub use doing::Chosen;
pub use hints::Hints;
pub use live::Live;
pub use places::Asked;

/// Who looks: a player by place, or a spectator.
pub type Viewer = Option<usize>;

/// One table.
pub struct Table {
    /// Its name.
    pub name: String,
    folder: PathBuf,
    /// Who sits where. Every request asks: it is held no longer than it takes to read or to put it there.
    facts: RwLock<Arc<Facts>>,
    /// Held by whoever changes that, until the disk has it.
    writing: Arc<Queue<()>>,
    browsers: Browsers,
    held: Arc<Queue<Held>>,
    /// For each player, and last for spectators: the version of what they see.
    versions: Vec<watch::Sender<u64>>,
    /// How many pages listen, for each player, and last for spectators.
    listeners: Box<[AtomicUsize]>,
    /// What is left to chance besides the dice.
    chance: Chance,
    /// Whether its bots are at work.
    bots: AtomicBool,
    /// When something was last done or looked at here, in seconds since 1970.
    used: AtomicU64,
    /// Who had to decide when last something was done, as it is known or was written down; nobody knows before.
    due: Mutex<Option<Vec<usize>>>,
    /// For each player what became of the last call.
    fates: Vec<Fate>,
    /// How it ended, as far as that is known without waking it; shown in the lobby.
    ended: Mutex<Option<String>>,
    /// What helps whoever changes its rules in the browser. It takes a while until it is there.
    desk: Queue<Option<Arc<Desk>>>,
}

/// What only one at a time may touch.
#[derive(Default)]
struct Held {
    journal: Option<Journal>,
    /// The game as it is shown.
    live: Option<Live>,
    /// What stands behind it while its rules are being changed.
    trial: Option<Trial>,
    /// The rules that its designer does not want to go on by.
    stays: Option<String>,
    /// The edition of all rules that it has taken in.
    edition: u64,
}

/// A table as whoever does something there has it.
pub struct Sitting<'a> {
    /// The table.
    pub table: &'a Table,
    /// Who sits where.
    pub facts: Arc<Facts>,
    /// The game.
    pub live: &'a mut Live,
    hall: &'a Hall,
    journal: &'a mut Journal,
    trial: &'a mut Option<Trial>,
    stays: &'a mut Option<String>,
}

impl Table {
    /// A table of a folder.
    pub fn new(
        name: &str,
        folder: PathBuf,
        facts: Facts,
        browsers: Browsers,
        version: u64,
        chance: Chance,
    ) -> Self {
        let channels = facts.seats.len() + 1;
        browsers.change(None, &facts);
        let standing = Standing::read(&folder, &facts);
        Self {
            name: name.to_owned(),
            folder,
            facts: RwLock::new(Arc::new(facts)),
            writing: Arc::default(),
            browsers,
            held: Arc::default(),
            versions: (0..channels).map(|_| watch::Sender::new(version)).collect(),
            listeners: (0..channels).map(|_| AtomicUsize::new(0)).collect(),
            chance,
            bots: AtomicBool::new(false),
            used: AtomicU64::new(crate::hall::now()),
            due: Mutex::new(standing.as_ref().map(|standing| standing.asked.clone())),
            fates: (1..channels).map(|_| Fate::default()).collect(),
            ended: Mutex::new(standing.and_then(|standing| standing.ended)),
            desk: Queue::default(),
        }
    }

    /// Who sits where.
    pub fn facts(&self) -> Arc<Facts> {
        self.facts.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes who sits where, on a thread that may wait; it is on the disk afterwards. One change comes after the other, and
    /// whoever asks meanwhile hears of it when the disk has it.
    ///
    /// # Errors
    /// If the disk does not take it; nothing has changed then.
    pub fn change<T>(&self, change: impl FnOnce(&mut Facts) -> T) -> Result<T, Problem> {
        let _alone = self.writing.blocking_lock();
        self.write(change)
    }

    /// The same from where nobody may wait for the disk.
    ///
    /// # Errors
    /// As [`Self::change`].
    pub async fn change_soon<T: Send + 'static>(
        self: &Arc<Self>,
        change: impl FnOnce(&mut Facts) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let alone = self.writing.clone().lock_owned().await;
        let table = self.clone();
        waiting(move || {
            let _alone = alone;
            table.write(change)
        })
        .await
    }

    fn write<T>(&self, change: impl FnOnce(&mut Facts) -> T) -> Result<T, Problem> {
        let before = self.facts();
        let mut facts = Facts::clone(&before);
        let answer = change(&mut facts);
        keep_facts(&self.folder, &facts)?;
        self.browsers.change(Some(&before), &facts);
        *self.facts.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(facts);
        Ok(answer)
    }

    /// Where a viewer's version is told.
    pub fn versions(&self, viewer: Viewer) -> &watch::Sender<u64> {
        let last = self.versions.len() - 1;
        &self.versions[viewer.unwrap_or(last).min(last)]
    }

    /// How many pages of a viewer listen.
    pub fn listeners(&self, viewer: Viewer) -> &AtomicUsize {
        let last = self.listeners.len() - 1;
        &self.listeners[viewer.unwrap_or(last).min(last)]
    }

    /// How it ended, if it did and that is known without waking it.
    pub fn ended(&self) -> Option<String> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Who has to decide, if that is known without waking it: somebody was there since the server began, or it was written
    /// down before.
    pub fn asked(&self) -> Option<Vec<usize>> {
        self.due.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether it is known to wait for a browser.
    pub fn waits_for(&self, browser: Option<&str>) -> bool {
        let mine = self.facts().seats_of(browser);
        self.ended().is_none()
            && self.asked().is_some_and(|asked| asked.iter().any(|place| mine.contains(place)))
    }

    /// Whether a page of it is open.
    pub fn is_looked_at(&self) -> bool {
        self.listeners.iter().any(|count| count.load(Ordering::Relaxed) > 0)
    }

    /// The language server of whoever changes its rules in the browser; it is made when it is first wanted, on a thread that
    /// may wait.
    ///
    /// # Errors
    /// If it cannot be made.
    pub async fn desk(
        &self,
        make: impl FnOnce() -> Result<Desk, Problem> + Send + 'static,
    ) -> Result<Arc<Desk>, Problem> {
        let mut held = self.desk.lock().await;
        if let Some(desk) = &*held {
            return Ok(desk.clone());
        }
        let desk = Arc::new(waiting(make).await?);
        *held = Some(desk.clone());
        Ok(desk)
    }

    /// Tells the language server, if there is one, that a file was written.
    pub async fn saved(&self, path: &Path) {
        if let Some(desk) = &*self.desk.lock().await {
            desk.saved(path);
        }
    }

    /// When it was last used.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Does something at the table, alone, on a thread that may wait; wakes the table first if it sleeps.
    ///
    /// # Errors
    /// What the work answers, or why the table cannot be woken.
    pub async fn with<T: Send + 'static>(
        self: &Arc<Self>,
        hall: &Arc<Hall>,
        work: impl FnOnce(&mut Sitting<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let mut held = self.held.clone().lock_owned().await;
        let (table, all) = (self.clone(), hall.clone());
        let done = hall.cores.work(move || {
            let done = catch_unwind(AssertUnwindSafe(|| table.sit(&all, &mut held, work)));
            done.unwrap_or_else(|_| {
                held.live = None;
                Err(Problem::internal("this is a bug in Blazon; the game stands as it did"))
            })
        });
        done.await?
    }

    fn sit<T>(
        &self,
        hall: &Hall,
        held: &mut Held,
        work: impl FnOnce(&mut Sitting<'_>) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        self.used.store(crate::hall::now(), Ordering::Relaxed);
        let facts = self.facts();
        let edition = hall.shelf.edition();
        let is_behind = held.live.is_none() || held.edition != edition;
        if held.live.is_none() {
            held.trial = None;
            held.live = Some(self.wake(hall, &facts, &mut held.journal)?);
        }
        held.edition = edition;
        let Held { journal, live, trial, stays, .. } = held;
        let (Some(live), Some(journal)) = (live, journal) else {
            return Err(Problem::internal("a table without a game"));
        };
        let mut sitting = Sitting { table: self, facts, live, hall, journal, trial, stays };
        let ready = if is_behind || sitting.is_no_longer_designed() { sitting.catch_up() } else { Ok(()) };
        let done = ready.and_then(|()| work(&mut sitting));
        *self.ended.lock().unwrap_or_else(PoisonError::into_inner) = live.ended();
        if live.is_void {
            held.live = None;
            held.trial = None;
        } else {
            self.call(hall, &live.standing().deciders);
        }
        done
    }

    /// Calls whoever has to decide now, did not have to before, and sees no page.
    fn call(&self, hall: &Hall, deciders: &[usize]) {
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        // After a start nobody is called for what he was called for before.
        let Some(before) = due.replace(deciders.to_vec()) else { return };
        let facts = self.facts();
        for &place in deciders.iter().filter(|place| !before.contains(place)) {
            let Some(seat) = facts.seats.get(place).filter(|seat| seat.sits.is_human()) else { continue };
            if let Some(address) = &seat.webhook
                && self.versions(Some(place)).receiver_count() == 0
            {
                hall.calls.call(Call {
                    address: address.clone(),
                    game: facts.title.clone(),
                    seat: seat.player.clone(),
                    table: self.name.clone(),
                    path: crate::links::to_table(&self.name, &seat.player),
                    fate: self.fates[place].clone(),
                });
            }
        }
    }

    /// What became of a seat's last call.
    pub fn fate(&self, seat: usize) -> Option<String> {
        self.fates.get(seat)?.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The game as the disk has it.
    fn wake(&self, hall: &Hall, facts: &Facts, journal: &mut Option<Journal>) -> Result<Live, Problem> {
        let lines = match journal {
            Some(journal) => journal.read_again()?,
            None => {
                let path = self.folder.join(facts.log());
                if !facts.logged {
                    // Older servers began a log with the first choice: one that is not there is an empty one, and is one
                    // that has gone from now on. If the disk does not take the note, it is made the next time.
                    Journal::begin(&path)?;
                    let _ = self.change(|facts| facts.logged = true);
                }
                let (opened, lines) = Journal::open(&path)?;
                // What was lost while no server was there would be a game begun anew.
                Standing::length(&self.folder, facts).map_or(Ok(()), |long| opened.was(long))?;
                *journal = Some(opened);
                lines
            }
        };
        Live::wake(hall, &self.folder, facts, &lines)
    }

    /// Lets the game sleep: what it takes of memory is given back, the disk has it.
    pub async fn sleep(&self) {
        let mut held = self.held.lock().await;
        // What is only tried is not the game.
        if let Some(live) = held.trial.as_ref().map(|trial| &trial.base).or(held.live.as_ref()) {
            // A copy for people; the log has it all the same.
            let _ = self.copy(live);
        }
        self.rest(&mut held);
    }

    /// Gives back what the game takes of memory, and writes down for the lobby how it stands.
    fn rest(&self, held: &mut Held) {
        held.live = None;
        let facts = self.facts();
        // How it stands where something is only tried is not how the game stands.
        if let (None, Some(asked), Some(journal)) = (&held.trial, self.asked(), &held.journal) {
            let standing = Standing::new(journal.written(), &facts, asked, self.ended());
            if Standing::read(&self.folder, &facts).as_ref() != Some(&standing) {
                standing.keep(&self.folder);
            }
        }
    }

    /// Lets it sleep if nobody is at it.
    pub async fn doze(self: &Arc<Self>) {
        let listening = self.is_looked_at() || self.bots.load(Ordering::Relaxed);
        if let (false, Ok(mut held)) = (listening, self.held.clone().try_lock_owned()) {
            // One that is being made is wanted by somebody.
            if let Ok(mut desk) = self.desk.try_lock() {
                *desk = None;
            }
            if held.live.is_some() {
                let table = self.clone();
                let rested = waiting(move || {
                    table.rest(&mut held);
                    Ok(())
                });
                let _ = rested.await;
            }
        }
    }

    /// Writes the game as a saved game beside the log.
    fn copy(&self, live: &Live) -> Result<(), Problem> {
        let text = live.save()?;
        put_whole(&self.folder.join("save.game"), &text).map_err(|error| Problem::kept(error.to_string()))
    }
}

/// Writes who sits where.
///
/// # Errors
/// If the disk does not take it.
pub fn keep_facts(folder: &Path, facts: &Facts) -> Result<(), Problem> {
    let text = serde_json::to_string_pretty(facts).map_err(|error| Problem::internal(error.to_string()))?;
    let written = put_whole(&folder.join("table.json"), &(text + "\n"));
    written.map_err(|error| {
        Problem::kept(format!("nothing was done: the table cannot be written down ({error})"))
    })
}
