//! Lines that say the right thing in a wrong order, or with the sign of another line: clauses of rules, lines of tests, cases.

use super::{Expected, Group, Help, Scene, line_of};
use crate::keywords::reserved;
use crate::lexer::{Token, TokenKind};

/// How such a line is written, where that can be told at the token where reading it failed.
pub(super) fn help(scene: &Scene<'_>, index: usize, expected: &Expected) -> Option<Help> {
    // What stands on the line before it says nothing where something ends between.
    let line = line_of(scene, index);
    let ends = |token: &Token| matches!(token.text(scene.text), ";" | "{" | "}");
    let before = &line[line.iter().rposition(ends).map_or(0, |at| at + 1)..];
    let first = before.first().map(|token| token.text(scene.text)).unwrap_or_default();
    match first {
        "when" => sign(scene, index, expected, before),
        "except" | "+" | "-" => clause(scene, index, expected, before),
        _ => set_in_a_test(scene, index, expected, before),
    }
}

/// `when - { … }`: the name of a thing is a sign.
fn sign(scene: &Scene<'_>, index: usize, expected: &Expected, before: &[Token]) -> Option<Help> {
    let is_sign = scene.tokens[index].text(scene.text) == "-" && expected.has(Group::Value);
    let next = scene.tokens.get(index + 1).map(|token| token.text(scene.text)).unwrap_or_default();
    let is_number = next.starts_with(|sign: char| sign.is_ascii_digit());
    let is_asked = before.last().is_some_and(|token| matches!(token.text(scene.text), "when" | ","));
    (is_sign && is_asked && !is_number)
        .then(|| Help::write("'-'", "a thing whose name is a sign stands in quotes here: `'-'`"))
}

/// `except if s = Red: 2`, `except short 2 if …`, `+ 1 river if …`: the parts of a clause.
fn clause(scene: &Scene<'_>, index: usize, expected: &Expected, before: &[Token]) -> Option<Help> {
    let text = |token: &Token| token.text(scene.text);
    let (begins, word) = (text(&before[0]), text(&scene.tokens[index]));
    let is_word = scene.tokens[index].kind == TokenKind::Word;
    let is_number = |word: &str| word.starts_with(|sign: char| sign.is_ascii_digit());
    if word == "if" && before.len() == 1 && expected.has(Group::Value) {
        return Some(
            format!("the value stands before its condition: `{begins} label: VALUE if CONDITION`").into(),
        );
    }
    let label = before.get(1..).filter(|label| !label.is_empty())?;
    if is_number(word) && expected.expects("`:`") && label.iter().all(|token| token.kind == TokenKind::Word) {
        let label = scene.text.get(label[0].start..label[label.len() - 1].end)?;
        return Some(
            format!("a colon stands between a label and its value: `{begins} {label}: {word}`").into(),
        );
    }
    let is_turned = is_word && !reserved(word) && expected.has(Group::Operator);
    match label {
        [value] if is_turned && is_number(text(value)) => {
            Some(format!("the label stands before the value: `{begins} {word}: {}`", text(value)).into())
        }
        _ => None,
    }
}

/// `n = 3`, `Pike.s = 3` in a test: a state is to be set, or something must hold.
fn set_in_a_test(scene: &Scene<'_>, index: usize, expected: &Expected, before: &[Token]) -> Option<Help> {
    let text = |token: &Token| token.text(scene.text);
    let is_test = expected.expects("`can tell whether`") || expected.keywords().any(|word| word == "expect");
    let rest = scene.tokens[index..]
        .iter()
        .take_while(|token| token.kind != TokenKind::Newline && !matches!(text(token), ";" | "}"));
    let rest: Vec<&Token> = rest.collect();
    if !is_test || !rest.iter().any(|token| text(token) == "=") {
        return None;
    }
    let start = before.first().map_or(scene.tokens[index].start, |token| token.start);
    let line = scene.text.get(start..rest.last()?.end)?;
    let set = line.replacen('=', ":=", 1);
    Some(
        format!("a state is set by `:=`, and what must hold is asked by `expect`: `{set}`, `expect {line}`")
            .into(),
    )
}
