//! Expressions: what they mean, and of which type they are.

mod calls;
mod expressions;
mod look_alikes;
mod luck;
mod operators;
pub(crate) mod queries;
mod query_forms;
mod ranges;
mod texts;
