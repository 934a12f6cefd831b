//! What the command line asks of the library: where rules are looked for, and which of them are played.

use std::path::Path;
use std::sync::Arc;

use blazon::{Loader, Rules, Selection};
use blazon_program::Program;

use crate::args::WithArgs;
use crate::exit::Result;

/// Finds games on the disk and inside the program, with the library of `--library` if there is one.
pub fn loader(library: Option<&Path>) -> Loader {
    match library {
        Some(folder) => Loader::new().library(folder),
        None => Loader::new(),
    }
}

/// The program of the game with the variants and rulings asked for.
///
/// # Errors
/// If there are none such, or the rules have errors.
pub fn program(rules: &mut Rules, with: &WithArgs, setup: Option<String>) -> Result<Arc<Program>> {
    wanted(rules, with, setup, false, false)
}

/// The same, with the invariants of the rules to be looked at, and counting what comes up, if that is asked for.
///
/// # Errors
/// As [`program`].
pub fn wanted(
    rules: &mut Rules,
    with: &WithArgs,
    setup: Option<String>,
    invariants: bool,
    coverage: bool,
) -> Result<Arc<Program>> {
    let (variants, rulings) = (with.variants.clone(), with.rulings.clone());
    Ok(rules.program(&Selection { variants, rulings, setup, invariants, coverage })?)
}
