//! Blazon as a Python package: the compiled half of `blazon_rules`.
//!
//! Everything here is thin: it turns what the library (`blazon`) and its many games (`blazon_study`) say into Python
//! objects by names, and lets other Python threads go on while it plays.
//!
//! | module | what Python gets of it |
//! | --- | --- |
//! | `game`, `choice`, `bots` | `Game`, `Option`, players made of code |
//! | `rules`, `seats` | which rules, which programs sit where |
//! | `told`, `error` | dictionaries, exceptions |
//! | `simulate`, `tables`, `compare` | many games: `simulate`, `rollouts`, `compare`, and tables of games |
//! | `layout`, `actions`, `sight`, `numpy` | what a seat sees and may do, as arrays |
//! | `vector` | `VectorGame`: many games stepped together |

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod actions;
mod bots;
mod choice;
mod compare;
mod error;
mod game;
mod layout;
mod numpy;
mod rules;
mod seats;
mod sight;
mod simulate;
mod tables;
mod told;
mod vector;

use pyo3::prelude::*;

#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The games in this package: the name of the folder and the name of the game, of each. `Game` takes both.
#[pyfunction]
fn games() -> Vec<(String, String)> {
    blazon::embedded_games().into_iter().map(|game| (game.key, game.name)).collect()
}

/// The compiled half of `blazon_rules`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::games;
    #[pymodule_export]
    use crate::choice::Choice;
    #[pymodule_export]
    use crate::compare::compare;
    #[pymodule_export]
    use crate::game::Game;
    #[pymodule_export]
    use crate::simulate::{Simulation, rollouts, simulate};
    #[pymodule_export]
    use crate::tables::Table;
    #[pymodule_export]
    use crate::vector::VectorGame;
}
