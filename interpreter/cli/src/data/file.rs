//! A table in a file, written as the games are done.
//!
//! Only whole games are handed to the system, at least twice a second, into a file aside (`games.csv.part`) that takes the
//! place of an earlier one when all is done: whatever stops the program, the earlier file is whole, and the file aside is
//! good up to a game. (One of Parquet is good for nothing before its end.)

use std::fs::File;
use std::path::{Path, PathBuf};

use blazon::shown;
use blazon_study::tables::{Batch, Format, Schema, Table, Writer, is_ours};

use crate::exit::{Failure, Result};

/// Where a table will stand.
pub struct Place {
    /// Through a link the file itself is replaced.
    pub path: PathBuf,
    /// Where the rows are written until all are there; nowhere else if the path is no file on a disk.
    aside: Option<PathBuf>,
    table: Table,
    format: Format,
}

impl Place {
    /// At a path. A table that is there already will be replaced if it is the same of other games.
    ///
    /// # Errors
    /// If something else is there.
    pub fn of(path: &Path, table: Table, format: Format) -> Result<Self> {
        if path.is_dir() {
            return Err(Failure::Environment(format!("`{}` is a folder", shown(path))));
        }
        if !may_be_replaced(path, table, format, true) {
            return Err(Failure::Environment(format!(
                "`{}` is there already and holds no rows of {table}; take another name",
                shown(path)
            )));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(Failure::Environment(format!(
                "`{}` cannot be written: there is no folder `{}`",
                shown(path),
                shown(folder)
            )));
        }
        let path = full(path);
        // A device or a pipe has no place beside it.
        let aside = (!path.exists() || path.is_file()).then(|| beside(&path));
        if let Some(aside) = aside.as_ref().filter(|aside| !may_be_replaced(aside, table, format, false)) {
            return Err(Failure::Environment(format!(
                "`{}`, where the rows are written first, is there already and holds no rows of {table}",
                shown(aside)
            )));
        }
        Ok(Self { path, aside, table, format })
    }
}

/// A table in a file.
pub struct TableFile {
    place: Place,
    writer: Option<Writer<File>>,
    rows: u64,
}

impl TableFile {
    /// Begins a file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(place: Place, schema: &Schema) -> Result<Self> {
        let file = File::create(place.aside.as_ref().unwrap_or(&place.path));
        let writer = file.and_then(|file| Writer::new(file, schema, place.table, place.format));
        let writer = Some(writer.map_err(|error| cannot(&place.path, &error))?);
        Ok(Self { place, writer, rows: 0 })
    }

    /// What it is called in the end.
    pub fn path(&self) -> &Path {
        &self.place.path
    }

    /// What it holds.
    pub fn table(&self) -> Table {
        self.place.table
    }

    /// How many rows it has.
    pub fn rows(&self) -> u64 {
        self.writer.as_ref().map_or(self.rows, Writer::rows)
    }

    /// The rows of the next game.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn add(&mut self, batch: Batch) -> Result<()> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        writer.add(batch).map_err(|error| cannot(&self.place.path, &error))
    }

    /// Hands over what is kept back.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn flush(&mut self) -> Result<()> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        writer.flush().map_err(|error| cannot(&self.place.path, &error))
    }

    /// The last row is there; brings everything to the disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn close(&mut self) -> Result<()> {
        self.rows = self.rows();
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let written = writer.finish().and_then(|file| {
            // What is no file on a disk, like a pipe, cannot be synced.
            if file.metadata().is_ok_and(|file| file.is_file()) { file.sync_all() } else { Ok(()) }
        });
        written.map_err(|error| cannot(&self.place.path, &error))
    }

    /// Puts the file that was closed in the place of an earlier one.
    ///
    /// # Errors
    /// If it cannot be.
    pub fn take_its_place(&mut self) -> Result<()> {
        match self.place.aside.take() {
            Some(aside) => {
                std::fs::rename(aside, &self.place.path).map_err(|error| cannot(&self.place.path, &error))
            }
            None => Ok(()),
        }
    }

    /// Where its rows stand if they did not come to their end.
    pub fn left(&self) -> Option<String> {
        let aside = self.place.aside.as_ref().filter(|_| self.place.format != Format::Parquet)?;
        Some(format!("`{}`", shown(aside)))
    }
}

/// A path that is the same for all ways to the same file.
fn full(path: &Path) -> PathBuf {
    if let Ok(full) = path.canonicalize() {
        return full;
    }
    let folder =
        path.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    match (folder.and_then(|folder| folder.canonicalize().ok()), path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        (_, _) => path.to_owned(),
    }
}

/// The name beside a path under which its rows are written first.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    path.with_file_name(name)
}

/// What to say where a file cannot be written.
pub fn cannot(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::Environment(format!("`{}` cannot be written: {error}", shown(path)))
}

/// Whether there is nothing there, or nothing but such rows.
fn may_be_replaced(path: &Path, table: Table, format: Format, whole: bool) -> bool {
    let Ok(mut file) = File::open(path) else { return true };
    if !file.metadata().is_ok_and(|file| file.is_file()) {
        return true;
    }
    is_ours(&mut file, table, format, whole).unwrap_or_default()
}
