//! The one layout of a page.
//!
//! What a line is stays as it is written: where lines end is the author's. How it stands is not: how far in it begins
//! ([`indent`]), which blanks stand in it ([`spacing`]), and what stands below what ([`align`]). An item that cannot be
//! read is left as it is, to the last blank, and so is a page of which anything would be read otherwise than before.

mod align;
mod indent;
mod page;
mod spacing;

use crate::lexer::TokenKind;
use page::{Line, Page};

/// Where the citations of a line begin, in characters from the margin.
const CITES: usize = 92;

/// A page that has been laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    /// The page. Laid out again it stays as it is.
    pub text: String,
    /// The lines, from 1, of the page as it was at which items begin that cannot be read and were left as they are.
    pub unread: Vec<usize>,
}

/// A page in the one layout.
pub fn format(text: &str) -> Formatted {
    let page = Page::read(text);
    let unread = page.unread(text);
    let mut lines = page.lines(text);
    indent::indent(text, &mut lines);
    for line in &mut lines {
        spacing::space(text, line);
    }
    align::align(text, &mut lines);
    let laid_out = write(&lines);
    let text = if same(&page, text, &laid_out) { laid_out } else { text.to_owned() };
    Formatted { text, unread }
}

/// The page as text: no blanks at the ends of lines, no two empty lines together, none at either end.
fn write(lines: &[Line<'_>]) -> String {
    let mut out = String::new();
    let mut empty = 0_usize;
    for line in lines {
        let written = line.written();
        if written.is_empty() && line.kept.is_none() {
            empty += 1;
            continue;
        }
        if empty > 0 && !out.is_empty() {
            // Within what is kept nothing is taken away.
            out.push('\n');
        }
        empty = 0;
        out.push_str(&written);
        out.push('\n');
    }
    out
}

/// Whether two pages have the same tokens, and lines that end in the same places.
fn same(page: &Page, text: &str, other: &str) -> bool {
    told(page, text) == told(&Page::read(other), other)
}

/// The tokens of a page, without what the layout may change: how often lines end where they do, and the blanks of rows.
fn told<'t>(page: &Page, text: &'t str) -> Vec<(TokenKind, Vec<&'t str>)> {
    let mut all = Vec::new();
    let mut ended = false;
    for token in page.tokens.iter().filter(|token| page.counts(token)) {
        if token.kind == TokenKind::Newline {
            ended = !all.is_empty();
            continue;
        }
        if std::mem::take(&mut ended) {
            all.push((TokenKind::Newline, Vec::new()));
        }
        let written = token.text(text);
        let is_row = token.kind == TokenKind::Row;
        all.push((
            token.kind,
            if is_row { written.split('|').map(str::trim).collect() } else { vec![written] },
        ));
    }
    all
}
