//! Commands that answer others: browsers, editors, programs.

pub mod lsp;
pub mod mcp;
pub mod serve;
