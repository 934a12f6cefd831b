//! `blazon mcp`: the umpire for programs. A server of the Model Context Protocol over standard input and output, through
//! which a program reads rules, checks them, amends them in memory, tests and compares what it amended, plays, and asks why.
//! `UMPIRE.md` beside this crate's manifest is its description; keep the two together.
//!
//! One thread has everything, and does what is asked in the order in which it was asked ([`umpire`]); another talks to the
//! program at the other end ([`door`]).

mod amendment;
mod desk;
mod door;
mod matches;
mod refusal;
mod table;
mod umpire;

use std::path::Path;
use std::sync::mpsc::channel;

use crate::args::McpArgs;
use crate::console::Console;
use crate::exit::{Failure, Result};

use amendment::Amendment;
use desk::Desk;
use door::Door;
use umpire::Umpire;

/// Serves a program until it goes away.
///
/// # Errors
/// If the game asked for is nowhere, or no thread can be started.
pub fn run(args: &McpArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let desk = Desk {
        target: args.game.clone(),
        with: args.with.clone(),
        library: library.map(Path::to_owned),
        amendment: Amendment::default(),
    };
    // Whoever starts it hears at once of a game that there is not, and not the program at the other end.
    crate::load::game_or_default(desk.target.as_deref(), &desk.with.variants, library)?
        .stack(&desk.with.variants)?;
    let (send, jobs) = channel();
    let door =
        std::thread::Builder::new().name("door".to_owned()).spawn(move || door::serve(Door::new(send)));
    let door = door.map_err(|error| Failure::Environment(format!("no thread can be started: {error}")))?;
    Umpire::new(desk, args.keep.clone()).work(&jobs);
    match door.join() {
        Ok(Ok(())) => Ok(()),
        Ok(Err(message)) => {
            console.note(
                "`blazon mcp` talks to a program by the Model Context Protocol, one JSON object a line",
            );
            Err(Failure::Environment(message))
        }
        Err(_) => Err(Failure::Bug),
    }
}
