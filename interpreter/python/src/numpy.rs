//! Arrays of NumPy, which is used if it is there. They are made of bytes, so nothing of NumPy is compiled in.

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyByteArray};

/// NumPy itself.
///
/// # Errors
/// `ImportError` if it is not installed, with how to mend it.
pub fn module(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("numpy").map_err(|error| {
        let message = "this needs NumPy: pip install blazon-rules[numpy]";
        let wanted = PyImportError::new_err(message);
        wanted.set_cause(py, Some(error));
        wanted
    })
}

/// An array of a type and a shape that may be written to.
fn array<'py>(py: Python<'py>, bytes: &[u8], ty: &str, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    let flat = module(py)?.getattr("frombuffer")?.call1((PyByteArray::new(py, bytes), ty))?;
    flat.call_method1("reshape", (shape.to_vec(),))
}

/// Numbers of 32 bits.
pub fn ints<'py>(py: Python<'py>, numbers: &[i32], shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
    array(py, &bytes, "int32", shape)
}

/// The same with a point.
pub fn floats<'py>(py: Python<'py>, numbers: &[f32], shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
    array(py, &bytes, "float32", shape)
}

/// Bytes.
pub fn bytes<'py>(py: Python<'py>, numbers: &[u8], shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    array(py, numbers, "uint8", shape)
}
