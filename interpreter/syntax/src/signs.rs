//! Signs at the ends of lines: after which a line goes on, before which it does, and which are longer than one
//! character. Operators come from their table ([`BinaryOp`]); the others stand here.

use crate::ast::BinaryOp;

/// A sign that is no operator.
struct Sign {
    text: &'static str,
    /// Whether a line goes on after it.
    leads: bool,
    /// Whether it continues the line above when a line begins with it.
    trails: bool,
}

const SIGNS: [Sign; 8] = [
    Sign { text: ",", leads: true, trails: true },
    Sign { text: ":", leads: true, trails: false },
    Sign { text: ":=", leads: true, trails: true },
    Sign { text: "+=", leads: true, trails: true },
    Sign { text: "-=", leads: true, trails: true },
    Sign { text: "..", leads: true, trails: true },
    Sign { text: ".", leads: true, trails: true },
    // No sign of the language: read as one so that it can be said what is meant.
    Sign { text: "==", leads: false, trails: false },
];

/// Operators with which a line of its own begins: what is added to the answer of a rule, or taken from it.
const BEGINNING: [BinaryOp; 2] = [BinaryOp::Plus, BinaryOp::Minus];

/// Whether a line goes on after a sign.
pub(crate) fn leads(sign: &str) -> bool {
    BinaryOp::written(sign).is_some() || SIGNS.iter().any(|other| other.leads && other.text == sign)
}

/// Whether a sign continues the line above when a line begins with it.
pub(crate) fn trails(sign: &str) -> bool {
    match BinaryOp::written(sign) {
        Some(operator) => !BEGINNING.contains(&operator),
        None => SIGNS.iter().any(|other| other.trails && other.text == sign),
    }
}

/// How many bytes the sign at the beginning of a text has, if it is longer than one character.
pub(crate) fn long(rest: &str) -> Option<usize> {
    let two = rest.get(..2)?;
    (BinaryOp::written(two).is_some() || SIGNS.iter().any(|sign| sign.text == two)).then_some(2)
}
