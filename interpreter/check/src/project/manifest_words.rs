//! What is wrong with a manifest, in words for people: what RON found, with near misses for the names of entries.

use blazon_diagnostics::{Diagnostic, Fix, SourceId, Span, list, near_miss};
use ron::error::{Error, SpannedError};

/// Says why a manifest could not be read.
pub(super) fn explain(error: &SpannedError, source: SourceId, text: &str) -> Diagnostic {
    let start = offset_of(text, error.span.start.line, error.span.start.col);
    let end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
    let unreadable = |at: Span| Diagnostic::error("files::manifest", at, "the manifest cannot be read");
    let line = Span::new(source, start, end.max(start));
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "what nobody writes by accident is said in RON's own words"
    )]
    match &error.code {
        Error::NoSuchEnumVariant { found, .. } => {
            let at = word_at(text, found, start).map_or(line, |at| Span::new(source, at, at + found.len()));
            let said = unreadable(at).label("neither a game nor a variant");
            near(said, at, found, &["Game", "Variant"], || FORM.to_owned())
        }
        Error::NoSuchStructField { expected, found, outer } => {
            let of = if outer.as_deref() == Some("Variant") { "a variant" } else { "a game" };
            let at = word_at(text, found, start).map_or(line, |at| Span::new(source, at, at + found.len()));
            let said = unreadable(at).label(format!("{of} has no entry of this name"));
            near(said, at, found, expected, || format!("{of} has {}", list(*expected, "and")))
        }
        Error::MissingStructField { field, .. } => {
            let first = Span::new(source, 0, text.find('\n').unwrap_or(text.len()));
            unreadable(first)
                .label(format!("the entry `{field}` is missing"))
                .help(format!("add a line `{field}: \"…\",`"))
        }
        Error::DuplicateStructField { field, .. } => unreadable(line)
            .label(format!("the entry `{field}` stands here twice"))
            .help("take one of them out"),
        code => {
            let (label, help) = words(code);
            let first = text[..end].rfind('\n').map_or(0, |newline| newline + 1);
            // The only list that is one of pairs.
            let is_pairs = text[first..end].trim_start().starts_with("rulings");
            let help = if is_pairs && matches!(code, Error::ExpectedArray) { PAIRS } else { help };
            unreadable(line).label(label.unwrap_or_else(|| code.to_string())).help(help)
        }
    }
}

const FORM: &str = "a manifest is `Game(name: \"…\", player: \"…\", begins: \"…\", …)` or `Variant(name: \"…\", game: \"…\")`";

const PAIRS: &str = "write each ruling with its value: `[(\"…\", \"…\"), (\"…\", \"…\")]`";

/// Says which word was probably meant, or else what there is.
fn near(
    diagnostic: Diagnostic,
    at: Span,
    found: &str,
    known: &[&str],
    otherwise: impl FnOnce() -> String,
) -> Diagnostic {
    match near_miss(found, known.iter().copied()) {
        Some(near) => {
            let fix = Fix::replace(format!("write `{near}`"), at, near);
            diagnostic.help(blazon_diagnostics::did_you_mean(near)).fix(fix)
        }
        None => diagnostic.help(otherwise()),
    }
}

/// What stands there and what should, for the slips that people make.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "what nobody writes by accident is said in RON's own words"
)]
fn words(code: &Error) -> (Option<String>, &'static str) {
    let (label, help) = match code {
        Error::ExpectedString => ("a text is needed here", "write it in quotes: `\"…\"`"),
        Error::ExpectedStringEnd => ("a text has no end", "end it with `\"`"),
        Error::ExpectedComma | Error::ExpectedStructLikeEnd | Error::ExpectedMapEnd => {
            ("a comma is missing before this", "every entry ends with a comma: `name: \"…\",`")
        }
        Error::ExpectedMapColon => {
            ("a colon is missing", "between the name of an entry and its value stands `:`")
        }
        Error::ExpectedArray => ("a list is needed here", "write it in brackets: `[\"…\", \"…\"]`"),
        Error::ExpectedArrayEnd => ("a list has no end", "end it with `]`"),
        Error::ExpectedIdentifier => ("the name of an entry is needed here", FORM),
        Error::Eof => ("the manifest ends too early", "end it with `)`"),
        Error::TrailingCharacters => ("this stands behind the end of the manifest", "take it out"),
        _ => return (None, FORM),
    };
    (Some(label.to_owned()), help)
}

/// Where a whole word stands: the last time at or before a place, or else the first time behind it.
fn word_at(text: &str, word: &str, at: usize) -> Option<usize> {
    let whole = |&(start, _): &(usize, &str)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        !text[..start].ends_with(is_part) && !text[start + word.len()..].starts_with(is_part)
    };
    let places: Vec<usize> = text.match_indices(word).filter(whole).map(|(start, _)| start).collect();
    places.iter().rev().find(|start| **start <= at).or(places.first()).copied()
}

fn offset_of(text: &str, line: usize, col: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = text.get(start..).unwrap_or("");
    start + rest.char_indices().nth(col.saturating_sub(1)).map_or(rest.len(), |(i, _)| i)
}
