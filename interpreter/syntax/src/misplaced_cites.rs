//! Citations at the end of a comment behind code: they read as citations, but are words of the comment.

use std::ops::Range;

use blazon_diagnostics::{Diagnostic, Fix, Span};

use crate::doc_comments::is_whole_line;
use crate::ready::Ready;

/// Warns of each comment that ends with what should stand before it.
pub(crate) fn warn(ready: &Ready<'_>) -> impl Iterator<Item = Diagnostic> {
    let text = ready.text;
    let is_behind = move |blank: &&Range<usize>| {
        text[blank.start..].starts_with("--")
            && !is_whole_line(text, blank)
            && text[(*blank).clone()].contains('@')
    };
    ready.blanks.iter().filter(is_behind).filter_map(|comment| warning(ready, comment))
}

fn warning(ready: &Ready<'_>, comment: &Range<usize>) -> Option<Diagnostic> {
    let whole = ready.text[comment.clone()].trim_end();
    let said = before_cites(whole);
    let cites: Vec<&str> = whole[said.len()..].split_whitespace().collect();
    let [.., last] = cites.as_slice() else { return None };
    let end = comment.start + whole.len();
    let first = end - whole[said.len()..].trim_start().len();
    let (message, help, title) = match cites.len() {
        1 => (
            format!("`{last}` stands in a comment, and so cites nothing"),
            "write it before the comment; if no paragraph is meant, without `@`",
            format!("write `{last}` before the comment"),
        ),
        _ => (
            "these citations stand in a comment, and so cite nothing".to_owned(),
            "write them before the comment; if no paragraphs are meant, without `@`",
            "write them before the comment".to_owned(),
        ),
    };
    let said = if said.trim_matches('-').is_empty() { String::new() } else { format!(" {said}") };
    let mended = format!("{}{said}", cites.join(" "));
    let source = ready.source;
    Some(
        Diagnostic::warning("cites::comment", Span::new(source, first, end), message)
            .related(Span::new(source, comment.start, comment.start + 2), "the comment begins here")
            .help(help)
            .fix(Fix::replace(title, Span::new(source, comment.start, end), mended)),
    )
}

/// A comment without the citations at its end.
fn before_cites(comment: &str) -> &str {
    let dashes = comment.len() - comment.trim_start_matches('-').len();
    let mut said = comment;
    while let Some(last) = said[dashes..].split_whitespace().next_back().filter(|last| is_cite(last)) {
        said = said[..said.len() - last.len()].trim_end();
    }
    said
}

/// Whether a word is a citation as the grammar has it.
fn is_cite(word: &str) -> bool {
    word.strip_prefix('@').is_some_and(|name| {
        name.starts_with(char::is_alphanumeric)
            && name.ends_with(char::is_alphanumeric)
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-'))
    })
}
