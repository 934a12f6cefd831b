//! What tables were made of, in a file beside them: whoever finds a folder of tables a year later can tell what they
//! are, and make them again.

use std::collections::BTreeMap;

use blazon_book::Book;
use serde::Serialize;

use super::{Column, Format, SCHEMA, Schema, Table};
use crate::game::Plan;

/// What is told in the file.
#[derive(Clone, Debug, Serialize)]
pub struct Manifest {
    /// The version of the columns; its name tells this file from others.
    blazon_tables: u32,
    /// The version of the program.
    blazon: &'static str,
    /// The words of the command.
    command: Vec<String>,
    format: &'static str,
    seed: u64,
    /// How many games were to be played.
    asked: u64,
    /// How many have rows.
    games: u64,
    /// Whether the games were stopped.
    interrupted: bool,
    /// By which rules; several where rules are compared.
    rules: Vec<Rules>,
    tables: BTreeMap<&'static str, Contents>,
}

#[derive(Clone, Debug, Serialize)]
struct Rules {
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<String>,
    game: String,
    version: String,
    variants: Vec<[String; 2]>,
    rulings: BTreeMap<String, String>,
    setups: Vec<String>,
    players: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Serialize)]
struct Contents {
    file: String,
    rows: u64,
    columns: Vec<Column>,
}

/// Some of the games of a run: those by the same rules.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    /// What the column `side` calls them, if there are several.
    pub side: Option<&'a str>,
    /// The rules.
    pub book: &'a Book,
    /// Who played.
    pub plan: &'a Plan,
}

impl Manifest {
    /// Of tables that are written in a format, made of so many games by these rules.
    pub fn new(command: Vec<String>, format: Format, asked: u64, parts: &[Part]) -> Self {
        Self {
            blazon_tables: SCHEMA,
            blazon: env!("CARGO_PKG_VERSION"),
            command,
            format: format.name(),
            seed: parts.first().map(|part| part.plan.seed).unwrap_or_default(),
            asked,
            games: 0,
            interrupted: false,
            rules: parts.iter().map(Rules::of).collect(),
            tables: BTreeMap::new(),
        }
    }

    /// A table that was written.
    pub fn add(&mut self, schema: &Schema, table: Table, file: String, rows: u64) {
        self.tables.insert(table.name(), Contents { file, rows, columns: schema.columns(table) });
    }

    /// How many games have rows, and whether more were to be played when somebody stopped it.
    pub fn close(&mut self, games: u64, interrupted: bool) {
        (self.games, self.interrupted) = (games, interrupted);
    }

    /// The file.
    pub fn text(&self) -> String {
        // Numbers and texts alone: nothing in it can fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

impl Rules {
    fn of(part: &Part) -> Self {
        let Part { side, book, plan } = part;
        let things = &book.kind(book.player).things;
        let players = book.players.iter().filter_map(|&player| {
            let name = things.get(player as usize)?.name.clone();
            Some((name, plan.players.get(player as usize)?.to_string()))
        });
        let setups = plan.setups.iter().filter_map(|&setup| book.setups.get(setup));
        Self {
            side: side.map(str::to_owned),
            game: book.title.clone(),
            version: book.version.clone(),
            variants: book.variants.iter().map(|(name, version)| [name.clone(), version.clone()]).collect(),
            rulings: rulings(book),
            setups: setups.map(|setup| setup.name.clone()).collect(),
            players: players.collect(),
        }
    }
}

/// All rulings of a book, and how they are decided.
pub(crate) fn rulings(book: &Book) -> BTreeMap<String, String> {
    let decided = book
        .rulings
        .iter()
        .map(|ruling| (ruling.name.clone(), ruling.values.get(ruling.chosen).cloned().unwrap_or_default()));
    decided.collect()
}

/// Whether a text is such a file.
pub fn is_manifest(text: &str) -> bool {
    let value = serde_json::from_str::<serde_json::Value>(text);
    value.is_ok_and(|value| value.get("blazon_tables").is_some_and(serde_json::Value::is_u64))
}
