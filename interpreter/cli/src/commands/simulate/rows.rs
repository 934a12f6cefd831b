//! A row for each game in a file of comma-separated values, written as the games are done.
//!
//! Only whole rows are handed to the system, at least twice a second, into a file aside (`games.csv.part`) that takes the
//! place of an earlier one when all is done: whatever stops the program, the earlier file is whole, and the file aside is
//! good up to a game.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use blazon::shown;
use blazon_book::{Book, StepId};

use crate::exit::{Failure, Result};
use blazon_study::{End, Row};

/// How a file of rows begins: nothing else is overwritten.
const BEGINS: &str = "game,seed,outcome,";
/// How much is kept back before it is written.
const MUCH: usize = 64 << 10;
/// How long it is kept back.
const LONG: Duration = Duration::from_millis(500);

/// A file of rows.
pub struct Rows {
    path: PathBuf,
    /// Where the rows are written until all are there; nowhere else if the path is no file on a disk.
    aside: Option<PathBuf>,
    file: File,
    writer: csv::Writer<Vec<u8>>,
    written: Instant,
}

impl Rows {
    /// Begins a file. One that is there already is replaced if it is such a file.
    ///
    /// # Errors
    /// If it has another ending than `.csv`, is another sort of file, or cannot be written.
    pub fn begin(path: &Path, book: &Book, rounds: &[StepId]) -> Result<Self> {
        match path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase).as_deref() {
            Some("csv") => {}
            Some("parquet") => {
                return Err(Failure::Usage(format!(
                    "Parquet is not written: take a name that ends in .csv and convert it, like \
                     `duckdb -c \"copy 'games.csv' to '{}'\"`",
                    shown(path)
                )));
            }
            _ => {
                return Err(Failure::Usage(format!("`{}`: take a name that ends in .csv", shown(path))));
            }
        }
        if path.is_dir() {
            return Err(Failure::Environment(format!("`{}` is a folder", shown(path))));
        }
        if !may_be_replaced(path) {
            return Err(Failure::Environment(format!(
                "`{}` is there already and holds no rows of games; take another name",
                shown(path)
            )));
        }
        // Through a link the file itself is replaced; a device or a pipe has no place beside it.
        let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let aside = (!path.exists() || path.is_file()).then(|| beside(path));
        if let Some(aside) = aside.as_ref().filter(|aside| !may_be_replaced(aside)) {
            return Err(Failure::Environment(format!(
                "`{}`, where the rows are written first, is there already and holds no rows of games",
                shown(aside)
            )));
        }
        let file = File::create(aside.as_ref().unwrap_or(path)).map_err(|error| cannot(path, &error))?;
        let writer = csv::WriterBuilder::new().from_writer(Vec::new());
        let mut rows = Self { path: path.clone(), aside, file, writer, written: Instant::now() };
        let mut heads: Vec<String> =
            ["game", "seed", "outcome", "winner", "ended_in", "paragraphs", "said", "decisions"]
                .map(str::to_owned)
                .to_vec();
        heads.extend(counts(book, rounds));
        heads.push("error".to_owned());
        rows.record(&heads)?;
        rows.flush()?;
        Ok(rows)
    }

    /// A game is done.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, row: &Row, name: impl Fn(u32) -> String) -> Result<()> {
        let mut cells = vec![row.game.to_string(), row.seed.to_string(), row.end.word().to_owned()];
        let mut error = String::new();
        match &row.end {
            End::Over { winner, place, said } => {
                cells.push(winner.map(name).unwrap_or_default());
                cells.push(place.as_ref().map(|place| place.name.clone()).unwrap_or_default());
                cells.push(place.as_ref().map(|place| place.cites.join(" ")).unwrap_or_default());
                cells.push(said.clone());
            }
            End::Fault(fault) => {
                cells.resize(7, String::new());
                error = format!("{}: {fault}", fault.code);
            }
            End::Limit => cells.resize(7, String::new()),
        }
        cells.push(row.decisions.to_string());
        cells.extend(row.turns.iter().map(u64::to_string));
        cells.push(error);
        self.record(&cells)?;
        if self.writer.get_ref().len() > MUCH || self.written.elapsed() > LONG {
            self.flush()?;
        }
        Ok(())
    }

    fn record(&mut self, cells: &[String]) -> Result<()> {
        let written = self
            .writer
            .write_record(cells.iter().map(|cell| no_formula(cell).into_owned()))
            .and_then(|()| Ok(self.writer.flush()?));
        written.map_err(|error| cannot(&self.path, &error))
    }

    /// Hands over what is kept back.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn flush(&mut self) -> Result<()> {
        self.written = Instant::now();
        let empty = csv::WriterBuilder::new().from_writer(Vec::new());
        let bytes = std::mem::replace(&mut self.writer, empty)
            .into_inner()
            .map_err(|error| cannot(&self.path, error.error()))?;
        self.file.write_all(&bytes).map_err(|error| cannot(&self.path, &error))
    }

    /// The last row is there; brings everything to the disk, and puts it in the place of an earlier file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(&mut self) -> Result<()> {
        self.flush()?;
        // What is no file on a disk, like a pipe, cannot be synced.
        if self.file.metadata().is_ok_and(|file| file.is_file()) {
            self.file.sync_all().map_err(|error| cannot(&self.path, &error))?;
        }
        if let Some(aside) = self.aside.take() {
            std::fs::rename(aside, &self.path).map_err(|error| cannot(&self.path, &error))?;
        }
        Ok(())
    }

    /// What is left to say where the rows did not come to their end.
    pub fn left(&self) -> Option<String> {
        let aside = self.aside.as_ref()?;
        Some(format!("what was done stands in `{}`", shown(aside)))
    }
}

/// The headings of the steps that are counted, each once.
fn counts(book: &Book, rounds: &[StepId]) -> Vec<String> {
    let mut taken = HashSet::new();
    let heads = rounds.iter().map(|&step| {
        let mut head = format!("count_{}", book.step(step).name.replace(' ', "_"));
        while !taken.insert(head.clone()) {
            head.push('_');
        }
        head
    });
    heads.collect()
}

/// The name beside a path under which its rows are written first.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    path.with_file_name(name)
}

/// A cell that no spreadsheet takes for a formula: names and texts come from strangers.
fn no_formula(cell: &str) -> Cow<'_, str> {
    let number = cell.parse::<f64>().is_ok();
    match cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && !number {
        true => Cow::Owned(format!("'{cell}")),
        false => Cow::Borrowed(cell),
    }
}

fn cannot(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::Environment(format!("`{}` cannot be written: {error}", shown(path)))
}

/// Whether there is nothing there, or nothing but rows of games.
fn may_be_replaced(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return true };
    if !file.metadata().is_ok_and(|file| file.is_file()) {
        return true;
    }
    let mut begins = Vec::new();
    let read = (&file).take(BEGINS.len() as u64).read_to_end(&mut begins);
    read.is_ok() && (begins.is_empty() || begins == BEGINS.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        for formula in ["=1+1", "+1+1", "-cmd", "@sum(a)", "\t=1", "-"] {
            assert_eq!(no_formula(formula), format!("'{formula}"));
        }
        for cell in ["-3", "+2.5", "Red", "", "5.21"] {
            assert_eq!(no_formula(cell), cell);
        }
    }
}
