//! With which words of the language a text can go on, as the grammar says: for whoever offers words while a page is
//! written.

use blazon_diagnostics::SourceId;
use blazon_grammar::{Rule, run};
use pest::error::InputLocation;

use crate::ast::BinaryOp;
use crate::keywords::INNER_WORDS;
use crate::messages::{Description, Group, describe};
use crate::ready::Ready;
use crate::split_items;

/// A sign that nothing begins with, and that is read: what the grammar says of it is what it expects in its place.
const PROBE: &str = "#";

/// Longer items are not read so often.
const LONGEST: usize = 64 << 10;

/// What can stand behind a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoingOn {
    /// The words of the language that can stand there.
    pub words: Vec<&'static str>,
    /// Whether a name or a value can begin there. Where none can, what stands before is whole.
    pub begins: bool,
}

/// With which words a text can go on that ends within an item, or within an expression that stands alone, as in a hole. None
/// if what stands before cannot be read.
pub fn going_on(before: &str, is_item: bool) -> Option<GoingOn> {
    let before = before.trim_end_matches([' ', '\t']);
    // What stands above the item says nothing of it, and is not read again for each word.
    let before = if is_item { item_of(before)? } else { before };
    let expected = reaches(before, "", is_item)?;
    let takes = |word: &str| reaches(before, word, is_item).is_some();
    let denied = BinaryOp::NotIn.sign();
    let is_denied = takes(denied);
    let mut words: Vec<&'static str> = INNER_WORDS.into_iter().filter(|word| takes(word)).collect();
    if is_denied {
        // Alone it would deny nothing there.
        words.retain(|word| denied.split(' ').next() != Some(*word));
        words.push(denied);
    }
    let described: Vec<Description> = expected.into_iter().filter_map(describe).collect();
    let begins = described
        .iter()
        .any(|described| matches!(described.group, Group::Name | Group::Thing | Group::Value));
    // What the grammar reads as an inner word has been tried.
    let is_new = |word: &&str| !begins && !INNER_WORDS.contains(word);
    let others = described.iter().filter_map(|described| described.keyword).map(|keyword| keyword.word);
    for word in others.filter(is_new) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    Some(GoingOn { words, begins })
}

/// The item that a text ends in.
fn item_of(text: &str) -> Option<&str> {
    let ready = Ready::new(SourceId::default(), text);
    let first = split_items::cut(text, &ready.laid, &ready.tokens).last()?.first;
    text.get(ready.tokens.get(first)?.start..)
}

/// Reads a text with a word more, and answers what the grammar expects behind it; none if it does not come so far.
fn reaches(before: &str, word: &str, is_item: bool) -> Option<Vec<Rule>> {
    let text = format!("{before} {word} {PROBE}");
    let ready = Ready::new(SourceId::default(), &text);
    let laid = ready.laid.as_str();
    if laid.len() > LONGEST || split_items::check_depth(ready.source, &text, &ready.tokens).is_some() {
        return None;
    }
    let entry = if is_item { Rule::item_entry } else { Rule::expression_entry };
    let error = run(entry, laid).err()?;
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    match error.variant {
        pest::error::ErrorVariant::ParsingError { positives, .. } if at == laid.len() - PROBE.len() => {
            Some(positives)
        }
        pest::error::ErrorVariant::ParsingError { .. } | pest::error::ErrorVariant::CustomError { .. } => {
            None
        }
    }
}
