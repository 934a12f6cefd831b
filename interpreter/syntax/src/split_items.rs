//! Cutting a file into items: each begins in column 0 with a word.

#![allow(clippy::wildcard_enum_match_arm, reason = "any other token is passed over")]

use blazon_diagnostics::{Diagnostic, SourceId, Span, near_keyword};

use crate::ast::compares;
use crate::keywords::{ITEM_WORDS, QUANTIFIERS, begins_item, reserved};
use crate::lexer::MAX_DEPTH;
use crate::lexer::{Token, TokenKind};
use crate::line_joining::{JOINT, at_margin};

/// A run of tokens from one word at the margin to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ItemSpan {
    /// Its first token.
    pub first: usize,
    /// The token after its last.
    pub last: usize,
    /// Whether it begins with the keyword of an item.
    pub is_item: bool,
}

/// Cuts a file. In a file whose braces do not match, a keyword at the margin begins an item even inside braces.
pub(crate) fn cut(text: &str, laid: &str, tokens: &[Token]) -> Vec<ItemSpan> {
    let matched = braces_match(tokens);
    let mut pieces: Vec<ItemSpan> = Vec::new();
    let mut depth = 0_usize;
    let mut patience = 2000;
    for (i, &token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open(b'{') => depth += 1,
            TokenKind::Close(b'}') => depth = depth.saturating_sub(1),
            TokenKind::Newline => continue,
            _ => {}
        }
        let solid =
            matches!(token.kind, TokenKind::Word | TokenKind::Text | TokenKind::Quoted | TokenKind::Cite);
        let joined = token.start > 0 && laid.as_bytes()[token.start - 1] == JOINT;
        let is_item =
            token.kind == TokenKind::Word && begins_item(token.text(text)) && at_margin(text, token);
        let begins = if pieces.is_empty() {
            true
        } else {
            solid && !joined && at_margin(text, token) && (depth == 0 || (is_item && !matched))
        };
        if !begins {
            continue;
        }
        if is_item && depth > 0 && !matches!(token.kind, TokenKind::Open(_)) {
            depth = 0;
        }
        match pieces.last_mut() {
            Some(piece) if !piece.is_item && !is_item && !speaks(text, token, &mut patience) => {}
            Some(piece) => {
                piece.last = i;
                pieces.push(ItemSpan { first: i, last: tokens.len(), is_item });
            }
            None => pieces.push(ItemSpan { first: i, last: tokens.len(), is_item }),
        }
    }
    pieces
}

/// Whether more can be said about a line at the margin than that it begins nothing; asked `patience` times at most.
fn speaks(text: &str, token: Token, patience: &mut usize) -> bool {
    if *patience == 0 {
        return false;
    }
    *patience -= 1;
    let word = token.text(text);
    HEADER_WORDS.contains(&word) || reserved(word) || near_keyword(word, ITEM_WORDS).is_some()
}

/// Words that began a file once.
const HEADER_WORDS: [&str; 2] = ["game", "variant"];

/// Whether every brace among some tokens has its partner.
pub(crate) fn braces_match(tokens: &[Token]) -> bool {
    let mut depth = 0_i64;
    for token in tokens {
        match token.kind {
            TokenKind::Open(b'{') => depth += 1,
            TokenKind::Close(b'}') => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// What is said about text at the margin that begins no item.
pub(crate) fn not_an_item(source: SourceId, text: &str, token: Token) -> Diagnostic {
    let word = token.text(text);
    let shown: String = word.chars().take(30).collect();
    let diagnostic = Diagnostic::error(
        "syntax::item",
        Span::new(source, token.start, token.end),
        "a line at the margin begins no item",
    )
    .label(format!("`{shown}` begins nothing"));
    if !at_margin(text, token) {
        let help = if begins_item(word) {
            format!("move `{word}` to the margin: an item begins in the first column")
        } else {
            "an item begins in the first column with a word such as `kind`, `rule` or `step`".to_owned()
        };
        return Diagnostic { message: "an item does not begin at the margin".into(), ..diagnostic }
            .help(help);
    }
    let help = if HEADER_WORDS.contains(&word) {
        "a file has no header: the name, the players and the rulebook stand in `blazon.ron` beside it"
            .to_owned()
    } else if reserved(word) {
        format!("`{word}` belongs inside an item: indent the line")
    } else if let Some(meant) = near_keyword(word, ITEM_WORDS) {
        return diagnostic.did_you_mean(meant);
    } else {
        "an item begins with a word such as `kind`, `rule` or `step`; indent a line that continues one"
            .to_owned()
    };
    diagnostic.help(help)
}

/// Finds nesting deeper than the parser follows.
pub(crate) fn check_depth(source: SourceId, text: &str, tokens: &[Token]) -> Option<Diagnostic> {
    let mut levels = vec![Level::default()];
    let mut depth = 0_usize;
    for &token in tokens {
        let inside = match token.kind {
            TokenKind::Open(_) => {
                levels.push(Level::default());
                depth += 1;
                0
            }
            TokenKind::Close(_) => {
                if levels.len() > 1 {
                    depth -= 1 + levels.pop().unwrap_or_default().queries;
                }
                0
            }
            TokenKind::Newline | TokenKind::Sign if ends_queries(token.text(text), levels.last()) => {
                depth -= levels.last_mut().map_or(0, |level| std::mem::take(level).queries);
                0
            }
            TokenKind::Word if QUANTIFIERS.contains(&token.text(text)) => {
                depth += 1;
                if let Some(level) = levels.last_mut() {
                    level.queries += 1;
                    level.compares |= compares(token.text(text));
                }
                0
            }
            TokenKind::Text => text_depth(token.text(text)),
            _ => 0,
        };
        if depth + inside > MAX_DEPTH {
            let diagnostic = Diagnostic::error(
                "syntax::depth",
                Span::new(source, token.start, token.start + 1),
                "brackets, braces or queries are nested too deeply",
            )
            .label(format!("more than {MAX_DEPTH} inside one another"))
            .help("give inner parts names: a rule for an expression, a step for statements");
            return Some(diagnostic);
        }
    }
    None
}

/// What is open between two brackets.
#[derive(Default)]
struct Level {
    /// How many queries.
    queries: usize,
    /// Whether one of them compares: behind a comma it may go on.
    compares: bool,
}

fn ends_queries(sign: &str, level: Option<&Level>) -> bool {
    matches!(sign, "\n" | ";") || (sign == "," && !level.is_some_and(|level| level.compares))
}

/// How deep the holes of a text nest, at most.
fn text_depth(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut deepest = 0;
    for c in text.chars() {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    if deepest == 0 || !text.contains('{') {
        return 0;
    }
    deepest + text.split(|c: char| !c.is_alphabetic()).filter(|word| QUANTIFIERS.contains(word)).count()
}
