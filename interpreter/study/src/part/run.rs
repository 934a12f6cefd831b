//! What games of a run have in common, whoever plays which of them: two blocks with the same description and the same
//! numbers are the same to the last byte, on any machine.

use std::collections::BTreeMap;

use blazon_book::Book;
use blazon_machine::save::Text;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::game::Plan;
use crate::tables::{Format, Table, rulings};

/// What is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// Games; numbers are games.
    Simulate,
    /// Pairs of games by two rule sets; numbers are pairs.
    Compare,
    /// Pairs of games with changed seats; numbers are pairs, of one meeting after the other in turn.
    Ladder,
}

impl What {
    /// What its numbers count.
    pub fn counts(self) -> &'static str {
        match self {
            Self::Simulate => "games",
            Self::Compare | Self::Ladder => "pairs",
        }
    }

    /// The command that plays it.
    pub fn command(self) -> &'static str {
        match self {
            Self::Simulate => "simulate",
            Self::Compare => "compare",
            Self::Ladder => "ladder",
        }
    }
}

/// A rule set as it was played by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleSet {
    /// The title of the game.
    pub game: String,
    /// Its version.
    pub version: String,
    /// The hash of all that is played of its pages and those of the library and the variants.
    pub digest: String,
    /// The variants, with their versions.
    pub variants: Vec<(String, String)>,
    /// All rulings.
    pub rulings: BTreeMap<String, String>,
    /// The setups that are begun with, in turn.
    pub setups: Vec<String>,
}

/// What all blocks of a run have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The version of the program.
    pub blazon: String,
    /// What is played.
    pub what: What,
    /// One rule set; of a comparison the rules as they were and the changed ones.
    pub rules: Vec<RuleSet>,
    /// The seed of all, of each side.
    pub seeds: Vec<u64>,
    /// Who plays: of games for each seat, of a comparison on all seats, of a ladder all who meet.
    pub players: Vec<String>,
    /// Of a ladder, who meets whom, by their places among the players.
    pub meetings: Vec<(usize, usize)>,
    /// A game is stopped after so many decisions.
    pub most: u64,
    /// The tables that are kept, in this order.
    pub tables: Vec<String>,
    /// How these are written.
    pub format: String,
}

impl RuleSet {
    /// That of a book, as games of a plan are played by it.
    pub fn of(book: &Book, plan: &Plan) -> Self {
        let setups = plan.setups.iter().filter_map(|&setup| book.setups.get(setup));
        Self {
            game: book.title.clone(),
            version: book.version.clone(),
            digest: Text::of(book).digest().to_owned(),
            variants: book.variants.clone(),
            rulings: rulings(book),
            setups: setups.map(|setup| setup.name.clone()).collect(),
        }
    }
}

impl Run {
    fn new(what: What, sides: &[(&Book, &Plan)], players: Vec<String>) -> Self {
        Self {
            blazon: env!("CARGO_PKG_VERSION").to_owned(),
            what,
            rules: sides.iter().map(|(book, plan)| RuleSet::of(book, plan)).collect(),
            seeds: sides.iter().map(|(_, plan)| plan.seed).collect(),
            players,
            meetings: Vec::new(),
            most: sides.first().map(|(_, plan)| plan.most).unwrap_or_default(),
            tables: Vec::new(),
            format: String::new(),
        }
    }

    /// Games of a plan, of which these tables are kept.
    pub fn of_games(book: &Book, plan: &Plan, wanted: &[(Table, Format)]) -> Self {
        let players = plan.players.iter().map(ToString::to_string).collect();
        let format = wanted.first().map(|(_, format)| format.to_string());
        Self {
            tables: wanted.iter().map(|(table, _)| table.to_string()).collect(),
            format: format.unwrap_or_default(),
            ..Self::new(What::Simulate, &[(book, plan)], players)
        }
    }

    /// Pairs of games by two rule sets, base and changed.
    pub fn of_pairs(base: (&Book, &Plan), changed: (&Book, &Plan)) -> Self {
        let players = base.1.players.iter().map(ToString::to_string).collect();
        Self::new(What::Compare, &[base, changed], players)
    }

    /// The pairs of a ladder.
    pub fn of_ladder(book: &Book, plan: &Plan, players: &[String], meetings: &[(usize, usize)]) -> Self {
        let run = Self::new(What::Ladder, &[(book, plan)], players.to_vec());
        Self { meetings: meetings.to_vec(), ..run }
    }

    /// The name of the run, sixteen hexadecimal digits: a hash (SHA-256) of all this.
    pub fn key(&self) -> String {
        // Texts and numbers alone: nothing in it can fail.
        let text = serde_json::to_vec(self).unwrap_or_default();
        hexadecimal(&Sha256::digest(&text)[..8])
    }
}

/// Bytes as hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
