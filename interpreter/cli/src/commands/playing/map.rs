//! `blazon map`: begins a drawn map of a game.

use std::path::Path;

use blazon::shown;
use blazon_board::map_to_begin_with;

use crate::args::MapArgs;
use crate::console::Console;
use crate::exit::{Failure, Result};
use crate::load;
use crate::save_file;

/// Writes a map to be bent.
///
/// # Errors
/// If the game is not found or has no places, or the file is there or cannot be written.
pub fn run(args: &MapArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let mut rules = load::game_or_default(args.game.as_deref(), &args.with.variants, library)?;
    let program = load::program(&mut rules, &args.with, None)?;
    let Some(map) = map_to_begin_with(&program.book) else {
        let message = "the game has no places that a map could show: places are what links join, a grid \
                       lays out, or a point is given for";
        return Err(Failure::Problem(message.to_owned()));
    };
    let Some(path) = &args.out else {
        console.write(map);
        return Ok(());
    };
    if path.symlink_metadata().is_ok() && !args.force {
        let message = format!("`{}` is there already; --force writes over it", shown(path));
        return Err(Failure::Usage(message));
    }
    save_file::put(path, &map).map_err(Failure::Environment)?;
    let is_drawn = rules.root.as_ref().is_some_and(|root| {
        let place = |path: &Path| path.canonicalize().ok();
        place(path).is_some() && place(path) == place(&root.join("map.svg"))
    });
    let next = match is_drawn {
        true => "`blazon check` holds it against the rules",
        false => {
            "as `map.svg` in the folder of the game it is drawn, and held against the rules by `blazon check`"
        }
    };
    console.line(format!("wrote {}; {next}", shown(path)));
    Ok(())
}
