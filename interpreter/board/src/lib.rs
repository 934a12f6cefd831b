//! Draws what a seat sees of a game, for any game: the board as SVG, trays, hands and log as HTML, and the decision as
//! data that a client narrows by clicks.
//!
//! ```
//! use blazon::{Game, Loader, Selection};
//! use blazon_board::Board;
//!
//! let program = Loader::new().find("salt-road")?.program(&Selection::default())?;
//! let board = Board::new(program.clone(), None).expect("a game without a map of its own");
//! let mut game = Game::new(program)?;
//! game.begin(7)?;
//!
//! let seat = game.decider();
//! let shown = board.show(&mut game, seat)?;
//! assert!(shown.decision.yours && !shown.decision.options.is_empty());
//! assert!(board.sheet().contains("data-t"));
//! game.choose(seat.expect("somebody is asked"), shown.behind(0)[0])?;
//! # Ok::<(), blazon::Error>(())
//! ```
//!
//! Everything is made from a seat's [`blazon::machine::View`] and from texts told to that seat, so that no byte of it
//! depends on what the seat may not know. A thing is named to the client by a *token*; a thing whose face is hidden has
//! the token of its back, which it shares with all that look the same, and which is numbered anew in every view.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]
// No files, clock, environment, threads: see `interpreter/clippy.toml`.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod board;
mod decision;
mod display;
mod heat;
mod layout;
mod log;
mod looks;
mod movers;
mod picture;
mod piece;
mod places;
mod seen;
mod signs;
mod stand;
mod trays;

/// How the board and its pieces are drawn: the stylesheet that a page needs which shows them.
pub const STYLE: &str = include_str!("drawing.css");

/// What a page needs beside it that shows [values](Board::heat) on maps.
pub const HEAT_STYLE: &str = include_str!("heat.css");

pub use board::{Board, Fragment, Shown};
pub use decision::{Arg, Choice, Decision, Refused, Value, Verb};
pub use heat::{Heat, HeatMap, Scale};
pub use layout::{MapLabel, MapProblem, labels_of_map, map_to_begin_with, thing_of};
pub use movers::{Mover, Movers};
