//! `blazon watch`: checks and tests again on each save, and tells the first failure first.
//!
//! Nothing is known of the editor: whatever happens in a folder of the rules, the folders are read again, and only texts
//! that are others than before count ([`blazon_serve::Files`]). What is done anew then is said in [`round`] and [`tests`].

mod report;
mod round;
mod tests;

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use blazon::Rules;
use blazon_serve::{Files, Unwatched, folders_of};

use self::round::Known;
use crate::args::WatchArgs;
use crate::console::Console;
use crate::exit::{Failure, Result};
use crate::load;

/// A save is over when nothing has happened for so long.
const QUIET: Duration = Duration::from_millis(30);

impl From<Unwatched> for Failure {
    fn from(Unwatched(text): Unwatched) -> Self {
        Self::Environment(text)
    }
}

/// Watches until it is interrupted.
///
/// # Errors
/// If there is nothing to watch, or the system cannot watch it.
pub fn run(args: &WatchArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let rules = load::game(args.path.as_deref(), &args.with.variants, library)?;
    let (mut files, _watching) = Files::new(&folders(args, &rules, library)?, QUIET)?;
    // The processors are busy for a moment only, and then it waits: one Ctrl-C ends it.
    ctrlc::set_handler(|| std::process::exit(130))
        .map_err(|error| Failure::Environment(format!("interruptions cannot be heard: {error}")))?;
    let pool = super::test::pool(None)?;
    let mut known = Known::default();
    let mut read = Ok(rules);
    let news = files.news();
    let news = || news.load(Ordering::SeqCst);
    loop {
        let done = read
            .and_then(|mut rules| pool.install(|| round::run(&mut rules, args, &mut known, &news, console)));
        match done {
            Ok(()) => {}
            // What is wrong from the beginning is wrong with the command line.
            Err(failure) if !known.begun => return Err(failure),
            Err(failure) => report::unread(&failure, console),
        }
        // Where nobody reads there is nothing else to be had of it.
        if console.is_lost() {
            return Ok(());
        }
        files.wait()?;
        read = load::game(args.path.as_deref(), &args.with.variants, library);
    }
}

/// The folders that are watched: the game's, those of variants that lie elsewhere, the library's.
fn folders(args: &WatchArgs, rules: &Rules, library: Option<&Path>) -> Result<Vec<PathBuf>> {
    let named = args.path.iter().chain(&args.with.variants).map(Path::new).filter(|path| path.exists());
    let all = rules.root.as_deref().into_iter().chain(named).chain(library);
    let folders = folders_of(all);
    if folders.is_empty() {
        let name = crate::console::harmless(&rules.name());
        return Err(Failure::Usage(format!(
            "`{name}` comes with the program, and nothing of it can change: name a folder"
        )));
    }
    Ok(folders)
}
