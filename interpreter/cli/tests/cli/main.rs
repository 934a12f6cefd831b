//! The binary from outside: every command with a small game, `two-rivers`.

mod commands;
mod common;
mod new;
mod playing;
mod protocol;
mod simulate;
