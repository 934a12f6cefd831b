//! What the commands share that draw: a game's board with its drawn map, what is wrong with that map, files of drawings.

use std::path::Path;
use std::sync::Arc;

use blazon::{Page, Program, Rules, shown};
use blazon_board::{Board, MapProblem};
use blazon_diagnostics::{Diagnostic, Severity, Sources, Span};

use crate::console::Console;
use crate::exit::{Failure, Result};
use crate::save_file;

/// How a drawing begins: nothing else is written over.
const BEGINS: [&str; 2] = ["<svg", "<?xml"];

/// The board of a game with variants, on its drawn map if it has one.
///
/// # Errors
/// If the map cannot be shown.
pub fn board(
    rules: &mut Rules,
    variants: &[String],
    program: Arc<Program>,
    console: &Console,
) -> Result<Board> {
    let stack = rules.stack(variants)?;
    let map = rules.map(&stack);
    Board::new(program, map.map(|map| map.text.as_str())).map_err(|problems| {
        if let Some(map) = map {
            let (told, sources) = told(problems, map, Sources::default());
            console.report(&told, &sources);
        }
        Failure::Problems
    })
}

/// What is wrong with a map, as messages; the map among the sources.
pub fn told(problems: Vec<MapProblem>, map: &Page, mut sources: Sources) -> (Vec<Diagnostic>, Sources) {
    let source = sources.add(map.name.as_str(), map.text.as_str());
    let told = problems.into_iter().map(|problem| {
        let span = Span::new(source, problem.at, (problem.at + 1).min(map.text.len()));
        let mut diagnostic = Diagnostic::error(problem.code, span, problem.message).help(problem.help);
        if problem.code == "map::missing" {
            diagnostic.severity = Severity::Warning;
        }
        diagnostic
    });
    (told.collect(), sources)
}

/// Writes a drawing, to standard output if no file is named. A file that is there is written over if it is a drawing.
///
/// # Errors
/// If it cannot be written, or something else has that name.
pub fn write(path: Option<&Path>, drawing: &str, console: &Console) -> Result<()> {
    let Some(path) = path else {
        console.write(drawing);
        return Ok(());
    };
    if path.is_file() && !BEGINS.iter().any(|begins| save_file::begins(path, begins)) {
        let message = format!("`{}` is there already and is no drawing; take another name", shown(path));
        return Err(Failure::Environment(message));
    }
    save_file::put(path, drawing).map_err(Failure::Environment)
}
