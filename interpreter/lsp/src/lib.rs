//! The language server of Blazon: what an editor shows of rules while they are written.
//!
//! [`stdio`] serves an editor over standard input and output, as `blazon lsp` does; [`serve`] over any connection, as the
//! tests do.
//!
//! ```text
//! editor ──didChange──► documents ──laid over the disk──► workspace: a game, a stack of variants
//!        ──request────► requests ──► the newest texts, looked at now ──► features/… ──► answer
//!                       background: whole games, when nobody writes ──► publishDiagnostics
//!                       trying: tests, in a thread of their own ──► showMessage, lenses, marks
//! ```
//!
//! # Whose text an answer is of
//!
//! Messages are taken one after the other. A notification changes a text at once, and counts the game's revision up. A
//! request is answered of the texts as they are then: the game is parsed again where a page changed, and checked once for
//! each revision, without the tests of other pages and without the proof that nothing hidden is told, for most of the
//! time of a whole check goes into these. So no answer is ever of another text than the question, and nothing has to be
//! moved along with edits. The whole check, as `blazon check` makes it, is the background's; what it says of texts that
//! changed meanwhile is said again a moment later. A request that the editor takes back before its turn comes is not
//! answered.
//!
//! # What is on the disk
//!
//! Games are read from the disk once, and again when an editor saves or closes a page, renames something, or tells that
//! files have changed. Where it does not tell that, the disk is looked at every two seconds while nothing else is to do.
//! What is parsed already stays so, and a game that says what it said is not checked again.
//!
//! A page that belongs to no game is told so in the page. What editors ask of it by themselves is answered with nothing,
//! what somebody asks is refused with the reason.
//!
//! # What belongs together
//!
//! A page belongs to the game or variant of the nearest manifest from it upward; a variant is looked at on its game. Uses
//! and new names are followed into every variant in whose pages the word stands. A new name is tried before it is
//! answered: what would mean something else under it, or be wrong, is refused with the reason. Whether a text that a test
//! expects says the name because the rules do is found out by running the test.
//!
//! Pages inside the program (the library, unless its folder is named) have addresses `blazon:/stdlib/…`, which are given
//! only to editors that can ask for their text (`workspace/textDocumentContent`).
//!
//! # Commands
//!
//! | command | arguments | what it does |
//! | --- | --- | --- |
//! | `blazon.test` | page, name of the test | runs a test, tells the outcome, marks lines that do not hold |
//! | `blazon.testAll` | page | runs all tests of its game or variant, and counts what comes up |
//! | `blazon.say` | text | shows the text |
//!
//! # Strangers
//!
//! Nothing that an editor sends, and no page, ends the server: what is not of its form is refused, a request that fails is
//! answered with an error and the next one served.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod amendments;
mod background;
mod capabilities;
mod checking;
mod cores;
mod diagnostics;
mod documents;
mod features;
mod headings;
mod inbox;
mod occurrences;
mod outbox;
mod outline;
mod places;
mod requests;
mod running;
mod server;
mod subject;
mod transport;
mod trying;
mod uris;
mod workspace;

pub use running::Tables;
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
