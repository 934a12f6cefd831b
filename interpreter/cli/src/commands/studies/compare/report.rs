//! Writes what a change does as one HTML file.

use std::fmt::Write;
use std::path::Path;

use blazon::shown;
use blazon_study::report::{Level as Shown, Report, Rules, html};

use super::sides::Sides;
use super::{Level, certainty, missing};
use crate::args::CompareArgs;
use crate::console::Console;
use crate::drawing;
use crate::exit::{Failure, Result};
use crate::save_file;
use crate::words::Words;

/// How a file of HTML begins.
const BEGINS: &str = "<!DOCTYPE html>";
/// What stands in a report and in no other page.
const OURS: &str = r#"content="blazon compare""#;

/// Whether there is nothing there, or a report, and it can be written.
///
/// # Errors
/// If something else is there, or no folder is.
pub fn may_be_written(path: &Path) -> Result<()> {
    if !path.exists() || save_file::begins(path, BEGINS) && holds(path, OURS) {
        return save_file::may_put(path).map_err(Failure::Environment);
    }
    let message = format!("`{}` is there already and is no report; take another name", shown(path));
    Err(Failure::Environment(message))
}

/// Whether the beginning of a file holds some words.
fn holds(path: &Path, words: &str) -> bool {
    let text = save_file::read(path).unwrap_or_default();
    text.chars().take(2_000).collect::<String>().contains(words)
}

/// Writes the report.
///
/// # Errors
/// If a map cannot be shown, or the file cannot be written.
pub fn write(
    path: &Path,
    args: &CompareArgs,
    sides: &mut Sides,
    seed: u64,
    levels: &[Level],
    console: &Console,
) -> Result<()> {
    let programs = [sides.base.clone(), sides.changed.clone()];
    let mut boards = Vec::new();
    for ((rules, variants), program) in sides.texts.iter_mut().zip(&programs) {
        boards.push(drawing::board(rules, variants, program.clone(), console)?);
    }
    let mut names = [name(&programs[0].book, &[]), name(&programs[1].book, &args.with.rulings)];
    // Two folders of one game have one name.
    if let Some(base) = &args.base {
        let _ = write!(names[0], " ({})", shown(Path::new(base)));
    }
    let command = Words::compare(args, seed).to_string();
    let rules = |side: usize| Rules { name: &names[side], program: &programs[side], board: boards.get(side) };
    let missing = missing(args, levels);
    let shown: Vec<String> = levels.iter().map(|level| level.player.to_string()).collect();
    let levels = levels.iter().zip(&shown).map(|(level, name)| Shown {
        name,
        plans: [&level.plans[0], &level.plans[1]],
        pairs: level.most,
        found: &level.found,
        tried: level.blamed,
        causes: &level.causes,
        is_cut: level.cut,
    });
    let report = Report {
        base: rules(0),
        changed: rules(1),
        certainty: certainty(args),
        until_sure: !args.all,
        apart: args.apart,
        command: &command,
        levels: levels.collect(),
        missing,
    };
    save_file::put(path, html(&report)).map_err(Failure::Environment)
}

/// The game with its variants, and the rulings that are asked for.
fn name(book: &blazon_book::Book, rulings: &[(String, String)]) -> String {
    let mut name = book.title.clone();
    for (variant, _) in &book.variants {
        let _ = write!(name, " + {variant}");
    }
    for (ruling, value) in rulings {
        let _ = write!(name, ", {ruling} = {value}");
    }
    name
}
