//! What an editor can ask: one file for each capability.

pub mod actions;
pub mod completion;
pub mod definition;
pub mod folding;
pub mod formatting;
pub mod hover;
pub mod links;
pub mod references;
pub mod rename;
pub mod symbols;
