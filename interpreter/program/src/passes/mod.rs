//! Passes over a whole program, after lowering: each leaves it meaning the same.

pub(crate) mod drop_unused_columns;
pub(crate) mod superinstructions;
