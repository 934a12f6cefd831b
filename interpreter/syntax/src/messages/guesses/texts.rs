//! Texts where none can stand, and lines that end where a block or a file is meant.

use super::{Help, NO_BODY, Slip};
use crate::lexer::{Token, TokenKind};
use crate::messages::rule_names::Group;

/// What is said where a setup names a file.
pub(crate) const NO_FILE: &str =
    "a setup takes no file: who stands where is written in its braces, `Lancers: Hill`";

/// How other languages say something.
const SAYING: [&str; 7] = ["print", "echo", "log", "message", "puts", "show", "tell"];

/// Whether a text is the name of a file of rows.
pub(crate) fn names_data(text: &str) -> bool {
    [".tsv", ".csv", ".txt"].iter().any(|ending| text.ends_with(ending))
}

/// What is meant by a text, a quoted name, or the end of a line in the place of a block.
pub(super) fn help(slip: &Slip<'_>) -> Option<Help> {
    let Slip { scene, expected, word, .. } = *slip;
    if slip.is(TokenKind::Quoted) && expected.only("a text") {
        return Some("a text stands in double quotes: `\"…\"`; single ones are for printed names".into());
    }
    if slip.is(TokenKind::Newline) && expected.expects("`{`") {
        let names_file =
            |token: &Token| token.kind == TokenKind::Text && names_data(slip.text(token).trim_matches('"'));
        let is_of_file = slip.line_begins() == Some("setup") && slip.line().iter().any(names_file);
        return Some(if is_of_file { NO_FILE } else { NO_BODY }.into());
    }
    if !slip.is(TokenKind::Text) {
        return None;
    }
    if expected.expects("`:=`") && SAYING.contains(&slip.previous) {
        return Some(format!("something is told by `say`: `say {word}`").into());
    }
    // What stands behind a citation is told as that.
    if slip.follows_citation() {
        return None;
    }
    if expected.has(Group::Operator) {
        return Some(match scene.tokens.iter().any(|token| slip.text(token) == "needs") {
            true => "a reason stands after `else`".into(),
            false => "a text cannot stand here; is a word missing before it?".into(),
        });
    }
    expected.expects("`|`").then(|| {
        "a hole with a colon chooses words, those of one and of several: `{hits: hit | hits}`".into()
    })
}
