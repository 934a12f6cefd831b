//! `blazon replay FOLDER`: plays all saved games of a folder again, and says which part, where, and by what.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use blazon::change::Blame;
use blazon::{Game, shown};
use blazon_machine::save::{Comparison, Divergence, Replayed, Save};
use indicatif::ProgressBar;
use rayon::prelude::*;
use walkdir::WalkDir;

use super::cause::{Cause, Otherwise, cause};
use super::ending::Ending;
use super::report;
use super::sides::{Pair, Played};
use crate::args::ReplayArgs;
use crate::commands::studies::simulate::bar;
use crate::console::{Console, harmless};
use crate::exit::{Failure, Result};
use crate::save_file;

/// So many games that part share the rules that are tried to find what is to blame. It is the same on any number of
/// cores, for how many are tried has a limit.
const TOGETHER: usize = 64;

/// The name of a saved game ends so.
const ENDING: &str = "game";

/// A saved game of the folder, and what came of it.
pub struct Replay {
    /// The file, as it is shown.
    pub file: String,
    /// What came of it.
    pub end: End,
}

/// What came of a saved game.
pub enum End {
    /// All of its choices can be made.
    Through,
    /// It parts.
    Parted(Box<Parting>),
    /// All of its choices can be made, and it comes out otherwise.
    Otherwise(Box<Outcome>),
    /// It cannot be read, or not be begun.
    Failed(String),
}

/// How and why a game comes out otherwise.
pub struct Outcome {
    /// How, in words.
    pub words: String,
    /// What is to blame.
    pub cause: Cause,
}

/// Where and why a game parts.
pub struct Parting {
    /// Where, and why the choice cannot be made.
    pub divergence: Divergence,
    /// What is asked there by these rules, and of whom; empty if the game is over.
    pub asked: String,
    /// What is to blame.
    pub cause: Cause,
}

/// Replays all saved games below a folder.
///
/// # Errors
/// If there is none, the rules to replay them by have errors, or one of them parts or cannot be read.
pub fn run(args: &ReplayArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    if args.log || args.save.is_some() {
        return Err(Failure::Usage(
            "--log and --save are for one saved game, and this is a folder".to_owned(),
        ));
    }
    let (read, mut replays) = read_all(&args.file);
    if read.is_empty() && replays.is_empty() {
        let folder = shown(&args.file);
        return Err(Failure::Problem(format!("there is no saved game (*.{ENDING}) in `{folder}`")));
    }
    let progress = bar(read.len() as u64);
    let mut pairs = Vec::new();
    for (played, saves) in by_rules(read) {
        match Pair::of(&saves[0].1, args, library) {
            Ok(pair) => {
                replays.extend(replay_all(&pair, &saves, &progress));
                pairs.push((pair.title(), saves.len()));
            }
            Err(failure) => replays.extend(unplayable(&played, saves, failure, console)?),
        }
    }
    progress.finish_and_clear();
    replays.sort_by(|a, b| a.file.cmp(&b.file));
    if args.json {
        report::json(&pairs, &replays, console);
    } else {
        report::tell(&pairs, &replays, console);
    }
    let all_through = replays.iter().all(|replay| matches!(replay.end, End::Through));
    if all_through { Ok(()) } else { Err(Failure::Problems) }
}

/// The saved games below a folder; and what cannot be read.
fn read_all(folder: &Path) -> (Vec<(String, Save)>, Vec<Replay>) {
    let (paths, mut failed) = files(folder);
    let mut read: Vec<(String, Save)> = Vec::new();
    let saves: Vec<_> = paths.par_iter().map(|path| (shown(path), saved(path))).collect();
    for (file, save) in saves {
        match save {
            Ok(save) => read.push((file, save)),
            Err(why) => failed.push(Replay { file, end: End::Failed(why) }),
        }
    }
    (read, failed)
}

/// The names of the saved games below a folder, in order; what cannot be looked into is told, too.
fn files(folder: &Path) -> (Vec<PathBuf>, Vec<Replay>) {
    let (mut paths, mut failed) = (Vec::new(), Vec::new());
    for entry in WalkDir::new(folder).sort_by_file_name() {
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {}
            Ok(entry) if entry.path().extension().is_some_and(|ending| ending == ENDING) => {
                paths.push(entry.into_path());
            }
            Ok(_) => {}
            Err(error) => {
                let file = error.path().map(shown).unwrap_or_default();
                failed.push(Replay { file, end: End::Failed(harmless(&error.to_string())) });
            }
        }
    }
    (paths, failed)
}

fn saved(path: &Path) -> std::result::Result<Save, String> {
    let text = save_file::read(path)?;
    Save::from_text(&text).map_err(|error| format!("{} [{}]", error.message, error.code))
}

/// The games by the rules that they were made by.
fn by_rules(read: Vec<(String, Save)>) -> BTreeMap<Played, Vec<(String, Save)>> {
    let mut all: BTreeMap<Played, Vec<(String, Save)>> = BTreeMap::new();
    for (file, save) in read {
        all.entry(Played::of(&save)).or_default().push((file, save));
    }
    all
}

/// Games whose rules are not there, or cannot be laid on these. Rules with errors are nobody's saved game's fault.
fn unplayable(
    played: &Played,
    saves: Vec<(String, Save)>,
    failure: Failure,
    console: &Console,
) -> Result<Vec<Replay>> {
    let why = match failure {
        Failure::Usage(message) | Failure::Problem(message) | Failure::Environment(message) => message,
        Failure::Unreported(error) => {
            console.note(format!("the rules to replay {} by have errors", harmless(&played.to_string())));
            return Err(Failure::Unreported(error));
        }
        other @ (Failure::Problems | Failure::Interrupted | Failure::Bug) => return Err(other),
    };
    let failed = |(file, _)| Replay { file, end: End::Failed(why.clone()) };
    Ok(saves.into_iter().map(failed).collect())
}

/// Replays games of the same rules on all cores, then finds what is to blame.
fn replay_all(pair: &Pair, saves: &[(String, Save)], progress: &ProgressBar) -> Vec<Replay> {
    let ends: Vec<Ended> = saves
        .par_iter()
        .map_init(
            || Game::new(pair.after.clone()),
            |game, (_, save)| {
                let ended = replayed(pair, game, save);
                progress.inc(1);
                ended
            },
        )
        .collect();
    let mut causes = causes(pair, saves, &ends, progress);
    let ends = saves.iter().zip(ends).enumerate();
    ends.map(|(place, ((file, _), end))| Replay {
        file: file.clone(),
        end: match (end, causes.remove(&place)) {
            (Ended::Parted(divergence, asked), Some(cause)) => {
                End::Parted(Box::new(Parting { divergence, asked, cause }))
            }
            (Ended::Otherwise(was, is), cause) => End::Otherwise(Box::new(Outcome {
                words: format!(
                    "all {} choices can be made, but {}",
                    saves[place].1.log.len(),
                    is.not_as(&was)
                ),
                cause: cause.unwrap_or(Cause::Unknown),
            })),
            (Ended::Parted(divergence, _), None) => End::Failed(divergence.to_string()),
            (Ended::Through, _) => End::Through,
            (Ended::Failed(why), _) => End::Failed(why),
        },
    })
    .collect()
}

/// What is to blame for each game that parts, by its place.
fn causes(
    pair: &Pair,
    saves: &[(String, Save)],
    ends: &[Ended],
    progress: &ProgressBar,
) -> BTreeMap<usize, Cause> {
    let places = ends.iter().enumerate();
    let parted = places.filter_map(|(place, end)| match end {
        Ended::Parted(divergence, _) => Some((place, Otherwise::Parts(divergence))),
        Ended::Otherwise(_, is) => Some((place, Otherwise::Ends(is))),
        Ended::Through | Ended::Failed(_) => None,
    });
    let parted: Vec<(usize, Otherwise<'_>)> = parted.collect();
    progress.inc_length(parted.len() as u64);
    let together = parted.par_chunks(TOGETHER).flat_map_iter(|some| {
        let mut blame = Blame::new(&pair.change, &pair.settings);
        let mut found = Vec::new();
        for &(place, otherwise) in some {
            found.push((place, cause(pair, &mut blame, &saves[place].1, otherwise)));
            progress.inc(1);
        }
        found
    });
    together.collect()
}

/// What came of a game before anybody is blamed.
enum Ended {
    Through,
    Parted(Divergence, String),
    /// How it came out, and how it does.
    Otherwise(Ending, Ending),
    Failed(String),
}

fn replayed(pair: &Pair, game: &mut blazon::Result<Game>, save: &Save) -> Ended {
    let game = match game {
        Ok(game) => game,
        Err(error) => return Ended::Failed(error.to_string()),
    };
    match game.replay(save) {
        Ok(Replayed::Whole) => whole(pair, game, save),
        Ok(Replayed::Until(divergence)) => Ended::Parted(divergence, asked(game)),
        Err(error) => Ended::Failed(error.to_string()),
    }
}

/// Whether a game of which all choices can be made comes out otherwise than it did.
fn whole(pair: &Pair, game: &Game, save: &Save) -> Ended {
    let is_changed = !pair.change.is_empty() || !pair.rulings.is_empty();
    if !is_changed || game.compare(save) == Comparison::Same {
        return Ended::Through;
    }
    let is = Ending::of(game);
    match pair.was(save) {
        Some(was) if was != is => Ended::Otherwise(was, is),
        Some(_) | None => Ended::Through,
    }
}

/// Who is asked what.
fn asked(game: &mut Game) -> String {
    let asked = game.deciders().into_iter().map(|player| {
        let (name, prompt) = (game.player_name(player), game.prompt(player));
        if prompt.is_empty() { name } else { format!("{name}: {prompt}") }
    });
    asked.collect::<Vec<_>>().join(" · ")
}
