//! Nothing makes the parser panic or hang: junk, broken samples, deep nesting, very long lines.

mod common;

use std::time::{Duration, Instant};

use blazon_diagnostics::SourceId;
use blazon_syntax::{parse, parse_expression, parse_list};
use common::samples;
use proptest::prelude::*;

/// Parses in a small stack and gives how long it took and how many diagnostics came out.
fn timed(text: String) -> (Duration, usize) {
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(move || {
            let begun = Instant::now();
            let (file, diagnostics) = parse(SourceId(0), &text);
            let length = text.len() as u32;
            for diagnostic in &diagnostics {
                let span = diagnostic.span.expect("syntax errors have a place");
                assert!(span.start <= span.end && span.end <= length, "{diagnostic:?} lies outside");
                assert!(
                    text.get(span.start as usize..span.end as usize).is_some(),
                    "{diagnostic:?} splits a letter"
                );
            }
            drop(file);
            (begun.elapsed(), diagnostics.len())
        })
        .unwrap()
        .join()
        .unwrap()
}

fn quick(what: &str, text: String) {
    let length = text.len();
    let (time, count) = timed(text);
    assert!(count > 0, "{what}: nothing was said");
    assert!(count <= 120, "{what}: {count} messages");
    let allowed = Duration::from_millis(400 + length as u64 / 100);
    assert!(time < allowed, "{what}: {time:?}");
}

#[test]
fn unclosed_brackets_are_quick() {
    for open in
        ["(", "[", "{", "f(", "x[", "any (", "\"{", "\"{f(", "all a in (", "any a in f(", "x + (", "not ("]
    {
        for count in [40, 1000] {
            quick(open, format!("rule x: flag = {}\n", open.repeat(count)));
            quick(open, format!("step x {{\n  a := {}\n}}\n", open.repeat(count)));
            quick(
                open,
                format!("test \"x\" {{\n  expect {} + {}\n}}\n", open.repeat(20), open.repeat(count)),
            );
        }
    }
}

#[test]
fn broken_expressions_are_read_once() {
    for part in [
        "all a in b where (",
        "any a in b where x and (",
        "first all a in b + (",
        "f(x, all a in b by (",
        "[a, any b in (",
        "all a in all b in c where f(",
        "most a in b by f(",
        "reach a in b within f(",
        "every a in b where (",
        "every a in b: f(",
        "most a in b by c, (",
        "min a in (",
        "max a in b by f(",
        "x otherwise (",
        "1..(",
    ] {
        let open = part.matches(['(', '[']).count();
        for depth in [5, 15] {
            let close: String = part
                .repeat(depth)
                .chars()
                .rev()
                .filter_map(|c| match c {
                    '(' => Some(')'),
                    '[' => Some(']'),
                    _ => None,
                })
                .collect();
            let text = format!("rule x: flag = {} ! {close}\n", part.repeat(depth));
            assert!(open > 0);
            quick(part, text);
        }
    }
}

#[test]
fn the_deepest_nesting_fits_in_a_small_stack() {
    for (open, close) in [
        ("(", ")"),
        ("f(", ")"),
        ("[", "]"),
        ("any ", ""),
        ("all a in ", ""),
        ("any a in f(", ")"),
        ("every a in b: ", ""),
        ("most a in b by c, ", ""),
        ("max a in ", ""),
        ("min a in b by (", ")"),
        ("x.f(", ")"),
        ("not (", ")"),
        ("\"{", "}\""),
        ("1 + (", ")"),
        ("x otherwise f(", ")"),
    ] {
        for depth in [20, 23, 45, 47] {
            let inner = format!("{}x{}", open.repeat(depth), close.repeat(depth));
            let (_, count) = timed(format!("rule x: flag = {inner}\n"));
            assert!(count == 0 || depth > 20, "{open} nests {depth} deep");
            timed(format!("step x {{ choose by s {{ option a(b in c) {{ if {inner} {{ stop }} }} }} }}\n"));
        }
    }
    for (open, close) in [
        ("if a { ", " }"),
        ("for a in b { ", " }"),
        ("choose by s { option a { ", " } }"),
        ("case a { when 1 { ", " } }"),
    ] {
        for depth in [20, 23, 46] {
            timed(format!("step x {{ {} stop {} }}\n", open.repeat(depth), close.repeat(depth)));
        }
    }
    timed(format!("under x {{ {} remove Kent {} }}\n", "in rule x { ".repeat(46), " }".repeat(46)));
    timed(format!("setup X (block: side) {{ {} Kent: York {} }}\n", "York { ".repeat(46), " }".repeat(46)));
}

#[test]
fn long_chains_are_bounded() {
    let long = 60_000;
    for chain in [" + x", " and x", ".x", " otherwise x", " .. x", " = x", ".f(x)", ", x", " where x"] {
        quick(chain, format!("rule x: flag = x{} )\n", chain.repeat(long)));
    }
    for chain in
        ["not ", "any ", "any x in ", "all all ", "every x in y: ", "least x in y by z, ", "max x in "]
    {
        quick(chain, format!("rule x: flag = {}\n", chain.repeat(long)));
        quick(chain, format!("rule x: flag = ({}\n", chain.replace(' ', "\n").repeat(long)));
    }
    quick("else if", format!("step x {{ if x {{ }} {} }}\n", "else if x { }\n".repeat(long / 10)));
}

#[test]
fn a_megabyte_of_junk_is_quick() {
    let junk = |part: &str| part.repeat((1 << 20) / part.len());
    for part in [
        "a",
        "a ",
        "A",
        "(",
        ")",
        "{",
        "}",
        "{}",
        "\"",
        "'",
        "|",
        "\n",
        "a\n",
        "rule\n",
        "rule x: flag = yes }\n",
        "step x {\n",
        "in rule x {\n",
        "@",
        "@1.1 ",
        "--",
        "- ",
        ",",
        "\u{0}",
        "é",
        "’",
        "rule\u{0}\n",
        "needs x\n",
        "| a |\n",
        "rule x: flag = yes\n  ! bad\n",
        "\t|\t\n",
        "1",
        "..",
        "rule x: flag = \"{\"\n",
        "game\n",
        "\u{feff}",
    ] {
        let (time, count) = timed(junk(part));
        assert!(count <= 120, "{part:?}: {count} messages");
        assert!(time < Duration::from_secs(20), "{part:?}: {time:?}");
        eprintln!("{part:?}: {time:?} {count}");
    }
}

/// A sample with some of its bytes changed, cut or doubled.
fn mutated() -> impl Strategy<Value = String> {
    let texts: Vec<String> = samples().into_iter().map(|(_, text)| text).collect();
    let pieces = prop::sample::select(vec![
        "",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "\"",
        "'",
        "|",
        "\n",
        ";",
        ",",
        ":",
        ":=",
        "=",
        "-",
        "--",
        "@",
        "@5.21",
        " in ",
        " where ",
        " any ",
        " not ",
        "if",
        "rule ",
        "\n}\n",
        "\t",
        "\r\n",
        "’",
        "é",
        "{{",
        "\u{0}",
        "1",
        "..",
        "needs ",
        "every ",
        " by ",
        "min a in ",
        " rounded up",
        " / ",
        "{x: a | b}",
    ]);
    (
        prop::sample::select(texts),
        prop::collection::vec((any::<prop::sample::Index>(), 0..8_usize, pieces), 1..6),
    )
        .prop_map(|(mut text, edits)| {
            for (place, cut, piece) in edits {
                let mut at = place.index(text.len() + 1);
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                let mut end = (at + cut).min(text.len());
                while !text.is_char_boundary(end) {
                    end += 1;
                }
                text.replace_range(at..end, piece);
            }
            text
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_survived(text in any::<String>()) {
        timed(text.clone());
        let _ = parse_expression(SourceId(0), &text);
        let _ = parse_list(SourceId(0), &text, 7);
    }

    #[test]
    fn words_and_signs_are_survived(
        parts in prop::collection::vec(prop::sample::select(vec![
            "rule ", "step ", "x", "York", " ", "\n", "(", ")", "{", "}", ":", "=", "all a in ", "where ", "needs ",
            "else ", "\"", "{b}", "option ", "choose by s ", "+ ", "- ", "1", ".", "..", "@1 ", "| a |", ", ", ";", "in ",
            "under ", "test ", "setup ", "if ", "for a in b ", "case a ", "when 1 ", "--",
        ]), 0..80)
    ) {
        let text = parts.concat();
        let (time, _) = timed(text);
        prop_assert!(time < Duration::from_millis(500), "{:?}", time);
    }

    #[test]
    fn broken_samples_are_survived(text in mutated()) {
        let (time, _) = timed(text);
        prop_assert!(time < Duration::from_secs(2), "{:?}", time);
    }
}
