//! The one layout of a page.
//!
//! What a line is stays as it is written: where lines end is the author's. How it stands is not: how far in it begins
//! ([`indent`]), which blanks stand in it ([`spacing`]), and what stands below what ([`align`]). An item that cannot be
//! read is left as it is, to the last blank, and so is a page of which anything would be read otherwise than before.

mod align;
mod indent;
mod page;
mod spacing;

use blazon_diagnostics::SourceId;

use crate::lexer::{Token, TokenKind};
use crate::ready::Ready;
use page::{Line, Page};

/// Where the citations of a line begin, in characters from the margin.
const CITES: usize = 92;

/// A page that has been laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    /// The page, its lines ended as they were. Laid out again it stays as it is.
    pub text: String,
    /// The lines, from 1, of the page as it was at which items begin that cannot be read and were left as they are.
    pub unread: Vec<usize>,
}

/// A page in the one layout. Lines end as most of them did: what systems differ in is not the layout's.
pub fn format(text: &str) -> Formatted {
    let returns = text.matches("\r\n").count();
    if returns == 0 {
        return of_lines(text);
    }
    let formatted = of_lines(&text.replace("\r\n", "\n"));
    if returns * 2 > text.matches('\n').count() {
        return Formatted { text: formatted.text.replace('\n', "\r\n"), ..formatted };
    }
    formatted
}

/// The layout of a page whose lines end in one sign.
fn of_lines(text: &str) -> Formatted {
    let page = Page::read(text);
    let mut lines = page.lines();
    indent::indent(&mut lines);
    lines.iter_mut().for_each(spacing::space);
    align::align(&mut lines);
    let laid_out = write(&lines);
    let same = told(&page.ready) == told(&Ready::new(SourceId::default(), &laid_out));
    Formatted { text: if same { laid_out } else { text.to_owned() }, unread: page.unread() }
}

/// The page as text: no blanks at the ends of lines, no two empty lines together, none at either end.
fn write(lines: &[Line<'_>]) -> String {
    let mut out = String::new();
    let mut empty = 0_usize;
    for line in lines {
        let written = line.written();
        // Within what is kept nothing is taken away.
        if written.is_empty() && line.kept.is_none() {
            empty += 1;
            continue;
        }
        if empty > 0 && !out.is_empty() {
            out.push('\n');
        }
        empty = 0;
        out.push_str(&written);
        out.push('\n');
    }
    out
}

/// The tokens of a page, without what the layout may change: how often lines end where they do, and the blanks of rows.
fn told<'r>(ready: &'r Ready<'_>) -> Vec<(TokenKind, Vec<&'r str>)> {
    // Ends of lines that end nothing are no part of what is read.
    let counts = |token: &&Token| {
        token.kind != TokenKind::Newline || ready.laid.as_bytes().get(token.start) == Some(&b'\n')
    };
    let mut all = Vec::new();
    let mut ended = false;
    for token in ready.tokens.iter().filter(counts) {
        if token.kind == TokenKind::Newline {
            ended = !all.is_empty();
            continue;
        }
        if std::mem::take(&mut ended) {
            all.push((TokenKind::Newline, Vec::new()));
        }
        let written = token.text(ready.text);
        let is_row = token.kind == TokenKind::Row;
        all.push((
            token.kind,
            if is_row { written.split('|').map(str::trim).collect() } else { vec![written] },
        ));
    }
    all
}
