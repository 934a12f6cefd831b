//! How far in each line begins: by two for each brace that is open, by two for what belongs to the line above it, by four
//! for a line that goes on, and by four more for each bracket open there.

use super::page::Line;
use crate::lexer::{Token, TokenKind};

/// A brace that is open.
struct Frame {
    /// How far in the line begins that opened it.
    indent: usize,
    /// What heads the lines below, if anything does.
    head: Option<Head>,
    /// Whether the rows of a table stand in it.
    of_table: bool,
}

/// A line that has others below it without a brace.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Head {
    /// A rule and its clauses.
    Rule,
    /// A table, or links, and their rows.
    Rows,
    /// A ruling and its question.
    Ruling,
    /// An option or a step and its needs.
    Needs,
}

/// A line that may go on below.
#[derive(Default)]
struct Logical {
    indent: usize,
    /// Round and square brackets that are open.
    open: usize,
    /// Whether it lists links, which stand below each other.
    lists_links: bool,
    /// How far in a brace stands that is opened on it.
    frame: usize,
    /// Whether it is a clause: its condition may stand below.
    is_clause: bool,
    /// Whether it is a row that begins with a name: its cells are texts.
    is_row: bool,
    /// Whether it opens a table for changes.
    opens_table: bool,
}

pub(super) fn indent(text: &str, lines: &mut [Line<'_>]) {
    let mut frames: Vec<Frame> = Vec::new();
    let mut logical = Logical::default();
    let mut in_table = false;
    for line in lines.iter_mut() {
        if line.begins_item {
            frames.clear();
            in_table = line.tokens.first().is_some_and(|token| token.text(text) == "table");
        }
        let Some(first) = line.tokens.first() else { continue };
        if line.joined || logical.is_clause && first.text(text) == "if" {
            line.indent =
                if logical.lists_links { logical.indent } else { logical.indent + 4 * (1 + logical.open) };
        } else {
            logical = begin(text, line, first, &mut frames);
            let is_row = is_named_row(text, line.tokens);
            logical.is_row |= is_row && frames.is_empty() && in_table && !line.begins_item;
            line.indent = logical.indent;
        }
        line.keeps_blanks = logical.is_row;
        follow(line, &mut frames, &mut logical);
    }
    comments(lines);
}

/// A line that goes on with none.
fn begin(text: &str, line: &Line<'_>, first: &Token, frames: &mut [Frame]) -> Logical {
    let is_clause = matches!(first.text(text), "except" | "+" | "-" | "known");
    let lists_links = lists_links(text, line.tokens);
    let is_row = is_named_row(text, line.tokens);
    let opens_table = line.tokens.iter().map(|token| token.text(text)).take(2).eq(["in", "table"]);
    let of =
        |indent, frame| Logical { indent, lists_links, frame, is_clause, opens_table, ..Logical::default() };
    if first.kind == TokenKind::Close(b'}') {
        let indent = frames.last().map_or(0, |frame| frame.indent);
        return of(indent, indent);
    }
    let Some(frame) = frames.last_mut() else {
        let indent = if line.begins_item || first.kind == TokenKind::Open(b'{') { 0 } else { 2 };
        return Logical { is_row: is_row && opens_table, ..of(indent, 0) };
    };
    let indent = frame.indent + 2;
    let belongs = frame.head.is_some_and(|head| belongs(text, first, head));
    if belongs {
        let is_row = is_row && frame.head == Some(Head::Rows);
        return Logical { is_row, ..of(indent + 2, indent) };
    }
    if first.kind != TokenKind::Open(b'{') {
        frame.head = head(text, line.tokens);
    }
    Logical { is_row: is_row && (frame.of_table || opens_table), ..of(indent, indent) }
}

/// Goes through the brackets of a line.
fn follow(line: &Line<'_>, frames: &mut Vec<Frame>, logical: &mut Logical) {
    for token in line.tokens {
        match token.kind {
            TokenKind::Open(b'{') => {
                frames.push(Frame { indent: logical.frame, head: None, of_table: logical.opens_table });
            }
            TokenKind::Close(b'}') => {
                frames.pop();
                // What had a block has no more lines below.
                if let Some(frame) = frames.last_mut().filter(|frame| frame.head == Some(Head::Needs)) {
                    frame.head = None;
                }
            }
            TokenKind::Open(_) => logical.open += 1,
            TokenKind::Close(_) => logical.open = logical.open.saturating_sub(1),
            TokenKind::Word
            | TokenKind::Text
            | TokenKind::Quoted
            | TokenKind::Cite
            | TokenKind::Row
            | TokenKind::Newline
            | TokenKind::Sign => {}
        }
    }
}

/// Whether lines may stand below a line without a brace.
fn head(text: &str, tokens: &[Token]) -> Option<Head> {
    let mut words =
        tokens.iter().map(|token| token.text(text)).skip_while(|word| matches!(*word, "replace" | "whole"));
    match words.next()? {
        "rule" => Some(Head::Rule),
        "table" | "links" => Some(Head::Rows),
        "ruling" => Some(Head::Ruling),
        "option" | "step" => Some(Head::Needs),
        _ => None,
    }
}

/// Whether a line belongs to the head above it.
fn belongs(text: &str, first: &Token, head: Head) -> bool {
    let word = first.text(text);
    match head {
        Head::Needs => word == "needs",
        Head::Ruling => first.kind == TokenKind::Text,
        Head::Rule => {
            first.kind == TokenKind::Row || matches!(word, "needs" | "except" | "known" | "+" | "-")
        }
        Head::Rows => {
            matches!(first.kind, TokenKind::Row | TokenKind::Quoted) || word.starts_with(char::is_uppercase)
        }
    }
}

/// Whether a line of a table may hold a row that begins with a name: `Harbour: yes; Mill, Ford`.
fn is_named_row(text: &str, tokens: &[Token]) -> bool {
    tokens.iter().any(|token| token.text(text) == ":")
}

/// Whether a line lists links: `Derby - Lincoln, Derby - Warwick`.
fn lists_links(text: &str, tokens: &[Token]) -> bool {
    let is_thing =
        |token: &Token| token.kind == TokenKind::Quoted || token.text(text).starts_with(char::is_uppercase);
    tokens.first().is_some_and(is_thing)
        && tokens.iter().any(|token| token.text(text) == "-")
        && !tokens.iter().any(|token| {
            matches!(token.text(text), ":" | ":=" | "=") || matches!(token.kind, TokenKind::Open(b'{'))
        })
}

/// A comment by itself stands where the next line does.
fn comments(lines: &mut [Line<'_>]) {
    let mut below = 0;
    for line in lines.iter_mut().rev() {
        match line.tokens.first() {
            None if line.comment.is_some() => line.indent = below,
            None => {}
            Some(_) if line.kept.is_some() => below = 0,
            Some(first) => {
                below = line.indent + if first.kind == TokenKind::Close(b'}') { 2 } else { 0 };
            }
        }
    }
}
