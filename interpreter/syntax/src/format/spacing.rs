//! Which blanks stand between the tokens of a line.

use super::page::{Line, Piece};
use crate::lexer::{Token, TokenKind};

/// Gives each token of a line the blanks before it.
pub(super) fn space(line: &mut Line<'_>) {
    let mut before: Option<&Token> = None;
    let mut pieces = Vec::new();
    // What stands beside a row goes into its cells.
    let is_row = |token: &Token| token.kind == TokenKind::Row;
    line.keeps_blanks |= line.tokens.iter().skip(1).any(is_row);
    for (place, token) in line.tokens.iter().enumerate() {
        let blanks = match before {
            None => 0,
            Some(before) if line.keeps_blanks && token.kind != TokenKind::Cite => line.gap(before, token),
            Some(_) if place == 1 && is_labelled(line) => 1,
            Some(before) => usize::from(is_parted(line, before, token)),
        };
        pieces.push(Piece { token: place, blanks, text: None });
        before = Some(token);
    }
    line.before_comment = usize::from(!line.tokens.is_empty());
    line.pieces = pieces;
}

/// Whether a line is a clause that takes something away, with a label: `- near: 1`. Before its label a minus is no sign of a
/// number.
fn is_labelled(line: &Line<'_>) -> bool {
    let words = line.tokens.iter().skip(1).take_while(|token| token.kind == TokenKind::Word).count();
    let is = |place: usize, sign: &str| line.tokens.get(place).is_some_and(|token| line.word(token) == sign);
    is(0, "-") && words > 0 && is(1 + words, ":")
}

/// Whether a blank stands between two tokens.
fn is_parted(line: &Line<'_>, before: &Token, after: &Token) -> bool {
    let written = before.end < after.start;
    let (left, right) = (line.word(before), line.word(after));
    match (before.kind, after.kind) {
        // Whether it is said of what follows, or stands between two, hangs on the blank.
        (TokenKind::Sign, _) if left == "-" => written,
        (_, TokenKind::Sign) if right == "-" => written,
        // A bracket that is called, or of a name.
        (_, TokenKind::Open(b'(')) => written && !matches!(before.kind, TokenKind::Open(b'(' | b'[')),
        (TokenKind::Open(b'(' | b'['), _) | (_, TokenKind::Close(b')' | b']')) => false,
        (_, TokenKind::Sign) if matches!(right, "," | ";" | ":" | "." | ".." | "?") => false,
        (TokenKind::Sign, _) if matches!(left, "." | "..") => false,
        _ => true,
    }
}
