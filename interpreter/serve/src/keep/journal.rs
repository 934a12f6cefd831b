//! What was done at a table: `log.jsonl`, a line for each thing, appended and synced before anybody sees what it did.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use blazon::machine::save::Entry;
use serde::{Deserialize, Serialize};

use super::folder::read_bytes;
use crate::problem::Problem;

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
}

impl Journal {
    /// The log at a path, with what stands in it. What was not written to its end was never answered and is left out.
    ///
    /// # Errors
    /// `serve::damaged` if it cannot be read, or a line before the last one is no line of ours.
    pub fn open(path: &Path) -> Result<(Self, Vec<Line>), Problem> {
        let mut journal = Self { path: path.to_owned(), good: u64::MAX };
        let lines = journal.read_again()?;
        Ok((journal, lines))
    }

    /// What stands in it, read again.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn read_again(&mut self) -> Result<Vec<Line>, Problem> {
        let bytes = match read_bytes(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(Problem::damaged(format!("`log.jsonl` cannot be read: {error}"))),
        };
        let good = usize::try_from(self.good).unwrap_or(usize::MAX).min(bytes.len());
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

    /// Adds lines and waits until they are on the disk.
    ///
    /// # Errors
    /// `serve::kept` if the disk does not take them; then they do not count.
    pub fn append(&mut self, lines: &[Line]) -> Result<(), Problem> {
        let mut text = String::new();
        for line in lines {
            text += &serde_json::to_string(line).map_err(|error| Problem::internal(error.to_string()))?;
            text.push('\n');
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
        let is_new = self.good == 0 && !self.path.exists();
        let mut file = File::options().create(true).append(true).open(&self.path)?;
        // What was begun and never answered goes first.
        if file.metadata()?.len() != self.good {
            file.set_len(self.good)?;
        }
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
        if written.is_err() {
            let _ = file.set_len(self.good);
            return written;
        }
        if is_new && let Some(folder) = self.path.parent() {
            File::open(folder)?.sync_all()?;
        }
        Ok(())
    }
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
    fn a_strange_line_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        std::fs::write(&path, "{\"left\":0}\nnonsense\n{\"left\":0}\n").unwrap();
        let problem = Journal::open(&path).unwrap_err();
        assert_eq!(problem.code, "serve::damaged");
        assert!(problem.text.contains("line 2"), "{problem}");
    }
}
