//! Queries that are written as in other languages, or with the parts of other queries.

use super::{Help, Slip};
use crate::ast::{Quantifier, compares};
use crate::lexer::TokenKind;
use crate::messages::rule_names::Group;

/// How `every` is written.
pub(super) const EVERY: &str = "`every` asks a condition of each, behind a colon: `every d in dice: odd(d)`";

/// What is meant by `no`, `repeat`, and by `where`, `by`, `within`, `else` and `not` within a question.
pub(super) fn help(slip: &Slip<'_>) -> Option<Help> {
    let Slip { expected, word, previous, .. } = *slip;
    let is_every =
        || (expected.expects("`:`") || expected.only("`in`")) && slip.behind(|word| word == "every");
    if !slip.is(TokenKind::Word) {
        return is_every().then(|| EVERY.into());
    }
    let said = match (word, previous) {
        (_, "repeat") if expected.expects("`:=`") => {
            "what is done so many times is a loop through numbers: `for n in 1..3 { … }`"
        }
        (_, "no") if expected.has(Group::Operator) => {
            return Some(format!("that there is none is asked so: `not any {word} in … where …`").into());
        }
        ("where", _) if expected.has(Group::Operator) => {
            match slip.behind(|word| matches!(word, "by" | "within")) {
                true => "`where` stands before `by` and `within`, behind what is gone through",
                false => {
                    "what `where` asks of has a name: `all p in … where p. …`; so it is with `any` and `count`"
                }
            }
        }
        ("by", _) if by(slip).is_some() => return by(slip).map(Help::from),
        ("within", _) if expected.has(Group::Operator) && slip.behind(opens_query) => {
            "`within` belongs to `reach`, which counts hops or spends what ways cost"
        }
        ("else", _) if slip.behind(|word| word == "permission") => {
            "what a permission asks stands in lines below it: `needs label: … else \"…\"`"
        }
        ("not", _) if expected.has(Group::Value) => "put the denied condition in brackets: `(not …)`",
        _ if is_every() => EVERY,
        _ => return None,
    };
    Some(said.into())
}

/// A `by` that belongs to another query.
fn by(slip: &Slip<'_>) -> Option<&'static str> {
    if slip.behind(|word| word == "sum") {
        return Some("a sum is asked so: `total p in … by …`");
    }
    if slip.behind(|word| word == "within") {
        return Some(
            "what ways cost stands before `within`, behind where they lead: `reach h in start by n in h.neighbours by \
             n.cost within 6`",
        );
    }
    if !slip.expected.has(Group::Operator) {
        return None;
    }
    if ["reach", "by"].into_iter().all(|one| slip.behind(|word| word == one)) {
        return Some(
            "where ways cost something, what they lead to has a variable: `reach h in start by n in h.neighbours by n.cost \
             within 6`",
        );
    }
    slip.behind(takes_no_by)
        .then_some("`by` belongs to `most`, `least`, `highest`, `lowest`, `max`, `min`, `total` and `reach`")
}

/// Whether a word opens a query that compares and sums nothing.
fn takes_no_by(word: &str) -> bool {
    opens_query(word) && !compares(word) && !matches!(word, "total" | "reach" | "max" | "min")
}

fn opens_query(word: &str) -> bool {
    Quantifier::written(word).is_some()
}
