//! Names in what cannot be read: nobody knows what they mean there, and a new name would pass them by.

use blazon_check::DefinitionKind;
use blazon_diagnostics::{SourceId, Span};
use blazon_syntax::{Token, TokenKind, plain_name, tokens};

use crate::occurrences::InStack;
use crate::workspace::{Analysed, Home, names};

/// Whether the name stands nowhere in an item with a mistake in its syntax but where it is known what it means.
///
/// # Errors
/// In words, if it does.
pub fn none(found: &[InStack], kind: DefinitionKind, old: &str) -> Result<(), String> {
    for InStack { book, spans, .. } in found {
        let broken = book.read.parsed.diagnostics.iter().filter(|said| said.code.starts_with("syntax::"));
        for wrong in broken.filter_map(|said| said.span) {
            if !matches!(book.read.home(wrong.source), Some(Home::File(_))) {
                continue;
            }
            let is_known = |at: u32| {
                spans.iter().any(|span| span.source == wrong.source && span.start <= at && at < span.end)
                    || !book.checked.references.at(wrong.source, at).is_empty()
            };
            if let Some(at) = named_around(book, wrong, kind, old).into_iter().find(|at| !is_known(*at)) {
                return Err(format!(
                    "`{old}` stands in {} too, in what cannot be read: mend that first, or it would keep the old name",
                    book.read.place(Span { start: at, end: at, ..wrong })
                ));
            }
        }
    }
    Ok(())
}

/// Where a name stands in the item around a place, be it in the hole of a text.
fn named_around(book: &Analysed, place: Span, kind: DefinitionKind, old: &str) -> Vec<u32> {
    let Some(text) = text_of(book, place.source) else { return Vec::new() };
    let all = tokens(text);
    let begins = |token: &Token| {
        token.kind == TokenKind::Word && (token.start == 0 || text[..token.start].ends_with('\n'))
    };
    let at = place.start as usize;
    let first = all.iter().rposition(|token| token.start <= at && begins(token)).unwrap_or(0);
    let next = all.iter().skip(first + 1).position(begins).map_or(all.len(), |next| first + 1 + next);
    let item = all.get(first..next).unwrap_or_default();
    let words: Vec<&str> = old.split(' ').collect();
    let mut found = Vec::new();
    for (place, token) in item.iter().enumerate() {
        let written = token.text(text);
        let is_named = match token.kind {
            TokenKind::Word => {
                item.get(place..place + words.len()).is_some_and(|run| is_run(run, text, &words, kind))
            }
            TokenKind::Quoted => plain_name(written) == old,
            TokenKind::Text => in_hole(written, old),
            TokenKind::Row => names(written, old),
            TokenKind::Cite
            | TokenKind::Newline
            | TokenKind::Sign
            | TokenKind::Open(_)
            | TokenKind::Close(_) => false,
        };
        if is_named {
            found.push(token.start as u32);
        }
    }
    found
}

/// Whether some tokens are the words of a name; of a kind also for all of it.
fn is_run(run: &[Token], text: &str, words: &[&str], kind: DefinitionKind) -> bool {
    let last = words.len().saturating_sub(1);
    run.iter().zip(words).enumerate().all(|(place, (token, word))| {
        let written = token.text(text);
        let is_all = place == last && kind == DefinitionKind::Kind;
        written == *word || is_all && written.strip_suffix('s') == Some(word)
    })
}

/// Whether a name stands in a hole of a text.
fn in_hole(text: &str, old: &str) -> bool {
    text.split('{').skip(1).any(|rest| names(rest.split('}').next().unwrap_or_default(), old))
}

fn text_of(book: &Analysed, source: SourceId) -> Option<&str> {
    book.read.source(source).map(|source| &*source.text)
}
