//! What happens to files: waits for a save, and until it is over.
//!
//! Editors save in many ways: they write over the file, or beside it and rename, or delete and create. So every event
//! that is no mere reading counts, and only when it has been quiet for a moment the files are looked at. A folder that
//! vanishes takes its watch with it: the folder around it is watched, too, and the watch begins anew when it is back.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use notify::event::{EventKind, MetadataKind, ModifyKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

/// Whoever never stops writing is not waited for longer than so many times a moment of quiet.
const LONGEST: u32 = 25;

/// So often it is looked whether a folder that vanished is back.
const LOST: Duration = Duration::from_millis(300);

/// Why nothing is watched, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwatched(pub String);

impl std::fmt::Display for Unwatched {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unwatched {}

type Result<T> = std::result::Result<T, Unwatched>;

/// Ends a watch when it is dropped: whoever waits is told so.
#[derive(Debug)]
pub struct Watching {
    over: Arc<AtomicBool>,
    events: Sender<()>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        let _ = self.events.send(());
    }
}

/// The folders in which these files and folders lie, as absolute paths; those within others are left out, since they are
/// watched with them.
pub fn folders_of<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for path in paths {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let folder = if path.is_dir() { Some(path.as_path()) } else { path.parent() };
        folders.extend(folder.map(Path::to_owned));
    }
    folders.sort();
    folders.dedup_by(|inner, outer| inner.starts_with(outer));
    folders
}

/// Folders that are watched.
pub struct Files {
    watcher: RecommendedWatcher,
    events: Receiver<()>,
    /// Something happened since somebody last waited.
    news: Arc<AtomicBool>,
    /// A watched folder itself came, went or was renamed.
    moved: Arc<AtomicBool>,
    folders: Vec<PathBuf>,
    /// A save is over when nothing has happened for so long.
    quiet: Duration,
    /// Nobody wants to hear more.
    over: Arc<AtomicBool>,
    /// Whether one of the folders was gone at the end of the last wait.
    was_gone: bool,
}

impl Files {
    /// Begins to watch folders, by absolute paths, as [`folders_of`] gives them; a save is over when nothing has happened for
    /// a moment. The watch ends with the second answer.
    ///
    /// # Errors
    /// If the system cannot watch one of the folders.
    pub fn new(folders: &[PathBuf], quiet: Duration) -> Result<(Self, Watching)> {
        let (sender, events) = channel();
        let over = Arc::new(AtomicBool::new(false));
        let watching = Watching { over: over.clone(), events: sender.clone() };
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
        let folders = folders.to_vec();
        let mut files = Self { watcher, events, news, moved, folders, quiet, over, was_gone: false };
        files.follow().map_err(|error| unwatchable(&error))?;
        Ok((files, watching))
    }

    /// Whether something happened since the last wait: asked by whoever is at work meanwhile.
    pub fn news(&self) -> Arc<AtomicBool> {
        self.news.clone()
    }

    /// Waits for a save, and until it is over.
    ///
    /// # Errors
    /// If the watch has ended, or the system no longer tells anything.
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
        if self.is_over() {
            return Err(Unwatched("the watch has ended".to_owned()));
        }
        self.until_quiet();
        if self.moved.swap(false, Ordering::SeqCst) && self.follow().is_err() {
            self.moved.store(true, Ordering::SeqCst);
        }
        self.was_gone = self.is_gone();
        Ok(())
    }

    /// Whether the watch has ended.
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::SeqCst)
    }

    /// Whether one of the folders is not there.
    fn is_gone(&self) -> bool {
        self.folders.iter().any(|folder| !folder.is_dir())
    }

    fn until_something(&self) -> Result<()> {
        if self.events.recv().is_err() {
            return Err(Unwatched("the system tells of no files any more".to_owned()));
        }
        Ok(())
    }

    /// Waits until a save is over.
    fn until_quiet(&self) {
        let begun = Instant::now();
        loop {
            // What comes from here on is heard now, or by the next wait.
            self.news.store(false, Ordering::SeqCst);
            if self.events.recv_timeout(self.quiet).is_err() || begun.elapsed() > self.quiet * LONGEST {
                break;
            }
        }
    }

    /// Waits until all folders are there again, and watches them.
    fn until_back(&mut self) -> Result<()> {
        loop {
            while self.is_gone() && !self.is_over() {
                match self.events.recv_timeout(LOST) {
                    Ok(()) | Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => std::thread::sleep(LOST),
                }
            }
            if self.is_over() {
                return Ok(());
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

fn unwatchable(error: &notify::Error) -> Unwatched {
    Unwatched(format!("the folder cannot be watched: {error}"))
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

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: Duration = Duration::from_millis(12);

    #[test]
    fn every_way_to_save_is_seen_and_a_folder_that_comes_back() {
        let around = tempfile::tempdir().unwrap();
        let folder = around.path().canonicalize().unwrap().join("game");
        std::fs::create_dir(&folder).unwrap();
        let page = folder.join("a.blazon");
        std::fs::write(&page, "a").unwrap();
        let (mut files, watching) = Files::new(&folders_of([page.as_path(), &folder]), QUIET).unwrap();
        std::fs::write(&page, "b").unwrap();
        files.wait().unwrap();
        std::fs::write(folder.join("a.new"), "c").unwrap();
        files.wait().unwrap();
        std::fs::rename(folder.join("a.new"), &page).unwrap();
        files.wait().unwrap();
        std::fs::rename(&folder, around.path().join("elsewhere")).unwrap();
        files.wait().unwrap();
        let (from, to) = (around.path().join("elsewhere"), folder.clone());
        let back = std::thread::spawn(move || {
            std::thread::sleep(4 * QUIET);
            std::fs::rename(from, to).unwrap();
        });
        files.wait().unwrap();
        back.join().unwrap();
        // What is saved after that is seen again, and so is the end.
        let saving = std::thread::spawn(move || std::fs::write(page, "d").unwrap());
        files.wait().unwrap();
        saving.join().unwrap();
        drop(watching);
        while !files.is_over() {
            std::thread::sleep(QUIET);
        }
        assert_eq!(
            (0..20).find_map(|_| files.wait().err()),
            Some(Unwatched("the watch has ended".to_owned()))
        );
    }

    #[test]
    fn a_folder_within_another_is_watched_with_it() {
        let around = tempfile::tempdir().unwrap();
        let inner = around.path().join("a");
        std::fs::create_dir(&inner).unwrap();
        let page = around.path().join("b.blazon");
        std::fs::write(&page, "").unwrap();
        assert_eq!(folders_of([inner.as_path(), &page]), [around.path()]);
    }
}
