//! Tables of games, in the form in which other Python packages take them: Arrow's, without copying.
//!
//! A table is filled by the very rows that `blazon simulate --data-format jsonl` writes, so names, types and meanings of its
//! columns are those of `interpreter/study/TABLES.md`.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Int64Builder, StringBuilder};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, BooleanArray, Int64Array, RecordBatch, RecordBatchIterator, StringArray};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema as ArrowSchema};
use blazon_study::tables::{Column, Type};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

/// So many rows stand together.
const ROWS: usize = 65_536;

/// A column while it is filled.
enum Cells {
    Integers(Int64Builder),
    Flags(BooleanBuilder),
    Texts(StringBuilder),
}

/// Takes lines of JSON, and makes a table of them.
pub struct Filling {
    schema: Arc<ArrowSchema>,
    cells: Vec<Cells>,
    /// The rows that stand in `cells`.
    rows: usize,
    batches: Vec<RecordBatch>,
    /// The beginning of a line whose end has not come.
    rest: Vec<u8>,
}

impl Filling {
    /// For columns.
    pub fn new(columns: &[Column]) -> Self {
        let fields = columns.iter().map(|column| {
            let ty = match column.ty {
                Type::Integer => DataType::Int64,
                Type::Flag => DataType::Boolean,
                Type::Text => DataType::Utf8,
            };
            let means = HashMap::from([("means".to_owned(), column.means.clone())]);
            Field::new(&column.name, ty, true).with_metadata(means)
        });
        let schema = Arc::new(ArrowSchema::new(fields.collect::<Vec<_>>()));
        let cells = columns.iter().map(|column| match column.ty {
            Type::Integer => Cells::Integers(Int64Builder::new()),
            Type::Flag => Cells::Flags(BooleanBuilder::new()),
            Type::Text => Cells::Texts(StringBuilder::new()),
        });
        Self { schema, cells: cells.collect(), rows: 0, batches: Vec::new(), rest: Vec::new() }
    }

    fn line(&mut self, line: &[u8]) -> io::Result<()> {
        let mut from = serde_json::Deserializer::from_slice(line);
        Row(&mut self.cells).deserialize(&mut from)?;
        self.rows += 1;
        if self.rows == ROWS { self.cut().map_err(io::Error::other) } else { Ok(()) }
    }

    fn cut(&mut self) -> Result<(), ArrowError> {
        let columns = self.cells.iter_mut().map(|cells| -> ArrayRef {
            match cells {
                Cells::Integers(cells) => Arc::new(cells.finish()),
                Cells::Flags(cells) => Arc::new(cells.finish()),
                Cells::Texts(cells) => Arc::new(cells.finish()),
            }
        });
        self.batches.push(RecordBatch::try_new(self.schema.clone(), columns.collect())?);
        self.rows = 0;
        Ok(())
    }

    /// All that has come.
    ///
    /// # Errors
    /// If the columns do not fit together, which is a bug of ours.
    pub fn table(mut self, name: &'static str) -> PyResult<Table> {
        if self.rows > 0 {
            self.cut().map_err(failed)?;
        }
        Ok(Table { name, schema: self.schema, batches: self.batches })
    }
}

impl Write for Filling {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut lines = bytes;
        while let Some(end) = lines.iter().position(|&byte| byte == b'\n') {
            let (line, others) = lines.split_at(end);
            lines = &others[1..];
            if self.rest.is_empty() {
                self.line(line)?;
            } else {
                let mut whole = std::mem::take(&mut self.rest);
                whole.extend(line);
                self.line(&whole)?;
            }
        }
        self.rest.extend(lines);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A line, cell by cell in the order of the columns.
struct Row<'a>(&'a mut [Cells]);

impl<'de> DeserializeSeed<'de> for Row<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Row<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a row")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        for cells in self.0 {
            map.next_key::<IgnoredAny>()?.ok_or_else(|| A::Error::custom("a row has too few cells"))?;
            match cells {
                Cells::Integers(cells) => cells.append_option(map.next_value()?),
                Cells::Flags(cells) => cells.append_option(map.next_value()?),
                Cells::Texts(cells) => match map.next_value_seed(Text)? {
                    Some(text) => cells.append_value(text),
                    None => cells.append_null(),
                },
            }
        }
        Ok(())
    }
}

/// A text or nothing, taken as it stands where nothing in it is escaped.
struct Text;

impl<'de> DeserializeSeed<'de> for Text {
    type Value = Option<std::borrow::Cow<'de, str>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for Text {
    type Value = Option<std::borrow::Cow<'de, str>>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a text or null")
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Some(text.into()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(text.to_owned().into()))
    }
}

/// A table: rows of columns with names and types, whose meanings stand in `interpreter/study/TABLES.md` and in `meanings`.
///
/// It has Arrow's PyCapsule interface, so `polars.DataFrame(table)`, `pyarrow.table(table)`, `pandas.DataFrame.from_arrow`
/// and DuckDB take it as it is.
#[pyclass(frozen, module = "blazon_rules")]
pub struct Table {
    name: &'static str,
    schema: Arc<ArrowSchema>,
    batches: Vec<RecordBatch>,
}

fn failed(error: ArrowError) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// A cell as Python has it.
fn cell<'py>(py: Python<'py>, column: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    let any = column.as_any();
    if column.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    if let Some(integers) = any.downcast_ref::<Int64Array>() {
        return Ok(integers.value(row).into_pyobject(py)?.into_any());
    }
    if let Some(flags) = any.downcast_ref::<BooleanArray>() {
        return Ok(flags.value(row).into_pyobject(py)?.to_owned().into_any());
    }
    let texts = any.downcast_ref::<StringArray>();
    texts.map_or_else(
        || Ok(py.None().into_bound(py)),
        |texts| Ok(texts.value(row).into_pyobject(py)?.into_any()),
    )
}

impl Table {
    fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn column<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyList>> {
        let values = PyList::empty(py);
        for batch in &self.batches {
            for row in 0..batch.num_rows() {
                values.append(cell(py, batch.column(place), row)?)?;
            }
        }
        Ok(values)
    }
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// What stands in each column, by its name.
    #[getter]
    fn meanings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let meanings = PyDict::new(py);
        for field in self.schema.fields() {
            meanings.set_item(field.name(), field.metadata().get("means"))?;
        }
        Ok(meanings)
    }

    /// The columns as lists by their names, `None` for an empty cell.
    fn to_pydict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for (place, field) in self.schema.fields().iter().enumerate() {
            columns.set_item(field.name(), self.column(py, place)?)?;
        }
        Ok(columns)
    }

    /// How many rows.
    fn __len__(&self) -> usize {
        self.rows()
    }

    /// A column by its name, as a list; or a row by its number, as a dictionary.
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(name) = key.extract::<String>() {
            let place = self.schema.index_of(&name).map_err(|_| {
                let there = crate::error::names(&self.columns());
                PyKeyError::new_err(format!("there is no column `{name}`; there are {there}"))
            })?;
            return Ok(self.column(py, place)?.into_any());
        }
        let (row, rows) = (key.extract::<i64>()?, self.rows());
        let place = if row < 0 { row + rows as i64 } else { row };
        let mut place = usize::try_from(place).unwrap_or(usize::MAX);
        for batch in &self.batches {
            if place < batch.num_rows() {
                let cells = PyDict::new(py);
                for (field, column) in self.schema.fields().iter().zip(batch.columns()) {
                    cells.set_item(field.name(), cell(py, column, place)?)?;
                }
                return Ok(cells.into_any());
            }
            place = place.saturating_sub(batch.num_rows());
        }
        Err(PyIndexError::new_err(format!("there is no row {row}; there are {rows}")))
    }

    /// Arrow's schema.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.schema.as_ref()).map_err(failed)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Arrow's stream. Other types than its own are not made, whatever is requested.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol leaves it to whoever makes the stream whether to follow the request.
        drop(requested_schema);
        let batches = self.batches.clone().into_iter().map(Ok);
        let reader = RecordBatchIterator::new(batches, self.schema.clone());
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __repr__(&self) -> String {
        format!("<Table {}: {} rows of {} columns>", self.name, self.rows(), self.schema.fields().len())
    }
}
