//! Commands that play many games between programs, and tell what they come to.

pub mod compare;
pub mod ladder;
pub mod learn;
pub mod merge;
pub mod simulate;
