//! A page as lines: what stands on each, which go on with the line above, and which are kept as they are.

use std::ops::Range;

use blazon_diagnostics::{Severity, SourceId};

use crate::lexer::{Token, TokenKind};
use crate::line_joining::JOINT;
use crate::ready::Ready;
use crate::recovery;
use crate::split_items::{ItemSpan, cut};

/// What was read of a page.
pub(super) struct Page<'t> {
    pub(super) ready: Ready<'t>,
    comments: Vec<Range<usize>>,
    pieces: Vec<ItemSpan>,
    /// The bytes of what cannot be read.
    broken: Vec<Range<usize>>,
}

/// A token of a line with the blanks before it, or the bytes of one.
pub(super) struct Piece {
    pub(super) token: usize,
    pub(super) blanks: usize,
    /// What is written instead of the token: a row with its cells filled up.
    pub(super) text: Option<String>,
}

/// One line of a page.
pub(super) struct Line<'t> {
    /// Its tokens.
    pub(super) tokens: &'t [Token],
    /// The comment behind them, or alone.
    pub(super) comment: Option<&'t str>,
    /// Blanks before that comment.
    pub(super) before_comment: usize,
    /// Whether it goes on with the line above.
    pub(super) joined: bool,
    /// Whether it begins an item.
    pub(super) begins_item: bool,
    /// The line as it is written, where it is kept.
    pub(super) kept: Option<&'t str>,
    /// Whether the blanks in it are part of what it says.
    pub(super) keeps_blanks: bool,
    /// Blanks at its beginning.
    pub(super) indent: usize,
    /// Its tokens with the blanks before each.
    pub(super) pieces: Vec<Piece>,
    /// The page.
    text: &'t str,
}

impl<'t> Page<'t> {
    pub(super) fn read(text: &'t str) -> Self {
        let ready = Ready::new(SourceId::default(), text);
        let pieces = cut(text, &ready.laid, &ready.tokens);
        let mut broken: Vec<Range<usize>> = Vec::new();
        for &piece in &pieces {
            let (_, said) = recovery::read(&ready, piece);
            if said.iter().any(|said| said.diagnostic.severity == Severity::Error) {
                let all = &ready.tokens[piece.first..piece.last];
                let solid = all.iter().rev().find(|token| token.kind != TokenKind::Newline);
                let start = if piece.first == 0 { 0 } else { all[0].start };
                broken.push(start..solid.map_or(all[0].end, |token| token.end));
            }
        }
        let is_comment = |range: &&Range<usize>| text[range.start..].starts_with("--");
        let comments = ready.blanks.iter().filter(is_comment).cloned().collect();
        Self { ready, comments, pieces, broken }
    }

    /// The lines, from 1, at which items begin that cannot be read.
    pub(super) fn unread(&self) -> Vec<usize> {
        let line = |range: &Range<usize>| 1 + self.ready.text[..range.start].matches('\n').count();
        self.broken.iter().map(line).collect()
    }

    /// The lines of the page.
    pub(super) fn lines(&self) -> Vec<Line<'_>> {
        let Ready { text, tokens: written, laid, .. } = &self.ready;
        let mut lines = Vec::new();
        let (mut token, mut comment, mut piece, mut broken) = (0, 0, 0, 0);
        let mut start = 0;
        let mut joined = false;
        for whole in text.split_inclusive('\n') {
            let end = start + whole.len();
            let first = token;
            while written.get(token).is_some_and(|token| token.start < end) {
                token += 1;
            }
            let all = &written[first..token];
            let ended = all.last().is_some_and(|token| token.kind == TokenKind::Newline);
            let tokens = &all[..all.len() - usize::from(ended)];
            while self.comments.get(comment).is_some_and(|range| range.start < start) {
                comment += 1;
            }
            let said = self.comments.get(comment).filter(|range| range.start < end);
            while self.pieces.get(piece).is_some_and(|piece| piece.first < first) {
                piece += 1;
            }
            let begins_item = !tokens.is_empty() && self.pieces.get(piece).is_some_and(|p| p.first == first);
            while self.broken.get(broken).is_some_and(|range| range.end <= start) {
                broken += 1;
            }
            let is_kept = self.broken.get(broken).is_some_and(|range| range.start < end);
            lines.push(Line {
                tokens,
                comment: said.map(|range| text[range.clone()].trim_end()),
                before_comment: 0,
                joined: joined && !tokens.is_empty(),
                begins_item,
                kept: is_kept.then(|| whole.strip_suffix('\n').unwrap_or(whole)),
                keeps_blanks: false,
                indent: 0,
                pieces: Vec::new(),
                text,
            });
            // An empty line, or a comment, between two lines that are one does not part them.
            if !tokens.is_empty() {
                joined = false;
            }
            joined |= ended && laid.as_bytes().get(end - 1) == Some(&JOINT);
            start = end;
        }
        lines
    }
}

impl<'t> Line<'t> {
    /// A token of it as written.
    pub(super) fn word(&self, token: &Token) -> &'t str {
        token.text(self.text)
    }

    /// The blanks before a token, as they are written.
    pub(super) fn gap(&self, before: &Token, token: &Token) -> usize {
        self.text[before.end..token.start].chars().count()
    }

    /// How many characters its code takes, with what stands before it.
    pub(super) fn width(&self) -> usize {
        self.indent + self.pieces.iter().map(|piece| piece.blanks + self.length(piece)).sum::<usize>()
    }

    /// How many characters a piece has.
    pub(super) fn length(&self, piece: &Piece) -> usize {
        match &piece.text {
            Some(text) => text.chars().count(),
            None => self.word(&self.tokens[piece.token]).chars().count(),
        }
    }

    pub(super) fn written(&self) -> String {
        if let Some(kept) = self.kept {
            return kept.to_owned();
        }
        let mut out = " ".repeat(self.indent);
        for piece in &self.pieces {
            out.extend(std::iter::repeat_n(' ', piece.blanks));
            out.push_str(piece.text.as_deref().unwrap_or_else(|| self.word(&self.tokens[piece.token])));
        }
        if let Some(comment) = self.comment {
            out.extend(std::iter::repeat_n(' ', self.before_comment));
            out.push_str(comment);
        }
        out.truncate(out.trim_end().len());
        out
    }
}
