//! Rows of one game, made as they will be written.

use std::io::Write;

use super::{Column, Format};

/// What stands in a cell.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cell<'a> {
    /// Nothing.
    Empty,
    Integer(i64),
    Flag(bool),
    Text(&'a str),
}

impl From<u64> for Cell<'_> {
    fn from(number: u64) -> Self {
        Self::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(cell: Option<T>) -> Self {
        cell.map_or(Self::Empty, Into::into)
    }
}

/// The rows of a table of one game.
#[derive(Clone, Debug)]
pub struct Batch {
    pub(super) rows: u64,
    pub(super) cells: Cells,
}

impl Batch {
    /// Rows of several games as lines, as [`Batch::lines`] answered them.
    pub fn of_lines(rows: u64, lines: Vec<u8>) -> Self {
        Self { rows, cells: Cells::Lines(lines) }
    }

    /// How many rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The rows as lines; none of a format that has no lines.
    pub fn lines(self) -> Vec<u8> {
        match self.cells {
            Cells::Lines(lines) => lines,
            #[cfg(feature = "parquet")]
            Cells::Columns(_) => Vec::new(),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) enum Cells {
    /// Lines.
    Lines(Vec<u8>),
    #[cfg(feature = "parquet")]
    Columns(Vec<super::parquet::Values>),
}

impl Cells {
    fn none(format: Format, columns: &[Column]) -> Self {
        match format {
            #[cfg(feature = "parquet")]
            Format::Parquet => Self::Columns(columns.iter().map(super::parquet::Values::of).collect()),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => Self::Lines(Vec::with_capacity(columns.len())),
            Format::Csv | Format::Jsonl => Self::Lines(Vec::new()),
        }
    }
}

/// Where rows are put down.
pub(super) struct Sheet {
    format: Format,
    columns: Vec<Column>,
    batch: Batch,
}

impl Sheet {
    pub fn new(format: Format, columns: Vec<Column>) -> Self {
        let batch = Batch { rows: 0, cells: Cells::none(format, &columns) };
        Self { format, columns, batch }
    }

    /// A row, cell by cell; cells that are missing at its end are empty.
    pub fn row(&mut self, cells: &[Cell]) {
        let missing = std::iter::repeat_n(&Cell::Empty, self.columns.len().saturating_sub(cells.len()));
        let cells = self.columns.iter().zip(cells.iter().chain(missing));
        match &mut self.batch.cells {
            Cells::Lines(out) => match self.format {
                Format::Csv => csv_line(cells.map(|(_, cell)| *cell), out),
                Format::Jsonl => json_line(cells.map(|(column, cell)| (column.name.as_str(), *cell)), out),
                Format::Parquet => {}
            },
            #[cfg(feature = "parquet")]
            Cells::Columns(columns) => {
                for (values, (_, cell)) in columns.iter_mut().zip(cells) {
                    values.push(*cell);
                }
            }
        }
        self.batch.rows += 1;
    }

    /// The rows so far; none are left.
    pub fn take(&mut self) -> Batch {
        let none = Batch { rows: 0, cells: Cells::none(self.format, &self.columns) };
        std::mem::replace(&mut self.batch, none)
    }
}

/// A line of comma-separated values.
pub(super) fn csv_line<'a>(cells: impl Iterator<Item = Cell<'a>>, out: &mut Vec<u8>) {
    for (place, cell) in cells.enumerate() {
        if place > 0 {
            out.push(b',');
        }
        // Bytes take whatever is written.
        let _ = match cell {
            Cell::Empty => Ok(()),
            Cell::Integer(number) => write!(out, "{number}"),
            Cell::Flag(flag) => write!(out, "{flag}"),
            Cell::Text(text) => {
                csv_text(text, out);
                Ok(())
            }
        };
    }
    out.push(b'\n');
}

/// A cell of text, in quotes where it needs them, that no spreadsheet takes for a formula: names and texts come from
/// strangers.
fn csv_text(text: &str, out: &mut Vec<u8>) {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    let apostrophe = if formula { "'" } else { "" };
    if text.contains([',', '"', '\n', '\r']) {
        out.push(b'"');
        out.extend(apostrophe.bytes());
        out.extend(text.replace('"', "\"\"").bytes());
        out.push(b'"');
    } else {
        out.extend(apostrophe.bytes());
        out.extend(text.bytes());
    }
}

/// A JSON object on a line.
fn json_line<'a>(cells: impl Iterator<Item = (&'a str, Cell<'a>)>, out: &mut Vec<u8>) {
    for (place, (name, cell)) in cells.enumerate() {
        out.push(if place == 0 { b'{' } else { b',' });
        json_text(name, out);
        out.push(b':');
        let _ = match cell {
            Cell::Empty => write!(out, "null"),
            Cell::Integer(number) => write!(out, "{number}"),
            Cell::Flag(flag) => write!(out, "{flag}"),
            Cell::Text(text) => {
                json_text(text, out);
                Ok(())
            }
        };
    }
    out.extend(b"}\n");
}

/// A text in quotes, as JSON has it.
pub(super) fn json_text(text: &str, out: &mut Vec<u8>) {
    // Bytes take whatever is written.
    let _ = serde_json::to_writer(out, text);
}

#[cfg(test)]
mod tests {
    use super::super::{Schema, Table};
    use super::*;

    fn lines(batch: Batch) -> Vec<u8> {
        match batch.cells {
            Cells::Lines(lines) => lines,
            #[cfg(feature = "parquet")]
            Cells::Columns(_) => panic!("lines are wanted"),
        }
    }

    fn csv(text: &str) -> String {
        let mut out = Vec::new();
        csv_text(text, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn no_cell_is_a_formula() {
        for formula in ["=1+1", "+1+1", "-cmd", "@sum(a)", "\t=1", "-"] {
            assert_eq!(csv(formula), format!("'{formula}"));
        }
        assert_eq!(csv("=a,b"), "\"'=a,b\"");
        for cell in ["-3", "+2.5", "Red", "", "5.21"] {
            assert_eq!(csv(cell), cell);
        }
    }

    /// What others read is what was meant, whatever stands in a cell.
    #[test]
    fn cells_are_read_as_they_were() {
        let columns =
            Schema { counts: Vec::new(), players: Vec::new(), compares: false }.columns(Table::Events);
        let texts = ["a,b", "\"", "two\nlines", "\r", "ü \u{1}", "", "a\"\",\"b", "{\"a\":1}"];
        for text in texts {
            let cells = [Cell::Integer(-7), Cell::Empty, Cell::Text(text), Cell::Flag(true)];
            let mut sheet = Sheet::new(Format::Csv, columns.clone());
            sheet.row(&cells);
            sheet.row(&cells);
            let batch = sheet.take();
            assert_eq!((batch.rows, sheet.take().rows), (2, 0));
            let written = lines(batch);
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(written.as_slice());
            for record in reader.records() {
                let record = record.unwrap();
                assert_eq!(record.len(), columns.len());
                let text = if text == "\r" { "'\r" } else { text };
                assert_eq!([&record[0], &record[1], &record[2], &record[3]], ["-7", "", text, "true"]);
            }
            let mut sheet = Sheet::new(Format::Jsonl, columns.clone());
            sheet.row(&cells);
            let object: serde_json::Value = serde_json::from_slice(&lines(sheet.take())).unwrap();
            assert_eq!(object.as_object().unwrap().len(), columns.len());
            assert_eq!((&object["game"], &object["n"]), (&(-7).into(), &text.into()));
            assert!(object["event"].is_null() && object["paragraphs"].is_null());
        }
    }
}
