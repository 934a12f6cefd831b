//! Lowers a checked book to a compact program and verifies it.
//!
//! * [`lower`]: from a book to a [`Program`].
//! * [`ir`]: what a program is, and what each instruction does.
//! * [`verify`]: whether a program keeps what the machine relies on.
//! * [`Program::listing`]: a program in words.

mod choices;
mod each;
mod eval;
mod expressions;
mod flow;
mod frame;
mod fuse;
mod images;
mod inline;
pub mod ir;
mod keys;
mod layout;
mod lazy;
mod listing;
mod loops;
mod lower;
mod masks;
mod offers;
mod ops;
mod pack;
mod plan;
mod queries;
mod rules;
mod statements;
mod tabled;
mod texts;
mod uses;
mod verify;
mod walk;
mod watches;

pub use ir::Program;
pub use lower::lower;
pub use verify::verify;
