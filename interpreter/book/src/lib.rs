//! The typed tree (HIR): one game with its library and variants, merged, every name resolved and typed. The
//! language's own word for it is the *book*.
//!
//! Everything is a number into a table of the [`Book`]. What the checker has proved is written at the field: the
//! lowering relies on it and the program's verifier checks what can be checked again.
//!
//! * [`Book`], its tables and the [ids](KindId) that index them; [`Type`]s and [`Local`]s.
//! * [`build`] makes expressions, folding what is constant.
//! * [`walk`] goes through it: the visitor and all that stands on it.
//! * [`Rule`]s answer, [`Step`]s do, [`Expr`]essions stand in both.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]
// No files, clock, environment, threads: see `interpreter/clippy.toml`.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod arithmetic;
mod book;
pub mod build;
mod declarations;
mod digest;
mod expressions;
pub mod graph;
mod ids;
mod looks;
pub mod meant;
mod played;
mod procedures;
mod releases;
mod rules;
mod test_items;
mod types;
pub mod walk;
mod words;

pub use arithmetic::*;
pub use book::*;
pub use declarations::*;
pub use digest::*;
pub use expressions::*;
pub use ids::*;
pub use looks::*;
pub use procedures::*;
pub use releases::*;
pub use rules::*;
pub use test_items::*;
pub use types::*;
pub use words::Needed;
