//! Signs that stand in the place of other signs, or of words.

use super::{Help, Slip};
use crate::keywords::QUANTIFIERS;
use crate::lexer::TokenKind;
use crate::messages::rule_names::Group;

/// What is meant by a sign or a bracket.
pub(super) fn help(slip: &Slip<'_>) -> Option<Help> {
    let Slip { scene, expected, token, word, previous, .. } = *slip;
    match (token.kind, word) {
        (TokenKind::Sign, ":=" | "=" | "==") => assignment(slip),
        (TokenKind::Sign, ":") => colon(slip),
        (TokenKind::Sign, "+" | "-") => {
            if expected.expects("`:=`") && scene.text[token.end..].starts_with(word) {
                return Some(format!("it is changed by a number that is said: `{previous} {word}= 1`").into());
            }
            if word == "+" {
                return None;
            }
            if expected.has(Group::Value) {
                return Some("what is below nothing is taken from 0: `0 - …`".into());
            }
            expected.has(Group::Operator).then(|| "a minus has blanks around it".into())
        }
        (TokenKind::Sign | TokenKind::Close(_), "," | ")")
            if expected.only("`:`") && slip.behind(|word| matches!(word, "step" | "rule")) =>
        {
            Some(
                format!("a parameter says behind a colon what it is, a kind or a type: `{previous}: number`")
                    .into(),
            )
        }
        (TokenKind::Close(_), ")") if expected.only("a name") && previous == "(" => {
            Some("what takes nothing has no brackets behind its name".into())
        }
        (TokenKind::Open(_), "{") if expected.expects("`=`") && slip.line_begins() == Some("rule") => {
            Some("a rule has a value, `rule … : number = 3`; what is done stands in a `step`".into())
        }
        (TokenKind::Sign, "?") if expected.has(Group::Operator) => Some(
            "one value or the other is a rule with a clause, `except label: VALUE if CONDITION`; in a step it is \
             `if CONDITION { … } else { … }`"
                .into(),
        ),
        (TokenKind::Sign, "!") if !expected.has(Group::Operator) => Some("denial is the word `not`".into()),
        (TokenKind::Sign, "/" | "#") if slip.fresh || word == "#" || previous == "/" => {
            Some("a comment begins with `--`".into())
        }
        (TokenKind::Sign, "“" | "”" | "„" | "«" | "»") => {
            Some("a text stands in straight quotes: `\"…\"`".into())
        }
        // What stands behind a citation is told as that.
        (TokenKind::Sign, ",") if !slip.follows_citation() => comma(slip),
        _ => None,
    }
}

/// `:=`, `=` and `==`, one for another.
fn assignment(slip: &Slip<'_>) -> Option<Help> {
    let Slip { expected, word, .. } = *slip;
    match word {
        ":=" if expected.expects("`=`") => {
            Some(Help::write("=", "what something is stands behind `=`; `:=` sets a state"))
        }
        ":=" if expected.has(Group::Operator) => {
            Some(Help::write("=", "`:=` sets a state; to compare write `=`"))
        }
        "=" if expected.only("`in`") && slip.behind(|word| word == "for") => {
            Some("a loop goes through a range or a set: `for n in 1..3 { … }`".into())
        }
        "=" if expected.expects("`:=`") => Some(Help::write(":=", "to set a state write `:=`; `=` compares")),
        "==" => Some(Help::write("=", "equality is one sign: `=`")),
        _ => None,
    }
}

/// A colon where a word or a brace is meant.
fn colon(slip: &Slip<'_>) -> Option<Help> {
    let expected = slip.expected;
    if expected.has(Group::Operator) && slip.behind(|word| QUANTIFIERS.contains(&word)) {
        return Some("a condition that holds for each of a set is asked by `every d in dice: …`".into());
    }
    if expected.expects("`{`") && slip.behind(|word| word == "for") {
        return Some("what is done for each stands in braces: `for … { … }`".into());
    }
    (expected.has(Group::Operator) && slip.behind_words(["needs", "not"]))
        .then(|| "a label cannot begin with `not`: `needs free: not …`".into())
}

/// A comma between keys, or between the ends of a link.
fn comma(slip: &Slip<'_>) -> Option<Help> {
    let expected = slip.expected;
    if expected.has(Group::Operator) && slip.behind(crate::ast::compares) {
        return Some("a key that is a condition stands in brackets: `by (p.rank = Guard), p.steps`".into());
    }
    if (expected.expects("`:`") || expected.only("`in`")) && slip.behind(|word| word == "every") {
        return Some(super::queries::EVERY.into());
    }
    (expected.expects("`-`") && slip.scene.whole == "the kind").then(|| {
        "a thing begins with a capital, or stands in quotes; links have two ends: `area - area`".into()
    })
}
