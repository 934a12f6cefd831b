//! Statements of steps, and the ways through them.

mod answers;
mod loops;
pub(crate) mod statements;
pub(crate) mod ways_out;
pub(crate) mod wins;
mod with;
