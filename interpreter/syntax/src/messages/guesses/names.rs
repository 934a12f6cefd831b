//! Words and numbers that no keyword is: misspelt keywords, names that begin in the wrong case, numbers in names.

use blazon_diagnostics::{did_you_mean, near_keyword};

use super::{Help, Slip};
use crate::keywords::reserved;
use crate::lexer::{Token, TokenKind};
use crate::messages::rule_names::Group;

/// What is meant by a word.
pub(super) fn help(slip: &Slip<'_>) -> Option<Help> {
    let Slip { expected, word, previous, .. } = *slip;
    if !slip.is(TokenKind::Word) {
        return None;
    }
    let begins_with_digit = word.starts_with(|c: char| c.is_ascii_digit());
    if previous == "." && begins_with_digit {
        return Some("after a dot stands a name; numbers are whole".into());
    }
    if let Some((number, die)) = several_dice(word) {
        return Some(format!("several dice are rolled by their number: `roll({die}, {number})`").into());
    }
    let next = slip.next();
    if previous == "remove" && next.starts_with(|c: char| c == '\'' || c.is_uppercase()) {
        return Some(
            format!("open the kind that it belongs to: `in kind {word} {{ remove {next} }}`").into(),
        );
    }
    if word.starts_with("round") && expected.has(Group::Operator) {
        return Some("a quotient is rounded by `rounded up`, `rounded`, or `rounded down` behind it".into());
    }
    if let Some(meant) = near_keyword(word, expected.keywords()) {
        return Some(Help::write(meant, did_you_mean(meant)));
    }
    if previous == "choose" && word.starts_with(char::is_alphabetic) {
        return Some(format!("who is asked stands behind `by`: `choose by {word}`").into());
    }
    if let Some(turned) = other_case(slip) {
        return Some(turned.into());
    }
    if let Some(printed) = printed_name(slip) {
        return Some(
            format!("a name cannot contain a number by itself; quote a printed name: `'{printed}'`").into(),
        );
    }
    if expected.only("a text") {
        return Some("a text stands in quotes: `\"…\"`".into());
    }
    (begins_with_digit && expected.has(Group::Operator)).then(|| {
        format!("a name cannot contain a number by itself; quote a printed name: `'{previous} {word}'`")
            .into()
    })
}

/// A name of the rules with a capital, or a thing without one.
fn other_case(slip: &Slip<'_>) -> Option<String> {
    let Slip { expected, word, .. } = *slip;
    let capital = word.starts_with(char::is_uppercase);
    if expected.has(Group::Value) {
        return None;
    }
    if capital && expected.has(Group::Name) && !expected.has(Group::Thing) {
        return Some(format!(
            "a name of the rules begins with a small letter, `{}`; capitals are for things printed on components",
            begun(word, char::to_lowercase)
        ));
    }
    if capital || reserved(word) || !expected.has(Group::Thing) {
        return None;
    }
    Some(match word.starts_with(char::is_alphabetic) {
        true => format!(
            "a thing begins with a capital, `{}`, or stands in quotes: `'1710'`",
            begun(word, char::to_uppercase)
        ),
        false => "a thing begins with a capital, or stands in quotes: `'1710'`".to_owned(),
    })
}

/// A word with another first letter.
fn begun<I: Iterator<Item = char>>(word: &str, turn: impl Fn(char) -> I) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(turn).chain(letters).collect()
}

/// `2d6`: the number and the die.
fn several_dice(word: &str) -> Option<(&str, &str)> {
    let at = word.find('d')?;
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    (is_number(&word[..at]) && is_number(&word[at + 1..])).then_some((&word[..at], &word[at..]))
}

/// The name of a thing in which a number stands, which is to be quoted: `The Year 1250`.
fn printed_name(slip: &Slip<'_>) -> Option<String> {
    if !slip.word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let is_word = |token: &&Token| token.kind == TokenKind::Word;
    let line = slip.line();
    let before = line.iter().rev().take_while(is_word).count();
    // What stands before the first capital is a word of the language, or a name of the rules.
    let begins_name = |token: &&Token| !slip.text(token).starts_with(char::is_uppercase);
    let name = line[line.len() - before..].iter().skip_while(begins_name);
    let mut words: Vec<&str> = name.map(|token| slip.text(token)).collect();
    if words.is_empty() {
        return None;
    }
    words.extend(slip.scene.tokens[slip.index..].iter().take_while(is_word).map(|token| slip.text(token)));
    Some(words.join(" "))
}
