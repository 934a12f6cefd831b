//! The binary from outside: every command with a small game, `two-rivers`.

mod commands;
mod common;
mod playing;
mod protocol;
mod simulate;
