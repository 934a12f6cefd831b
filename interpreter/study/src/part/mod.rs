//! Blocks of a run, so that it can be played in pieces: on several machines, in several sittings, twice.
//!
//! A run ([`Run`]) is games, pairs or meetings with numbers from 0; a block is some of its numbers in a row. What it comes
//! to is a [`Part`]: whole numbers that are added up, and rows of tables, which are laid end to end. A part holds nothing
//! of when, where, in what time or on how many threads it was played, so the same block is the same bytes anywhere, and
//! all blocks together come to what one machine finds that plays all. No engine that hands out work is known here: whoever
//! can start a program, or call a function, can play a block.
//!
//! | module | what it has |
//! | --- | --- |
//! | `run` | what all blocks of a run have in common, and its key |
//! | `shelf` | the parts that are there: which blocks are missing, damaged, or there twice and not the same |

pub(crate) mod pairs;
mod run;
mod shelf;

use std::fmt;
use std::ops::Range;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use run::{RuleSet, Run, What};
pub use shelf::{Clash, Contents, Damaged, Listed, Manifest, Shelf, is_manifest};

/// The version of the form of parts.
const FORM: u32 = 4;
/// The section of what is added up; the others are tables by their names.
const SUMS: &str = "sums";
/// The longest first line that is read.
const LONGEST: usize = 1 << 20;

/// The first line of a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The version of the form; its name tells parts from other files.
    blazon_part: u32,
    /// The name of the run.
    pub key: String,
    /// The first number of the block.
    pub from: u64,
    /// How many there are.
    pub count: u64,
    /// The hash (SHA-256) of the run, the numbers and the sections: parts with the same are the same.
    pub sha256: String,
    /// What stands behind this line, in this order.
    pub sections: Vec<Section>,
    /// The run.
    pub run: Run,
    /// How many numbers the run has in all, as far as is known to who played this.
    pub of: u64,
    /// The words of the command for the run, without those of the block.
    pub words: Vec<String>,
}

/// Some bytes of a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// What it is: `sums`, or the name of a table.
    pub name: String,
    /// How long it is.
    pub bytes: u64,
    /// The rows of a table.
    pub rows: u64,
}

/// What a block comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is of.
    pub head: Head,
    /// All sections.
    body: Vec<u8>,
}

/// Why bytes are no part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// It is another sort of file.
    #[error("it is no part of a run")]
    Foreign,
    /// It is of a program of another version.
    #[error(
        "its form is {0}, this program knows {FORM}: play the block again, or merge with the program that played it"
    )]
    Form(u32),
    /// Something is missing, or is not what was written.
    #[error("it is not whole: {0}")]
    Broken(String),
}

/// The digest of a block: of its run, its numbers, its sections and what stands in them, in hexadecimal.
fn hash(run: &Run, numbers: &Range<u64>, sections: &[Section], body: &[u8]) -> String {
    let head = serde_json::to_vec(&(run, numbers.start, numbers.end, sections)).unwrap_or_default();
    let mut hash = Sha256::new();
    hash.update((head.len() as u64).to_le_bytes());
    hash.update(&head);
    hash.update(body);
    run::hexadecimal(&hash.finalize())
}

impl Part {
    /// The part of a block: what is added up, and the rows of each table of the run, with how many they are.
    pub fn new(
        run: Run,
        numbers: Range<u64>,
        sums: &impl Serialize,
        tables: Vec<(u64, Vec<u8>)>,
        of: u64,
        words: Vec<String>,
    ) -> Self {
        // Whole numbers and texts alone: nothing in it can fail.
        let mut body = serde_json::to_vec(sums).unwrap_or_default();
        let mut sections = vec![Section { name: SUMS.to_owned(), bytes: body.len() as u64, rows: 0 }];
        for (name, (rows, lines)) in run.tables.iter().zip(tables) {
            sections.push(Section { name: name.clone(), bytes: lines.len() as u64, rows });
            body.extend(lines);
        }
        let sha256 = hash(&run, &numbers, &sections, &body);
        let (key, from, count) = (run.key(), numbers.start, numbers.end - numbers.start);
        let head = Head { blazon_part: FORM, key, from, count, sha256, sections, run, of, words };
        Self { head, body }
    }

    /// The bytes of a part, as they stand in its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(&self.head).unwrap_or_default();
        bytes.push(b'\n');
        bytes.extend(&self.body);
        bytes
    }

    /// Reads the bytes of a part, and holds them against its hash.
    ///
    /// # Errors
    /// A [`Damage`] if they are not what somebody wrote as a part.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Damage> {
        let end = bytes.iter().take(LONGEST).position(|&byte| byte == b'\n');
        let head = bytes.get(..end.ok_or(Damage::Foreign)?).ok_or(Damage::Foreign)?;
        #[derive(Deserialize)]
        struct Form {
            blazon_part: u32,
        }
        let form: Form = serde_json::from_slice(head).map_err(|_| Damage::Foreign)?;
        if form.blazon_part != FORM {
            return Err(Damage::Form(form.blazon_part));
        }
        let body = bytes.get(head.len() + 1..).unwrap_or_default();
        let head: Head = serde_json::from_slice(head).map_err(|error| Damage::Broken(error.to_string()))?;
        let Some(end) = head.from.checked_add(head.count) else {
            return Err(Damage::Broken("its numbers end nowhere".to_owned()));
        };
        let wanted = head.sections.iter().fold(0u64, |sum, section| sum.saturating_add(section.bytes));
        if wanted != body.len() as u64 {
            return Err(Damage::Broken(format!(
                "{wanted} bytes should follow its first line, {} do",
                body.len()
            )));
        }
        if hash(&head.run, &(head.from..end), &head.sections, body) != head.sha256
            || head.run.key() != head.key
        {
            return Err(Damage::Broken("its bytes are not those that were written".to_owned()));
        }
        let tables: Vec<&str> = head.sections.iter().skip(1).map(|section| section.name.as_str()).collect();
        if head.sections.first().is_none_or(|sums| sums.name != SUMS) || tables != head.run.tables {
            return Err(Damage::Broken("its sections are not those of its run".to_owned()));
        }
        Ok(Self { body: body.to_vec(), head })
    }

    /// Its numbers.
    pub fn numbers(&self) -> Range<u64> {
        self.head.numbers()
    }

    /// What is added up.
    ///
    /// # Errors
    /// A [`Damage`] if it is something else.
    pub fn sums<T: DeserializeOwned>(&self) -> Result<T, Damage> {
        let sums = self.sections().next().map(|(_, bytes)| bytes).unwrap_or_default();
        serde_json::from_slice(sums).map_err(|error| Damage::Broken(format!("its sums: {error}")))
    }

    /// The rows of its tables, in the order of the run: how many, and as they are written.
    pub fn tables(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.sections().skip(1).map(|(section, bytes)| (section.rows, bytes))
    }

    fn sections(&self) -> impl Iterator<Item = (&Section, &[u8])> {
        let mut begin = 0;
        self.head.sections.iter().map(move |section| {
            let end = begin + usize::try_from(section.bytes).unwrap_or(usize::MAX);
            let bytes = self.body.get(begin..end).unwrap_or_default();
            begin = end;
            (section, bytes)
        })
    }
}

impl Head {
    /// Its numbers.
    pub fn numbers(&self) -> Range<u64> {
        self.from..self.from.saturating_add(self.count)
    }

    /// The name of its file: the key of the run, the first number and how many.
    pub fn file_name(&self) -> String {
        file_name(&self.key, &self.numbers())
    }
}

/// How the files of parts end.
pub const ENDING: &str = "part";

/// The name of the file of a block; in a list of names, blocks stand in order.
pub fn file_name(key: &str, numbers: &Range<u64>) -> String {
    format!("{key}-{:012}-{}.{ENDING}", numbers.start, numbers.end - numbers.start)
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.command())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn part(numbers: Range<u64>, sums: &[u64]) -> Part {
        let run = Run {
            blazon: "0.1.0".to_owned(),
            what: What::Simulate,
            rules: Vec::new(),
            seeds: vec![7],
            players: vec!["random".to_owned()],
            meetings: Vec::new(),
            most: 10,
            tables: vec!["games".to_owned()],
            format: "csv".to_owned(),
        };
        Part::new(run, numbers, &sums, vec![(2, b"0,1\n1,2\n".to_vec())], 100, Vec::new())
    }

    #[test]
    fn a_part_is_read_as_it_was_written() {
        let part = part(10..12, &[1, 2]);
        let read = Part::from_bytes(&part.to_bytes()).unwrap();
        assert_eq!(read, part);
        assert_eq!(read.sums::<Vec<u64>>().unwrap(), [1, 2]);
        assert_eq!(read.tables().collect::<Vec<_>>(), [(2, b"0,1\n1,2\n".as_slice())]);
        assert_eq!(part.head.file_name(), format!("{}-000000000010-2.part", part.head.run.key()));
        assert!(part.sums::<String>().is_err());
    }

    /// Each byte is held against the hash, but for who asked and for how many.
    #[test]
    fn whatever_is_changed_is_noticed() {
        let part = part(0..2, &[3]);
        let bytes = part.to_bytes();
        let free = String::from_utf8_lossy(&bytes).find("\"of\"").unwrap();
        let line = bytes.iter().position(|&byte| byte == b'\n').unwrap();
        for place in (0..bytes.len()).filter(|place| !(free..line).contains(place)) {
            let mut other = bytes.clone();
            other[place] ^= 1;
            assert!(Part::from_bytes(&other).is_err(), "{place}: {}", String::from_utf8_lossy(&other));
        }
        for length in 0..bytes.len() {
            assert!(Part::from_bytes(&bytes[..length]).is_err(), "{length}");
        }
        let form = String::from_utf8_lossy(&bytes).replacen(
            &format!("\"blazon_part\":{FORM}"),
            "\"blazon_part\":1",
            1,
        );
        assert_eq!(Part::from_bytes(form.as_bytes()), Err(Damage::Form(1)));
        assert_eq!(Part::from_bytes(b"game,seed\n0,1\n"), Err(Damage::Foreign));
    }
}
