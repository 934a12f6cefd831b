//! What a client is told, as plain data by names: what is asked and open, what is refused and why, what happened, what a
//! seat sees. Everything here can be serialised; a client in another program or language needs no number of ours.
//!
//! What a seat may not know is left out where a viewer is named: hidden things are told by their backs.

mod about;
mod event;
mod options;
mod view;

pub use about::{About, End, Variant};
pub use event::{Event, Happened};
pub use options::{Argument, Arguments, Offer, Open, Question, Refusal, Standing};
pub(crate) use options::{argument, offers, question, refusals};
pub use view::{KindView, State, ThingView, Value, View};
