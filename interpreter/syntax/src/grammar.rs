//! The pest parser made of `grammar/blazon.pest`, with its limit set once.

use std::num::NonZeroUsize;
use std::sync::Once;

use pest::Parser;
use pest::error::Error;
use pest::iterators::{Pair, Pairs};

pub(crate) use generated::Rule;

/// A node of pest's tree.
pub(crate) type Node<'i> = Pair<'i, Rule>;

/// Steps that the engine may take on one item: far above the longest item of a game, a second or two at most.
const CALL_LIMIT: usize = 6_000_000;

#[allow(missing_docs)]
mod generated {
    #[derive(pest_derive::Parser)]
    #[grammar = "../../grammar/blazon.pest"]
    pub(crate) struct Grammar;
}

/// Runs the engine from one of the entry rules of the grammar.
pub(crate) fn run(entry: Rule, text: &str) -> Result<Pairs<'_, Rule>, Box<Error<Rule>>> {
    static LIMIT: Once = Once::new();
    LIMIT.call_once(|| pest::set_call_limit(NonZeroUsize::new(CALL_LIMIT)));
    generated::Grammar::parse(entry, text).map_err(Box::new)
}

#[cfg(test)]
mod tests;
