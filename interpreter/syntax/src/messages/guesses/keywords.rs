//! Words of the language that stand at a place where they say nothing.

use super::{Help, Slip};
use crate::lexer::TokenKind;
use crate::messages::rule_names::Group;

/// What is meant by `if`, `then`, `not`, `needs` and `else` there.
pub(super) fn help(slip: &Slip<'_>) -> Option<Help> {
    let Slip { expected, word, previous, .. } = *slip;
    if !slip.is(TokenKind::Word) {
        return None;
    }
    let said = match word {
        "if" => return condition(slip),
        "then" if expected.expects("`{`") => "what is done then stands in braces: `if … { … }`",
        "not" if previous == "is" => "to compare write `=` or `!=`, in the place of `is` and `is not`",
        "needs" if expected.expects("`option`") && follows_block(slip) => {
            "the needs of an option stand before its block: `option … needs … { … }`"
        }
        _ => return None,
    };
    Some(said.into())
}

/// An `if` behind what it decides.
fn condition(slip: &Slip<'_>) -> Option<Help> {
    let Slip { expected, previous, .. } = *slip;
    if previous == "return" {
        return Some("write what decides first: `if … { return }`".into());
    }
    let is_except = slip.behind(|word| word == "except");
    if (expected.has(Group::Value) || expected.has(Group::Operator))
        && slip.behind(|word| word == "rule")
        && !is_except
    {
        return Some(
            "the value that holds otherwise stands here, alone; below it a clause says when it is another: \
             `except label: VALUE if CONDITION`"
                .into(),
        );
    }
    // `Red except Blue` may be a name.
    (expected.has(Group::Operator) && is_except && slip.line_begins() != Some("except"))
        .then(|| "`except` begins a line of its own, below what it is an exception to".into())
}

/// Whether the line before a token ends with a block.
fn follows_block(slip: &Slip<'_>) -> bool {
    let mut before = slip.scene.tokens[..slip.index].iter().rev();
    before.find(|token| token.kind != TokenKind::Newline).is_some_and(|token| slip.text(token) == "}")
}
