//! Where rules come from and how they become a program: folders on the disk or inside the binary are found and read
//! ([`find`]), laid together, checked and compiled ([`compile`]).

pub mod compile;
pub mod embedded;
pub mod find;
pub mod folders;

pub use compile::{Compiled, Reading};
pub use find::Found;
