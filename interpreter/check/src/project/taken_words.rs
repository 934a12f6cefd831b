//! A word of the language that was taken for a name is said once: not again at every line that uses the name, and cannot be
//! read for that reason alone.

use std::collections::BTreeMap;

use blazon_diagnostics::{Diagnostic, SourceId, Sources, Span};
use blazon_syntax::{Token, TokenKind, tokens};

/// What is said of the word itself.
const RESERVED: &str = "syntax::reserved";

/// How far before the place where a line cannot be read on the word may stand.
const NEAR: usize = 3;

/// Leaves out the lines that cannot be read since they have such a word, and says with the word how many they are.
pub fn tell_once(sources: &Sources, diagnostics: &mut Vec<Diagnostic>) {
    let mut others: BTreeMap<String, usize> = BTreeMap::new();
    for said in diagnostics.iter().filter(|said| said.code == RESERVED) {
        others.extend(said.span.map(|span| (sources.slice(span).to_owned(), 0)));
    }
    if others.is_empty() {
        return;
    }
    let mut pages: BTreeMap<SourceId, Vec<Token>> = BTreeMap::new();
    diagnostics.retain(|said| {
        let Some(span) = said.span.filter(|_| said.code == "syntax::expected") else { return true };
        let text = &sources.get(span.source).text;
        let tokens = pages.entry(span.source).or_insert_with(|| tokens(text));
        let found = near(tokens, span).map(|token| token.text(text)).find(|word| others.contains_key(*word));
        let count = found.and_then(|word| others.get_mut(word));
        count.map(|count| *count += 1).is_none()
    });
    for said in diagnostics.iter_mut().filter(|said| said.code == RESERVED) {
        // With the first of them.
        let Some(count) = said.span.and_then(|span| others.remove(sources.slice(span))) else { continue };
        let also = match count {
            0 => continue,
            1 => "; another line that uses it cannot be read either".to_owned(),
            _ => format!("; {count} other lines that use it cannot be read either"),
        };
        said.help = said.help.take().map(|help| help + &also);
    }
}

/// The words of a line around the place where it cannot be read on: the one that stands there, and some before it.
fn near(tokens: &[Token], span: Span) -> impl Iterator<Item = &Token> {
    let behind = tokens.partition_point(|token| token.start <= span.start as usize);
    let before = tokens[..behind].iter().rev().enumerate();
    before
        .take_while(|(place, token)| *place == 0 || token.kind != TokenKind::Newline)
        .take(NEAR + 1)
        .map(|(_, token)| token)
        .filter(|token| token.kind == TokenKind::Word)
}
