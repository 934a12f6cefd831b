//! Files of rules that change while games are under way: they are read again, and the tables are told.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;

use crate::files::{Files, Unwatched, Watching, folders_of};
use crate::hall::Hall;
use crate::shelf::Wanted;

/// An editor writes a file in several steps: when nothing has happened for so long it has been written. Somebody waits for
/// the board.
const QUIET: Duration = Duration::from_millis(12);

/// Rules may be nested deeply, and this thread reads them.
const DEEP: usize = 64 << 20;

/// So long after the system tells nothing it is asked again.
const LATER: Duration = Duration::from_millis(500);

/// Watches the folders of all games that have one, and others, such as those of the library and of variants that lie
/// elsewhere, for as long as the answer lives.
///
/// # Errors
/// If the system does not tell of changes, or a folder cannot be watched.
pub fn watch(hall: &Arc<Hall>, others: &[&Path], runtime: Handle) -> Result<Watching, Unwatched> {
    let roots = hall.shelf.games().iter().filter_map(|game| game.root.as_deref());
    let folders = folders_of(roots.chain(others.iter().copied()));
    let (files, watching) = Files::new(&folders, QUIET)?;
    let hall = hall.clone();
    let listening = std::thread::Builder::new().name("rules".to_owned()).stack_size(DEEP);
    let listening = listening.spawn(move || listen(&hall, files, &runtime));
    listening.map_err(|error| Unwatched(format!("no thread can be started: {error}")))?;
    Ok(watching)
}

/// Ends when the watch does.
fn listen(hall: &Arc<Hall>, mut files: Files, runtime: &Handle) {
    while !files.is_over() {
        match files.wait() {
            Ok(()) => read_again(hall, runtime),
            Err(_) => std::thread::sleep(LATER),
        }
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
