//! Runs a program from decision to decision.
//!
//! A [`Machine`] holds one position and knows who must decide what in it. [`Machine::choose`] carries a decision out
//! and runs to the next one. Everything else looks: options, reasons, texts, views. On top of it stand saved games
//! ([`save`]), tests of rules ([`testing`]) and players made of code ([`bots`]).

mod asking;
pub mod bots;
mod context;
mod decision;
mod each;
mod event;
mod exec;
mod fault;
mod fingerprint;
mod luck;
mod machine;
mod memo;
mod options;
mod restoring;
mod running;
pub mod save;
mod sets;
mod shared;
pub mod testing;
mod text;
mod traps;
mod view;

pub use event::Event;
pub use fault::{Fault, Frame, Limits, code};
pub use machine::{Machine, NOTHING, Outcome};
pub use options::{Chosen, Options, Refusal, Standing};
pub use text::Line;
pub use view::{Entry, KindView, ThingView, Value, View};
