//! Positions, dice and decks as plain data; knows no game and no program.
//!
//! - [`Position`]: a game in progress as a run of words, with a text form that refuses damage.
//! - [`chance`]: keyed dice and draws. What falls depends on a key and on nothing else, so the same key falls the
//!   same way on every machine and under every set of rules.
//! - [`bits`]: sets as bits in words.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]
// No files, clock, environment, threads: see `interpreter/clippy.toml`.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod bits;
pub mod chance;
mod position;

pub use position::{Position, PositionError};
