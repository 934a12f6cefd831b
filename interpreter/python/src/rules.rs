//! From the name of a game, or its folder, to a program.

use std::sync::Arc;

use blazon::{Loader, Program, Rules, Selection};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};

use crate::error::raised;
use crate::game::Game;

/// What of which game is played, as it was asked for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// A name, or the path of a folder.
    pub target: String,
    /// What of it.
    pub selection: Selection,
}

impl Wanted {
    /// As Python asks for it: rulings are words, numbers or flags by name.
    ///
    /// # Errors
    /// `TypeError` if a ruling's value is something else.
    pub fn new(
        target: &str,
        variants: Option<Vec<String>>,
        rulings: Option<&Bound<'_, PyDict>>,
        setup: Option<String>,
        invariants: bool,
    ) -> PyResult<Self> {
        let rulings = rulings.map(named_values).transpose()?.unwrap_or_default();
        let selection = Selection {
            variants: variants.unwrap_or_default(),
            rulings,
            setup,
            invariants,
            ..Selection::default()
        };
        Ok(Self { target: target.to_owned(), selection })
    }

    /// The rules, nothing of them read yet.
    ///
    /// # Errors
    /// `UnknownError` if there are none.
    pub fn rules(&self, py: Python<'_>) -> PyResult<Rules> {
        Loader::new().find(&self.target).map_err(|error| raised(py, &error))
    }

    /// The program; other threads go on while it is compiled.
    ///
    /// # Errors
    /// `UnknownError` if something was asked for that there is not, `RulesError` if the rules have errors.
    pub fn program(&self, py: Python<'_>) -> PyResult<Arc<Program>> {
        let mut rules = self.rules(py)?;
        let program = py.detach(|| rules.program(&self.selection));
        program.map_err(|error| raised(py, &error))
    }
}

/// Values by name: `True` and `False` are `yes` and `no`, whatever else is taken by its text.
fn named_values(dict: &Bound<'_, PyDict>) -> PyResult<Vec<(String, String)>> {
    let mut values = Vec::with_capacity(dict.len());
    for (name, value) in dict {
        let value = match value.extract::<bool>() {
            Ok(flag) if value.is_instance_of::<pyo3::types::PyBool>() => {
                if flag { "yes" } else { "no" }.to_owned()
            }
            _ => value.str()?.to_string(),
        };
        values.push((name.extract()?, value));
    }
    Ok(values)
}

/// What is wrong where a game under way is given together with what it has already.
pub fn has_rules(py: Python<'_>) -> PyErr {
    let message = "this game has its variants, rulings and setup already; give them with the name of a game, or to `Game(…)`";
    crate::error::value(py, message)
}

/// The program of what Python calls a game: a [`Game`], or the name or folder of one.
///
/// # Errors
/// As [`Wanted::program`]; `ValueError` if a game under way is given together with variants or rulings, which it has already.
pub fn program_of(
    game: &Bound<'_, PyAny>,
    variants: Option<Vec<String>>,
    rulings: Option<&Bound<'_, PyDict>>,
    setup: Option<String>,
) -> PyResult<(Arc<Program>, usize)> {
    let py = game.py();
    if let Ok(game) = game.cast::<Game>() {
        if variants.is_some() || rulings.is_some() || setup.is_some() {
            return Err(has_rules(py));
        }
        let game = game.try_borrow()?;
        return Ok((game.program().clone(), game.setup_place()));
    }
    let path = py.import("os")?.getattr("fspath")?.call1((game,))?;
    let wanted = Wanted::new(&path.extract::<String>()?, variants, rulings, setup, false)?;
    let program = wanted.program(py)?;
    let setup = program.book.default_setup;
    Ok((program, setup))
}
