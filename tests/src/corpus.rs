//! Games played by programs and saved, many at once.

use std::path::Path;
use std::sync::Arc;

use blazon::Game;
use blazon::bots::{Bot, Effort, Flat, Pick, Random};
use blazon_program::Program;
use rayon::prelude::*;

/// A game of a hundred thousand choices would never end.
const MOST: usize = 100_000;

/// Plays so many games, of all setups in turn, and saves each in a folder as `0001.game` and so on. Every fourth is
/// played by a program that looks ahead a little, the others by chance. Answers how many choices there were in all.
///
/// # Errors
/// If a game cannot go on, or a file cannot be written.
pub fn save_games(program: &Arc<Program>, folder: &Path, count: u64) -> Result<usize, String> {
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let counts: Result<Vec<usize>, String> = (1..=count)
        .into_par_iter()
        .map(|number| {
            let game = played(program, number)?;
            let text = game.save().map_err(|error| error.to_string())?;
            let path = folder.join(format!("{number:04}.game"));
            std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
            Ok(game.log().len())
        })
        .collect();
    Ok(counts?.into_iter().sum())
}

/// A game from its beginning to its end; the number is its seed.
fn played(program: &Arc<Program>, number: u64) -> Result<Game, String> {
    let wrong = |error: blazon::Error| format!("game {number}: {error}");
    let mut game = Game::new(program.clone()).map_err(wrong)?;
    let setups = program.book.setups.len() as u64;
    game.start(((number % setups) as usize).into(), number).map_err(wrong)?;
    let mut bot: Box<dyn Bot> = match number % 4 {
        0 => Box::new(Flat::new(number, Effort { positions: 30, horizon: 6 })),
        1 => Box::new(Random::new(number, Pick::Evenly)),
        _ => Box::new(Random::new(number, Pick::ByName)),
    };
    for _ in 0..MOST {
        let Some(player) = game.decider() else { return Ok(game) };
        game.choose_by(player, &mut *bot).map_err(wrong)?;
    }
    Err(format!("game {number} does not end"))
}
