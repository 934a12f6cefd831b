//! Who has to decide at a table that sleeps, or how it ended: `standing.json`. The lobby tells it after a start, without
//! waking the table.

use std::fs;
use std::path::Path;

use blazon::files::put_whole;
use serde::{Deserialize, Serialize};

use super::Facts;
use super::folder::read;

/// How a game stands, as far as everybody may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// How long the log is of which it is said. What was done since would have made it longer.
    log: u64,
    /// The course of the game that the log is of.
    course: u32,
    /// Who has to decide, by place.
    pub asked: Vec<usize>,
    /// How it ended, if it did.
    pub ended: Option<String>,
}

impl Standing {
    const FILE: &'static str = "standing.json";

    /// How a game stands with a log of which so much is written.
    pub fn new(log: u64, facts: &Facts, asked: Vec<usize>, ended: Option<String>) -> Self {
        Self { log, course: facts.course, asked, ended }
    }

    /// How long the log was at least when this was written down; what is shorter has lost something since.
    pub fn length(folder: &Path, facts: &Facts) -> Option<u64> {
        Self::of_course(folder, facts).map(|standing| standing.log)
    }

    /// What is written down, if it is of the log as it is; anything else is no news, and is not told.
    pub fn read(folder: &Path, facts: &Facts) -> Option<Self> {
        let standing = Self::of_course(folder, facts)?;
        let is_now = Some(standing.log) == length(folder, facts);
        let are_seats = standing.asked.iter().all(|&place| place < facts.seats.len());
        (is_now && are_seats).then_some(standing)
    }

    /// What is written down of this course of the game.
    fn of_course(folder: &Path, facts: &Facts) -> Option<Self> {
        let standing: Self = serde_json::from_str(&read(&folder.join(Self::FILE)).ok()?).ok()?;
        (standing.course == facts.course).then_some(standing)
    }

    /// Writes it down. If the disk does not take it, the lobby says less after the next start, and that is all.
    pub fn keep(&self, folder: &Path) {
        if let Ok(text) = serde_json::to_string(self) {
            let _ = put_whole(&folder.join(Self::FILE), text + "\n");
        }
    }
}

fn length(folder: &Path, facts: &Facts) -> Option<u64> {
    fs::metadata(folder.join(facts.log())).ok().map(|log| log.len())
}
