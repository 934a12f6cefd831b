//! What is told by the library, as Python dictionaries and lists, and what happened as a seat may know it.

use blazon::told::{Argument, Event, Happened};
use blazon::{Game, PlayerId};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;
use serde_json::Value;

/// A JSON text as Python has it.
pub fn from_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.getattr("loads")?.call1((text,))
}

/// Whatever can be serialised as Python has it; names stay in their order.
pub fn to_python<'py, T: Serialize + ?Sized>(py: Python<'py>, told: &T) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(told)
        .map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))?;
    from_json(py, &text)
}

/// An argument: `None`, a number, or a name.
pub fn argument<'py>(py: Python<'py>, argument: &Argument) -> PyResult<Bound<'py, PyAny>> {
    Ok(match argument {
        Argument::Nothing => py.None().into_bound(py),
        Argument::Number(number) => number.into_pyobject(py)?.into_any(),
        Argument::Name(name) => name.into_pyobject(py)?.into_any(),
    })
}

/// Arguments by name.
pub fn arguments<'py>(py: Python<'py>, args: &blazon::told::Arguments) -> PyResult<Bound<'py, PyDict>> {
    let named = PyDict::new(py);
    for (name, value) in args.iter() {
        named.set_item(name, argument(py, value)?)?;
    }
    Ok(named)
}

/// What happened, as an umpire knows it, or as a player may; nothing if there is nothing to tell him.
pub fn event(game: &Game, event: &blazon::machine::Event, player: Option<PlayerId>) -> Option<Value> {
    let told = Event::of(game, event);
    let Some(seat) = player else { return serde_json::to_value(&told).ok() };
    let player = &*game.player_name(seat);
    let text = told.known_to(player)?;
    let Value::Object(mut entry) = serde_json::to_value(&told.what).ok()? else { return None };
    let knows_less = told.known.contains_key(player);
    match &told.what {
        Happened::Chosen { .. } => {
            if let Some(args) = told.meant.get(player) {
                entry.insert("args".to_owned(), serde_json::to_value(args).ok()?);
            }
            // Whether he had a choice may tell what the one who decided holds.
            if game.is_forced(event, Some(seat)).is_none() {
                entry.remove("forced");
            }
        }
        // What fell or was drawn is left out unless it is known as a whole.
        Happened::Drawn { things, .. } if knows_less => {
            entry.remove("things");
            entry.insert("count".to_owned(), things.len().into());
        }
        Happened::Rolled { .. } if knows_less => {
            entry.remove("dice");
        }
        Happened::Rolled { .. } | Happened::Drawn { .. } | Happened::Said | Happened::Over { .. } => {}
    }
    entry.insert("text".to_owned(), text.into());
    Some(Value::Object(entry))
}
