//! Lowers a checked book to a compact program and verifies it.
//!
//! * [`lower`]: from a book to a [`Program`].
//! * [`lower_counting`]: to one that counts what comes up.
//! * [`ir`]: what a program is, and what each instruction does.
//! * [`verify`]: whether a program keeps what the machine relies on.
//! * [`Program::listing`]: a program in words.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]
// No files, clock, environment, threads: see `interpreter/clippy.toml`.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod analysis;
pub mod coverage;
pub mod ir;
mod lower;
mod passes;
mod verify;

pub use ir::Program;
pub use lower::{lower, lower_counting};
pub use verify::verify;
