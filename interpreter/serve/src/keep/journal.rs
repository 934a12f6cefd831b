//! What was done at a table: `log.jsonl`, a line for each thing, appended and synced before anybody sees what it did.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use blazon::machine::save::Entry;
use serde::{Deserialize, Serialize};

use super::folder::{LONGEST, read_bytes};
use crate::problem::Problem;

/// So much of a log is left for what ends a game or leads back in it: choices end before.
const SPARE: u64 = 1 << 20;

/// Something that was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    /// Somebody chose; what was taken unasked is not written, since it follows.
    Choice(Entry),
    /// Choices were taken back: so many are left.
    Left(usize),
    /// A player gave up.
    Resigned(String),
}

/// The log of a table.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// How long it is, without what was begun and never answered.
    good: u64,
    /// How long it may become: no longer than what is read again.
    pub(crate) most: u64,
}

impl Journal {
    /// Begins a log, unless there is one: an empty file, so that one that has gone is known from one in which nothing
    /// stands yet.
    ///
    /// # Errors
    /// `serve::kept` if the disk does not take it.
    pub fn begin(path: &Path) -> Result<(), Problem> {
        let begun = File::options().create(true).append(true).open(path).and_then(|file| file.sync_all());
        if let Err(error) = begun {
            let is_away = error.kind() == io::ErrorKind::NotFound;
            let other = || Problem::kept(format!("the table's log cannot be begun: {error}"));
            return Err(if is_away { no_folder(path) } else { other() });
        }
        // Its name should outlast a loss of power, too; where folders cannot be synced it does so anyway.
        if let Some(folder) = path.parent().and_then(|folder| File::open(folder).ok()) {
            let _ = folder.sync_all();
        }
        Ok(())
    }

    /// The log at a path, with what stands in it. What was not written to its end was never answered and is left out.
    ///
    /// # Errors
    /// `serve::kept` if its folder is away, `serve::damaged` if the log alone is not there or cannot be read, or a line
    /// before the last one is no line of ours.
    pub fn open(path: &Path) -> Result<(Self, Vec<Line>), Problem> {
        let mut journal = Self { path: path.to_owned(), good: 0, most: LONGEST };
        let lines = journal.read(None)?;
        Ok((journal, lines))
    }

    /// What stands in it, read again.
    ///
    /// # Errors
    /// As [`Self::open`], and if it is shorter than what was written.
    pub fn read_again(&mut self) -> Result<Vec<Line>, Problem> {
        self.read(Some(self.good))
    }

    /// Whether it is there as it was written, so that something can be added to it.
    ///
    /// # Errors
    /// As [`Self::read_again`].
    pub fn is_there(&self) -> Result<(), Problem> {
        let length = fs::metadata(&self.path).map_err(|error| self.unreadable(&error))?.len();
        if length < self.good { Err(self.too_short(length, self.good)) } else { Ok(()) }
    }

    /// How much of it is written to the end.
    pub fn written(&self) -> u64 {
        self.good
    }

    /// Whether it is as long as it was when it was put away.
    ///
    /// # Errors
    /// `serve::damaged` if it has become shorter since.
    pub fn was(&self, long: u64) -> Result<(), Problem> {
        if self.good < long { Err(self.too_short(self.good, long)) } else { Ok(()) }
    }

    /// Whether it takes another choice: what would be longer could not be read again when the server starts.
    ///
    /// # Errors
    /// `serve::kept` if not.
    pub fn has_room(&self) -> Result<(), Problem> {
        if self.good + SPARE <= self.most { Ok(()) } else { Err(self.full()) }
    }

    fn full(&self) -> Problem {
        let (name, good, most) = (name(&self.path), self.good, self.most);
        Problem::kept(format!(
            "nothing was done: `{name}`, the table's log, is full: it has {good} bytes, and no more than {most} are read \
             again; the game can be looked at, taken back and given up; to play on, begin another table"
        ))
    }

    /// Reads it, as far as is known that it was written to the end.
    fn read(&mut self, good: Option<u64>) -> Result<Vec<Line>, Problem> {
        let bytes = read_bytes(&self.path).map_err(|error| self.unreadable(&error))?;
        let length = bytes.len() as u64;
        let good = good.unwrap_or(length);
        if length < good {
            return Err(self.too_short(length, good));
        }
        let good = usize::try_from(good).unwrap_or(bytes.len());
        let end = bytes[..good].iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        self.good = end as u64;
        let lines = bytes[..end].split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let parsed = lines.enumerate().map(|(place, line)| {
            serde_json::from_slice(line).map_err(|error| {
                let number = place + 1;
                Problem::damaged(format!(
                    "line {number} of the table's log is not as it was written: {error}"
                ))
            })
        });
        parsed.collect()
    }

    fn unreadable(&self, error: &io::Error) -> Problem {
        if error.kind() == io::ErrorKind::NotFound
            && self.path.parent().is_some_and(|folder| !folder.is_dir())
        {
            return no_folder(&self.path);
        }
        let name = name(&self.path);
        if error.kind() == io::ErrorKind::NotFound {
            return Problem::damaged(format!(
                "`{name}` is not there, in which stands what was done at this table, and nothing is begun in its place; \
                 put it back, or load the copy `save.game` beside it in the lobby"
            ));
        }
        Problem::damaged(format!("`{name}`, the table's log, cannot be read: {error}"))
    }

    fn too_short(&self, length: u64, written: u64) -> Problem {
        let name = name(&self.path);
        Problem::damaged(format!(
            "`{name}` has {length} bytes, and {written} were written; put the log back as it was, or load the copy \
             `save.game` beside it in the lobby"
        ))
    }

    /// Adds lines and waits until they are on the disk.
    ///
    /// # Errors
    /// `serve::kept` if the disk does not take them, or the log would be too long; then they do not count.
    pub fn append(&mut self, lines: &[Line]) -> Result<(), Problem> {
        let mut text = String::new();
        for line in lines {
            text += &serde_json::to_string(line).map_err(|error| Problem::internal(error.to_string()))?;
            text.push('\n');
        }
        if self.good + text.len() as u64 > self.most {
            return Err(self.full());
        }
        match self.write(&text) {
            Ok(()) => {
                self.good += text.len() as u64;
                Ok(())
            }
            Err(error) => Err(Problem::kept(format!(
                "nothing was done: it cannot be written down ({error}); \
                 when the disk takes files again, the game goes on from here"
            ))),
        }
    }

    fn write(&self, text: &str) -> io::Result<()> {
        // Never a new file: what stands in it would be all that there is.
        let mut file = File::options().append(true).open(&self.path)?;
        let length = file.metadata()?.len();
        if length < self.good {
            return Err(io::Error::other("what was written before is not there"));
        }
        // What was begun and never answered goes first.
        if length > self.good {
            file.set_len(self.good)?;
        }
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
        if written.is_err() {
            let _ = file.set_len(self.good);
        }
        written
    }
}

/// How a log is called: from the folder of all tables on, since no path of this machine is told.
fn name(path: &Path) -> String {
    let parts = [path.parent().and_then(Path::file_name), path.file_name()];
    let parts: Vec<_> = parts.into_iter().flatten().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// The folder is away: a disk that was taken out, a share that is not reached.
fn no_folder(path: &Path) -> Problem {
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    Problem::kept(format!(
        "nothing was done: the table's folder `{folder}` is not there; when the disk has it again, the game goes on from \
         where it stood"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(option: &str) -> Line {
        let entry =
            Entry { player: "North".into(), option: option.into(), args: vec!["3".into()], forced: false };
        Line::Choice(entry)
    }

    #[test]
    fn what_was_written_is_read_and_a_torn_line_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        Journal::begin(&path).unwrap();
        let (mut journal, lines) = Journal::open(&path).unwrap();
        assert_eq!(lines, []);
        let written = [choice("throw"), Line::Left(0), choice("grün"), Line::Resigned("North".into())];
        journal.append(&written[..2]).unwrap();
        journal.append(&written[2..]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        for end in 0..text.len() {
            std::fs::write(&path, &text.as_bytes()[..end]).unwrap();
            let (mut journal, lines) = Journal::open(&path).unwrap();
            assert_eq!(
                lines,
                written[..text.as_bytes()[..end].iter().filter(|&&byte| byte == b'\n').count()],
                "{end}"
            );
            // And the next line does not hang on to what was torn.
            journal.append(&[Line::Left(0)]).unwrap();
            let (_, again) = Journal::open(&path).unwrap();
            assert_eq!(again.len(), lines.len() + 1);
        }
    }

    #[test]
    fn a_log_never_becomes_longer_than_what_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        Journal::begin(&path).unwrap();
        let (mut journal, _) = Journal::open(&path).unwrap();
        journal.append(&[choice("throw")]).unwrap();
        journal.has_room().unwrap();
        let long = journal.good;
        journal.most = long + SPARE - 1;
        let full = journal.has_room().unwrap_err();
        assert_eq!(full.code, "serve::kept");
        let told = format!("is full: it has {long} bytes, and no more than {} are read again", journal.most);
        assert!(full.text.contains(&told) && full.text.contains("begin another table"), "{full}");
        // What ends the game, or leads back in it, is taken to the last byte.
        journal.append(&[Line::Resigned("North".into())]).unwrap();
        journal.most = journal.good;
        let before = std::fs::read(&path).unwrap();
        assert_eq!(journal.append(&[Line::Left(0)]).unwrap_err().text, journal.full().text);
        assert_eq!(std::fs::read(&path).unwrap(), before);
        assert_eq!(journal.read_again().unwrap().len(), 2);
        // What somebody else has made longer is told with its length.
        let file = File::options().write(true).open(&path).unwrap();
        file.set_len(LONGEST + 1).unwrap();
        let told =
            format!("it is too long: it has {} bytes, and no more than {LONGEST} are read", LONGEST + 1);
        let damaged = Journal::open(&path).unwrap_err();
        assert!(damaged.code == "serve::damaged" && damaged.text.contains(&told), "{damaged}");
    }

    #[test]
    fn a_strange_line_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        std::fs::write(&path, "{\"left\":0}\nnonsense\n{\"left\":0}\n").unwrap();
        let problem = Journal::open(&path).unwrap_err();
        assert_eq!(problem.code, "serve::damaged");
        assert!(problem.text.contains("line 2"), "{problem}");
    }

    #[test]
    fn a_log_that_has_gone_is_told_and_never_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        let around = folder.path().join("kd9f6vjb");
        let path = around.join("log.jsonl");
        assert_eq!(Journal::begin(&path).unwrap_err().code, "serve::kept", "without its folder");
        fs::create_dir(&around).unwrap();
        let missing = Journal::open(&path).unwrap_err();
        assert_eq!(missing.code, "serve::damaged");
        assert!(missing.text.contains("`kd9f6vjb/log.jsonl` is not there"), "{missing}");

        Journal::begin(&path).unwrap();
        let (mut journal, _) = Journal::open(&path).unwrap();
        journal.append(&[choice("throw"), choice("rest")]).unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        Journal::begin(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), whole, "what is there is left");

        let refused = |journal: &mut Journal, code: &str, why: &str| {
            for problem in [journal.is_there().unwrap_err(), journal.read_again().unwrap_err()] {
                assert!(problem.code == code && problem.text.contains(why), "{problem}");
            }
            assert_eq!(journal.append(&[choice("late")]).unwrap_err().code, "serve::kept");
        };
        // The folder is away and comes back.
        let away = folder.path().join("away");
        fs::rename(&around, &away).unwrap();
        refused(&mut journal, "serve::kept", "when the disk has it again");
        assert!(!around.exists());
        fs::rename(&away, &around).unwrap();
        assert_eq!(journal.read_again().unwrap().len(), 2);
        // The log alone has gone, or has become shorter.
        fs::remove_file(&path).unwrap();
        refused(&mut journal, "serve::damaged", "is not there");
        assert!(!path.exists());
        let half = whole.lines().next().unwrap().to_owned() + "\n";
        fs::write(&path, &half).unwrap();
        refused(&mut journal, "serve::damaged", "were written");
        assert_eq!(fs::read_to_string(&path).unwrap(), half);
        // It is put back.
        fs::write(&path, &whole).unwrap();
        assert!(journal.is_there().is_ok());
        journal.append(&[choice("late")]).unwrap();
        assert_eq!(journal.read_again().unwrap().len(), 3);
    }
}
