//! Blocks of a run as files: played once and kept, or played again and held against what is kept.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use blazon::files::put_whole;
use blazon::shown;
use blazon_study::part::{Part, Run, file_name};
use serde_json::json;

use crate::args::BlockArgs;
use crate::console::Console;
use crate::exit::{Failure, Result};
use crate::figures::grouped;

/// A block that was asked for.
pub struct Block {
    /// Its numbers.
    pub numbers: Range<u64>,
    run: Run,
    of: u64,
    folder: PathBuf,
    again: bool,
}

impl Block {
    /// The block that was asked for of a run of so many numbers; it begins and ends where `step` numbers do.
    ///
    /// # Errors
    /// If it lies outside of the run, or begins or ends elsewhere.
    pub fn of(args: &BlockArgs, run: Run, of: u64, step: u64) -> Result<Option<Self>> {
        let (Some(from), Some(count), Some(folder)) = (args.from, args.count, &args.parts) else {
            return Ok(None);
        };
        let counts = run.what.counts();
        if from >= of {
            return Err(Failure::Usage(format!(
                "--from {from} is behind the end: the run has {} {counts}, from 0 on (-n)",
                grouped(of)
            )));
        }
        let end = from.saturating_add(count).min(of);
        if from % step != 0 || (end % step != 0 && end != of) {
            return Err(Failure::Usage(format!(
                "--from {from} --count {count}: the test looks after every {step} {counts}, so a block is a multiple of \
                 {step}"
            )));
        }
        Ok(Some(Self { numbers: from..end, run, of, folder: folder.clone(), again: args.again }))
    }

    /// Where its part stands.
    fn path(&self) -> PathBuf {
        self.folder.join(file_name(&self.run.key(), &self.numbers))
    }

    /// Plays the block and keeps its part, unless it is there: `play` answers what is added up and the rows of the tables
    /// of the run. The words are those of the command for the whole run.
    ///
    /// # Errors
    /// If it cannot be played or written, or another part is there that is not the same.
    pub fn keep<S: serde::Serialize>(
        &self,
        words: Vec<String>,
        tell_json: bool,
        console: &Console,
        play: impl FnOnce() -> Result<(S, Vec<(u64, Vec<u8>)>)>,
    ) -> Result<()> {
        let path = self.path();
        make(&self.folder)?;
        let there = read(&path)?;
        let was_there = matches!(there, Some(Ok(_)));
        if let Some(Err(why)) = &there {
            console.note(format!("`{}` is played again: {why}", shown(&path)));
        }
        let began = Instant::now();
        let part = match there {
            Some(Ok(part)) if !self.again => part,
            there => {
                let played = play().inspect_err(|failure| {
                    if matches!(failure, Failure::Interrupted) {
                        console.note("the block was not played to its end, and nothing of it is kept");
                    }
                });
                let (sums, tables) = played?;
                let part = Part::new(self.run.clone(), self.numbers.clone(), &sums, tables, self.of, words);
                match there {
                    Some(Ok(other)) => same(&path, &other, &part)?,
                    Some(Err(_)) | None => write(&path, &part)?,
                }
                part
            }
        };
        let counts = self.run.what.counts();
        let head = &part.head;
        if tell_json {
            console.line(json!({
                "schema": 1, "part": shown(&path), "key": head.key, "from": head.from, "count": head.count, "of": self.of,
                "sha256": head.sha256, "was_there": was_there, "again": self.again,
                "seconds": began.elapsed().as_secs_f64(),
            }));
        } else {
            let how = match (was_there, self.again) {
                (false, _) => format!("{:.1} s", began.elapsed().as_secs_f64()),
                (true, false) => "was there".to_owned(),
                (true, true) => "played again, the same to the last byte".to_owned(),
            };
            let last = self.numbers.end - 1;
            console.line(format!("`{}`: {counts} {} to {last}, {how}", shown(&path), head.from));
        }
        Ok(())
    }
}

/// Tells what whoever hands out blocks of a run must know, if that was asked for: its key, how many numbers it has, and what
/// the first and the last number of a block are multiples of.
pub fn describe(args: &BlockArgs, run: &Run, of: u64, step: u64, console: &Console) -> bool {
    if args.describe {
        let (what, counts) = (run.what.command(), run.what.counts());
        console.line(json!({
            "schema": 1, "key": run.key(), "what": what, "counts": counts, "of": of, "step": step,
        }));
    }
    args.describe
}

/// The folder for parts.
fn make(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::Environment(format!("`{}` cannot be made: {error}", shown(folder))))
}

/// A part that is there, or why it is none.
fn read(path: &Path) -> Result<Option<std::result::Result<Part, String>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(Part::from_bytes(&bytes).map_err(|damage| damage.to_string()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::Environment(format!("`{}` cannot be read: {error}", shown(path)))),
    }
}

/// Puts a part in its place, whole or not at all, however many write it at once.
fn write(path: &Path, part: &Part) -> Result<()> {
    put_whole(path, part.to_bytes()).map_err(|error| crate::data::cannot(path, &error))
}

/// Whether a block that was played again is the same as before.
fn same(path: &Path, there: &Part, here: &Part) -> Result<()> {
    if there.head.sha256 == here.head.sha256 {
        return Ok(());
    }
    let other = path.with_extension("differs");
    write(&other, here)?;
    Err(Failure::Problem(format!(
        "`{}` differs from what was played here, which stands in `{}`: one of the two machines, or one of the two \
         programs, is not like the other; do not believe either before you know which",
        shown(path),
        shown(&other)
    )))
}
