//! Reading one item, and reading on after an error: what stands on a broken line is left out and the rest read again.

#![allow(clippy::wildcard_enum_match_arm, reason = "any other token is passed over")]

use std::ops::Range;

use blazon_diagnostics::{Diagnostic, SourceId, Span};

use crate::ast::{Cite, Item};
use crate::from_pairs::Tree;
use crate::grammar::{Rule, run};
use crate::keywords::{CHANGE_WORDS, HEAD_WORDS};
use crate::lexer::{Fault, Token, TokenKind};
use crate::messages::{Scene, explain, token_at};
use crate::split_items::{ItemSpan, check_braces, check_depth, not_an_item};

/// How many broken lines of one item are reported.
const MAX_ERRORS: usize = 8;

/// A file made ready for the grammar.
pub(crate) struct Ready<'t> {
    /// The file.
    pub source: SourceId,
    /// Its text.
    pub text: &'t str,
    /// Its text for the grammar.
    pub laid: &'t str,
    /// All tokens.
    pub tokens: &'t [Token],
    /// Citations taken out of joined lines.
    pub strays: &'t [Cite],
    /// What the first reading found wrong.
    pub faults: &'t [Fault],
}

/// Reads one piece of a file, from its first token to the first of the next piece.
pub(crate) fn read(ready: &Ready<'_>, piece: ItemSpan) -> (Option<Item>, Vec<Diagnostic>) {
    let tokens = &ready.tokens[piece.first..piece.last];
    let Some(&head) = tokens.first() else { return (None, Vec::new()) };
    let start = head.start;
    let end = solid_end(tokens).unwrap_or(head.end);
    let from = if piece.first == 0 { 0 } else { start };
    let to = ready.tokens.get(piece.last).map_or(ready.text.len(), |next| next.start);
    let first = ready.faults.partition_point(|fault| fault.at < from);
    let last = ready.faults.partition_point(|fault| fault.at < to);
    let faults = &ready.faults[first..last.max(first)];
    if !piece.is_item {
        let diagnostic = match faults.first() {
            Some(fault) => fault.diagnostic.clone(),
            None => not_an_item(ready.source, ready.text, head),
        };
        return (None, vec![diagnostic]);
    }
    if let Some(deep) = check_depth(ready.source, ready.laid, tokens) {
        return (None, vec![deep]);
    }
    let (brace_faults, mending) = check_braces(ready.source, ready.text, tokens);
    let mut diagnostics: Vec<Diagnostic> =
        faults.iter().take(MAX_ERRORS).map(|fault| fault.diagnostic.clone()).collect();
    if !faults.iter().any(|fault| fault.spoils_line) {
        diagnostics.extend(brace_faults.first().map(|fault| fault.diagnostic.clone()));
    }

    let mut clean = ready.laid.as_bytes()[start..end].to_vec();
    for &(at, byte) in &mending.overwrite {
        if let Some(place) = at.checked_sub(start).and_then(|at| clean.get_mut(at)) {
            *place = byte;
        }
    }
    clean.extend(std::iter::repeat_n(b'}', mending.missing));
    let mut attempt = Attempt { ready, tokens, start, end, clean, left_out: Vec::new() };
    for fault in faults.iter().filter(|fault| fault.spoils_line) {
        if !attempt.leave_out(fault.at) {
            return (None, diagnostics);
        }
    }
    let item = attempt.run(head, !brace_faults.is_empty(), &mut diagnostics);
    (item, diagnostics)
}

/// Reading an item again and again, with ever more of its lines left out.
struct Attempt<'t> {
    ready: &'t Ready<'t>,
    tokens: &'t [Token],
    start: usize,
    end: usize,
    clean: Vec<u8>,
    left_out: Vec<Range<usize>>,
}

impl Attempt<'_> {
    /// Leaves out the line around a place; false if that is the item's heading.
    fn leave_out(&mut self, at: usize) -> bool {
        if self.left_out.iter().any(|range| range.contains(&at)) {
            return true;
        }
        match line_around(self.ready, self.tokens, at) {
            Some(range) => {
                self.left_out.push(range);
                true
            }
            None => false,
        }
    }

    /// What is left to read.
    fn rest(&self) -> String {
        let mut bytes = self.clean.clone();
        for range in &self.left_out {
            bytes[range.start - self.start..range.end - self.start].fill(b' ');
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn run(&mut self, head: Token, patched: bool, diagnostics: &mut Vec<Diagnostic>) -> Option<Item> {
        let whole = format!("the {}", what(head.text(self.ready.text)));
        let scene = Scene {
            source: self.ready.source,
            text: self.ready.text,
            tokens: self.tokens,
            base: self.start,
            whole: &whole,
        };
        let mut line_before: Option<usize> = None;
        loop {
            let laid = self.rest();
            let error = match parse(self.ready, &laid, self.start, self.end) {
                Ok((item, wrong)) => {
                    diagnostics.extend(wrong.into_iter().take(MAX_ERRORS));
                    return Some(item);
                }
                Err(Failure::Grammar(error)) => explain(&error, &scene),
                Err(Failure::Tree(diagnostic)) => *diagnostic,
            };
            let at = error.span.map_or(self.start, |span| span.start as usize);
            if self.is_consequence(&laid, at) {
                // The line left out was good, but the one before it was not complete.
                let before = line_before.take()?;
                self.left_out.pop();
                if !self.leave_out(before) {
                    return None;
                }
                continue;
            }
            if (patched && !diagnostics.is_empty()) || diagnostics.len() >= MAX_ERRORS {
                return None;
            }
            diagnostics.push(error);
            line_before = self.line_before(at);
            if !self.leave_out(at) {
                return None;
            }
        }
    }

    /// Whether something fails only since what stood before it was left out.
    fn is_consequence(&self, laid: &str, at: usize) -> bool {
        let closes = match token_at(self.tokens, at).map(|i| self.tokens[i]) {
            Some(token) => match token.kind {
                TokenKind::Open(_) | TokenKind::Close(_) | TokenKind::Newline => true,
                _ => token.text(self.ready.text) == "else",
            },
            None => true,
        };
        self.left_out.iter().any(|range| {
            range.contains(&at)
                || closes
                    && laid
                        .get(range.end - self.start..at.saturating_sub(self.start))
                        .is_some_and(|gap| gap.trim().is_empty())
        })
    }

    /// For a place at the beginning of a line, one in the line before it.
    fn line_before(&self, at: usize) -> Option<usize> {
        let here = token_at(self.tokens, at)?;
        let fresh = here > 0 && self.tokens[here - 1].kind == TokenKind::Newline;
        let before = self.tokens[..here].iter().rfind(|token| token.kind != TokenKind::Newline)?;
        fresh.then_some(before.start)
    }
}

/// Why an item was not made.
enum Failure {
    Grammar(Box<pest::error::Error<Rule>>),
    Tree(Box<Diagnostic>),
}

fn parse(
    ready: &Ready<'_>,
    laid: &str,
    start: usize,
    end: usize,
) -> Result<(Item, Vec<Diagnostic>), Failure> {
    let mut pairs = run(Rule::item_entry, laid).map_err(Failure::Grammar)?;
    let first = ready.strays.partition_point(|cite| (cite.span.start as usize) < start);
    let last = ready.strays.partition_point(|cite| (cite.span.start as usize) < end);
    let strays = ready.strays[first..last.max(first)].to_vec();
    let Some(node) = pairs.next() else {
        let span = Span::new(ready.source, start, end);
        return Err(Failure::Tree(Box::new(Diagnostic::error("syntax::expected", span, "expected an item"))));
    };
    let mut tree = Tree::new(ready.source, start, strays);
    let item = tree.item(node).map_err(Failure::Tree)?;
    Ok((item, tree.into_wrong()))
}

/// The end of the last token that is not a line end.
fn solid_end(tokens: &[Token]) -> Option<usize> {
    tokens.iter().rev().find(|token| token.kind != TokenKind::Newline).map(|token| token.end)
}

/// What an item is called by its first word.
fn what(word: &str) -> &str {
    match word {
        "whenever" => "watch",
        "omitted" => "line",
        word if CHANGE_WORDS.contains(&word) => "change",
        word => word,
    }
}

/// The line that a place stands in, with the blocks it opens; `None` if that is the item's heading.
fn line_around(ready: &Ready<'_>, tokens: &[Token], at: usize) -> Option<Range<usize>> {
    let here = token_at(tokens, at).unwrap_or(tokens.len().saturating_sub(1));
    let ends_line = |i: usize| match tokens[i].kind {
        TokenKind::Newline => ready.laid.as_bytes().get(tokens[i].start) == Some(&b'\n'),
        TokenKind::Sign => tokens[i].text(ready.text) == ";",
        _ => false,
    };
    let mut first = here;
    let mut depth = 0_usize;
    while first > 0 {
        match tokens[first - 1].kind {
            TokenKind::Close(b'}') => depth += 1,
            TokenKind::Open(b'{') if depth == 0 => break,
            TokenKind::Open(b'{') => depth -= 1,
            _ if depth == 0 && ends_line(first - 1) => break,
            _ => {}
        }
        first -= 1;
    }
    if first == 0 {
        return None;
    }
    let head = HEAD_WORDS.contains(&tokens[first].text(ready.text));
    let mut opened = false;
    let mut last = first;
    depth = 0;
    while last < tokens.len() {
        match tokens[last].kind {
            TokenKind::Open(b'{') => {
                depth += 1;
                opened = true;
            }
            TokenKind::Close(b'}') if depth == 0 => break,
            TokenKind::Close(b'}') => depth -= 1,
            _ if depth == 0
                && last > here
                && ends_line(last)
                && !goes_on(ready, tokens, last, head, opened) =>
            {
                break;
            }
            _ if depth == 0 && last == here && ends_line(last) => break,
            _ => {}
        }
        last += 1;
    }
    let end = solid_end(&tokens[first..last])?;
    Some(tokens[first].start..end)
}

/// Whether what begins on this line has its needs or its block on the next, or an `else`.
fn goes_on(ready: &Ready<'_>, tokens: &[Token], end: usize, head: bool, opened: bool) -> bool {
    let Some(next) = tokens[end..].iter().find(|token| token.kind != TokenKind::Newline) else {
        return false;
    };
    match next.kind {
        TokenKind::Word if next.text(ready.text) == "else" => true,
        TokenKind::Word => head && !opened && next.text(ready.text) == "needs",
        TokenKind::Open(b'{') | TokenKind::Text => head && !opened,
        _ => false,
    }
}
