//! Reading one item, and reading on after an error: what stands on a broken line is left out and the rest read again.

#![allow(clippy::wildcard_enum_match_arm, reason = "any other token is passed over")]

use std::ops::Range;

use blazon_diagnostics::{Diagnostic, Span};
use blazon_grammar::{Rule, run};

use crate::ast::Item;
use crate::braces::check_braces;
use crate::from_pairs::Tree;
use crate::keywords::{CHANGE_WORDS, HEAD_WORDS};
use crate::lexer::{Token, TokenKind};
use crate::messages::{NO_BODY, Scene, explain, token_at};
use crate::ready::Ready;
use crate::slips::{Broken, Said};
use crate::split_items::{ItemSpan, check_depth, not_an_item};

/// How many broken lines of one item are reported.
const MAX_ERRORS: usize = 8;

/// Reads one piece of a file, from its first token to the first of the next piece.
pub(crate) fn read(ready: &Ready<'_>, piece: ItemSpan) -> (Option<Item>, Vec<Said>) {
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
        let said = match faults.first() {
            Some(fault) => fault.diagnostic.clone().into(),
            None => Said {
                diagnostic: not_an_item(ready.source, ready.text, head),
                broken: Some(Broken { text: ready.text[start..end].to_owned(), start, at: 0 }),
            },
        };
        return (None, vec![said]);
    }
    if let Some(deep) = check_depth(ready.source, &ready.laid, tokens) {
        return (None, vec![deep.into()]);
    }
    let (brace_faults, mending) = check_braces(ready.source, ready.text, &ready.laid, tokens);
    let mut diagnostics: Vec<Said> =
        faults.iter().take(MAX_ERRORS).map(|fault| fault.diagnostic.clone().into()).collect();
    if !faults.iter().any(|fault| fault.spoils_line) {
        diagnostics.extend(brace_faults.first().map(|fault| fault.diagnostic.clone().into()));
    }

    let mended = |text: &str| {
        let mut mended = text.as_bytes()[start..end].to_vec();
        for &(at, byte) in &mending.overwrite {
            if let Some(place) = at.checked_sub(start).and_then(|at| mended.get_mut(at)) {
                *place = byte;
            }
        }
        mended.extend(std::iter::repeat_n(b'}', mending.missing));
        mended
    };
    let clean = mended(&ready.laid);
    let written: &dyn Fn() -> Vec<u8> = &|| mended(ready.text);
    let mut attempt = Attempt { ready, tokens, start, end, clean, written, left_out: Vec::new() };
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
    /// The item for the grammar, its braces mended.
    clean: Vec<u8>,
    /// The item as it is written, its braces mended likewise.
    written: &'t dyn Fn() -> Vec<u8>,
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
    fn rest(&self, mut bytes: Vec<u8>) -> String {
        for range in &self.left_out {
            bytes[range.start - self.start..range.end - self.start].fill(b' ');
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn run(&mut self, head: Token, patched: bool, diagnostics: &mut Vec<Said>) -> Option<Item> {
        let whole = format!("the {}", what(head.text(self.ready.text)));
        let scene = Scene {
            source: self.ready.source,
            text: self.ready.text,
            tokens: self.tokens,
            base: self.start,
            whole: &whole,
        };
        let mut line_before: Option<usize> = None;
        let mut behind_heading: Option<usize> = None;
        loop {
            let laid = self.rest(self.clean.clone());
            let (error, is_grammar) = match parse(self.ready, &laid, self.start, self.end) {
                Ok((item, wrong)) => {
                    diagnostics.extend(wrong.into_iter().take(MAX_ERRORS).map(Said::from));
                    return Some(item);
                }
                Err(Failure::Grammar(error)) => (explain(&error, &scene), true),
                Err(Failure::Tree(diagnostic)) => (*diagnostic, false),
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
            // A heading without a block is at fault, not the line behind it; nor is it, if its block was left out.
            let heading = self.line_before(at).filter(|_| error.help.as_deref() == Some(NO_BODY));
            let follows = heading.is_some_and(|heading| self.is_left_out_between(heading, at))
                || behind_heading.is_some_and(|told| self.is_one_line(told, at));
            behind_heading = heading.map(|_| at);
            if !follows {
                diagnostics.push(self.said(error, is_grammar));
            }
            line_before = self.line_before(heading.unwrap_or(at));
            if !self.leave_out(heading.unwrap_or(at)) {
                return None;
            }
        }
    }

    /// A message, with what its words can be tried on where a keyword may be misspelt.
    fn said(&self, diagnostic: Diagnostic, is_grammar: bool) -> Said {
        let at = diagnostic.span.map_or(self.start, |span| span.start as usize);
        let guessed = diagnostic.help.as_ref().is_some_and(|help| help.starts_with("did you mean"));
        let certain = diagnostic.code != "syntax::expected" || guessed;
        let broken = (is_grammar && !certain).then(|| Broken {
            text: self.rest((self.written)()),
            start: self.start,
            at: at.saturating_sub(self.start),
        });
        Said { diagnostic, broken }
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

    fn is_one_line(&self, start: usize, end: usize) -> bool {
        self.ready.text.get(start..end).is_some_and(|between| !between.contains('\n'))
    }

    fn is_left_out_between(&self, start: usize, end: usize) -> bool {
        self.left_out.iter().any(|range| start <= range.start && range.end <= end)
    }

    /// For a place at the beginning of a line, one in the line before it.
    fn line_before(&self, at: usize) -> Option<usize> {
        let here = token_at(self.tokens, at)?;
        let fresh = here > 0 && self.tokens[here - 1].kind == TokenKind::Newline;
        let is_solid = |token: &&Token| {
            token.kind != TokenKind::Newline
                && !self.left_out.iter().any(|range| range.contains(&token.start))
        };
        let before = self.tokens[..here].iter().rfind(is_solid)?;
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
