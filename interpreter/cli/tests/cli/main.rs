//! The binary from outside: every command with small games, `two-rivers` and the hexes of `long-march`.

mod blocks;
mod commands;
mod common;
mod compare;
mod counting;
mod data;
mod drawn;
mod failing;
mod finding;
mod format;
#[cfg(unix)]
mod keyboard;
mod learn;
mod lsp;
mod mcp;
mod new;
mod playing;
mod protocol;
mod replay;
mod seats;
mod simulate;
mod tables;
mod testing;
mod trace;
mod watch;
