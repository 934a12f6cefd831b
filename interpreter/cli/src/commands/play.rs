//! `blazon play`: a game at the terminal or over the line protocol.

use std::path::Path;
use std::sync::Arc;

use blazon_machine::save::Save;
use blazon_program::Program;

use crate::args::{PlayArgs, WithArgs};
use crate::console::Console;
use crate::keep;
use crate::protocol::Begin;
use crate::rules::compile::report;
use crate::rules::{Found, compile, find};
use crate::seats::Seats;
use crate::session::{Session, new_seed};
use crate::terminal::{Table, diagnostic, quoted};
use crate::trouble::{Result, Trouble};

/// Plays a game.
///
/// # Errors
/// If the game is not found or has errors, or a saved game cannot be gone on with.
pub fn run(args: &PlayArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let (program, saved) = program(args, library, console)?;
    let seed = args.seed.or(saved).unwrap_or_else(new_seed);
    let seats = Seats::new(&program.book, &args.players, seed)?;
    let mut session = Session::new(program.clone()).map_err(|fault| {
        report(&[diagnostic(&fault)], &program.book.sources, console);
        Trouble::Problems
    })?;
    let setup = program.book.default_setup;
    if args.protocol.is_some() {
        let begin = Begin { setup, seed, load: args.load.as_deref(), most: args.most };
        return crate::protocol::run(session, seats, &begin, console);
    }
    session.setup = setup;
    let mut table = Table::new(session, seats, again(args), console);
    match &args.load {
        Some(path) => table.load(path)?,
        None => table.start(setup, seed)?,
    }
    table.run(args.most)
}

/// The program of the game asked for; for a saved game that of the rules it was played by, and its seed.
fn program(
    args: &PlayArgs,
    library: Option<&Path>,
    console: &Console,
) -> Result<(Arc<Program>, Option<u64>)> {
    let Some(path) = &args.load else {
        let mut found = find::find_or_default(args.game.as_deref(), library, console)?;
        let program = compile::program(&mut found, &args.with, args.scenario.clone(), console)?;
        return Ok((program, None));
    };
    let text = keep::read(path).map_err(Trouble::Environment)?;
    let save = Save::from_text(&text)
        .map_err(|error| Trouble::Problem(format!("{} [{}]", error.message, error.code)))?;
    let (mut found, with) = of_save(&save, args.game.as_deref(), &args.with, library, console)?;
    if found.name() != save.rules.game {
        let (saved, asked) =
            (crate::console::harmless(&save.rules.game), crate::console::harmless(&found.name()));
        return Err(Trouble::Problem(format!(
            "this is a saved game of `{saved}`, not of `{asked}` [save::foreign]; \
             leave the game out, or name the folder of `{saved}`"
        )));
    }
    Ok((compile::program(&mut found, &with, None, console)?, Some(save.seed)))
}

/// The game that a saved game was played by, with its variants and rulings, unless others are asked for.
///
/// # Errors
/// If no game of that name is found.
pub fn of_save(
    save: &Save,
    game: Option<&str>,
    with: &WithArgs,
    library: Option<&Path>,
    console: &Console,
) -> Result<(Found, WithArgs)> {
    let found = match game {
        Some(game) => find::find(game, library, console)?,
        None => {
            let around = find::find_or_default(None, library, console).ok();
            match around.filter(|found| found.name() == save.rules.game) {
                Some(found) => found,
                None => find::find(&save.rules.game, library, console).map_err(|_| {
                    let name = crate::console::harmless(&save.rules.game);
                    Trouble::Usage(format!("the game `{name}` was not found; name its folder"))
                })?,
            }
        }
    };
    let mut with = with.clone();
    if with.variants.is_empty() {
        let inside = found.inside.map(|place| found.variants[place].name.clone());
        let names = save.rules.variants.iter().map(|(name, _)| name.clone());
        with.variants = names.filter(|name| Some(name) != inside.as_ref()).collect();
    }
    for (name, value) in &save.rules.rulings {
        if !with.rulings.iter().any(|(other, _)| other == name) {
            with.rulings.push((name.clone(), value.clone()));
        }
    }
    Ok((found, with))
}

/// How the program is called again for this game, up to `--load`.
fn again(args: &PlayArgs) -> String {
    match &args.game {
        Some(game) => format!("blazon play {}", quoted(game)),
        None => "blazon play".to_owned(),
    }
}
