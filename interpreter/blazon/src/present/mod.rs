//! What is shown, in words: kinds, values, paragraphs, faults. Everything that tells a person about a game, at a
//! terminal or over a line, says it in these words.

mod boxes;
mod fault;
pub mod option_search;
mod text;
pub mod values;
mod whose;

pub use boxes::set_when_taken_off;
pub use fault::fault_diagnostic;
pub use text::{cited, harmless, kinds};
pub use whose::whose;
