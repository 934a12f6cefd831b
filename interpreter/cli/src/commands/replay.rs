//! `blazon replay`: plays a saved game again, choice by choice, by the same rules or by others.

use std::path::Path;

use blazon_machine::Machine;
use blazon_machine::save::{Comparison, Followed, Replayed, Save, asked_again};

use crate::args::ReplayArgs;
use crate::commands::play::of_save;
use crate::console::{Console, harmless, paint, style};
use crate::keep;
use crate::rules::compile;
use crate::rules::compile::report;
use crate::rules::folders::shown;
use crate::terminal::diagnostic;
use crate::trouble::{Result, Trouble};

/// Replays a saved game and says whether it comes out as it was saved, or where it parts.
///
/// # Errors
/// If it cannot be read, or parts from what was saved.
pub fn run(args: &ReplayArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let text = keep::read(&args.file).map_err(Trouble::Environment)?;
    let damaged = |error: blazon_machine::save::SaveError| {
        Trouble::Problem(format!("{} [{}]", error.message, error.code))
    };
    let save = Save::from_text(&text).map_err(damaged)?;
    let (mut found, with) = of_save(&save, args.game.as_deref(), &args.with, library, console)?;
    let program = compile::program(&mut found, &with, None, console)?;
    let fault = |fault: &blazon_machine::Fault| {
        report(&[diagnostic(fault)], &program.book.sources, console);
        Trouble::Problems
    };
    let mut machine = Machine::new(program.clone()).map_err(|error| fault(&error))?;
    let setup = save.setup_in(&program).map_err(damaged)?;
    let played = harmless(&program.book.played(setup));
    console.line(format!("{} · seed {}", paint(style::STRONG, played), save.seed));
    let other_rules = save.rules.difference(&program.book);
    if let Some(difference) = &other_rules {
        console.note(format!("other rules than the saved game's: {}", harmless(difference)));
    }
    let Followed { replayed, made } = save.replay(&mut machine, setup).map_err(|error| fault(&error))?;
    if args.log {
        tell(&save, &replayed, console);
    }
    if let Some(path) = &args.save {
        let end = end(&save, &replayed);
        let again = Save::new(&machine, setup, save.seed, made).with_by_hand(save.by_hand.clone());
        let text = again.to_text().map_err(damaged)?;
        keep::write(path, &text).map_err(Trouble::Environment)?;
        console.note(format!("saved {} as it stands after {end} choices", shown(path)));
    }
    let count = save.log.len();
    match replayed {
        Replayed::Until(divergence) => {
            let words = harmless(&divergence.to_string());
            console.line(format!("{}: {words}", paint(style::BAD, "the games part")));
            Err(Trouble::Problems)
        }
        Replayed::Whole if other_rules.is_some() => {
            console.line(format!(
                "{} can be made by these rules, too",
                paint(style::GOOD, format!("all {count} choices"))
            ));
            Ok(())
        }
        Replayed::Whole => same_rules(&save, &machine, console),
    }
}

/// Says whether the position is the one that was saved.
fn same_rules(save: &Save, machine: &Machine, console: &Console) -> Result<()> {
    let count = save.log.len();
    let good = |words: String| {
        console.line(paint(style::GOOD, words));
        Ok(())
    };
    let in_older = "as far as the older format of the file tells";
    match save.compare(machine) {
        Comparison::Same => {
            good(format!("{count} choices replayed, and the position is the one that was saved"))
        }
        Comparison::AsFarAsKnown => {
            good(format!("{count} choices replayed, and the position is the one that was saved, {in_older}"))
        }
        Comparison::Asked(missing) => {
            console.note(asked_again(missing));
            good(format!("{count} choices replayed, and the position is the one that was saved, {in_older}"))
        }
        Comparison::Other(what) => {
            let words = format!("{count} choices replayed, but the position is another one: {what}");
            console.line(paint(style::BAD, words));
            Err(Trouble::Problems)
        }
    }
}

/// How many choices of the log could be made.
fn end(save: &Save, replayed: &Replayed) -> usize {
    match replayed {
        Replayed::Whole => save.log.len(),
        Replayed::Until(divergence) => divergence.step.min(save.log.len()),
    }
}

/// Lists the choices as far as they could be made.
fn tell(save: &Save, replayed: &Replayed, console: &Console) {
    for (place, entry) in save.log.iter().take(end(save, replayed)).enumerate() {
        let style = if entry.forced { style::FAINT } else { anstyle::Style::new() };
        console.line(format!("{:>5}  {}", place + 1, paint(style, entry)));
    }
}
