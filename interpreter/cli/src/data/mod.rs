//! The tables that a command writes: one file of `--out`, a folder of `--data`.
//!
//! A folder has a file for each table and `schema.json`, which tells what they are. That one goes before the tables take
//! their names and comes back when they all have: where it stands, the tables beside it are whole and of one run.

mod file;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use blazon::files::put_whole;
use blazon::shown;
use blazon_study::tables::{Batch, Format, Manifest, Schema, Table, is_manifest};

use crate::args::DataArgs;
use crate::exit::{Failure, Result};

use file::TableFile;
pub use file::cannot;

/// What tells what the tables of a folder are.
const MANIFEST: &str = "schema.json";
/// How long rows are kept back.
const LONG: Duration = Duration::from_millis(500);

/// The tables that are written.
pub struct Tables {
    files: Vec<TableFile>,
    wanted: Vec<(Table, Format)>,
    schema: Schema,
    folder: Option<Folder>,
    written: Instant,
}

/// A folder of tables; its files are the last of [`Tables::files`].
struct Folder {
    path: PathBuf,
    files: usize,
    manifest: Manifest,
}

impl Tables {
    /// Begins all files; each is written aside until all rows are there. The manifest tells what the rows are.
    ///
    /// # Errors
    /// If a format is not built in, something else stands where they are to be written, or they cannot be written.
    pub fn begin(
        out: Option<&Path>,
        data: &DataArgs,
        schema: Schema,
        manifest: impl FnOnce(Format) -> Manifest,
    ) -> Result<Self> {
        let mut paths = Vec::new();
        if let Some(path) = out {
            paths.push((path.to_owned(), Table::Games, of_ending(path)?));
        }
        let mut folder = None;
        if let Some(path) = &data.data {
            let format = data.data_format;
            built_in(format)?;
            let tables = if data.tables.is_empty() { &Table::ALL[..] } else { &data.tables };
            let names = folder_files(path, format, tables)?;
            folder = Some(Folder { path: path.clone(), files: paths.len(), manifest: manifest(format) });
            paths.extend(names.into_iter().map(|(table, path)| (path, table, format)));
        }
        // All are looked at before one is begun.
        let places = paths.iter().map(|(path, table, format)| file::Place::of(path, *table, *format));
        let places = places.collect::<Result<Vec<_>>>()?;
        if let Some(twice) = places.iter().enumerate().find_map(|(at, place)| {
            places[..at].iter().any(|other| other.path == place.path).then_some(place)
        }) {
            return Err(Failure::Usage(format!(
                "`{}` would be written by --out and by --data: leave out one of them",
                shown(&twice.path)
            )));
        }
        let files = places.into_iter().map(|place| TableFile::begin(place, &schema));
        Ok(Self {
            files: files.collect::<Result<_>>()?,
            wanted: paths.iter().map(|(_, table, format)| (*table, *format)).collect(),
            schema,
            folder,
            written: Instant::now(),
        })
    }

    /// Of what a game is to be told, in the order in which it is taken.
    pub fn wanted(&self) -> &[(Table, Format)] {
        &self.wanted
    }

    /// The next game is done.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add(&mut self, batches: Vec<Batch>) -> Result<()> {
        for (file, batch) in self.files.iter_mut().zip(batches) {
            file.add(batch)?;
        }
        if self.written.elapsed() > LONG {
            self.written = Instant::now();
            for file in &mut self.files {
                file.flush()?;
            }
        }
        Ok(())
    }

    /// The last game is there; brings everything to the disk, in the place of what was there before.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(&mut self, games: u64, interrupted: bool) -> Result<()> {
        for file in &mut self.files {
            file.close()?;
        }
        let manifest = self.folder.as_ref().map(|folder| folder.path.join(MANIFEST));
        if let Some(path) = manifest.as_ref().filter(|path| path.exists()) {
            fs::remove_file(path).map_err(|error| cannot(path, &error))?;
        }
        for file in &mut self.files {
            file.take_its_place()?;
        }
        let (Some(folder), Some(path)) = (&mut self.folder, manifest) else { return Ok(()) };
        for file in self.files.iter().skip(folder.files) {
            let Some(name) = file.path().file_name() else { continue };
            let name = name.to_string_lossy().into_owned();
            folder.manifest.add(&self.schema, file.table(), name, file.rows());
        }
        folder.manifest.close(games, interrupted);
        put_whole(&path, folder.manifest.text()).map_err(|error| cannot(&path, &error))
    }

    /// What is left to say where the tables did not come to their end.
    pub fn left(&self) -> Option<String> {
        let asides: Vec<String> = self.files.iter().filter_map(TableFile::left).collect();
        let list = crate::figures::joined(&asides, "and");
        match asides.len() {
            0 => None,
            1 => Some(format!("what was done stands in {list}")),
            _ => Some(format!("what was done stands in {list}; the last of their games may not be in all")),
        }
    }
}

/// The words of the command, as they were typed.
pub fn command() -> Vec<String> {
    std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect()
}

/// The format of a file by the ending of its name.
fn of_ending(path: &Path) -> Result<Format> {
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase);
    let format = Format::ALL.into_iter().find(|format| ending.as_deref() == Some(format.name()));
    let Some(format) = format else {
        return Err(Failure::Usage(format!(
            "`{}`: take a name that ends in .csv, .jsonl or .parquet",
            shown(path)
        )));
    };
    built_in(format)?;
    Ok(format)
}

fn built_in(format: Format) -> Result<()> {
    if format.is_built_in() {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "this program was built without {format}: build it with `cargo build --release -p blazon-cli --features \
         {format}`, or write csv, which DuckDB and Polars read as well; `duckdb -c \"copy 'games.csv' to \
         'games.{format}'\"` converts it"
    )))
}

/// The files of a folder, which is made if it is not there.
fn folder_files(folder: &Path, format: Format, tables: &[Table]) -> Result<Vec<(Table, PathBuf)>> {
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::Environment(format!(
            "`{}` is no folder: the tables are several files, and --data names the folder for them",
            shown(folder)
        )));
    }
    fs::create_dir_all(folder)
        .map_err(|error| Failure::Environment(format!("`{}` cannot be made: {error}", shown(folder))))?;
    let manifest = folder.join(MANIFEST);
    if manifest.exists() && !fs::read_to_string(&manifest).is_ok_and(|text| is_manifest(&text)) {
        return Err(Failure::Environment(format!(
            "`{}` is there already and tells of no tables of games; take another folder",
            shown(&manifest)
        )));
    }
    let path = |table: Table, format: Format| folder.join(format!("{table}.{format}"));
    let mut files = Vec::new();
    for table in Table::ALL {
        for other in Format::ALL {
            let path = path(table, other);
            if other == format && tables.contains(&table) {
                files.push((table, path));
            } else if path.exists() {
                return Err(Failure::Environment(format!(
                    "`{}` is there already and would stay beside tables of other games; delete it, or take another \
                     folder",
                    shown(&path)
                )));
            }
        }
    }
    Ok(files)
}
