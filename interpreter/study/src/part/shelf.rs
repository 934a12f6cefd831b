//! The parts that are there, wherever they lie: which blocks of a run are missing, which files are damaged, which blocks
//! are there twice and not the same.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::Serialize;

use super::{Damage, Head, Run};

/// The version of the file.
const SCHEMA: u32 = 1;

/// The parts that are there, by their names, which say where they lie.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    parts: BTreeMap<String, Vec<(String, Head)>>,
    damaged: Vec<Damaged>,
}

/// A file that is no whole part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Damaged {
    /// Its name.
    pub file: String,
    /// What is wrong with it.
    pub why: String,
}

/// Two parts of which not more than one can be right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Clash {
    /// Their files.
    pub files: [String; 2],
    /// The first number that both have.
    pub from: u64,
    /// How many numbers both have.
    pub count: u64,
    /// What is wrong: the same block with other bytes, or blocks that overlap.
    pub same_block: bool,
}

/// What is there of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Contents {
    /// Its name.
    pub key: String,
    /// What it is.
    pub run: Run,
    /// How many numbers it has in all.
    pub of: u64,
    /// The words of the command for the whole of it: of parts of a run that was made longer, those for the longest.
    pub words: Vec<String>,
    /// All words that parts say they are of, each once.
    #[serde(skip)]
    pub said: BTreeSet<Vec<String>>,
    /// One file for each block that is there, in order.
    pub parts: Vec<Listed>,
    /// The numbers that are missing: first and how many.
    pub missing: Vec<(u64, u64)>,
    /// The parts that do not go together.
    pub differs: Vec<Clash>,
}

/// A part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// Its file.
    pub file: String,
    /// Its first number.
    pub from: u64,
    /// How many there are.
    pub count: u64,
    /// Its hash.
    pub sha256: String,
    /// In how many files it was found, all the same.
    pub copies: u64,
}

/// What is there: the file beside the parts.
#[derive(Clone, Debug, Serialize)]
pub struct Manifest<'a> {
    /// The version; its name tells this file from others.
    blazon_parts: u32,
    /// Each run of which there are parts.
    runs: &'a [Contents],
    /// Files that are no whole parts; their blocks count as missing.
    damaged: &'a [Damaged],
}

impl<'a> Manifest<'a> {
    /// Of these runs and damaged files.
    pub fn new(runs: &'a [Contents], damaged: &'a [Damaged]) -> Self {
        Self { blazon_parts: SCHEMA, runs, damaged }
    }

    /// The file.
    pub fn text(&self) -> String {
        // Numbers and texts alone: nothing in it can fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

/// Whether a text is such a file.
pub fn is_manifest(text: &str) -> bool {
    let value = serde_json::from_str::<serde_json::Value>(text);
    value.is_ok_and(|value| value.get("blazon_parts").is_some_and(serde_json::Value::is_u64))
}

impl Shelf {
    /// What was read of a file.
    pub fn add(&mut self, file: String, read: Result<Head, Damage>) {
        match read {
            Ok(head) => self.parts.entry(head.key.clone()).or_default().push((file, head)),
            Err(damage) => self.damaged.push(Damaged { file, why: damage.to_string() }),
        }
    }

    /// The files that are no whole parts.
    pub fn damaged(&self) -> &[Damaged] {
        &self.damaged
    }

    /// What is there of each run, by their keys.
    pub fn runs(&self) -> Vec<Contents> {
        self.parts.iter().filter_map(|(key, parts)| contents(key, parts)).collect()
    }
}

fn contents(key: &str, parts: &[(String, Head)]) -> Option<Contents> {
    let mut parts: Vec<&(String, Head)> = parts.iter().collect();
    // Of parts of one block the first file is named, whatever order they were found in.
    parts.sort_by(|(file, head), (other_file, other)| {
        (head.from, std::cmp::Reverse(head.count), file).cmp(&(
            other.from,
            std::cmp::Reverse(other.count),
            other_file,
        ))
    });
    let (_, first) = parts.first()?;
    let of = parts.iter().map(|(_, head)| head.of.max(head.numbers().end)).max().unwrap_or_default();
    // Of several that are as long the first one's.
    let longest = parts.iter().rev().max_by_key(|(_, head)| head.of).map_or(first, |(_, head)| head);
    let mut listed: Vec<Listed> = Vec::new();
    let mut differs = Vec::new();
    for (file, head) in &parts {
        let clash = |other: &Listed, same_block: bool| {
            let end = head.numbers().end.min(other.from + other.count);
            let files = [other.file.clone(), file.clone()];
            Clash { files, from: head.from, count: end.saturating_sub(head.from), same_block }
        };
        match listed.last_mut() {
            Some(last) if (last.from, last.count) == (head.from, head.count) => {
                if last.sha256 == head.sha256 {
                    last.copies += 1;
                } else {
                    differs.push(clash(last, true));
                }
            }
            Some(last) if head.from < last.from + last.count => differs.push(clash(last, false)),
            _ => listed.push(Listed {
                file: file.clone(),
                from: head.from,
                count: head.count,
                sha256: head.sha256.clone(),
                copies: 1,
            }),
        }
    }
    Some(Contents {
        key: key.to_owned(),
        run: first.run.clone(),
        of,
        words: longest.words.clone(),
        said: parts.iter().map(|(_, head)| head.words.clone()).collect(),
        missing: missing(listed.iter().map(|part| part.from..part.from + part.count), of),
        parts: listed,
        differs,
    })
}

/// The numbers below `of` that are in none of the ranges, which stand in order.
fn missing(ranges: impl Iterator<Item = Range<u64>>, of: u64) -> Vec<(u64, u64)> {
    let (mut missing, mut next) = (Vec::new(), 0);
    for range in ranges.chain(std::iter::once(of..of)) {
        if range.start > next {
            missing.push((next, range.start - next));
        }
        next = next.max(range.end);
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::super::tests::part;
    use super::*;

    #[test]
    fn what_is_missing_and_what_differs_is_told() {
        let mut shelf = Shelf::default();
        for (file, numbers, sums) in [
            ("c", 20..30, 3),
            ("a", 0..10, 1),
            ("again/a", 0..10, 1),
            ("again/c", 20..30, 4),
            ("d", 25..35, 5),
        ] {
            shelf.add(file.to_owned(), Ok(part(numbers, &[sums]).head));
        }
        shelf.add("b".to_owned(), Err(Damage::Foreign));
        let runs = shelf.runs();
        let [run] = &runs[..] else { panic!("{runs:?}") };
        assert_eq!((run.of, &run.missing[..]), (100, [(10, 10), (30, 70)].as_slice()));
        let names: Vec<(&str, u64)> =
            run.parts.iter().map(|part| (part.file.as_str(), part.copies)).collect();
        assert_eq!(names, [("a", 2), ("again/c", 1)]);
        let files =
            |clash: &Clash| (clash.files.clone().map(|file| file.to_string()), clash.count, clash.same_block);
        assert_eq!(
            run.differs.iter().map(files).collect::<Vec<_>>(),
            [
                (["again/c".to_owned(), "c".to_owned()], 10, true),
                (["again/c".to_owned(), "d".to_owned()], 5, false)
            ]
        );
        let text = Manifest::new(&runs, shelf.damaged()).text();
        assert!(is_manifest(&text) && text.contains("it is no part of a run"), "{text}");
    }
}
