//! Library, game and variants become one tree: laid together, then changed as the amendments say. Nothing has a type yet.

mod amend;
pub(crate) mod merged;
pub mod print;
mod rule_list;
pub(crate) mod visit;

pub(crate) use amend::{apply, expression_text};
pub(crate) use merged::Merged;
