//! The language server of Blazon: what an editor shows of rules while they are written.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod amendments;
mod background;
mod capabilities;
mod checking;
mod diagnostics;
mod documents;
mod features;
mod headings;
mod occurrences;
mod outbox;
mod outline;
mod places;
mod requests;
mod server;
mod subject;
mod transport;
mod trying;
mod uris;
mod workspace;

pub use server::{Settings, serve};
pub use uris::uri_of;

use std::io;

use blazon_syntax::{KeywordPlace, keywords_at};

/// Serves an editor over standard input and output until it goes away. Answers whether it said goodbye first.
///
/// # Errors
/// If no thread can be started.
pub fn stdio(settings: Settings) -> io::Result<bool> {
    let (connection, writer) = transport::stdio()?;
    let ended = serve(connection, settings);
    writer.end();
    Ok(ended)
}

/// The words of the language, each once: for whoever colours pages without a grammar.
pub fn keywords() -> std::collections::BTreeSet<&'static str> {
    use KeywordPlace::{Between, Margin, Opened, Statement, TestLine, Value};
    [Margin, Statement, TestLine, Value, Between, Opened].into_iter().flat_map(keywords_at).collect()
}
