//! What the text of an item comes to, as far as it is played: a hash of its tokens.
//!
//! Comments, blanks, the way lines are broken, citations and the words of texts do not count; what is asked for in the
//! holes of a text does. So a spelling can be mended and a page laid out anew without a change here. The encoding is
//! fixed for ever, since saved games hold these hashes: `interpreter/blazon/SAVES.md` describes it, golden tests keep
//! it. It knows tokens only, so that it outlives every change of the tree.

use blazon_diagnostics::{SourceId, Span};
use blazon_kernel::chance::TextHasher;

use crate::ast::ItemDigest;
use crate::lexer::{MAX_DEPTH, Token, TokenKind, hole_end, lex};
use crate::ready::Ready;
use crate::split_items::ItemSpan;

/// Begins every hash; another encoding would have another number.
const ENCODING: &[u8] = b"item 1\n";

/// What begins items that are not played.
const NOT_PLAYED: [&str; 5] = ["test", "scene", "invariant", "look", "omitted"];

/// What a piece of a file comes to; nothing if it is not played.
pub(crate) fn of(ready: &Ready<'_>, piece: &ItemSpan) -> Option<ItemDigest> {
    let tokens = ready.tokens.get(piece.first..piece.last)?;
    let mut words = tokens.iter().filter(|token| !matches!(token.kind, TokenKind::Newline | TokenKind::Cite));
    let head = words.next()?;
    let changed = words.next().filter(|_| matches!(head.text(ready.text), "replace" | "remove"));
    if NOT_PLAYED.contains(&changed.unwrap_or(head).text(ready.text)) {
        return None;
    }
    let mut stream = Stream::default();
    stream.tokens(ready.text, tokens, |token| ready.laid.as_bytes().get(token.start) == Some(&b'\n'), 0);
    Some(ItemDigest { hash: stream.out.finish(), span: Span::new(ready.source, head.start, head.end) })
}

/// The hash of words and rows that stand in no page, encoded as those of an item are.
pub fn of_words<'a>(words: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut stream = Stream::default();
    words.into_iter().for_each(|word| stream.mark(b'w', word.as_bytes()));
    stream.out.finish()
}

/// The tokens of an item as bytes: for each its letter, its text, and the byte 0x1F.
struct Stream {
    out: TextHasher,
    /// Whether lines end here if anything follows.
    ends: bool,
    /// Whether something was written after which a line's end means nothing.
    open: bool,
}

impl Default for Stream {
    fn default() -> Self {
        let mut out = TextHasher::default();
        out.write(ENCODING);
        Self { out, ends: false, open: true }
    }
}

impl Stream {
    fn mark(&mut self, letter: u8, text: &[u8]) {
        self.out.write(&[letter]);
        self.out.write(text);
        self.out.write(&[0x1f]);
    }

    /// Writes tokens; `ends_line` tells of a line's end whether it ends anything.
    fn tokens(&mut self, text: &str, tokens: &[Token], ends_line: impl Fn(&Token) -> bool, depth: usize) {
        for token in tokens {
            match token.kind {
                TokenKind::Cite => {}
                TokenKind::Newline => self.ends |= ends_line(token),
                TokenKind::Sign if token.text(text) == ";" => self.ends = true,
                TokenKind::Word
                | TokenKind::Text
                | TokenKind::Quoted
                | TokenKind::Row
                | TokenKind::Open(_)
                | TokenKind::Close(_)
                | TokenKind::Sign => self.token(text, token, depth),
            }
        }
    }

    fn token(&mut self, text: &str, token: &Token, depth: usize) {
        let written = token.text(text);
        let closes = matches!(token.kind, TokenKind::Close(b'}') | TokenKind::Text)
            || token.kind == TokenKind::Word && matches!(written, "else" | "if");
        if std::mem::take(&mut self.ends) && !self.open && !closes {
            self.mark(b';', b"");
        }
        self.open = token.kind == TokenKind::Open(b'{');
        match token.kind {
            TokenKind::Newline | TokenKind::Cite => {}
            TokenKind::Word if written.contains('\u{2019}') => {
                self.mark(b'w', written.replace('\u{2019}', "'").as_bytes());
            }
            TokenKind::Word => self.mark(b'w', written.as_bytes()),
            TokenKind::Quoted => self.mark(b'q', written.as_bytes()),
            TokenKind::Open(_) | TokenKind::Close(_) | TokenKind::Sign => {
                self.mark(b's', written.as_bytes());
            }
            TokenKind::Row => self.row(written, depth),
            TokenKind::Text => self.text(written, depth),
        }
    }

    /// The cells of a row, each as its own tokens.
    fn row(&mut self, row: &str, depth: usize) {
        let cells = row.strip_prefix('|').unwrap_or(row);
        for cell in cells.strip_suffix('|').unwrap_or(cells).split('|') {
            self.mark(b'c', b"");
            self.inner(cell, depth);
        }
        self.mark(b'r', b"");
    }

    /// The holes of a text; a text without an end counts as it is written, since nobody knows where its words end.
    fn text(&mut self, written: &str, depth: usize) {
        let inside = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let Some(inside) = inside.filter(|_| depth < MAX_DEPTH) else {
            return self.mark(b'?', written.as_bytes());
        };
        self.mark(b't', b"");
        let mut rest = inside;
        while let Some(at) = rest.find('{') {
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix('{') {
                rest = after;
                continue;
            }
            let end = hole_end(rest, 0, depth).unwrap_or(rest.len());
            self.mark(b'h', b"");
            self.inner(rest[..end].strip_suffix('}').unwrap_or(&rest[..end]), depth + 1);
            rest = &rest[end..];
        }
        self.mark(b'e', b"");
    }

    fn inner(&mut self, text: &str, depth: usize) {
        let lexed = lex(SourceId::default(), text);
        self.tokens(text, &lexed.tokens, |_| false, depth);
    }
}
