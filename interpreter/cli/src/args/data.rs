//! Which tables of games a command writes.

use std::path::PathBuf;

use blazon_study::tables::{Format, Table};
use clap::ValueHint;

/// Which tables are written, and how.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct DataArgs {
    /// Write tables of the games, their decisions and events into a folder
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, group = "rows")]
    #[arg(conflicts_with = "parts")]
    pub data: Option<PathBuf>,

    /// How they are written: csv, jsonl or, if that was built in, parquet
    #[arg(long, value_name = "FORMAT", requires = "rows", default_value = "csv")]
    pub data_format: Format,

    /// Which are written: games, decisions, events, which take time; all with --data, if not said, and none with --parts
    #[arg(long, value_name = "TABLE,…", requires = "rows", value_delimiter = ',')]
    pub tables: Vec<Table>,
}
