//! The tables of keywords and operators against the grammar: each says what the other says.

use std::collections::BTreeSet;

use blazon_grammar::Rule;

use crate::ast::{BinaryOp, Quantifier};
use crate::keywords::{INNER_WORDS, KEYWORDS, OPENING_WORDS, QUANTIFIERS, keyword};
use crate::messages::describe;
use crate::signs;

const GRAMMAR: &str = include_str!("../../../grammar/blazon.pest");

/// What stands in the braces of a rule of the grammar.
fn body(rule: &str) -> &'static str {
    let is_it = |line: &&str| line.split('=').next().is_some_and(|name| name.trim() == rule);
    let first = GRAMMAR.lines().find(is_it).unwrap_or_else(|| panic!("the grammar has no `{rule}`"));
    let start = first.as_ptr() as usize - GRAMMAR.as_ptr() as usize;
    let end = GRAMMAR[start..].find(" }\n").expect("a rule ends with its line");
    let whole = &GRAMMAR[start..start + end];
    &whole[whole.find('{').expect("a rule has braces") + 1..]
}

/// The texts in quotes that a rule of the grammar reads.
fn literals(rule: &str) -> BTreeSet<&'static str> {
    body(rule).split('"').skip(1).step_by(2).collect()
}

fn set<'a>(words: impl IntoIterator<Item = &'a str>) -> BTreeSet<&'a str> {
    words.into_iter().collect()
}

#[test]
fn inner_and_opening_words_are_those_of_the_grammar() {
    assert_eq!(set(INNER_WORDS), literals("inner"));
    assert_eq!(set(blazon_diagnostics::ENDING), literals("inner"), "what quotes names");
    assert_eq!(set(OPENING_WORDS), literals("opening"));
}

#[test]
fn the_words_that_open_queries_are_those_of_the_grammar() {
    let rules = ["quantifier", "total", "reach", "ranking", "kw_every"];
    let mut words: BTreeSet<&str> = rules.into_iter().flat_map(literals).collect();
    // What else stands there in quotes is no word that opens a query.
    words.extend(["min", "max"].into_iter().filter(|word| literals("extreme").contains(word)));
    assert_eq!(set(QUANTIFIERS), words);
    for word in QUANTIFIERS {
        assert_eq!(Quantifier::written(word).map(Quantifier::word), Some(word));
    }
}

#[test]
fn every_keyword_reads_its_word() {
    let mut read = 0;
    for &rule in Rule::all_rules() {
        let name = format!("{rule:?}");
        assert_eq!(name.starts_with("kw_"), keyword(rule).is_some(), "{name}");
        let Some(keyword) = keyword(rule) else { continue };
        let written: Vec<&str> =
            body(&name).split('"').skip(1).step_by(2).filter(|word| *word != " ").collect();
        assert_eq!(written.join(" "), keyword.word, "{name}");
        read += 1;
    }
    // Those without a rule of their own open names, queries and constants.
    let opens = |word: &str| OPENING_WORDS.contains(&word) || QUANTIFIERS.contains(&word);
    let others = KEYWORDS.iter().filter(|keyword| opens(keyword.word));
    let unread = others.filter(|keyword| !GRAMMAR.contains(&format!("kw_{} ", keyword.word))).count();
    assert_eq!(read + unread, KEYWORDS.len());
}

#[test]
fn keywords_stand_in_the_table_once() {
    assert_eq!(set(KEYWORDS.iter().map(|keyword| keyword.word)).len(), KEYWORDS.len());
}

#[test]
fn keywords_are_shown_between_backticks() {
    for &rule in Rule::all_rules() {
        let Some(found) =
            describe(rule).and_then(|description| Some((description.words, description.keyword?)))
        else {
            continue;
        };
        assert_eq!(found.0, format!("`{}`", found.1.word), "{rule:?}");
    }
}

#[test]
fn operators_are_those_of_the_grammar() {
    let rules = ["comparison_sign", "product_sign"];
    let mut written: BTreeSet<&str> = rules.into_iter().flat_map(literals).collect();
    // These have other uses, too, and rules of their own.
    written.extend(["=", "+", "-", "or", "and", "in", "not in"]);
    assert_eq!(set(BinaryOp::ALL.iter().map(|operator| operator.sign())), written);
    for &operator in BinaryOp::ALL {
        assert_eq!(BinaryOp::written(operator.sign()), Some(operator));
    }
}

#[test]
fn lines_go_on_after_operators_and_before_most() {
    for sign in BinaryOp::ALL
        .iter()
        .map(|operator| operator.sign())
        .filter(|sign| !sign.starts_with(char::is_alphabetic))
    {
        assert!(signs::leads(sign), "{sign}");
        assert_eq!(signs::trails(sign), !["+", "-"].contains(&sign), "{sign}");
        assert_eq!(signs::long(&format!("{sign} b")), (sign.len() == 2).then_some(2), "{sign}");
    }
}
