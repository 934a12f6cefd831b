//! What the command line asks of the library: where rules are looked for, and which of them are played.

use std::path::Path;
use std::sync::Arc;

use blazon::{Game, Loader, Rules, Selection, shown};
use blazon_program::Program;

use crate::args::WithArgs;
use crate::exit::{Failure, Result};
use crate::shell::quoted;

/// Finds games on the disk and inside the program, with the library of `--library` if there is one.
pub fn loader(library: Option<&Path>) -> Loader {
    match library {
        Some(folder) => Loader::new().library(folder),
        None => Loader::new(),
    }
}

/// The game of a command: the one that is named; else the one that a variant given as a path is for; else the one around
/// the current folder.
///
/// # Errors
/// If there is none.
pub fn game(target: Option<&str>, variants: &[String], library: Option<&Path>) -> Result<Rules> {
    named(target, variants, library, |loader| Ok(loader.find(".")?))
}

/// The same; and if there is none around, the default game of the program.
///
/// # Errors
/// If the program holds no game.
pub fn game_or_default(target: Option<&str>, variants: &[String], library: Option<&Path>) -> Result<Rules> {
    named(target, variants, library, |loader| Ok(loader.find_or_default(None)?))
}

fn named(
    target: Option<&str>,
    variants: &[String],
    library: Option<&Path>,
    otherwise: impl FnOnce(&Loader) -> Result<Rules>,
) -> Result<Rules> {
    let loader = loader(library);
    if let Some(target) = target {
        return Ok(loader.find(target)?);
    }
    match loader.game_of(variants)? {
        Some(rules) => Ok(rules),
        None => otherwise(&loader),
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

/// What was asked for beside a saved game, as `blazon replay` takes it: the game, its variants and rulings.
pub fn asked(game: Option<&str>, with: &WithArgs) -> String {
    let game = game.map(|game| format!(" --game {}", quoted(game)));
    let variants = with.variants.iter().map(|variant| format!(" -V {}", quoted(variant)));
    let rulings =
        with.rulings.iter().map(|(name, value)| format!(" -R {}", quoted(&format!("{name}={value}"))));
    game.into_iter().chain(variants).chain(rulings).collect()
}

/// Goes on with a saved game, by the rules that were `asked` for; answers with what should be known of it.
///
/// # Errors
/// If it is damaged or belongs to other rules; then nothing has changed.
pub fn go_on(game: &mut Game, path: &Path, text: &str, asked: &str) -> Result<Option<String>> {
    game.load(text).map_err(|error| {
        let hint = match error.code {
            "save::foreign" => {
                format!("; try: blazon replay {}{asked} --save NEW-FILE", quoted(&shown(path)))
            }
            _ => String::new(),
        };
        Failure::Problem(format!("{} [{}]{hint}", error.message, error.code))
    })
}
