//! Choices, their options, and what each of these needs.

mod always;
pub(crate) mod can;
mod choices;
pub(crate) mod inherited_needs;
pub(crate) mod made;
pub(crate) mod offers;
mod questions;
mod substitute_names;
