//! Blazon as a library: loads the rules of a board game, compiles them, and plays games decision by decision.
//!
//! ```
//! use blazon::{Game, Rules, Selection};
//!
//! let rules = r#"
//! kind side = North, South { state beans: 0..9 }
//! setup Start (side: beans) { North: 7; South: 6 }
//! step game {
//!   while yes {
//!     for s in sides {
//!       choose by s "How many beans do you throw?" {
//!         option throw(n in 1..3) "throws {n}"
//!           needs enough: n <= s.beans else "so many are not left"
//!         { s.beans -= n; if s.beans = 0 { win(s) } }
//!       } else { win(s) }
//!     }
//!   }
//! }
//! "#;
//! let manifest = r#"Game(name: "Beans", player: "side", begins: "game")"#;
//! let program = Rules::from_texts([("blazon.ron", manifest), ("beans.blazon", rules)])
//!     .program(&Selection::default())?;
//!
//! let mut game = Game::new(program)?;
//! game.begin(7)?;
//! while let Some(player) = game.decider() {
//!     let open = game.options(player);
//!     let most = open.last().expect("a player who is asked has an option");
//!     println!("{} {}", game.player_name(player), most.label);
//!     game.choose(player, most.id)?;
//! }
//! let winner = game.outcome().and_then(|outcome| outcome.winner);
//! assert_eq!(winner.map(|winner| game.player_name(winner)), Some("South".to_owned()));
//! assert_eq!(game.log().len(), 4);
//! # Ok::<(), blazon::Error>(())
//! ```
//!
//! # The way of a game
//!
//! | from | by | to |
//! | --- | --- | --- |
//! | a path or a name, or texts | [`Loader::find`], [`Rules::from_texts`] | [`Rules`]: a game with its variants and library |
//! | rules, and which variants and rulings | [`Rules::program`], or [`Reading`] for all that there is to say | a program |
//! | a program | [`Game::new`], [`Game::begin`] | a [`Game`] at its first decision |
//! | a decision | [`Game::options`], [`Game::why`], [`Game::view`], [`Game::choose`] | the next one |
//! | a game | [`Game::save`], [`Game::load`], [`Game::replay`], [`Game::undo`] | a text, a game, a game, the game before |
//!
//! What a client is told is data that can be serialised, by names: see [`told`]. Players made of code are in [`bots`];
//! [`Game::choose_by`] lets them play. Whoever holds many games keeps them in a [`Pool`], where a game takes a few
//! kilobytes. Everything that fails is one [`Error`], with a code, diagnostics and a text.
//!
//! # What it touches
//!
//! With no features this crate touches no files, clock, environment, or thread: the same rules, seed and choices are the
//! same game everywhere.
//!
//! | feature | adds |
//! | --- | --- |
//! | `embedded` (default) | the games and the library of the repository, inside the program |
//! | `folders` (default) | games in folders on the disk, see [`Loader`]; files written whole, see `files` |
//! | `parallel` | pages are parsed on rayon's global pool |
//!
//! One thing is shared by the whole process: the parser sets a limit on the work of *every* pest parser in it the first
//! time that it runs (`pest::set_call_limit`). A host with pest parsers of its own should know that they have the same
//! limit from then on, and that setting another changes what Blazon's parser gives up on.
//!
//! # Limits
//!
//! Rules come from strangers. A game that runs without end, nests without end or takes too much memory is stopped with an
//! error and stands as it did. How much is too much is said in [`Limits`]: [`Game::with_limits`], [`Pool::new`].

// No files, clock, environment, threads: see `interpreter/clippy.toml`.
#![deny(clippy::disallowed_methods, clippy::disallowed_types, clippy::print_stdout, clippy::print_stderr)]

pub mod change;
mod compile;
mod error;
#[cfg(feature = "folders")]
pub mod files;
mod game;
pub mod hints;
mod ids;
mod load;
mod pool;
pub mod present;
pub mod testing;
pub mod told;
pub mod trace;

// The crates below, for whoever looks deeper: places in the book and in the program, values as numbers.
pub use blazon_book as book;
pub use blazon_diagnostics as diagnostics;
pub use blazon_machine as machine;

pub use blazon_check::Settings;
pub use blazon_check::project::{Folder, Page, ParseCache, Project};
pub use blazon_machine::{Limits, bots};
pub use blazon_program::Program;
pub use compile::{Compiled, Reading, Selection, compile};
pub use error::{Error, Failure, Problems, Result, Unknown};
pub use game::{Game, Log, NoWayBack, Outcome};
pub use ids::{ChoiceId, OptionId, PlayerId, SetupId};
#[cfg(feature = "folders")]
pub use load::shown;
pub use load::{
    Embedded, Loader, MANIFEST, Rules, Variant, default_game, embedded_game, embedded_games, put,
};
pub use pool::{Pool, Table};
