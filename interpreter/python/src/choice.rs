//! Options as Python has them, and which one is meant by a name and some arguments.

use blazon::told::{Argument, Arguments, Offer};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::told::arguments;

/// An option that was open to a player at one decision.
///
/// It can be handed to `Game.choose` at that decision, in this game or in a clone of it.
#[pyclass(frozen, name = "Option", module = "blazon_rules")]
pub struct Choice {
    pub offer: Offer,
    /// Whose it is.
    #[pyo3(get)]
    player: String,
    /// How many decisions had been taken.
    #[pyo3(get)]
    decision: u64,
}

impl Choice {
    pub fn new(offer: Offer, player: &str, decision: u64) -> Self {
        Self { offer, player: player.to_owned(), decision }
    }

    /// Whose it is.
    pub fn player(&self) -> &str {
        &self.player
    }
}

#[pymethods]
impl Choice {
    /// Its place among the options of this decision, from 0.
    #[getter]
    fn id(&self) -> usize {
        self.offer.id.index()
    }

    /// Its name in the rules.
    #[getter]
    fn name(&self) -> &str {
        &self.offer.option
    }

    /// Its arguments by name: names of things, numbers, or `None`.
    #[getter]
    fn args<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        arguments(py, &self.offer.args)
    }

    /// Its line.
    #[getter]
    fn label(&self) -> &str {
        &self.offer.label
    }

    /// What tells it from others of the same line; mostly empty.
    #[getter]
    fn apart(&self) -> &str {
        &self.offer.apart
    }

    /// Its paragraphs in the printed rules.
    #[getter]
    fn paragraphs(&self) -> Vec<String> {
        self.offer.paragraphs.clone()
    }

    fn __repr__(&self) -> String {
        format!("<Option {}: {} ({})>", self.id(), meaning(&self.offer), self.player)
    }

    fn __str__(&self) -> &str {
        &self.offer.label
    }

    fn __eq__(&self, other: &Self) -> bool {
        (&self.offer, &self.player, self.decision) == (&other.offer, &other.player, other.decision)
    }

    fn __hash__(&self) -> u64 {
        (self.offer.id.index() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ self.decision
    }
}

/// An option as it is written: `march(b=Grey, to=Mill)`.
pub fn meaning(offer: &Offer) -> String {
    written(&offer.option, &offer.args)
}

/// A name with arguments.
pub fn written(name: &str, args: &Arguments) -> String {
    let args: Vec<String> = args.iter().map(|(name, value)| format!("{name}={value}")).collect();
    format!("{name}({})", args.join(", "))
}

/// Whether an option has the name, and all the arguments that are given: capitals aside, `None` is nothing.
///
/// # Errors
/// Whatever Python says of a value that is neither text nor number.
pub fn fits(name: &str, args: &Arguments, asked: &str, given: &Bound<'_, PyDict>) -> PyResult<bool> {
    if name.to_lowercase() != asked.to_lowercase() {
        return Ok(false);
    }
    for (key, value) in given {
        let Some(argument) = args.get(&key.extract::<String>()?) else { return Ok(false) };
        if !is_same(argument, &value)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_same(argument: &Argument, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(match argument {
        Argument::Nothing => value.is_none(),
        Argument::Number(number) => {
            !value.is_instance_of::<PyBool>() && value.extract::<i64>().is_ok_and(|value| value == *number)
        }
        Argument::Name(name) => {
            !value.is_none() && value.str()?.to_string().to_lowercase() == name.to_lowercase()
        }
    })
}
