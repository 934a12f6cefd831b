//! From pest's pairs to the syntax tree.
//!
//! Every function takes one pair and gives one node of [`crate::ast`]. Signs and keywords are left out beforehand and
//! citations set apart, so that a function sees only the parts that matter, in order.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "the rules are the grammar's: all others are refused as internal"
)]

mod amendments;
mod brackets;
mod declarations;
mod expressions;
mod procedures;
mod rounding;
mod tables;
mod test_items;

use std::sync::Arc;

use blazon_diagnostics::{Diagnostic, SourceId, Span};
use blazon_grammar::{Node, Rule};

use crate::ast::{Cite, Expr, Item, ItemKind, Name};

/// What conversion gives: an error only where the grammar lets something through that the language does not.
pub(crate) type Built<T> = Result<T, Box<Diagnostic>>;

/// Converts the pairs of one item.
pub(crate) struct Tree {
    source: SourceId,
    base: usize,
    strays: Vec<Cite>,
    /// What is wrong, though it can be read.
    wrong: Vec<Diagnostic>,
    /// Whether what is read is one of several with commas between them.
    listed: bool,
}

/// The parts of a pair.
pub(crate) struct Parts<'i> {
    rest: std::iter::Peekable<std::vec::IntoIter<Node<'i>>>,
    cites: Vec<Cite>,
    span: Span,
}

impl<'i> Parts<'i> {
    /// The next part if it was made by that rule.
    fn take(&mut self, rule: Rule) -> Option<Node<'i>> {
        self.rest.next_if(|node| node.as_rule() == rule)
    }

    /// The next part, which the grammar promises.
    fn next(&mut self) -> Built<Node<'i>> {
        let span = self.span;
        self.rest.next().ok_or_else(|| internal(span))
    }

    /// All further parts made by that rule, up to the first other one.
    fn run(&mut self, rule: Rule) -> Vec<Node<'i>> {
        std::iter::from_fn(|| self.take(rule)).collect()
    }

    fn cites(&mut self) -> Vec<Cite> {
        std::mem::take(&mut self.cites)
    }
}

impl Tree {
    /// A converter for pairs of a text that begins at `base`. `strays` are the citations in its joined lines.
    pub(crate) fn new(source: SourceId, base: usize, strays: Vec<Cite>) -> Self {
        Self { source, base, strays, wrong: Vec::new(), listed: false }
    }

    /// What is wrong with what was converted, though it could be read.
    pub(crate) fn into_wrong(self) -> Vec<Diagnostic> {
        self.wrong
    }

    /// The item.
    pub(crate) fn item(&mut self, node: Node<'_>) -> Built<Item> {
        let span = self.span(&node);
        let kind = match node.as_rule() {
            Rule::test => ItemKind::Test(Arc::new(self.test(node)?)),
            Rule::scene => ItemKind::Scene(Arc::new(self.scene(node)?)),
            Rule::inside
            | Rule::citing
            | Rule::hook
            | Rule::under
            | Rule::remove
            | Rule::waive
            | Rule::replace => ItemKind::Amend(self.change(node, false)?),
            _ => ItemKind::Declaration(self.declaration(node)?),
        };
        Ok(Item { kind, span })
    }

    /// Expressions at the top of an entry; whether it takes several with commas between them.
    pub(crate) fn expressions(
        &mut self,
        nodes: pest::iterators::Pairs<'_, Rule>,
        listed: bool,
    ) -> Built<Vec<Expr>> {
        let nodes = nodes.filter(|node| node.as_rule() == Rule::expr);
        self.among(listed, |tree| nodes.map(|node| tree.expr(node)).collect())
    }

    /// Where a pair stands, without blanks around it.
    fn span(&self, node: &Node<'_>) -> Span {
        let place = node.as_span();
        let written = place.as_str();
        let rest = written.trim_start();
        let start = self.base + place.start() + written.len() - rest.len();
        Span::new(self.source, start, start + rest.trim_end().len())
    }

    /// The parts of a pair: no signs, no keywords, citations set apart.
    fn parts<'i>(&mut self, node: Node<'i>) -> Parts<'i> {
        let span = self.span(&node);
        let mut cites = Vec::new();
        let mut rest = Vec::new();
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::cites => self.add_cites(part, &mut cites),
                rule if mute(rule) => {}
                _ => rest.push(part),
            }
        }
        Parts { rest: rest.into_iter().peekable(), cites, span }
    }

    fn add_cites(&self, node: Node<'_>, cites: &mut Vec<Cite>) {
        for cite in node.into_inner() {
            let span = self.span(&cite);
            cites.push(Cite { text: cite.as_str().trim_start_matches('@').to_owned(), span });
        }
    }

    /// Leaves citations of a part that keeps none to what it stands in.
    fn pass_on(&mut self, cites: Vec<Cite>) {
        self.strays.extend(cites);
    }

    /// The citations of a node that is complete: its own, and those taken out of its joined lines.
    fn close_cites(&mut self, mut cites: Vec<Cite>, span: Span) -> Vec<Cite> {
        if !self.strays.is_empty() {
            let (inside, outside) = std::mem::take(&mut self.strays)
                .into_iter()
                .partition(|cite: &Cite| span.contains(cite.span));
            self.strays = outside;
            cites.extend::<Vec<Cite>>(inside);
        }
        cites.sort_by_key(|cite| cite.span.start);
        cites
    }

    /// A name, a thing, a cell: its words with one blank between, apostrophes alike, quotes taken off.
    fn name(&self, node: &Node<'_>) -> Name {
        Name { text: fold(node.as_str()), span: self.span(node) }
    }

    /// A cell of a table: trimmed, blanks folded, otherwise as written.
    fn cell(&self, node: &Node<'_>) -> Name {
        let written = node.as_str();
        let text = if written.contains('"') {
            written.trim().to_owned()
        } else {
            written.split_whitespace().collect::<Vec<_>>().join(" ").replace('’', "'")
        };
        let span = self.span(node);
        Name { text, span }
    }

    fn names(&self, nodes: Vec<Node<'_>>) -> Vec<Name> {
        nodes.iter().map(|node| self.name(node)).collect()
    }

    /// A whole number.
    fn number(&self, node: &Node<'_>) -> Built<i64> {
        let span = self.span(node);
        match node.as_str().trim().parse::<i64>() {
            Ok(n) if n.unsigned_abs() <= MAX_NUMBER => Ok(n),
            _ => Err(Box::new(
                Diagnostic::error("syntax::expected", span, "a number is too large")
                    .label("more than 999 999 999")
                    .help("numbers go up to 999 999 999"),
            )),
        }
    }
}

/// The greatest number that may be written.
const MAX_NUMBER: u64 = 999_999_999;

/// Words with one blank between, straight apostrophes, without the quotes of a quoted thing.
pub(crate) fn fold(written: &str) -> String {
    let written = written.trim();
    // Nearly all names are written as they are compared.
    let plain = |pair: &[u8]| pair != b"  " && pair.iter().all(|&b| b.is_ascii_alphanumeric() || b == b' ');
    if written.len() > 1 && written.as_bytes().windows(2).all(plain) {
        return written.to_owned();
    }
    let (quoted, rest) = match written.strip_prefix('\'').and_then(|inner| inner.split_once('\'')) {
        Some((quoted, rest)) => (quoted, rest),
        None => ("", written),
    };
    let rest = rest.replacen('(', " (", 1);
    let mut folded = String::with_capacity(written.len());
    for word in quoted.split_whitespace().chain(rest.split_whitespace()) {
        if !folded.is_empty() && !folded.ends_with('(') && word != ")" {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded.replace('’', "'")
}

/// What should never be said: the grammar and the conversion disagree.
fn internal(span: Span) -> Box<Diagnostic> {
    let diagnostic =
        Diagnostic::error("syntax::expected", span, "this cannot be read, though the grammar allows it")
            .label("here")
            .help("this is a fault of the interpreter; please report it with these lines");
    Box::new(diagnostic)
}

/// Signs and keywords that say nothing beyond the rule they stand in.
fn mute(rule: Rule) -> bool {
    use Rule::*;
    matches!(
        rule,
        nl | sep
            | open_brace
            | close_brace
            | open_bracket
            | close_bracket
            | open_list
            | close_list
            | comma
            | semicolon
            | colon
            | dot
            | bar
            | equals
            | minus
            | range_sign
            | quote
            | EOI
            | assign_ahead
            | kw_back
            | kw_beats
            | kw_beside
            | kw_by
            | kw_cards
            | kw_case
            | kw_choose
            | kw_cite
            | kw_dice
            | kw_each
            | kw_every
            | kw_else
            | kw_except
            | kw_expect
            | kw_fact
            | kw_fails
            | kw_for
            | kw_fresh
            | kw_from
            | kw_grid
            | kw_if
            | kw_in
            | kw_invariant
            | kw_kind
            | kw_let
            | kw_links
            | kw_look
            | kw_named
            | kw_needs
            | kw_offer
            | kw_omitted
            | kw_option
            | kw_or
            | kw_others
            | kw_play
            | kw_position
            | kw_refuse
            | kw_remove
            | kw_replace
            | kw_return
            | kw_rule
            | kw_ruling
            | kw_scene
            | kw_seen
            | kw_known
            | kw_set_of
            | kw_setup
            | kw_state
            | kw_step
            | kw_stop
            | kw_table
            | kw_test
            | kw_under
            | kw_waive
            | kw_when
            | kw_whenever
            | kw_where
            | kw_while
            | kw_with
            | kw_within
    )
}
