//! A name that several places agree on, beside a declaration that nearly has it and that nothing else uses: the slip is in
//! the declaration. To write that name at the places would spread it.

use std::collections::BTreeMap;

use blazon_diagnostics::{Diagnostic, Fix, SourceId, Span};
use blazon_syntax::plain_name;

use crate::project::Parsed;

/// So many declarations are looked at. Each is looked for in all pages, and nobody reads more guesses.
const MOST: usize = 20;

/// Says of names that are missed, and nearly declared, where the slip may be: in the declaration, if only they would use
/// it and several agree; on either side, if only one place would use it.
pub(crate) fn mention(parsed: &Parsed, diagnostics: &mut [Diagnostic]) {
    let mut missed: BTreeMap<Span, BTreeMap<String, Vec<usize>>> = BTreeMap::new();
    for (place, said) in diagnostics.iter().enumerate() {
        let (Some(span), Some(meant)) = (said.span, said.meant) else { continue };
        let written = parsed.sources.slice(span);
        // A name is not written in another way there than here.
        let is_alike = |fits: fn(char) -> bool| {
            written.starts_with(fits) == parsed.sources.slice(meant).starts_with(fits)
        };
        // Where the mend was taken back, something else is wrong than a letter.
        if !said.fixes.is_empty() && is_alike(char::is_uppercase) && is_alike(char::is_alphabetic) {
            let name = plain_name(written);
            missed.entry(meant).or_default().entry(name).or_default().push(place);
        }
    }
    for (declared, names) in missed.into_iter().take(MOST) {
        let places = || names.values().flatten().copied();
        let spans = places().filter_map(|place| diagnostics[place].span);
        if !spans.into_iter().all(|span| is_same_folder(parsed, span.source, declared.source))
            || is_written_elsewhere(parsed, declared)
        {
            continue;
        }
        let written = plain_name(parsed.sources.slice(declared));
        let most = names.values().map(Vec::len).max().unwrap_or_default();
        let mut likeliest = names.iter().filter(|(_, places)| places.len() == most);
        let (Some((name, agreeing)), None) = (likeliest.next(), likeliest.next()) else { continue };
        let mend = format!("write `{name}` where `{written}` is declared");
        let rename = || Fix { title: mend.clone(), ..Fix::rename(declared, name) };
        if let [only] = agreeing[..] {
            diagnostics[only].fixes.push(rename());
            continue;
        }
        for place in places() {
            diagnostics[place].fixes.clear();
        }
        for place in agreeing.iter().copied() {
            diagnostics[place].fixes.push(rename());
        }
        let first = &mut diagnostics[agreeing[0]];
        first.related.push((declared, "is it misspelt here? nothing else uses it".to_owned()));
        for place in agreeing.iter().copied() {
            diagnostics[place].help = Some(mend.clone());
        }
    }
}

/// Whether two files are of the same game, variant or library: others may use what a folder declares.
fn is_same_folder(parsed: &Parsed, one: SourceId, other: SourceId) -> bool {
    one == other || parsed.layer_of(one) == parsed.layer_of(other)
}

/// Whether the name that is declared at a place stands anywhere else, be it in a test that is not looked at or in a
/// comment.
fn is_written_elsewhere(parsed: &Parsed, declared: Span) -> bool {
    let name = parsed.sources.slice(declared);
    let is_word = |c: char| c.is_alphanumeric();
    parsed.sources.iter().any(|(id, source)| {
        source.text.match_indices(name).any(|(at, _)| {
            let is_whole =
                !source.text[..at].ends_with(is_word) && !source.text[at + name.len()..].starts_with(is_word);
            is_whole && (id, at) != (declared.source, declared.start as usize)
        })
    })
}
