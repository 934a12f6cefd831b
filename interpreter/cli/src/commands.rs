//! One module for each command.

pub mod check;
pub mod compare;
pub mod completions;
pub mod explain;
pub mod format;
pub mod ladder;
pub mod learn;
pub mod lsp;
pub mod map;
pub mod mcp;
pub mod merge;
pub mod new;
pub mod picture;
pub mod play;
pub mod print;
pub mod replay;
pub mod rulings;
pub mod serve;
pub mod simulate;
pub mod table;
pub mod test;
pub mod trace;
pub mod watch;
