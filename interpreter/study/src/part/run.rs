//! What games of a run have in common, whoever plays which of them: two blocks with the same description and the same
//! numbers are the same to the last byte, on any machine.

use std::collections::BTreeMap;

use blazon_book::Book;
use blazon_machine::save::Text;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::game::Plan;
use crate::tables::{Format, Table, page, rulings};

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
    /// The hash of all that stands on its pages, comments and citations, too; and of their names, if tables tell where in the
    /// rules something stands.
    pub pages: String,
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
    /// That of a book, as games of a plan are played by it; and whether it is told where in its rules something stands.
    pub fn of(book: &Book, plan: &Plan, tells_places: bool) -> Self {
        let setups = plan.setups.iter().filter_map(|&setup| book.setups.get(setup));
        Self {
            game: book.title.clone(),
            version: book.version.clone(),
            digest: Text::of(book).digest().to_owned(),
            pages: pages(book, tells_places),
            variants: book.variants.clone(),
            rulings: rulings(book),
            setups: setups.map(|setup| setup.name.clone()).collect(),
        }
    }
}

/// The hash of all pages of a book as they stand, and of what tables call them, if these tell places: whatever is told of
/// games by the same hash is the same, wherever the pages lie and in whatever order they were read.
fn pages(book: &Book, tells_places: bool) -> String {
    let name = |name| if tells_places { page(name) } else { "" };
    let pages = book.sources.iter().map(|(_, source)| (name(&source.name), source.text.as_ref()));
    let mut pages: Vec<(&str, &str)> = pages.collect();
    pages.sort_unstable();
    let mut hash = Sha256::new();
    for text in pages.into_iter().flat_map(|(name, text)| [name, text]) {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hexadecimal(&hash.finalize())
}

impl Run {
    fn new(what: What, sides: &[(&Book, &Plan)], players: Vec<String>, tells_places: bool) -> Self {
        Self {
            blazon: env!("CARGO_PKG_VERSION").to_owned(),
            what,
            rules: sides.iter().map(|(book, plan)| RuleSet::of(book, plan, tells_places)).collect(),
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
        let tells_places = wanted.iter().any(|(table, _)| *table != Table::Games);
        Self {
            tables: wanted.iter().map(|(table, _)| table.to_string()).collect(),
            format: format.unwrap_or_default(),
            ..Self::new(What::Simulate, &[(book, plan)], players, tells_places)
        }
    }

    /// Pairs of games by two rule sets, base and changed.
    pub fn of_pairs(base: (&Book, &Plan), changed: (&Book, &Plan)) -> Self {
        let players = base.1.players.iter().map(ToString::to_string).collect();
        Self::new(What::Compare, &[base, changed], players, false)
    }

    /// The pairs of a ladder.
    pub fn of_ladder(book: &Book, plan: &Plan, players: &[String], meetings: &[(usize, usize)]) -> Self {
        let run = Self::new(What::Ladder, &[(book, plan)], players.to_vec(), false);
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
