//! Tables as Apache Parquet: what is the same in many rows takes little room, and types are kept.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type as Node;

use super::sheet::Cell;
use super::write::MAKER;
use super::{Column, SCHEMA, Type};

/// So many rows are written together. Where games come slowly they wait for it in memory.
const GROUP: usize = 100_000;

/// The cells of a column.
#[derive(Clone, Debug)]
pub(super) enum Values {
    Integers(Vec<Option<i64>>),
    Flags(Vec<Option<bool>>),
    Texts(Vec<Option<String>>),
}

impl Values {
    pub fn of(column: &Column) -> Self {
        match column.ty {
            Type::Integer => Self::Integers(Vec::new()),
            Type::Flag => Self::Flags(Vec::new()),
            Type::Text => Self::Texts(Vec::new()),
        }
    }

    /// A cell; one of another type is empty.
    pub fn push(&mut self, cell: Cell) {
        match (self, cell) {
            (Self::Integers(cells), Cell::Integer(number)) => cells.push(Some(number)),
            (Self::Flags(cells), Cell::Flag(flag)) => cells.push(Some(flag)),
            (Self::Texts(cells), Cell::Text(text)) => cells.push(Some(text.to_owned())),
            (Self::Integers(cells), _) => cells.push(None),
            (Self::Flags(cells), _) => cells.push(None),
            (Self::Texts(cells), _) => cells.push(None),
        }
    }

    fn append(&mut self, more: Self) {
        match (self, more) {
            (Self::Integers(cells), Self::Integers(more)) => cells.extend(more),
            (Self::Flags(cells), Self::Flags(more)) => cells.extend(more),
            (Self::Texts(cells), Self::Texts(more)) => cells.extend(more),
            (Self::Integers(_) | Self::Flags(_) | Self::Texts(_), _) => {}
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Integers(cells) => cells.len(),
            Self::Flags(cells) => cells.len(),
            Self::Texts(cells) => cells.len(),
        }
    }
}

/// A file that is being written.
pub(super) struct File<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    waiting: Vec<Values>,
}

impl<W: Write + Send> File<W> {
    pub fn new(out: W, columns: &[Column]) -> io::Result<Self> {
        let field = |column: &Column| {
            let (physical, logical) = match column.ty {
                Type::Integer => (Physical::INT64, None),
                Type::Flag => (Physical::BOOLEAN, None),
                Type::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            };
            let field = Node::primitive_type_builder(&column.name, physical)
                .with_repetition(Repetition::OPTIONAL)
                .with_logical_type(logical);
            field.build().map(Arc::new)
        };
        let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>().map_err(other)?;
        let schema = Node::group_type_builder("table").with_fields(fields).build().map_err(other)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("{MAKER} version {SCHEMA}"))
            .build();
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(other)?;
        Ok(Self { writer, waiting: columns.iter().map(Values::of).collect() })
    }

    pub fn add(&mut self, columns: Vec<Values>) -> io::Result<()> {
        for (all, more) in self.waiting.iter_mut().zip(columns) {
            all.append(more);
        }
        // Groups end where games end, so they are the same however fast the games come.
        if self.waiting.first().map_or(0, Values::len) >= GROUP { self.group() } else { Ok(()) }
    }

    /// Writes what is waiting.
    fn group(&mut self) -> io::Result<()> {
        if self.waiting.first().map_or(0, Values::len) == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group().map_err(other)?;
        for values in &mut self.waiting {
            match values {
                Values::Integers(cells) => column::<Int64Type, W, _>(&mut group, cells, |number| number)?,
                Values::Flags(cells) => column::<BoolType, W, _>(&mut group, cells, |flag| flag)?,
                Values::Texts(cells) => {
                    column::<ByteArrayType, W, _>(&mut group, cells, |text| {
                        ByteArray::from(text.into_bytes())
                    })?;
                }
            }
        }
        group.close().map_err(other)?;
        Ok(())
    }

    pub fn finish(mut self) -> io::Result<W> {
        self.group()?;
        self.writer.into_inner().map_err(other)
    }
}

/// Writes the next column of a group; no cells are left.
fn column<T: DataType, W: Write + Send, C>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    cells: &mut Vec<Option<C>>,
    value: impl Fn(C) -> T::T,
) -> io::Result<()> {
    let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    let values: Vec<T::T> = cells.drain(..).flatten().map(value).collect();
    let Some(mut column) = group.next_column().map_err(other)? else {
        return Err(io::Error::other("there are more columns than the file has"));
    };
    column.typed::<T>().write_batch(&values, Some(&levels), None).map_err(other)?;
    column.close().map_err(other)
}

/// What goes wrong is told as what it is to who writes a file.
fn other(error: ParquetError) -> io::Error {
    let ParquetError::External(error) = error else { return io::Error::other(error) };
    match error.downcast::<io::Error>() {
        Ok(error) => *error,
        Err(error) => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use super::super::sheet::Sheet;
    use super::super::write::is_ours;
    use super::super::{Format, Schema, Table, Writer};
    use super::*;

    /// What others read is what was written, with its type; the same rows are the same bytes.
    #[test]
    fn rows_are_read_as_they_were() {
        let schema = Schema { counts: Vec::new(), players: Vec::new(), compares: false };
        let write = |games: i64, rows: i64| {
            let out = tempfile::tempfile().unwrap();
            let mut writer = Writer::new(out, &schema, Table::Events, Format::Parquet).unwrap();
            let mut sheet = Sheet::new(Format::Parquet, schema.columns(Table::Events));
            for game in 0..games {
                for event in 1..=rows {
                    let mut cells = [Cell::Empty; 9];
                    cells[..3].copy_from_slice(&[
                        Cell::Integer(game),
                        Cell::Integer(event),
                        Cell::Integer(-1),
                    ]);
                    cells[3] = Cell::Text("=say, \"ü\"");
                    cells[8] = if event == 1 { Cell::Empty } else { Cell::Flag(event == 2) };
                    sheet.row(&cells);
                }
                writer.add(sheet.take()).unwrap();
            }
            assert_eq!(writer.rows() as i64, games * rows);
            writer.finish().unwrap()
        };
        let reader = SerializedFileReader::new(write(3, 60_000)).unwrap();
        assert_eq!(reader.metadata().num_row_groups(), 2);
        assert_eq!(reader.metadata().file_metadata().num_rows(), 180_000);
        let row = |place: usize| reader.get_row_iter(None).unwrap().nth(place).unwrap().unwrap();
        for (place, game, event, forced) in
            [(0, 0, 1, Field::Null), (1, 0, 2, Field::Bool(true)), (120_002, 2, 3, Field::Bool(false))]
        {
            let row = row(place);
            let cells: Vec<(&String, &Field)> = row.get_column_iter().collect();
            let names: Vec<&str> = cells.iter().map(|(name, _)| name.as_str()).collect();
            let columns = schema.columns(Table::Events);
            assert_eq!(names, columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>());
            assert_eq!((cells[0].1, cells[1].1), (&Field::Long(game), &Field::Long(event)));
            assert_eq!((cells[2].1, cells[8].1), (&Field::Long(-1), &forced));
            assert_eq!(cells[3].1, &Field::Str("=say, \"ü\"".to_owned()));
            assert!(cells[9..].iter().all(|(_, field)| **field == Field::Null));
        }
        let bytes = |mut file: std::fs::File| {
            use std::io::{Read, Seek};
            let mut bytes = Vec::new();
            file.rewind().unwrap();
            assert!(is_ours(&mut file, Table::Events, Format::Parquet, true).unwrap());
            file.rewind().unwrap();
            file.read_to_end(&mut bytes).unwrap();
            bytes
        };
        assert_eq!(bytes(write(2, 10)), bytes(write(2, 10)));
        assert_ne!(bytes(write(2, 10)), bytes(write(2, 11)));
    }
}
