//! How far in each line begins: by two for each brace that is open, by two for what belongs to the line above it, by four
//! for a line that goes on, and by four more for each bracket open there.

use super::page::Line;
use crate::lexer::{Token, TokenKind};

/// A brace that is open, or the item itself.
struct Frame {
    /// How far in the line begins that opened it.
    indent: usize,
    /// What heads the lines below, if anything does.
    head: Option<Head>,
    /// Whether the rows of a table stand in it.
    of_table: bool,
}

impl Frame {
    /// What stands around all braces of an item.
    fn of_item(of_table: bool) -> Self {
        Self { indent: 0, head: None, of_table }
    }
}

/// A line that has others below it without a brace.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Head {
    /// A rule, or who sees a thing and what its back shows, and the clauses.
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

pub(super) fn indent(lines: &mut [Line<'_>]) {
    let mut frames = vec![Frame::of_item(false)];
    let mut logical = Logical::default();
    for line in lines.iter_mut() {
        let Some(first) = line.tokens.first() else { continue };
        if line.begins_item {
            frames = vec![Frame::of_item(line.word(first) == "table")];
        }
        if line.joined || logical.is_clause && line.word(first) == "if" {
            line.indent =
                if logical.lists_links { logical.indent } else { logical.indent + 4 * (1 + logical.open) };
        } else {
            logical = begin(line, first, &mut frames);
            line.indent = logical.indent;
        }
        line.keeps_blanks = logical.is_row;
        follow(line, &mut frames, &mut logical);
    }
    comments(lines);
}

/// A line that goes on with none.
fn begin(line: &Line<'_>, first: &Token, frames: &mut [Frame]) -> Logical {
    let is_clause = matches!(line.word(first), "except" | "+" | "-" | "known");
    let opens_table = line.tokens.iter().map(|token| line.word(token)).take(2).eq(["in", "table"]);
    let of = |indent, frame, of_table| Logical {
        indent,
        frame,
        is_clause,
        opens_table,
        is_row: of_table && is_named_row(line, opens_table),
        lists_links: lists_links(line),
        ..Logical::default()
    };
    let outside = frames.len() == 1;
    let Some(frame) = frames.last_mut() else { return of(0, 0, opens_table) };
    let opens_block = first.kind == TokenKind::Open(b'{');
    if first.kind == TokenKind::Close(b'}') {
        return of(frame.indent, frame.indent, false);
    }
    if line.begins_item || outside && opens_block {
        return of(0, 0, opens_table);
    }
    let indent = frame.indent + 2;
    if outside {
        return of(indent, 0, frame.of_table || opens_table);
    }
    if frame.head.is_some_and(|head| belongs(line, first, head)) {
        return of(indent + 2, indent, frame.head == Some(Head::Rows));
    }
    if !opens_block {
        frame.head = head(line);
    }
    of(indent, indent, frame.of_table || opens_table)
}

/// Goes through the brackets of a line.
fn follow(line: &Line<'_>, frames: &mut Vec<Frame>, logical: &mut Logical) {
    for token in line.tokens {
        match token.kind {
            TokenKind::Open(b'{') => {
                frames.push(Frame { indent: logical.frame, head: None, of_table: logical.opens_table });
            }
            TokenKind::Close(b'}') => {
                if frames.len() > 1 {
                    frames.pop();
                }
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
fn head(line: &Line<'_>) -> Option<Head> {
    let words = line.tokens.iter().map(|token| line.word(token));
    let mut words = words.skip_while(|word| matches!(*word, "replace" | "whole"));
    match words.next()? {
        "rule" | "seen" | "back" => Some(Head::Rule),
        "table" | "links" => Some(Head::Rows),
        "ruling" => Some(Head::Ruling),
        "option" | "step" => Some(Head::Needs),
        _ => None,
    }
}

/// Whether a line belongs to the head above it.
fn belongs(line: &Line<'_>, first: &Token, head: Head) -> bool {
    let word = line.word(first);
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

/// Whether a line of a table may hold a row that begins with a name: `Harbour: yes; Mill, Ford`. Where it opens the table, the
/// rows stand behind the brace.
fn is_named_row(line: &Line<'_>, opens_table: bool) -> bool {
    let is_heading = |token: &&Token| opens_table && token.kind != TokenKind::Open(b'{');
    line.tokens.iter().skip_while(is_heading).any(|token| line.word(token) == ":")
}

/// Whether a line lists links: `North Gate - Mill, North Gate - Ford`.
fn lists_links(line: &Line<'_>) -> bool {
    let is_thing =
        |token: &Token| token.kind == TokenKind::Quoted || line.word(token).starts_with(char::is_uppercase);
    line.tokens.first().is_some_and(is_thing)
        && line.tokens.iter().any(|token| line.word(token) == "-")
        && !line.tokens.iter().any(|token| {
            matches!(line.word(token), ":" | ":=" | "=") || matches!(token.kind, TokenKind::Open(b'{'))
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
