//! Runs a program from decision to decision.
//!
//! A [`Machine`] holds one position and knows who must decide what in it. [`Machine::choose`] carries a decision out
//! and runs to the next one. Everything else looks: options, reasons, texts, views. On top of it stand saved games
//! ([`save`]), tests of rules ([`testing`]) and players made of code ([`bots`]).

pub mod bots;
mod decision;
mod event;
mod fault;
mod fingerprint;
mod machine;
pub mod save;
mod snapshot;
pub mod test_runner;
mod view;
mod vm;

pub use decision::options::{Chosen, Options, Refusal, Standing};
pub use event::Event;
pub use fault::{BacktraceEntry, Fault, Limits, code};
pub use machine::{Machine, NOTHING, Outcome};
pub use view::{Entry, KindView, ThingView, Value, View};
pub use vm::text::Line;
