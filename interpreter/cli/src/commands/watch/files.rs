//! What happens to files: waits for a save, and until it is over.
//!
//! Editors save in many ways: they write over the file, or beside it and rename, or delete and create. So every event
//! that is no mere reading counts, and only when it has been quiet for a moment the files are looked at. A folder that
//! vanishes takes its watch with it: the folder around it is watched, too, and the watch begins anew when it is back.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::event::{EventKind, MetadataKind, ModifyKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

use crate::exit::{Failure, Result};

/// A save is over when nothing has happened for so long.
const QUIET: Duration = Duration::from_millis(30);

/// Whoever never stops writing is not waited for longer.
const LONGEST: Duration = Duration::from_secs(1);

/// So often it is looked whether a folder that vanished is back.
const LOST: Duration = Duration::from_millis(300);

/// Folders that are watched.
pub struct Files {
    watcher: RecommendedWatcher,
    events: Receiver<()>,
    /// Something happened since somebody last waited.
    news: Arc<AtomicBool>,
    /// A watched folder itself came, went or was renamed.
    moved: Arc<AtomicBool>,
    folders: Vec<PathBuf>,
    /// Whether one of the folders was gone at the end of the last wait.
    was_gone: bool,
}

impl Files {
    /// Begins to watch.
    ///
    /// # Errors
    /// If the system cannot watch one of the folders.
    pub fn new(folders: &[PathBuf]) -> Result<Self> {
        let (sender, events) = channel();
        let (news, moved) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let (told, went, own) = (news.clone(), moved.clone(), folders.to_vec());
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            let counts = match &event {
                // What the system lost may have been a save.
                Err(_) => true,
                Ok(event) => is_change(event) && (event.paths.is_empty() || concerns(event, &own)),
            };
            if event.is_ok_and(|event| event.paths.iter().any(|path| own.contains(path))) {
                went.store(true, Ordering::SeqCst);
            }
            if counts {
                told.store(true, Ordering::SeqCst);
                // Nobody listens only when the program ends.
                let _ = sender.send(());
            }
        });
        let watcher = watcher.map_err(|error| unwatchable(&error))?;
        let mut files = Self { watcher, events, news, moved, folders: folders.to_vec(), was_gone: false };
        files.follow().map_err(|error| unwatchable(&error))?;
        Ok(files)
    }

    /// Whether something happened since the last wait: asked by whoever is at work meanwhile.
    pub fn news(&self) -> Arc<AtomicBool> {
        self.news.clone()
    }

    /// Waits for a save, and until it is over.
    ///
    /// # Errors
    /// If the system no longer tells anything.
    pub fn wait(&mut self) -> Result<()> {
        match (self.is_gone(), self.was_gone) {
            (_, true) => self.until_back()?,
            // It went while nobody listened: that is news.
            (true, false) => {
                self.was_gone = true;
                return Ok(());
            }
            (false, false) => self.until_something()?,
        }
        self.until_quiet();
        if self.moved.swap(false, Ordering::SeqCst) && self.follow().is_err() {
            self.moved.store(true, Ordering::SeqCst);
        }
        self.was_gone = self.is_gone();
        Ok(())
    }

    /// Whether one of the folders is not there.
    fn is_gone(&self) -> bool {
        self.folders.iter().any(|folder| !folder.is_dir())
    }

    fn until_something(&self) -> Result<()> {
        if self.events.recv().is_err() {
            return Err(Failure::Environment("the system tells of no files any more".to_owned()));
        }
        Ok(())
    }

    /// Waits until a save is over.
    fn until_quiet(&self) {
        let begun = Instant::now();
        loop {
            // What comes from here on is heard now, or by the next wait.
            self.news.store(false, Ordering::SeqCst);
            if self.events.recv_timeout(QUIET).is_err() || begun.elapsed() > LONGEST {
                break;
            }
        }
    }

    /// Waits until all folders are there again, and watches them.
    fn until_back(&mut self) -> Result<()> {
        loop {
            while self.is_gone() {
                match self.events.recv_timeout(LOST) {
                    Ok(()) | Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => std::thread::sleep(LOST),
                }
            }
            match self.follow() {
                Ok(()) => return Ok(()),
                // It went again in this moment.
                Err(_) if self.is_gone() => {}
                Err(error) => return Err(unwatchable(&error)),
            }
        }
    }

    /// Watches all folders, whatever was watched before, and for their coming and going those around them.
    fn follow(&mut self) -> notify::Result<()> {
        for folder in &self.folders {
            // What is not watched any more need not be given up.
            let _ = self.watcher.unwatch(folder);
            self.watcher.watch(folder, RecursiveMode::Recursive)?;
            let around = folder.parent().filter(|around| !self.folders.iter().any(|f| around.starts_with(f)));
            if let Some(around) = around {
                // It may be one that nobody may look into; then only a folder that vanishes is not seen to be back at once.
                let _ = self.watcher.watch(around, RecursiveMode::NonRecursive);
            }
        }
        Ok(())
    }
}

fn unwatchable(error: &notify::Error) -> Failure {
    Failure::Environment(format!("the folder cannot be watched: {error}"))
}

/// Whether something may have changed: nobody wants to hear that a file was read, least of all by this program.
fn is_change(event: &Event) -> bool {
    match event.kind {
        EventKind::Access(_) => false,
        EventKind::Modify(ModifyKind::Metadata(MetadataKind::AccessTime)) => false,
        EventKind::Any
        | EventKind::Create(_)
        | EventKind::Modify(_)
        | EventKind::Remove(_)
        | EventKind::Other => true,
    }
}

/// Whether it happened to a watched folder or in one; its neighbours do not count, nor what lies in hidden folders.
fn concerns(event: &Event, folders: &[PathBuf]) -> bool {
    let within = |path: &Path, folder: &PathBuf| {
        let inside = path.strip_prefix(folder).ok()?;
        let hidden = inside.iter().any(|part| part.to_string_lossy().starts_with('.'));
        Some(!hidden)
    };
    event.paths.iter().any(|path| folders.iter().any(|folder| within(path, folder) == Some(true)))
}
