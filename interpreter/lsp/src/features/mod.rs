//! What an editor can ask: one file for each capability.

pub mod actions;
pub mod calls;
pub mod completion;
pub mod definition;
pub mod folding;
pub mod formatting;
pub mod hover;
pub mod lenses;
pub mod links;
pub mod references;
pub mod rename;
pub mod signature;
pub mod symbols;
pub mod tokens;
