//! Blazon in the browser: tables of any game, for people, bots and spectators, kept on the disk.
//!
//! A [`Server`] holds games on a shelf and tables in a folder. A browser that opens a seat's secret link plays there; what
//! it is sent is what the seat may know and nothing else. `SERVING.md` beside this crate says what is asked and answered,
//! what lies in the folder, and what keeps strangers out.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod browsers;
mod calls;
mod cores;
mod desk;
mod draw;
mod editor;
mod files;
mod hall;
mod http;
mod keep;
mod links;
mod problem;
mod secret;
mod server;
mod shelf;
mod table;
mod watch;

pub use editor::Editor;
pub use files::{Files, Unwatched, Watching, folders_of};
pub use hall::Most;
pub use problem::Problem;
pub use server::{Links, Seating, Server, Settings, StartError};
