//! Lines that say the right thing in a wrong order, or with the sign of another line: clauses of rules, lines of tests, cases.

use super::{Help, Slip};
use crate::keywords::reserved;
use crate::lexer::{Token, TokenKind};
use crate::messages::rule_names::Group;

/// How such a line is written, where that can be told at the token where reading it failed.
pub(super) fn help(slip: &Slip<'_>) -> Option<Help> {
    // What stands on the line before it says nothing where something ends between.
    let line = slip.line();
    let ends = |token: &Token| matches!(slip.text(token), ";" | "{" | "}");
    let before = &line[line.iter().rposition(ends).map_or(0, |at| at + 1)..];
    let first = before.first().map(|token| slip.text(token)).unwrap_or_default();
    match first {
        "when" => sign(slip, before),
        "except" | "+" | "-" => clause(slip, before),
        _ => sight(slip, before).or_else(|| set_in_a_test(slip, before)),
    }
}

/// `when - { … }`: the name of a thing is a sign.
fn sign(slip: &Slip<'_>, before: &[Token]) -> Option<Help> {
    let is_sign = slip.word == "-" && slip.expected.has(Group::Value);
    let is_number = slip.next().starts_with(|sign: char| sign.is_ascii_digit());
    let is_asked = before.last().is_some_and(|token| matches!(slip.text(token), "when" | ","));
    (is_sign && is_asked && !is_number)
        .then(|| Help::write("'-'", "a thing whose name is a sign stands in quotes here: `'-'`"))
}

/// `except if s = Red: 2`, `except short 2 if …`, `+ 1 river if …`: the parts of a clause.
fn clause(slip: &Slip<'_>, before: &[Token]) -> Option<Help> {
    let Slip { scene, expected, word, .. } = *slip;
    let begins = slip.text(&before[0]);
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
    let is_turned = slip.is(TokenKind::Word) && !reserved(word) && expected.has(Group::Operator);
    match label {
        [value] if is_turned && is_number(slip.text(value)) => {
            let value = slip.text(value);
            Some(format!("the label stands before the value: `{begins} {word}: {value}`").into())
        }
        _ => None,
    }
}

/// `Red sees first Cart`, `Red does not see all Carts` in a test: what is seen is named.
fn sight(slip: &Slip<'_>, before: &[Token]) -> Option<Help> {
    let sees = before.iter().position(|token| matches!(slip.text(token), "sees" | "see"))?;
    let seen = before.get(sees + 1).copied().unwrap_or(slip.token);
    let is_small = slip.text(&seen).starts_with(char::is_lowercase);
    let is_line = slip.expected.only("`:`") || slip.expected.expects("a thing");
    (sees > 0 && is_small && is_line && seen.kind == TokenKind::Word).then(|| {
        "what is seen is named, one thing or several with commas between; of look-alikes the name means one of them".into()
    })
}

/// `n = 3`, `Pike.s = 3` in a test: a state is to be set, or something must hold.
fn set_in_a_test(slip: &Slip<'_>, before: &[Token]) -> Option<Help> {
    let Slip { scene, expected, index, token, .. } = *slip;
    let is_test = expected.expects("`can tell whether`") || expected.keywords().any(|word| word == "expect");
    let rest = scene.tokens[index..]
        .iter()
        .take_while(|token| token.kind != TokenKind::Newline && !matches!(slip.text(token), ";" | "}"));
    let rest: Vec<&Token> = rest.collect();
    if !is_test || !rest.iter().any(|token| slip.text(token) == "=") {
        return None;
    }
    let start = before.first().map_or(token.start, |token| token.start);
    let line = scene.text.get(start..rest.last()?.end)?;
    let set = line.replacen('=', ":=", 1);
    Some(
        format!("a state is set by `:=`, and what must hold is asked by `expect`: `{set}`, `expect {line}`")
            .into(),
    )
}
