//! The grammar, the parser and the syntax tree of Blazon.
//!
//! [`parse`] reads a file: it never panics, and after an error it reads on at the next line or item, so that one run
//! reports every broken line and the good items still come out. [`parse_expression`] and [`parse_list`] read
//! expressions by themselves: from the command line, from a cell of a table.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]
// No files, clock, environment, threads: see `interpreter/clippy.toml`.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod ast;
mod braces;
pub mod digest;
mod doc_comments;
mod format;
mod from_pairs;
mod going_on;
#[cfg(test)]
mod grammar_tests;
mod keywords;
mod lexer;
mod line_joining;
mod messages;
mod misplaced_cites;
mod ready;
mod recovery;
mod signs;
mod slips;
mod split_items;

pub use doc_comments::{Docs, doc_text};
pub use format::{Formatted, format};
pub use going_on::{GoingOn, going_on};
pub use keywords::{KeywordPlace, QUANTIFIERS, is_reserved, keywords_at};
pub use lexer::{Token, TokenKind};
pub use slips::{Slip, slips_in_name};

use blazon_diagnostics::{Diagnostic, SourceId, Span};
use blazon_grammar::{Rule, run};
#[cfg(feature = "parallel")]
#[allow(clippy::disallowed_types, reason = "this is what the feature is for")]
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::from_pairs::Tree;
use crate::messages::{Scene, explain};
use crate::ready::Ready;

/// How many errors of one file are reported.
const MAX_DIAGNOSTICS: usize = 100;

/// Fewer items than these are read by one core: waking the others takes as long.
#[cfg(feature = "parallel")]
const FEW_PIECES: usize = 8;

/// Reads a file of rules.
pub fn parse(source: SourceId, text: &str) -> (ast::File, Vec<Diagnostic>) {
    let ready = Ready::new(source, text);
    let cites = lexer::cites(source, text, &ready.tokens).collect();
    let docs = Docs::find(source, text, &ready.blanks);
    let mut file = ast::File { source, cites, docs, ..ast::File::default() };
    let mut diagnostics = Vec::new();
    let pieces = split_items::cut(text, &ready.laid, &ready.tokens);
    if pieces.is_empty() {
        diagnostics.extend(ready.faults.iter().map(|fault| fault.diagnostic.clone()));
    }
    let read_one = |piece| (digest::of(&ready, &piece), recovery::read(&ready, piece));
    for (digest, (item, wrong)) in each_item(pieces, read_one) {
        file.digests.extend(digest);
        file.items.extend(item);
        diagnostics.extend(wrong.into_iter().map(|said| said.guessed(source)));
        if diagnostics.len() > MAX_DIAGNOSTICS {
            break;
        }
    }
    let room = MAX_DIAGNOSTICS.saturating_sub(diagnostics.len());
    diagnostics.extend(misplaced_cites::warn(&ready).take(room));
    diagnostics.truncate(MAX_DIAGNOSTICS);
    (file, diagnostics)
}

/// Reads all items. They do not depend on each other: many are read on all cores, if that is wanted, and taken in their
/// order.
#[cfg_attr(feature = "parallel", allow(clippy::disallowed_types, reason = "this is what the feature is for"))]
fn each_item<T: Send>(
    items: Vec<split_items::ItemSpan>,
    read: impl Fn(split_items::ItemSpan) -> T + Send + Sync,
) -> Vec<T> {
    #[cfg(feature = "parallel")]
    if items.len() >= FEW_PIECES {
        return items.into_par_iter().map(read).collect();
    }
    items.into_iter().map(read).collect()
}

/// Reads one expression.
///
/// # Errors
///
/// Diagnostics: what stands there is no single expression.
pub fn parse_expression(source: SourceId, text: &str) -> Result<ast::Expr, Vec<Diagnostic>> {
    let mut expressions = parse_at(source, text, 0, Rule::expression_entry)?;
    match expressions.pop() {
        Some(expression) if expressions.is_empty() => Ok(expression),
        _ => Err(vec![Diagnostic::error(
            "syntax::expected",
            Span::new(source, 0, text.len()),
            "expected an expression",
        )]),
    }
}

/// Reads expressions with commas between them, as in a cell of a table; their spans count from `start`, the place of
/// `text` in its file.
///
/// # Errors
///
/// Diagnostics: what stands there is no list of expressions.
pub fn parse_list(source: SourceId, text: &str, start: usize) -> Result<Vec<ast::Expr>, Vec<Diagnostic>> {
    parse_at(source, text, start, Rule::list_entry)
}

/// The signs and words of a file, comments left out, whatever is wrong with it: for whoever looks at a text that is being
/// written.
pub fn tokens(text: &str) -> Vec<Token> {
    lexer::lex(SourceId(0), text).tokens
}

/// A name or thing as it is compared: one blank between words, straight apostrophes, a quoted thing without quotes.
pub fn plain_name(written: &str) -> String {
    from_pairs::fold(written)
}

fn parse_at(
    source: SourceId,
    text: &str,
    start: usize,
    entry: Rule,
) -> Result<Vec<ast::Expr>, Vec<Diagnostic>> {
    let lexed = lexer::lex(source, text);
    let layout = line_joining::lay_out(source, text, &lexed, true);
    let shift = |mut diagnostic: Diagnostic| {
        let moved =
            |span: Span| Span { start: span.start + start as u32, end: span.end + start as u32, ..span };
        diagnostic.span = diagnostic.span.map(moved);
        diagnostic.related =
            diagnostic.related.into_iter().map(|(span, words)| (moved(span), words)).collect();
        let edits = diagnostic.fixes.iter_mut().flat_map(|fix| &mut fix.edits);
        edits.for_each(|edit| edit.span = moved(edit.span));
        diagnostic
    };
    let deep = split_items::check_depth(source, &layout.text, &lexed.tokens);
    let mut wrong: Vec<Diagnostic> =
        lexed.faults.into_iter().chain(layout.faults).map(|fault| shift(fault.diagnostic)).collect();
    wrong.extend(deep.map(shift));
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let scene = Scene { source, text, tokens: &lexed.tokens, base: 0, whole: "the expression" };
    let pairs = run(entry, &layout.text).map_err(|error| vec![shift(explain(&error, &scene))])?;
    let mut tree = Tree::new(source, start, layout.strays);
    let expressions =
        tree.expressions(pairs, entry == Rule::list_entry).map_err(|diagnostic| vec![*diagnostic])?;
    let wrong = tree.into_wrong();
    if wrong.is_empty() { Ok(expressions) } else { Err(wrong) }
}
