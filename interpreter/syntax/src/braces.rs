//! The braces of an item: which one is missing is told by the indentation of its lines.

#![allow(clippy::wildcard_enum_match_arm, reason = "any other token is passed over")]

use blazon_diagnostics::{Diagnostic, Fix, SourceId, Span};

use crate::lexer::{Fault, Token, TokenKind};
use crate::line_joining::{JOINT, surplus, unclosed};
use crate::split_items::braces_match;

/// What mends the braces of a piece: bytes to overwrite, and closing braces to add at its end.
#[derive(Debug, Default)]
pub(crate) struct Mending {
    /// Places and the byte to write there.
    pub overwrite: Vec<(usize, u8)>,
    /// Braces missing at the end.
    pub missing: usize,
}

/// A line of an item, with the lines that continue it.
struct Line {
    /// How far its first token stands from the margin.
    indent: usize,
    /// Its first token, and the one after its last: its line end, if it has one.
    first: usize,
    end: usize,
}

/// Checks the braces of one piece; `laid` is the file as the grammar reads it.
pub(crate) fn check_braces(
    source: SourceId,
    text: &str,
    laid: &str,
    tokens: &[Token],
) -> (Vec<Fault>, Mending) {
    let mut check =
        Check { source, text, tokens, lines: Vec::new(), faults: Vec::new(), mending: Mending::default() };
    if !braces_match(tokens) {
        check.lines = lines(text, laid, tokens);
        check.run();
    }
    (check.faults, check.mending)
}

/// The lines of an item, those that continue another taken together with it.
fn lines(text: &str, laid: &str, tokens: &[Token]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut fresh = true;
    for (i, token) in tokens.iter().enumerate() {
        if token.kind == TokenKind::Newline {
            fresh |= laid.as_bytes().get(token.start) != Some(&JOINT);
        } else {
            if fresh {
                let margin = text[..token.start].rfind('\n').map_or(0, |newline| newline + 1);
                lines.push(Line { indent: token.start - margin, first: i, end: i });
            }
            fresh = false;
            if let Some(line) = lines.last_mut() {
                line.end = i + 1;
            }
        }
    }
    lines
}

struct Check<'t> {
    source: SourceId,
    text: &'t str,
    tokens: &'t [Token],
    lines: Vec<Line>,
    faults: Vec<Fault>,
    mending: Mending,
}

impl Check<'_> {
    fn run(&mut self) {
        // The lines that opened what is open, and with which token.
        let mut open: Vec<(Token, usize)> = Vec::new();
        for place in 0..self.lines.len() {
            let Line { indent, first, end } = self.lines[place];
            for at in first..end {
                let token = self.tokens[at];
                match token.kind {
                    TokenKind::Open(b'{') => open.push((token, place)),
                    TokenKind::Close(b'}') => {
                        if at == first {
                            self.close_deeper(&mut open, indent, at);
                            let outer = open.last().map(|&(_, line)| line);
                            if self.open_missing(outer, place) {
                                continue;
                            }
                        }
                        if open.pop().is_none() {
                            self.faults.push(surplus(self.source, self.text, token));
                            self.mending.overwrite.push((token.start, b' '));
                        }
                    }
                    _ => {}
                }
            }
        }
        self.mending.missing += open.len();
        let left = open.iter().rev().map(|&(token, _)| unclosed(self.source, self.text, token, None));
        self.faults.extend(left);
    }

    /// A `}` that begins a line leaves open what lines further in have opened.
    fn close_deeper(&mut self, open: &mut Vec<(Token, usize)>, indent: usize, at: usize) {
        while open.len() > 1 && open.last().is_some_and(|&(_, line)| self.lines[line].indent > indent) {
            let Some((missed, _)) = open.pop() else { break };
            self.faults.push(unclosed(self.source, self.text, missed, Some(self.tokens[at])));
            let newline = at.checked_sub(1).map(|before| self.tokens[before]);
            let taken = |start| self.mending.overwrite.iter().any(|&(other, _)| other == start);
            match newline.filter(|token| token.kind == TokenKind::Newline && !taken(token.start)) {
                Some(newline) => self.mending.overwrite.push((newline.start, b'}')),
                None => self.mending.missing += 1,
            }
        }
    }

    /// Whether a `}` that begins a line closes what a line above began without a `{`: the nearest line that stands as
    /// far from the margin, with lines further in behind it. `outer` is the line that opened what is open.
    fn open_missing(&mut self, outer: Option<usize>, place: usize) -> bool {
        let indent = self.lines[place].indent;
        let above = outer.map_or(0, |line| line + 1);
        if outer.is_some_and(|line| self.lines[line].indent >= indent) {
            return false;
        }
        let Some(began) = (above..place).rev().find(|&line| self.lines[line].indent <= indent) else {
            return false;
        };
        let follows = |line: usize| self.lines.get(line + 1).filter(|_| line + 1 < place);
        if self.lines[began].indent != indent || follows(began).is_none_or(|next| next.indent <= indent) {
            return false;
        }
        // Its needs stand before its brace.
        let mut last = began;
        while follows(last).is_some_and(|next| self.tokens[next.first].text(self.text) == "needs") {
            last += 1;
        }
        let Line { first, end, .. } = self.lines[last];
        let solid = self.tokens[first..end].iter().rfind(|token| token.kind != TokenKind::Cite);
        let Some(&solid) =
            solid.filter(|token| !matches!(token.kind, TokenKind::Open(b'{') | TokenKind::Close(b'}')))
        else {
            return false;
        };
        self.say_missing(solid, self.tokens[self.lines[place].first]);
        if let Some(newline) = self.tokens.get(end) {
            self.mending.overwrite.push((newline.start, b'{'));
        }
        true
    }

    fn say_missing(&mut self, before: Token, close: Token) {
        let at = Span::new(self.source, before.start, before.end);
        let behind = Span::new(self.source, before.end, before.end);
        let diagnostic = Diagnostic::error("syntax::brace", at, "a `{` is missing")
            .label("it should stand behind this")
            .related(Span::new(self.source, close.start, close.end), "this closes what begins there")
            .help("open what the line begins: write `{` at its end")
            .fix(Fix::replace("write `{` at the end of the line", behind, " {"));
        self.faults.push(Fault { at: before.start, spoils_line: false, diagnostic });
    }
}
