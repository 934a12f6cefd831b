//! What is known of a book before it is lowered.

pub(crate) mod assumed;
pub(crate) mod const_eval;
pub(crate) mod effects;
pub(crate) mod harmless;
mod parts;
