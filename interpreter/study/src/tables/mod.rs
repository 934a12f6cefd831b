//! Games as tables: `games`, `decisions` and `events`, a row each, for notebooks, databases and spreadsheets.
//!
//! Whoever plays games has a [`Collector`] look on; what it [took](Collector::take) of a game, one [`Batch`] for each
//! table that is wanted, goes to a [`Writer`] in the order of the games. A collector makes its rows on the thread that
//! plays, in the format in which they are written: so the thread that writes has nothing to do but to write, and what is
//! written is the same on any number of threads.
//!
//! The names and meanings of the columns are promised: they stand in `interpreter/study/TABLES.md`, which a test holds
//! against [`Schema`].
//!
//! | module | what it has |
//! | --- | --- |
//! | `schema` | the columns: names, types, meanings |
//! | `collect` | who looks on: a row of a game, of a decision, of an event |
//! | `origin` | where in the rules something comes from |
//! | `sheet` | rows of one game as they will be written |
//! | `write` | the rows of all games into a stream |
//! | `manifest` | what the tables were made of, in a file beside them |

mod collect;
mod manifest;
mod origin;
#[cfg(feature = "parquet")]
mod parquet;
mod schema;
mod sheet;
mod write;

use std::fmt;
use std::str::FromStr;

pub use collect::Collector;
pub(crate) use manifest::rulings;
pub use manifest::{Manifest, Part, is_manifest};
pub(crate) use origin::page;
pub use schema::{Column, SCHEMA, Schema, Side, Type};
pub use sheet::Batch;
pub use write::{Writer, is_ours};

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Table {
    /// A row for each game.
    Games,
    /// A row for each decision that a player took.
    Decisions,
    /// A row for each thing that happened.
    Events,
}

impl Table {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Games, Self::Decisions, Self::Events];

    /// Its name, which is that of its file, too.
    pub fn name(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Decisions => "decisions",
            Self::Events => "events",
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Table {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = text.trim();
        Self::ALL.into_iter().find(|table| table.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            format!("no table is called `{name}`; there are {}", blazon_diagnostics::list(names, "and"))
        })
    }
}

/// How tables are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Comma-separated values, a line of names first.
    #[default]
    Csv,
    /// A JSON object on each line.
    Jsonl,
    /// Apache Parquet, if the program was built with it.
    Parquet,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Csv, Self::Jsonl, Self::Parquet];

    /// Its name, which is the ending of its files, too.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
            Self::Parquet => "parquet",
        }
    }

    /// Whether this program can write it.
    pub fn is_built_in(self) -> bool {
        match self {
            Self::Csv | Self::Jsonl => true,
            Self::Parquet => cfg!(feature = "parquet"),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = text.trim();
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            format!("no format is called `{name}`; there are {}", blazon_diagnostics::list(names, "and"))
        })
    }
}
