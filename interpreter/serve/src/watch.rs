//! Files of rules that change while games are under way: they are read again, and the tables are told.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use tokio::runtime::Handle;

use crate::hall::Hall;
use crate::shelf::Wanted;

/// An editor writes a file in several steps: when nothing has happened for so long it has been written.
const QUIET: Duration = Duration::from_millis(12);
/// What never gets quiet is looked at all the same.
const LONGEST: Duration = Duration::from_millis(250);

/// Watches the folders of all games that have one, and the library's if it is read from a folder, for as long as the
/// answer lives.
///
/// # Errors
/// If the system does not tell of changes, or a folder cannot be watched.
pub fn watch(
    hall: &Arc<Hall>,
    library: Option<&Path>,
    runtime: Handle,
) -> Result<RecommendedWatcher, notify::Error> {
    let (news, heard) = channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Who is only looking at a file has changed nothing.
        if !matches!(event, Ok(notify::Event { kind: notify::EventKind::Access(_), .. })) {
            let _ = news.send(());
        }
    })?;
    let roots = hall.shelf.games().iter().filter_map(|game| game.root.as_deref());
    for root in roots.chain(library) {
        watcher.watch(root, RecursiveMode::Recursive)?;
    }
    let hall = hall.clone();
    std::thread::spawn(move || listen(&hall, &heard, &runtime));
    Ok(watcher)
}

/// Ends when the watcher does.
fn listen(hall: &Arc<Hall>, heard: &Receiver<()>, runtime: &Handle) {
    while heard.recv().is_ok() {
        let since = Instant::now();
        while since.elapsed() < LONGEST {
            match heard.recv_timeout(QUIET) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        read_again(hall, runtime);
    }
}

/// Reads all games again, shows what became of them, and then proves what takes longer.
fn read_again(hall: &Arc<Hall>, runtime: &Handle) {
    for game in hall.shelf.games().iter().filter(|game| game.root.is_some()) {
        let changed = hall.shelf.read_again(game);
        if changed.is_empty() {
            continue;
        }
        show(hall, runtime, &changed);
        let leaky: Vec<Wanted> =
            changed.into_iter().filter(|wanted| hall.shelf.prove(game, wanted)).collect();
        show(hall, runtime, &leaky);
    }
}

/// Lets the tables that somebody looks at take in the changes; the others do so when somebody comes.
fn show(hall: &Arc<Hall>, runtime: &Handle, changed: &[Wanted]) {
    for table in hall.tables() {
        if table.is_looked_at() && changed.contains(&table.facts().wanted()) {
            // What goes wrong there is told to whoever asks next.
            let _ = runtime.block_on(table.with(hall, |_| Ok(())));
        }
    }
}
