//! Source files, spans and diagnostics of Blazon, and how they are shown.
//!
//! * [`Sources`], [`Span`]: the files read and the places in them.
//! * [`Position`], [`ColumnUnit`]: the same places as editors count them.
//! * [`Diagnostic`], [`Fix`]: what is wrong and how to mend it, as data; [`render`] shows a list of them to people or programs.
//! * [`explain`]: what each code means, with an example and the way to mend it.
//! * [`near_miss`], [`did_you_mean`], [`list`], [`Article`]: the phrases every message needs.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]
// No files, clock, environment, threads: see `interpreter/clippy.toml`.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod article;
mod codes;
mod diagnostic;
mod fix;
pub mod marks;
mod near;
mod plain;
mod position;
mod render;
mod span;

pub use article::Article;
pub use codes::{Explanation, all, explain};
pub use diagnostic::{Diagnostic, Severity, Stage};
pub use fix::{ENDING, Edit, Fix, written_thing};
pub use near::{Guesses, did_you_mean, few, list, near_keyword, near_miss, slips_between};
pub use plain::{harmless, plain, steers};
pub use position::{ColumnUnit, Position};
pub use render::{Format, Style, UnknownFormat, render, summary};
pub use span::{Source, SourceId, Sources, Span};
