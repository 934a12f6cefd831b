//! Which tables of games a command writes.

use std::path::PathBuf;

use blazon_study::tables::{Format, Table};
use clap::ValueHint;

/// Which tables are written, and how.
#[derive(Clone, Debug, clap::Args)]
pub struct DataArgs {
    /// Write tables of the games, their decisions and events into a folder
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub data: Option<PathBuf>,

    /// How they are written: csv, jsonl or, if that was built in, parquet
    #[arg(long, value_name = "FORMAT", requires = "data", default_value = "csv")]
    pub data_format: Format,

    /// Which are written; events, and the decisions, take time
    #[arg(long, value_name = "TABLE,…", requires = "data", value_delimiter = ',')]
    #[arg(default_values = ["games", "decisions", "events"])]
    pub tables: Vec<Table>,
}
