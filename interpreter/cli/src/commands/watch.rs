//! `blazon watch`: checks and tests again on each save, and tells the first failure first.
//!
//! Nothing is known of the editor: whatever happens in a folder of the rules, the folders are read again, and only texts
//! that are others than before count ([`files`]). What is done anew then is said in [`round`] and [`tests`].

mod files;
mod report;
mod round;
mod tests;

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use blazon::Rules;

use self::files::Files;
use self::round::Known;
use crate::args::WatchArgs;
use crate::console::Console;
use crate::exit::{Failure, Result};
use crate::load;

/// Watches until it is interrupted.
///
/// # Errors
/// If there is nothing to watch, or the system cannot watch it.
pub fn run(args: &WatchArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let rules = load::game(args.path.as_deref(), &args.with.variants, library)?;
    let mut files = Files::new(&folders(args, &rules, library)?)?;
    // The processors are busy for a moment only, and then it waits: one Ctrl-C ends it.
    ctrlc::set_handler(|| std::process::exit(130))
        .map_err(|error| Failure::Environment(format!("interruptions cannot be heard: {error}")))?;
    let pool = rayon::ThreadPoolBuilder::new().stack_size(64 << 20).build();
    let pool = pool.map_err(|error| Failure::Environment(format!("no threads can be started: {error}")))?;
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
        files.wait()?;
        read = load::game(args.path.as_deref(), &args.with.variants, library);
    }
}

/// The folders that are watched: the game's, those of variants that lie elsewhere, the library's.
fn folders(args: &WatchArgs, rules: &Rules, library: Option<&Path>) -> Result<Vec<PathBuf>> {
    let named = args.path.iter().chain(&args.with.variants).map(Path::new).filter(|path| path.exists());
    let all = rules.root.as_deref().into_iter().chain(named).chain(library);
    let mut folders: Vec<PathBuf> = Vec::new();
    for path in all {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let folder = if path.is_dir() { Some(path.as_path()) } else { path.parent() };
        folders.extend(folder.map(Path::to_owned));
    }
    // A folder within another is watched with it.
    folders.sort();
    folders.dedup_by(|inner, outer| inner.starts_with(outer));
    if folders.is_empty() {
        let name = crate::console::harmless(&rules.name());
        return Err(Failure::Usage(format!(
            "`{name}` comes with the program, and nothing of it can change: name a folder"
        )));
    }
    Ok(folders)
}
