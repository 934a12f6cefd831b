//! Library, game and variants become one tree: laid together, then changed as the amendments say. Nothing has a type yet.

mod amend;
pub(crate) mod merged;
pub mod print;
mod rule_list;
mod sort;
pub(crate) mod visit;
mod wholes;

pub(crate) use amend::apply;
pub(crate) use merged::Merged;
pub(crate) use sort::Sort;
