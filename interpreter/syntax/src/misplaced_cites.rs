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
    let cites = whole[said.len()..].trim_start();
    if cites.is_empty() {
        return None;
    }
    let end = comment.start + whole.len();
    let several = cites.contains(' ');
    let message = if several {
        format!("`{cites}` stand in a comment, and so cite nothing")
    } else {
        format!("`{cites}` stands in a comment, and so cites nothing")
    };
    let (them, no_paragraph) =
        if several { ("them", "no paragraphs are") } else { ("it", "no paragraph is") };
    let mended = if said == "--" { cites.to_owned() } else { format!("{cites} {said}") };
    let place = Span::new(ready.source, comment.start, end);
    Some(
        Diagnostic::warning("cites::comment", Span::new(ready.source, end - cites.len(), end), message)
            .related(Span::new(ready.source, comment.start, comment.start + 2), "the comment begins here")
            .help(format!("write {them} before the comment; if {no_paragraph} meant, without `@`"))
            .fix(Fix::replace(format!("write `{cites}` before the comment"), place, mended)),
    )
}

/// A comment without the citations at its end.
fn before_cites(comment: &str) -> &str {
    let mut said = comment;
    while let Some((before, last)) = said.rsplit_once(char::is_whitespace) {
        if !is_cite(last) {
            break;
        }
        said = before.trim_end();
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
