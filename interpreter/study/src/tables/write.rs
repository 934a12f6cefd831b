//! The rows of all games of a table, into a stream.

use std::io::{self, Read, Seek, SeekFrom, Write};

use super::sheet::{Cell, Cells, csv_line};
use super::{Batch, Format, Schema, Table};

/// How much is kept back before it is written.
const MUCH: usize = 64 << 10;

/// Writes a table.
pub struct Writer<W: Write + Send> {
    stream: Stream<W>,
    rows: u64,
}

enum Stream<W: Write + Send> {
    Lines {
        out: W,
        kept: Vec<u8>,
    },
    #[cfg(feature = "parquet")]
    Columns(Box<super::parquet::File<W>>),
}

impl<W: Write + Send> Writer<W> {
    /// Begins a table.
    ///
    /// # Errors
    /// If it cannot be written, or this program does not know the format ([`Format::is_built_in`]).
    pub fn new(mut out: W, schema: &Schema, table: Table, format: Format) -> io::Result<Self> {
        let columns = schema.columns(table);
        let stream = match format {
            Format::Csv => {
                let mut head = Vec::new();
                csv_line(columns.iter().map(|column| Cell::Text(&column.name)), &mut head);
                out.write_all(&head)?;
                Stream::Lines { out, kept: Vec::new() }
            }
            Format::Jsonl => Stream::Lines { out, kept: Vec::new() },
            #[cfg(feature = "parquet")]
            Format::Parquet => Stream::Columns(Box::new(super::parquet::File::new(out, &columns)?)),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => {
                return Err(io::Error::new(
                    io::ErrorKind::Unsupported,
                    "this program was built without Parquet",
                ));
            }
        };
        Ok(Self { stream, rows: 0 })
    }

    /// The rows so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The rows of the next game.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn add(&mut self, batch: Batch) -> io::Result<()> {
        self.rows += batch.rows;
        match (&mut self.stream, batch.cells) {
            (Stream::Lines { kept, .. }, Cells::Lines(lines)) => {
                kept.extend(lines);
                if kept.len() > MUCH {
                    return self.flush();
                }
                Ok(())
            }
            #[cfg(feature = "parquet")]
            (Stream::Columns(file), Cells::Columns(columns)) => file.add(columns),
            #[cfg(feature = "parquet")]
            (Stream::Lines { .. }, Cells::Columns(_)) | (Stream::Columns(_), Cells::Lines(_)) => {
                Err(io::Error::new(io::ErrorKind::InvalidInput, "the rows were made for another format"))
            }
        }
    }

    /// Hands over what is kept back, as far as the format allows: lines are whole, Parquet is not before its end.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        match &mut self.stream {
            Stream::Lines { out, kept } => {
                let written = out.write_all(kept);
                kept.clear();
                written
            }
            #[cfg(feature = "parquet")]
            Stream::Columns(_) => Ok(()),
        }
    }

    /// The last game's rows are there.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush()?;
        match self.stream {
            Stream::Lines { out, .. } => Ok(out),
            #[cfg(feature = "parquet")]
            Stream::Columns(file) => file.finish(),
        }
    }
}

/// How a Parquet file begins and ends.
const PARQUET: &[u8] = b"PAR1";
/// Who says to have made our Parquet files; near their end.
pub(super) const MAKER: &str = "blazon tables";
/// That far from the end.
const NEAR: u64 = 64 << 10;

/// Whether a file may be written over: it holds a table of this sort, or nothing. One that is `whole` was finished.
///
/// # Errors
/// If it cannot be read.
pub fn is_ours(file: &mut (impl Read + Seek), table: Table, format: Format, whole: bool) -> io::Result<bool> {
    let mut head = Vec::new();
    file.take(64).read_to_end(&mut head)?;
    if head.is_empty() {
        return Ok(true);
    }
    let second = match table {
        Table::Games => "seed",
        Table::Decisions => "n",
        Table::Events => "event",
    };
    let text = String::from_utf8_lossy(&head);
    Ok(match format {
        Format::Csv => ["", "side,"].iter().any(|side| text.starts_with(&format!("game,{side}{second},"))),
        Format::Jsonl => {
            let behind = text.strip_prefix("{\"game\":").unwrap_or_default();
            let behind = behind.trim_start_matches(|digit: char| digit.is_ascii_digit());
            behind.starts_with(&format!(",\"{second}\":")) || behind.starts_with(",\"side\":\"")
        }
        Format::Parquet if whole => {
            let end = file.seek(SeekFrom::End(0))?;
            file.seek(SeekFrom::Start(end.saturating_sub(NEAR)))?;
            let mut tail = Vec::new();
            file.read_to_end(&mut tail)?;
            head.starts_with(PARQUET) && tail.windows(MAKER.len()).any(|bytes| bytes == MAKER.as_bytes())
        }
        Format::Parquet => head.starts_with(PARQUET),
    })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn what_is_not_ours_is_told_apart() {
        let ours = |text: &str, table, format| {
            is_ours(&mut Cursor::new(text.as_bytes()), table, format, true).unwrap()
        };
        for (text, table, format) in [
            ("", Table::Games, Format::Csv),
            ("game,seed,outcome,winner\n", Table::Games, Format::Csv),
            ("game,side,seed,outcome\n", Table::Games, Format::Csv),
            ("game,n,player\n", Table::Decisions, Format::Csv),
            ("{\"game\":12,\"event\":1,", Table::Events, Format::Jsonl),
            ("{\"game\":12,\"side\":\"base\",", Table::Events, Format::Jsonl),
            ("PAR1 ... blazon tables 1 PAR1", Table::Events, Format::Parquet),
        ] {
            assert!(ours(text, table, format), "{text}");
        }
        for (text, table, format) in [
            ("date,price\n", Table::Games, Format::Csv),
            ("game,n,player\n", Table::Games, Format::Csv),
            ("game\n", Table::Games, Format::Csv),
            ("{\"game\":\"chess\"}", Table::Games, Format::Jsonl),
            ("[]", Table::Games, Format::Jsonl),
            ("PAR1 ... another PAR1", Table::Games, Format::Parquet),
        ] {
            assert!(!ours(text, table, format), "{text}");
        }
        assert!(is_ours(&mut Cursor::new(b"PAR1 cut off"), Table::Games, Format::Parquet, false).unwrap());
    }
}
