//! Which line ends join two lines, and the text that the grammar reads: as long as the file, byte for byte, with
//! comments and joining line ends made blank and the citations of joined lines taken out.

#![allow(clippy::wildcard_enum_match_arm, reason = "any other token is passed over")]

use blazon_diagnostics::{Diagnostic, SourceId, Span};

use crate::ast::Cite;
use crate::keywords::{INNER_WORDS, JOINING_WORDS, LINE_WORDS, begins_item};
use crate::lexer::{Fault, Lexed, MAX_FAULTS, Token, TokenKind};
use crate::signs;

/// The blank that stands for a joining line end; unlike a space it also ends a name.
pub(crate) const JOINT: u8 = 0x0b;

/// The text for the grammar.
#[derive(Debug)]
pub(crate) struct Layout {
    /// As long as the file.
    pub text: String,
    /// Citations taken out of joined lines, in order.
    pub strays: Vec<Cite>,
    /// Brackets without a partner.
    pub faults: Vec<Fault>,
}

/// Lays a file out. `all_joined` joins every line, for a single expression.
pub(crate) fn lay_out(source: SourceId, text: &str, lexed: &Lexed, all_joined: bool) -> Layout {
    let tokens = &lexed.tokens;
    let (partners, faults) = match_brackets(source, text, tokens);
    let mut bytes = text.as_bytes().to_vec();
    let mut strays = Vec::new();
    for range in &lexed.blanks {
        bytes[range.clone()].fill(b' ');
    }
    let next_solid = next_solid(tokens);
    let mut depth = 0_usize;
    let mut before: Option<usize> = None;
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open(_) if partners[i] => depth += 1,
            TokenKind::Close(_) if partners[i] => depth = depth.saturating_sub(1),
            _ => {}
        }
        match token.kind {
            TokenKind::Newline => {
                let after = next_solid[i].map(|n| tokens[n]);
                let joined = all_joined || joins(text, before.map(|b| tokens[b]), after, depth > 0);
                if joined {
                    bytes[token.start] = JOINT;
                    let first = before.map_or(0, |b| b + 1);
                    for cite in tokens[first..i].iter().filter(|t| t.kind == TokenKind::Cite) {
                        if bytes[cite.start] == b'@' {
                            bytes[cite.start..cite.end].fill(b' ');
                            strays.push(Cite {
                                text: cite.text(text).trim_start_matches('@').to_owned(),
                                span: Span::new(source, cite.start, cite.end),
                            });
                        }
                    }
                }
            }
            TokenKind::Cite => {}
            _ => before = Some(i),
        }
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Layout { text, strays, faults }
}

/// For every token, the next one that is neither a line end nor before it.
fn next_solid(tokens: &[Token]) -> Vec<Option<usize>> {
    let mut next = vec![None; tokens.len()];
    let mut solid = None;
    for (i, token) in tokens.iter().enumerate().rev() {
        next[i] = solid;
        if token.kind != TokenKind::Newline {
            solid = Some(i);
        }
    }
    next
}

/// Whether the line end between two tokens joins them.
fn joins(text: &str, before: Option<Token>, after: Option<Token>, bracketed: bool) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return false };
    if at_margin(text, after) && after.kind == TokenKind::Word && begins_item(after.text(text)) {
        return false;
    }
    if bracketed {
        return true;
    }
    let leads = match before.kind {
        TokenKind::Sign => signs::leads(before.text(text)),
        TokenKind::Word => INNER_WORDS.contains(&before.text(text)),
        _ => false,
    };
    let trails = match after.kind {
        TokenKind::Sign => signs::trails(after.text(text)),
        TokenKind::Word => {
            let word = after.text(text);
            JOINING_WORDS.contains(&word) && (word != "else" || before.kind != TokenKind::Close(b'}'))
        }
        _ => false,
    };
    (leads && after.kind != TokenKind::Row) || (trails && !matches!(before.kind, TokenKind::Open(_)))
}

/// Whether a token stands in column 0.
pub(crate) fn at_margin(text: &str, token: Token) -> bool {
    let before = &text[..token.start];
    before.is_empty() || before.ends_with('\n') || before == "\u{feff}"
}

/// Finds the partners of `(` and `[`; a brace, a `;` or a line that begins something ends what is open.
fn match_brackets(source: SourceId, text: &str, tokens: &[Token]) -> (Vec<bool>, Vec<Fault>) {
    let mut partners = vec![false; tokens.len()];
    let mut faults = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut fresh = true;
    for (i, &token) in tokens.iter().enumerate() {
        faults.truncate(MAX_FAULTS);
        let ends = match token.kind {
            TokenKind::Open(b'{') | TokenKind::Close(b'}') => true,
            TokenKind::Row => fresh,
            TokenKind::Sign => token.text(text) == ";",
            TokenKind::Word if fresh => {
                let word = token.text(text);
                LINE_WORDS.contains(&word) || (at_margin(text, token) && begins_item(word))
            }
            _ => false,
        };
        fresh = token.kind == TokenKind::Newline;
        if ends {
            faults.extend(open.last().map(|&o| unclosed(source, text, tokens[o], None)));
            open.clear();
            continue;
        }
        match token.kind {
            TokenKind::Open(_) => open.push(i),
            TokenKind::Close(sign) => match open.pop() {
                Some(o) if tokens[o].kind == TokenKind::Open(if sign == b')' { b'(' } else { b'[' }) => {
                    partners[o] = true;
                    partners[i] = true;
                }
                Some(o) => faults.push(unclosed(source, text, tokens[o], Some(token))),
                None => faults.push(surplus(source, text, token)),
            },
            _ => {}
        }
    }
    faults.extend(open.last().map(|&o| unclosed(source, text, tokens[o], None)));
    (partners, faults)
}

/// An opening bracket or brace without a partner.
pub(crate) fn unclosed(source: SourceId, text: &str, open: Token, other: Option<Token>) -> Fault {
    let sign = open.text(text);
    let partner = match sign {
        "{" => "}",
        "(" => ")",
        _ => "]",
    };
    let span = Span::new(source, open.start, open.end);
    let mut diagnostic = Diagnostic::error("syntax::brace", span, format!("a `{sign}` is not closed"))
        .label("opened here")
        .help(format!("close it with `{partner}`"));
    if let Some(other) = other {
        let words = if sign == "{" { "this closes a brace further out" } else { "this does not close it" };
        diagnostic = diagnostic.related(Span::new(source, other.start, other.end), words);
    }
    Fault { at: open.start, spoils_line: sign != "{", diagnostic }
}

/// A closing bracket or brace without a partner.
pub(crate) fn surplus(source: SourceId, text: &str, close: Token) -> Fault {
    let sign = close.text(text);
    let diagnostic = Diagnostic::error(
        "syntax::brace",
        Span::new(source, close.start, close.end),
        format!("a `{sign}` closes nothing"),
    )
    .label("nothing is open here")
    .help("delete it, or open what it should close");
    Fault { at: close.start, spoils_line: sign != "}", diagnostic }
}
