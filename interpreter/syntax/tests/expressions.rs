//! Expressions by themselves: precedence, names, things, texts, spans.

mod common;

use blazon_diagnostics::{SourceId, Sources};
use blazon_syntax::ast::{Expr, ExprKind, print};
use blazon_syntax::{parse_expression, parse_list, plain_name};
use common::{shape, show};

#[test]
fn expressions_have_the_expected_shape() {
    for (text, expected) in [
        ("1 + 2 * 3", "(Plus 1 (Times 2 3))"),
        ("1 - 2 - 3", "(Minus (Minus 1 2) 3)"),
        ("a or (b and not c = d)", "(Or a (And b (not (Equal c d))))"),
        ("not not a", "(not (not a))"),
        ("a.b otherwise 0 + 1", "(Plus (otherwise a.b 0) 1)"),
        ("a otherwise b otherwise c", "(otherwise (otherwise a b) c)"),
        ("1..n + 1", "(range 1 (Plus n 1))"),
        ("x in 1..3", "(In x (range 1 3))"),
        ("b not in [Kent, Isle of Man]", "(NotIn b [<Kent>, <Isle of Man>])"),
        ("a & b + c", "(Plus (Both a b) c)"),
        ("(a + b) * c", "(Times (Plus a b) c)"),
        ("n >= -1", "(AtLeast n -1)"),
        ("b.at.border(to).room(b.side)", "b.at.border(to).room(b.side)"),
        ("Derby - Chester", "(Minus <Derby> <Chester>)"),
        ("main(Derby - Chester)", "main((Minus <Derby> <Chester>))"),
        ("York (block).strength", "<York (block)>.strength"),
        ("York(levy)", "<York (levy)>"),
        ("Bombard (York), ", ""),
        ("Knight (2)", "<Knight (2)>"),
        ("'1710'.side", "<1710>.side"),
        ("Cade's Rising = Queen’s Witchcraft", "(Equal <Cade's Rising> <Queen's Witchcraft>)"),
        ("king's side.son-in-law", "king's side.son-in-law"),
        ("Élan vital.größe", "<Élan vital>.größe"),
        ("points   left", "points left"),
        ("any a.exile and a.exile != s", "(And (Any a.exile) (NotEqual a.exile s))"),
        ("any b in s.army where b.x and b.y", "(Any b in s.army where (And b.x b.y))"),
        ("count d in dice where d <= 3", "(Count d in dice where (AtMost d 3))"),
        (
            "(count s in sides where any s.force(a)) > 1",
            "(Greater (Count s in sides where (Any s.force(a))) 1)",
        ),
        ("count to.entries(s) >= 3", "(AtLeast (Count to.entries(s)) 3)"),
        ("first least h in s.heirs where h.x by h.y", "(First (Least h in s.heirs where h.x by h.y))"),
        ("total c in s.hand by c.points", "(Total c in s.hand by c.points)"),
        (
            "reach h in l.at by (h.neighbours - shut) within 5",
            "(Reach h in l.at by (Minus h.neighbours shut) within 5)",
        ),
        (
            "reach h in l.at where h.x by n in h.near where n.y by n.z within p",
            "(Reach h in l.at where h.x by (Way n in h.near where n.y by n.z) within p)",
        ),
        ("reach h in l.at by n in h.near within 2", "(Reach h in l.at by (Way n in h.near) within 2)"),
        ("reach h in l.at by n", "(Reach h in l.at by n)"),
        (
            "lowest h in s where any b in h.t where b.x by h.y",
            "(Lowest h in s where (Any b in h.t where b.x) by h.y)",
        ),
        (
            "reach h in s by n in h.t where not any b in n.t where b.x by n.y within 3",
            "(Reach h in s by (Way n in h.t where (not (Any b in n.t where b.x)) by n.y) within 3)",
        ),
        ("all b in blocks where b in royal\n  and b.x", "(All b in blocks where (And (In b royal) b.x))"),
        ("every d in dice: even(d)", "(Every d in dice: even(d))"),
        (
            "every a in s where a.x: every b in a.t where b.y or b.z: b.n > 1 and b.m",
            "(Every a in s where a.x: (Every b in a.t where (Or b.y b.z): (And (Greater b.n 1) b.m)))",
        ),
        ("lowest h in s where c by h.x", "(Lowest h in s where c by h.x)"),
        ("highest h in s by h.x, (not h.y), h.z(a, b)", "(Highest h in s by h.x, (not h.y), h.z(a, b))"),
        ("first most h in s by h.x, h.y", "(First (Most h in s by h.x, h.y))"),
        ("f((least h in s by h.x, h.y), b)", "f((Least h in s by h.x, h.y), b)"),
        ("f(total h in s by h.x, b)", "f((Total h in s by h.x), b)"),
        ("max(a, min(b, c))", "max(a, min(b, c))"),
        ("max h in s where c by h.x otherwise 0", "(Max h in s where c by (otherwise h.x 0))"),
        ("(min max h in s by h.x) otherwise 0", "(otherwise (Min max h in s by h.x) 0)"),
        ("max height", "max height"),
        ("a / b rounded up", "(Up (Over a b))"),
        ("p * r / 10 rounded up + 1", "(Plus (Up (Over (Times p r) 10)) 1)"),
        ("a / b.c rounded - d", "(Minus (Nearest (Over a b.c)) d)"),
        ("a / b otherwise c rounded down * d", "(Times (Down (Over a (otherwise b c))) d)"),
        ("a / f(b) rounded up / c rounded", "(Nearest (Over (Up (Over a f(b))) c))"),
        ("(a / b) rounded", "(Nearest (Over a b))"),
        ("a rounded up / b", "(Over a rounded up b)"),
        ("a / rounded corner", "(Over a rounded corner)"),
        ("a / b  rounded   up", "(Up (Over a b))"),
        ("\"{n} hit{n: | s}, {b: marches | march}\"", "\"{n}~ hit~{n:  | s}~, ~{b: marches | march}\""),
        ("\"{every d in dice: odd(d)}\"", "\"{(Every d in dice: odd(d))}\""),
        ("none", "none"),
        ("yes or no", "(Or yes no)"),
        ("nobody or notion", "(Or nobody notion)"),
        ("roll(d6, n)", "roll(d6, n)"),
        ("\"{b} has {count b.hits} {{hits}}\"", "\"{b}~ has ~{(Count b.hits)}~ {hits}\""),
        ("\"{first(x, \"a {b}\")}\"", ""),
        ("\"{either(x, \"a {b}\")}\"", "\"{either(x, \"a ~{b}\")}\""),
        ("\"-- no comment @5\"", "\"-- no comment @5\""),
        ("a -- a comment", "a"),
    ] {
        let found = parse_expression(SourceId(0), text).map_or_else(|_| String::new(), |e| shape::expr(&e));
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn broken_expressions_are_explained() {
    for (text, expected) in [
        ("", "x:1:1 syntax::expected: expected a value | found the end of the expression"),
        ("a +", "x:1:3 syntax::expected: expected a value | found the end of the expression"),
        ("(a", "x:1:1 syntax::brace: a `(` is not closed | opened here | help: close it with `)`"),
        (
            "\"a",
            "x:1:1 syntax::text: a text has no end on its line | the text begins here | help: end it with `\"` on the same line",
        ),
        ("where", "x:1:1 syntax::expected: expected a value | found `where`"),
        (
            "a b) c",
            "x:1:4 syntax::brace: a `)` closes nothing | nothing is open here | help: delete it, or open what it should close",
        ),
        ("f(a,)", "x:1:5 syntax::expected: expected a value | found `)`"),
        ("all a in", "x:1:8 syntax::expected: expected a value | found the end of the expression"),
    ] {
        let mut sources = Sources::default();
        let id = sources.add("x", text);
        let wrong = parse_expression(id, text).unwrap_err();
        assert_eq!(show(&sources, &wrong[0]), expected, "{text:?}");
    }
}

#[allow(clippy::wildcard_enum_match_arm, reason = "what has parts is looked through")]
fn spans(e: &Expr, text: &str, out: &mut Vec<String>) {
    out.push(text[e.span.start as usize..e.span.end as usize].to_owned());
    match &e.kind {
        ExprKind::Dot(of, call) => {
            spans(of, text, out);
            call.args.iter().for_each(|arg| spans(arg, text, out));
        }
        ExprKind::Call(call) => call.args.iter().for_each(|arg| spans(arg, text, out)),
        ExprKind::Binary(_, a, b) | ExprKind::Range(a, b) | ExprKind::Otherwise(a, b) => {
            spans(a, text, out);
            spans(b, text, out);
        }
        ExprKind::Not(of) | ExprKind::Rounded(_, of) => spans(of, text, out),
        ExprKind::Query(query) => {
            spans(&query.source, text, out);
            query.filter.iter().chain(&query.by).for_each(|part| spans(part, text, out));
        }
        _ => {}
    }
}

#[test]
fn spans_cover_what_was_written() {
    let text = "not any b in s.army( x ) where b.at = Kent  + é.b ";
    let mut found = Vec::new();
    spans(&parse_expression(SourceId(0), text).unwrap(), text, &mut found);
    assert_eq!(
        found,
        [
            "not any b in s.army( x ) where b.at = Kent  + é.b",
            "any b in s.army( x ) where b.at = Kent  + é.b",
            "s.army( x )",
            "s",
            "x",
            "b.at = Kent  + é.b",
            "b.at",
            "b",
            "Kent  + é.b",
            "Kent",
            "é.b",
            "é",
        ]
    );
}

#[test]
fn lists_count_from_their_place() {
    let cells = parse_list(SourceId(3), "Irish Sea, North Sea", 100).unwrap();
    assert_eq!(cells.iter().map(shape::expr).collect::<Vec<_>>(), ["<Irish Sea>", "<North Sea>"]);
    assert_eq!((cells[1].span.start, cells[1].span.end, cells[1].span.source), (111, 120, SourceId(3)));
    let wrong = parse_list(SourceId(3), "Irish Sea; x", 100).unwrap_err();
    assert_eq!(wrong[0].span.map(|span| span.start), Some(109));
}

#[test]
fn names_are_folded() {
    for (written, plain) in [
        ("  Isle   of Man ", "Isle of Man"),
        ("York(levy)", "York (levy)"),
        ("York ( levy )", "York (levy)"),
        ("'1710'", "1710"),
        ("'1710' (card)", "1710 (card)"),
        ("Queen’s", "Queen's"),
    ] {
        assert_eq!(plain_name(written), plain);
    }
}

/// What asks for brackets, what the mend writes, and what it means; printed, it means the same.
#[test]
fn brackets_are_asked_for_and_written() {
    for (text, mended, meant) in [
        ("a or b and c", "a or (b and c)", "(Or a (And b c))"),
        ("a and b or c or d and e", "(a and b) or c or (d and e)", "(Or (Or (And a b) c) (And d e))"),
        ("not any s - t", "not any (s - t)", "(not (Any (Minus s t)))"),
        ("count s + 1", "(count s) + 1", "(Plus (Count s) 1)"),
        ("all x in a & b", "all x in (a & b)", "(All x in (Both a b))"),
        ("count x in a + b where c or d and e", "count x in (a + b) where c or (d and e)", ""),
        ("reach x in a by x.b - c within n + 1", "reach x in a by (x.b - c) within (n + 1)", ""),
        (
            "reach x in a by y in b - c by y.d + 1 within 3",
            "reach x in a by y in (b - c) by (y.d + 1) within 3",
            "",
        ),
        ("f(most x in s by a, b)", "f((most x in s by a, b))", "f((Most x in s by a, b))"),
        ("[lowest x in s by a, b = c]", "[(lowest x in s by a, b) = c]", ""),
        (
            "[all x in s where x in most y in t by n, not d]",
            "[all x in s where x in (most y in t by n), not d]",
            "",
        ),
    ] {
        let mut written = text.to_owned();
        for _ in 0..3 {
            let Err(wrong) = parse_expression(SourceId(0), &written) else { break };
            assert_eq!(wrong[0].code, "syntax::brackets", "{text}");
            written = wrong[0].fixes[0].apply(SourceId(0), &written);
        }
        assert_eq!(written, mended);
        let read = parse_expression(SourceId(0), mended).unwrap();
        let printed = parse_expression(SourceId(0), &print::expr(&read)).unwrap();
        assert_eq!(shape::expr(&printed), shape::expr(&read));
        if !meant.is_empty() {
            assert_eq!(shape::expr(&read), meant);
        }
    }
}
