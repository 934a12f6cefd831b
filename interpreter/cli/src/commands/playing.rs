//! Commands that play games, and look at games that were played.

pub mod map;
pub mod picture;
pub mod play;
pub mod replay;
pub mod trace;
