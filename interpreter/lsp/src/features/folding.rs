//! What can be folded: items, what stands in braces, runs of comments.

use blazon_diagnostics::{Source, Span};
use blazon_syntax::{TokenKind, ast::File, tokens};
use lsp_types::{FoldingRange, FoldingRangeKind};

/// The foldable stretches of a page, in order, one for each line that begins one.
pub fn ranges(source: &Source, file: Option<&File>) -> Vec<FoldingRange> {
    let line = |offset: u32| u32::try_from(source.line_col(offset).0).unwrap_or(u32::MAX).saturating_sub(1);
    let mut found: Vec<(u32, u32, Option<FoldingRangeKind>)> = Vec::new();
    for item in file.iter().flat_map(|file| &file.items) {
        let Span { start, end, .. } = item.span;
        found.push((line(start), line(end), None));
    }
    let mut open = Vec::new();
    for token in tokens(&source.text) {
        match token.kind {
            TokenKind::Open(b'{') => open.push(token.start),
            TokenKind::Close(b'}') => {
                if let Some(start) = open.pop() {
                    // The closing brace stays to be seen.
                    found.push((line(start as u32), line(token.end as u32).saturating_sub(1), None));
                }
            }
            TokenKind::Word
            | TokenKind::Text
            | TokenKind::Quoted
            | TokenKind::Cite
            | TokenKind::Row
            | TokenKind::Open(_)
            | TokenKind::Close(_)
            | TokenKind::Newline
            | TokenKind::Sign => {}
        }
    }
    found.extend(comments(&source.text));
    found.retain(|(start, end, _)| start < end);
    found.sort_by_key(|(start, end, _)| (*start, u32::MAX - end));
    found.dedup_by_key(|(start, ..)| *start);
    let range =
        |(start_line, end_line, kind)| FoldingRange { start_line, end_line, kind, ..FoldingRange::default() };
    found.into_iter().map(range).collect()
}

/// Runs of lines that are comments.
fn comments(text: &str) -> Vec<(u32, u32, Option<FoldingRangeKind>)> {
    let mut found = Vec::new();
    let mut first = None;
    for (place, line) in text.lines().chain([""]).enumerate() {
        let place = u32::try_from(place).unwrap_or(u32::MAX);
        match (line.trim_start().starts_with("--"), first) {
            (true, None) => first = Some(place),
            (false, Some(start)) => {
                found.push((start, place - 1, Some(FoldingRangeKind::Comment)));
                first = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    found
}
