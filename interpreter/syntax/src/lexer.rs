//! Signs and words of a file: just enough to find items, lines, brackets, texts and comments.
//!
//! The grammar reads the words of an item; this reader never fails, and what it finds wrong (a text without an end, a
//! tab in a table, an invisible character) it notes.

use std::ops::Range;

use blazon_diagnostics::{Diagnostic, Fix, SourceId, Span};

use crate::ast::Cite;
use crate::signs;

/// How deep brackets, braces and queries may nest.
pub(crate) const MAX_DEPTH: usize = 48;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A word or a number.
    Word,
    /// `"…"`
    Text,
    /// `'1710'`
    Quoted,
    /// `@5.21`
    Cite,
    /// `| … | … |`
    Row,
    /// `{`, `(`, `[`
    Open(u8),
    /// `}`, `)`, `]`
    Close(u8),
    /// The end of a line.
    Newline,
    /// Any other sign.
    Sign,
}

/// A token and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// First byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Token {
    /// The token as written.
    pub fn text<'t>(&self, source: &'t str) -> &'t str {
        source.get(self.start..self.end).unwrap_or("")
    }
}

/// Something wrong that the grammar need not see.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// Where.
    pub at: usize,
    /// Whether the line it stands in must be left out.
    pub spoils_line: bool,
    /// What to say.
    pub diagnostic: Diagnostic,
}

/// How many faults are noted.
pub(crate) const MAX_FAULTS: usize = 1000;

/// All that the reader found.
#[derive(Debug, Default)]
pub(crate) struct Lexed {
    /// The tokens in order.
    pub tokens: Vec<Token>,
    /// What is to be read as blanks: comments, tabs, carriage returns, foreign blanks.
    pub blanks: Vec<Range<usize>>,
    /// What is wrong.
    pub faults: Vec<Fault>,
}

/// Reads a whole file.
pub(crate) fn lex(source: SourceId, text: &str) -> Lexed {
    let mut lexer = Lexer {
        source,
        text,
        at: 0,
        line_start: 0,
        line_end: text.find('\n').unwrap_or(text.len()),
        out: Lexed::default(),
        fresh_line: true,
    };
    while lexer.at < text.len() {
        lexer.token();
    }
    lexer.out
}

/// The citations among some tokens, in order.
pub(crate) fn cites<'t>(
    source: SourceId,
    text: &'t str,
    tokens: &'t [Token],
) -> impl Iterator<Item = Cite> + 't {
    tokens.iter().filter(|token| token.kind == TokenKind::Cite).map(move |token| Cite {
        text: token.text(text).trim_start_matches('@').to_owned(),
        span: Span::new(source, token.start, token.end),
    })
}

/// Whether a character may stand in a word.
pub(crate) fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || is_mark(c)
}

/// Marks that combine with the letter before, such as an accent.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

struct Lexer<'t> {
    source: SourceId,
    text: &'t str,
    at: usize,
    line_start: usize,
    line_end: usize,
    fresh_line: bool,
    out: Lexed,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        self.out.tokens.push(Token { kind, start: self.at, end: self.at + length });
        self.at += length;
        self.fresh_line = kind == TokenKind::Newline;
    }

    fn blank(&mut self, length: usize) {
        self.out.blanks.push(self.at..self.at + length);
        self.at += length;
    }

    fn fault(&mut self, at: usize, spoils_line: bool, diagnostic: Diagnostic) {
        if self.out.faults.len() < MAX_FAULTS {
            self.out.faults.push(Fault { at, spoils_line, diagnostic });
        }
    }

    fn token(&mut self) {
        let Some(c) = self.rest().chars().next() else { return };
        match c {
            '\n' => {
                self.push(TokenKind::Newline, 1);
                self.line_start = self.at;
            }
            ' ' => self.at += 1,
            '\u{feff}' => self.blank(c.len_utf8()),
            c if c.is_whitespace() => self.blank(c.len_utf8()),
            '-' if self.rest().starts_with("--") => {
                let length = self.rest().find('\n').unwrap_or(self.rest().len());
                self.blank(length);
            }
            '"' => self.literal(),
            '\'' => self.quoted(),
            '|' => self.row(),
            '@' => {
                let length = 1 + self.rest()[1..]
                    .find(|c: char| !(c.is_alphanumeric() || c == '.' || c == '-'))
                    .unwrap_or(self.rest().len() - 1);
                self.push(TokenKind::Cite, length);
            }
            '{' | '(' | '[' => self.push(TokenKind::Open(c as u8), 1),
            '}' | ')' | ']' => self.push(TokenKind::Close(c as u8), 1),
            c if c.is_alphanumeric() => {
                let length = word_length(self.rest());
                self.push(TokenKind::Word, length);
            }
            c if c.is_control() => {
                let span = Span::new(self.source, self.at, self.at + c.len_utf8());
                let message = format!("an invisible character, U+{:04X}, stands in the rules", c as u32);
                let diagnostic = Diagnostic::error("syntax::expected", span, message)
                    .label("here")
                    .help("delete it; a rules file holds plain text")
                    .fix(Fix::replace("delete it", span, ""));
                self.fault(self.at, false, diagnostic);
                self.blank(c.len_utf8());
            }
            _ => {
                let length = signs::long(self.rest()).unwrap_or(c.len_utf8());
                self.push(TokenKind::Sign, length);
            }
        }
    }

    /// A text, which ends on its line; in its holes texts may stand again.
    fn literal(&mut self) {
        let line = self.line_rest();
        if let Some(length) = text_length(line, 0) {
            return self.push(TokenKind::Text, length);
        }
        // Without an end: the line's end is its end, but a brace there still opens a block.
        let code = line.trim_end();
        let length = if code.len() > 1 && code.ends_with('{') { code.len() - 1 } else { code.len() };
        let open_hole = unclosed_hole(&line[1..]);
        let (at, message, label, help) = match open_hole {
            Some(hole) if hole + 2 < length => (
                self.at + 1 + hole,
                "a hole in a text is not closed",
                "opened here",
                "close it with `}`, or write `{{` for a brace",
            ),
            _ => (
                self.at,
                "a text has no end on its line",
                "the text begins here",
                "end it with `\"` on the same line",
            ),
        };
        let span = Span::new(self.source, at, at + 1);
        let diagnostic = Diagnostic::error("syntax::text", span, message).label(label).help(help);
        self.fault(self.at, true, diagnostic);
        self.push(TokenKind::Text, length);
    }

    fn quoted(&mut self) {
        let line = self.line_rest();
        let before = &self.text[self.line_start..self.at];
        let word = before.rsplit(|c: char| !is_word_char(c)).next().unwrap_or_default();
        if !word.is_empty() {
            // A quoted name never touches a word: whatever the next apostrophe on the line is, it is no end of one.
            let diagnostic = Diagnostic::error(
                "syntax::text",
                Span::new(self.source, self.at, self.at + 1),
                "an apostrophe stands at the end of a word",
            )
            .label("a quoted name would begin here")
            .help(format!(
                "inside a name an apostrophe needs a letter on both sides: leave it out, or quote the name with `’` in its place, `'{word}’ …'`"
            ));
            self.fault(self.at, true, diagnostic);
            return self.push(TokenKind::Sign, 1);
        }
        if let Some(length) = line[1..].find('\'').filter(|&length| length > 0) {
            return self.push(TokenKind::Quoted, length + 2);
        }
        let diagnostic = Diagnostic::error(
            "syntax::text",
            Span::new(self.source, self.at, self.at + 1),
            "a quoted name has no end on its line",
        )
        .label("the name begins here")
        .help("quote the whole name, like '1710'; inside a word an apostrophe needs a letter on both sides");
        self.fault(self.at, true, diagnostic);
        self.push(TokenKind::Sign, 1);
    }

    /// A row of a table: everything up to the last bar of the line, signs and all.
    fn row(&mut self) {
        let line = self.line_rest();
        let code = &line[..line.find("--").unwrap_or(line.len())];
        let length = code.rfind('|').map_or(1, |last| last + 1).max(1);
        let start = if self.fresh_line { self.line_start } else { self.at };
        let tabs: Vec<usize> =
            self.text[start..self.at + length].match_indices('\t').map(|(i, _)| start + i).collect();
        if let Some(&first) = tabs.first() {
            let span = Span::new(self.source, first, first + 1);
            let diagnostic = Diagnostic::error("syntax::tab", span, "a tab stands in a row of a table")
                .label(if tabs.len() == 1 {
                    "a tab".into()
                } else {
                    format!("the first of {} tabs", tabs.len())
                })
                .help("a table is aligned with spaces: replace each tab by spaces");
            self.fault(first, false, diagnostic);
        }
        self.out.blanks.extend(tabs.into_iter().filter(|&t| t >= self.at).map(|t| t..t + 1));
        self.push(TokenKind::Row, length);
    }

    /// What is left of the line.
    fn line_rest(&mut self) -> &'t str {
        if self.line_end < self.at {
            self.line_end = self.at + self.rest().find('\n').unwrap_or(self.rest().len());
        }
        let line = &self.text[self.at..self.line_end];
        line.strip_suffix('\r').unwrap_or(line)
    }
}

/// The length of a word: letters, digits, and signs that join them.
fn word_length(rest: &str) -> usize {
    let mut end = 0;
    for (at, c) in rest.char_indices() {
        let joined = || rest[at + c.len_utf8()..].starts_with(is_word_char);
        if is_word_char(c) || matches!(c, '\'' | '-' | '’') && joined() {
            end = at + c.len_utf8();
        } else {
            if c == '’' {
                end = at + c.len_utf8();
            }
            break;
        }
    }
    end
}

/// Where a hole begins behind the quote of a text that is not closed before the next quote.
fn unclosed_hole(line: &str) -> Option<usize> {
    let (mut at, mut quote) = (0, 0);
    loop {
        let hole = at + line[at..].find('{')?;
        if line[hole + 1..].starts_with('{') {
            at = hole + 2;
            continue;
        }
        // Of many holes before one quote it is sought once.
        if quote <= hole {
            quote = hole + line[hole..].find('"')?;
        }
        match line[hole..quote].find('}') {
            Some(end) => at = hole + end + 1,
            None => return Some(hole),
        }
    }
}

/// The length of the text that begins at the start of `line`, with its quotes; `None` if it has no end.
fn text_length(line: &str, depth: usize) -> Option<usize> {
    let bytes = line.as_bytes();
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'{' if bytes.get(at + 1) == Some(&b'{') => at += 2,
            b'{' if depth < MAX_DEPTH => at = hole_end(line, at + 1, depth)?,
            _ => at += 1,
        }
    }
}

/// Where the hole that begins at `at` ends.
pub(crate) fn hole_end(line: &str, mut at: usize, depth: usize) -> Option<usize> {
    let bytes = line.as_bytes();
    loop {
        match bytes.get(at)? {
            b'}' => return Some(at + 1),
            b'"' => at += text_length(&line[at..], depth + 1)?,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_hole_is_found_behind_many_that_are_closed() {
        // Twice as many take twice as long: with four times as long this would go on for minutes.
        let holes = "{}".repeat(400_000);
        assert_eq!(unclosed_hole(&format!("{holes}{{ \"")), Some(holes.len()));
        assert_eq!(unclosed_hole(&format!("{holes}\"")), None);
        assert_eq!(unclosed_hole("a {b} \" {c \""), Some(8));
    }
}
