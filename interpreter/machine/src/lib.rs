//! Runs a program from decision to decision.
//!
//! A [`Machine`] holds one position and knows who must decide what in it. [`Machine::choose`] carries a decision out
//! and runs to the next one. Everything else looks: options, reasons, texts, views. On top of it stand saved games
//! ([`save`]), tests of rules ([`test_runner`]) and players made of code ([`bots`]).

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]
// No files, clock, environment, threads: see `interpreter/clippy.toml`.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod bots;
mod decision;
mod fault;
mod invariants;
mod machine;
mod question;
pub mod save;
mod snapshot;
pub mod test_runner;
mod twins;
mod unseen;
mod view;
mod vm;

pub use decision::standing::{Refusal, Standing};
pub use fault::{BacktraceEntry, Fault, Limits, code};
pub use machine::{Machine, NOTHING, Outcome};
pub use twins::Difference;
pub use view::{Behind, Entry, KindView, ThingView, Value, View};
pub use vm::event::Event;
pub use vm::options::{Chosen, Options};
pub use vm::stores::Stored;
pub use vm::text::{Line, PUBLIC};
pub use vm::words::{Word, Words};
