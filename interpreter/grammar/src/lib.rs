//! The parser that pest makes of `grammar/blazon.pest`, with its limit set once.
//!
//! It is a crate by itself since it is much code that changes with the grammar alone: what reads its pairs, and says what is
//! wrong, is compiled without it. Outside `blazon-syntax` nobody needs it.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]
// No files, clock, environment, threads: see `interpreter/clippy.toml`.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::num::NonZeroUsize;
use std::sync::Once;

use pest::Parser;
use pest::error::Error;
use pest::iterators::{Pair, Pairs};

pub use generated::Rule;

/// A node of pest's tree.
pub type Node<'i> = Pair<'i, Rule>;

/// Steps that the engine may take on one item: far above the longest item of a game, a second or two at most.
const CALL_LIMIT: usize = 6_000_000;

#[allow(missing_docs)]
mod generated {
    #[derive(pest_derive::Parser)]
    #[grammar = "../../grammar/blazon.pest"]
    pub(crate) struct Grammar;
}

/// Runs the engine from one of the entry rules of the grammar.
///
/// # Errors
/// Where the text is none of that rule, with what was expected there; or that the engine took too many steps.
pub fn run(entry: Rule, text: &str) -> Result<Pairs<'_, Rule>, Box<Error<Rule>>> {
    static LIMIT: Once = Once::new();
    LIMIT.call_once(|| pest::set_call_limit(NonZeroUsize::new(CALL_LIMIT)));
    generated::Grammar::parse(entry, text).map_err(Box::new)
}
