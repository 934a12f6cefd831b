//! What a client is told, as plain data by names: what is asked and open, what is refused and why, what happened, what a
//! seat sees. Everything here can be serialised; a client in another program or language needs no number of ours.
//!
//! What a seat may not know is left out where a viewer is named: hidden things are told by their backs.

mod about;
mod apart;
mod changes;
mod event;
mod options;
mod sheet;
mod text;
mod view;

pub use about::{About, End, Variant};
pub use changes::Change;
pub use event::{Event, Happened};
pub use options::{Argument, Arguments, Offer, Open, Question, Refusal, Standing};
pub(crate) use options::{argument, offers, question, refusals};
pub use sheet::{Choice, Entry, Fact, Grid, Holds, Kept, Kind, Parameter, Printed, Sheet, Signature, Thing};
pub use text::Part;
pub(crate) use text::parts;
pub use view::{KindView, State, ThingView, Value, View};
