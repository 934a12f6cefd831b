//! `blazon replay`: plays a saved game again, choice by choice, by the same rules or by others; or all of a folder
//! ([`corpus`]).

mod cause;
mod corpus;
mod ending;
mod report;
mod sides;

use std::path::Path;

use blazon::Game;
use blazon::shown;
use blazon_machine::save::{Comparison, Replayed, Save, asked_again};

use crate::args::{ReplayArgs, WithArgs};
use crate::commands::playing::play::{BY_GAME, of_replayed, of_save};
use crate::console::{Console, harmless, paint, style};
use crate::exit::{Failure, Result};
use crate::load;
use crate::save_file;

use ending::Ending;

/// Replays a saved game and says whether it comes out as it was saved, or where it parts.
///
/// # Errors
/// If it cannot be read, or parts from what was saved.
pub fn run(args: &ReplayArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    if args.file.is_dir() {
        return corpus::run(args, library, console);
    }
    if args.json || args.was.is_some() {
        return Err(Failure::Usage("--json and --was are for a folder of saved games".to_owned()));
    }
    let text = save_file::read(&args.file).map_err(Failure::Environment)?;
    let save = Save::from_text(&text)?;
    let (mut rules, with, others) = of_replayed(&save, args.game.as_deref(), &args.with, library)?;
    others.iter().for_each(|other| console.note(harmless(other)));
    if rules.name() != save.rules.game {
        let (saved, asked) = (harmless(&save.rules.game), harmless(&rules.name()));
        console.note(format!("this is a saved game of `{saved}`, and is played by `{asked}`"));
    }
    let program = load::wanted(&mut rules, &with, None, args.invariants, false)?;
    let mut game = Game::new(program.clone())?;
    let setup = save.setup_in(&program)?;
    let played = harmless(&program.book.played(setup));
    console.line(format!("{} · seed {}", paint(style::STRONG, played), save.seed));
    let other_rules = save.rules.difference(&program.book);
    if let Some(difference) = &other_rules {
        console.note(format!("other rules than the saved game's: {}", harmless(difference)));
    }
    let replayed = game.replay(&save)?;
    if args.log {
        tell(&save, &replayed, console);
    }
    if let Some(path) = &args.save {
        let is_its_own = std::fs::canonicalize(path).ok() == std::fs::canonicalize(&args.file).ok();
        if is_its_own && let Replayed::Until(divergence) = &replayed {
            let words = harmless(&divergence.to_string());
            return Err(Failure::Problem(format!(
                "the games part: {words}; `{}` was not written over, since it alone has the rest of the game: take another \
                 name for what comes before that",
                shown(path)
            )));
        }
        save_file::write(path, &game.save()?).map_err(Failure::Environment)?;
        let end = end(&save, &replayed);
        console.note(format!("saved {} as it stands after {end} choices", shown(path)));
    }
    let count = save.log.len();
    match replayed {
        Replayed::Until(divergence) => {
            let words = harmless(&divergence.to_string());
            console.line(format!("{}: {words}", paint(style::BAD, "the games part")));
            Err(Failure::Problems)
        }
        Replayed::Whole if other_rules.is_some() => {
            let is = Ending::of(&game);
            let was = as_played(&save, &game, args, library);
            if was.is_none() {
                console.note("whether it comes out the same cannot be told: the rules that it was played by do not lie here");
            }
            if let Some(was) = was.filter(|was| *was != is) {
                let otherwise = harmless(&is.not_as(&was));
                let words = format!("all {count} choices can be made, but {otherwise}");
                console.line(paint(style::BAD, words));
                return Err(Failure::Problems);
            }
            console.line(format!(
                "{} can be made by these rules, too",
                paint(style::GOOD, format!("all {count} choices"))
            ));
            Ok(())
        }
        Replayed::Whole => same_rules(&save, &game, console),
    }
}

/// How the game came out by the rules that it was played by, where these are at hand: a save tells it only by them.
fn as_played(save: &Save, game: &Game, args: &ReplayArgs, library: Option<&Path>) -> Option<Ending> {
    if game.compare(save) == Comparison::Same {
        return Some(Ending::of(game));
    }
    let named = args.game.as_deref().map(Some).into_iter().chain([None]);
    let mut found = named.filter_map(|game| {
        let (mut rules, with) = of_save(save, game, &WithArgs::default(), library, BY_GAME).ok()?;
        let program = load::program(&mut rules, &with, None).ok()?;
        save.rules.difference(&program.book).is_none().then_some(program)
    });
    Ending::by(&found.next()?, save)
}

/// Says whether the position is the one that was saved.
fn same_rules(save: &Save, game: &Game, console: &Console) -> Result<()> {
    let count = save.log.len();
    let good = |words: String| {
        console.line(paint(style::GOOD, words));
        Ok(())
    };
    let in_older = "as far as the older format of the file tells";
    match game.compare(save) {
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
            Err(Failure::Problems)
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
