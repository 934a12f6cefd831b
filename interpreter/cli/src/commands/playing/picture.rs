//! `blazon picture`: the board of a position as one SVG file.

use std::path::Path;

use blazon::{Game, PlayerId};
use blazon_diagnostics::{did_you_mean, list, near_miss};

use crate::args::PictureArgs;
use crate::commands::playing::play::to_go_on;
use crate::console::{Console, harmless};
use crate::drawing;
use crate::exit::{Failure, Result};
use crate::load;
use crate::save_file;

/// Draws a position as a seat sees it.
///
/// # Errors
/// If the game, the saved game or the seat is not found, the map cannot be shown, or the file cannot be written.
pub fn run(args: &PictureArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let saved = match &args.load {
        Some(path) => Some((path, save_file::read(path).map_err(Failure::Environment)?)),
        None => None,
    };
    let (mut rules, with) = match &saved {
        Some((_, text)) => {
            let (_, rules, with) = to_go_on(text, args.game.as_deref(), &args.with, library)?;
            (rules, with)
        }
        None => {
            let rules = load::game_or_default(args.game.as_deref(), &args.with.variants, library)?;
            (rules, args.with.clone())
        }
    };
    let program = load::program(&mut rules, &with, args.scenario.clone())?;
    let mut game = Game::new(program.clone())?;
    let viewer = args.seat.as_deref().map(|name| seat(&game, name)).transpose()?;
    let board = drawing::board(&mut rules, &with.variants, program, console)?;
    match &saved {
        Some((path, text)) => {
            let note = load::go_on(&mut game, path, text, &load::asked(args.game.as_deref(), &args.with))?;
            note.iter().for_each(|note| console.note(note));
        }
        None => game.begin(args.seed)?,
    }
    let picture = board.picture(&mut game, viewer)?;
    drawing::write(args.out.as_deref(), &picture, console)
}

/// Who at the table is called so, capitals aside.
fn seat(game: &Game, name: &str) -> Result<PlayerId> {
    let players = game.players();
    game.player(name).filter(|player| players.contains(player)).ok_or_else(|| {
        let all: Vec<String> = players.iter().map(|&player| game.player_name(player)).collect();
        let hint = match near_miss(name, all.iter().map(String::as_str)) {
            Some(near) => did_you_mean(near),
            None => format!("there are {}", list(&all, "and")),
        };
        Failure::Usage(format!("no player is called `{}`; {hint}", harmless(name)))
    })
}
