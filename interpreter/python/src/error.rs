//! Errors as Python exceptions. Their classes are written in Python, in `blazon_rules/errors.py`.

use blazon::diagnostics::{Format, Style, list};
use blazon::machine::code::ILLEGAL;
use blazon::machine::save::SaveError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::told::from_json;

/// Where the classes are.
const MODULE: &str = "blazon_rules.errors";

/// An exception of a class of ours.
fn exception(py: Python<'_>, class: &str, text: &str, code: &str, diagnostics: &str) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let named = PyDict::new(py);
        named.set_item("code", code)?;
        named.set_item("diagnostics", from_json(py, diagnostics)?)?;
        let class = py.import(MODULE)?.getattr(class)?;
        Ok(PyErr::from_value(class.call((text,), Some(&named))?))
    };
    made().unwrap_or_else(|error| error)
}

/// An error of the library.
pub fn raised(py: Python<'_>, error: &blazon::Error) -> PyErr {
    raised_in(py, error, "")
}

/// The same, with a line that says where it was.
pub fn raised_in(py: Python<'_>, error: &blazon::Error, place: &str) -> PyErr {
    let rendered = || error.rendered(Format::Human, Style::default()).trim_end().to_owned();
    let (class, text) = match error {
        blazon::Error::Unknown(unknown) => ("UnknownError", unknown.message.clone()),
        blazon::Error::Unreadable(message) => ("UnknownError", message.clone()),
        blazon::Error::Rules(_) => ("RulesError", rendered()),
        blazon::Error::Fault(failure) if failure.fault.code == ILLEGAL => {
            ("NotOpen", failure.fault.message.clone())
        }
        blazon::Error::Fault(_) => ("Fault", rendered()),
        blazon::Error::Save(error) => ("SaveError", error.message.clone()),
    };
    let document = error.rendered(Format::Json, Style::default());
    let text = if place.is_empty() { text } else { format!("{text}\n{place}") };
    exception(py, class, &text, error.code(), &entries(&document))
}

/// The diagnostics alone of the document that they stand in.
fn entries(document: &str) -> String {
    let document: serde_json::Value = serde_json::from_str(document).unwrap_or_default();
    document.get("diagnostics").map_or_else(|| "[]".to_owned(), ToString::to_string)
}

/// A saved game that cannot be read.
pub fn save_failed(py: Python<'_>, error: SaveError) -> PyErr {
    raised(py, &error.into())
}

/// Something was asked for that there is not.
pub fn unknown(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "UnknownError", message, "names::unknown", "[]")
}

/// An option that is not open, or a decision that there is not.
pub fn not_open(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "NotOpen", message, ILLEGAL, "[]")
}

/// Something that cannot be saved or taken back.
pub fn no_save(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "SaveError", message, "save::none", "[]")
}

/// A call with values that cannot be; it says what can.
pub fn value(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "UnknownError", message, "usage", "[]")
}

/// Names for the end of a message: `A, B and C`; `nothing` if there are none.
pub fn names<T: AsRef<str>>(names: &[T]) -> String {
    match names.is_empty() {
        true => "nothing".to_owned(),
        false => list(names.iter().map(AsRef::as_ref), "and"),
    }
}
