//! One module for each command, by what it is for.

pub mod completions;
pub mod playing;
pub mod serving;
pub mod studies;
pub mod writing;
