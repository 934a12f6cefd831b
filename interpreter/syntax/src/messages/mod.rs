//! What the grammar engine found wrong, in the words of the language.

mod expected;
mod guesses;
mod rule_names;

use blazon_diagnostics::{Diagnostic, Fix, SourceId, Span};
use blazon_grammar::Rule;
use pest::error::{Error, ErrorVariant, InputLocation};

use crate::keywords::{INNER_WORDS, NAMED_WORDS, reserved};
use crate::lexer::{Token, TokenKind};
use crate::messages::expected::Expected;
use crate::messages::guesses::{Help, help};
pub(crate) use crate::messages::guesses::{NO_BODY, NO_FILE, names_data};
pub(crate) use crate::messages::rule_names::{Description, Group, describe};

/// Where and in what an error happened.
pub(crate) struct Scene<'t> {
    /// The file.
    pub source: SourceId,
    /// The file's text.
    pub text: &'t str,
    /// The tokens that were read: those of an item, or all.
    pub tokens: &'t [Token],
    /// Where the text given to the engine begins in the file.
    pub base: usize,
    /// What is read, for the end of it: "the rule", "the expression".
    pub whole: &'t str,
}

/// The first token at or after a place.
pub(crate) fn token_at(tokens: &[Token], at: usize) -> Option<usize> {
    let index = tokens.partition_point(|token| token.end <= at);
    (index < tokens.len()).then_some(index)
}

/// Turns the engine's error into a diagnostic.
pub(crate) fn explain(error: &Error<Rule>, scene: &Scene<'_>) -> Diagnostic {
    let at = scene.base
        + match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
    let index = token_at(scene.tokens, at);
    let token = index.map(|i| scene.tokens[i]);
    let positives = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => positives.as_slice(),
        ErrorVariant::CustomError { .. } => return too_long(scene, at),
    };
    let (span, found) = found(scene, at, token);
    let expected = Expected::new(positives);
    if let Some(diagnostic) = reserved_word(scene, index, span, &expected) {
        return diagnostic;
    }
    let diagnostic = Diagnostic::error("syntax::expected", span, format!("expected {}", expected.sentence()))
        .label(format!("found {found}"));
    match help(scene, index, &expected) {
        Some(Help { words, write: Some(written) }) => {
            diagnostic.help(words).fix(Fix::replace(format!("write `{written}`"), span, written))
        }
        Some(Help { words, write: None }) => diagnostic.help(words),
        None => diagnostic,
    }
}

/// The engine gave up counting.
fn too_long(scene: &Scene<'_>, at: usize) -> Diagnostic {
    let end = scene.text.len();
    let start = at.min(end.saturating_sub(1));
    Diagnostic::error(
        "syntax::depth",
        Span::new(scene.source, start, start + 1),
        "an item is too long to be read",
    )
    .label(format!("{} goes on too long", scene.whole))
    .help("split it; long lists of printed values belong in a file beside the page")
}

/// What stands at the place of an error, and where.
fn found(scene: &Scene<'_>, at: usize, token: Option<Token>) -> (Span, String) {
    let Some(token) = token else {
        let end = scene.tokens.last().map_or(at, |last| last.end);
        let end = end.min(scene.text.len());
        return (Span::new(scene.source, end.saturating_sub(1), end), format!("the end of {}", scene.whole));
    };
    match token.kind {
        TokenKind::Newline => {
            let start =
                scene.tokens[..].iter().rev().find(|t| t.end <= token.start).map_or(token.start, |t| t.end);
            let start = start.min(token.start);
            (Span::new(scene.source, start, (start + 1).min(token.end)), "the end of the line".into())
        }
        TokenKind::Row if at > token.start => {
            (Span::new(scene.source, at.min(token.end), token.end), "another part of the row".into())
        }
        TokenKind::Text if at > token.start => {
            let rest = &scene.text[at..token.end];
            let c = rest.chars().next().unwrap_or('"');
            (Span::new(scene.source, at, at + c.len_utf8()), format!("`{c}` in a text"))
        }
        TokenKind::Word
        | TokenKind::Text
        | TokenKind::Quoted
        | TokenKind::Cite
        | TokenKind::Row
        | TokenKind::Open(_)
        | TokenKind::Close(_)
        | TokenKind::Sign => {
            let start = at.max(token.start);
            let shown: String = scene.text.get(start..token.end).unwrap_or("").chars().take(40).collect();
            (Span::new(scene.source, start, token.end), format!("`{shown}`"))
        }
    }
}

/// A reserved word where a name should stand, or within one.
fn reserved_word(
    scene: &Scene<'_>,
    index: Option<usize>,
    span: Span,
    expected: &Expected,
) -> Option<Diagnostic> {
    let index = index?;
    let word = scene.tokens[index].text(scene.text);
    if scene.tokens[index].kind != TokenKind::Word || !reserved(word) {
        return None;
    }
    if expected.has(Group::Name) && !expected.has(Group::Value) {
        return Some(
            Diagnostic::error("syntax::reserved", span, format!("`{word}` is a word of the language"))
                .label("a name should stand here")
                .help(format!("a name cannot begin with `{word}`: choose another word")),
        );
    }
    // Only words stand between the keyword at the line's beginning and this one: it is meant as part of a name.
    let line =
        scene.tokens[..index].iter().rposition(|t| !matches!(t.kind, TokenKind::Word)).map_or(0, |i| i + 1);
    let heading = scene.tokens.get(line).is_some_and(|t| NAMED_WORDS.contains(&t.text(scene.text)));
    if heading && index > line + 1 && INNER_WORDS.contains(&word) {
        return Some(
            Diagnostic::error("syntax::reserved", span, format!("`{word}` is a word of the language"))
                .label("it ends the name before it")
                .help(format!(
                    "a name cannot contain `{word}`: choose other words, or join them with a hyphen"
                )),
        );
    }
    None
}
