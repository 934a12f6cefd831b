//! Rules come from strangers: the deepest nesting and the longest chains that parse are read, checked and compiled on a
//! stack of one megabyte, which is what the smallest hosts give a thread.

use blazon::{Reading, Rules, Settings};

const MANIFEST: &str = r#"Game(name: "Deep", player: "side", begins: "game")"#;
const REST: &str =
    "kind side = North, South { state beans: 0..9 }\nsetup Start (side: beans) { North: 7; South: 6 }\n";
/// How deep the language lets things nest.
const DEEPEST: usize = 44;

/// Compiles a page on a small stack; answers whether a program came of it, and what was said.
fn compiled(page: String) -> (bool, Vec<String>) {
    let work = move || {
        let page = format!("{REST}{page}");
        let rules = Rules::from_texts([("blazon.ron", MANIFEST), ("deep.blazon", page.as_str())]);
        let compiled = Reading::new(&rules, &[]).compile(&Settings::default());
        let said = compiled.diagnostics.iter().map(|found| format!("{}: {}", found.code, found.message));
        (compiled.program.is_some(), said.collect())
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(work).expect("a thread");
    thread.join().expect("no panic")
}

fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

fn compiles(what: &str, page: String) {
    let (program, said) = compiled(page);
    assert!(program, "{what}: {said:?}");
}

#[test]
fn deep_expressions() {
    for (what, ty, open, inner, close) in [
        ("not", "flag", "not (", "s.beans > 3", ")"),
        ("sum", "number", "1 + (", "s.beans", ")"),
        ("least", "number", "min(1, ", "s.beans", ")"),
        ("any", "flag", "(any s in sides where ", "s.beans > 3", ")"),
        ("all", "number", "(total s in sides by ", "s.beans", ")"),
        ("call", "number", "f(", "s.beans", ")"),
        ("otherwise", "side", "((first t in sides where t.beans > 3) otherwise ", "s", ")"),
    ] {
        for depth in [DEEPEST / 4, DEEPEST / 2, DEEPEST, 2 * DEEPEST] {
            let expression = nested(open, inner, close, depth);
            let page = format!(
                "rule f(n: number): number = n + 1\nrule deep(s: side): {ty} = {expression}\n\
                 step game {{ for s in sides where s.deep = s.deep {{ win(s) }} }}\n"
            );
            let (program, said) = compiled(page);
            assert!(program || !said.is_empty(), "{what} {depth} deep: nothing was said");
        }
    }
}

#[test]
fn deep_statements() {
    for (what, open, close) in [
        ("if", "if s.beans > 3 { ", " }"),
        ("for", "for s in sides { ", " }"),
        ("choice", "choose by s { option a { ", " } }"),
    ] {
        for depth in [DEEPEST / 4, DEEPEST / 2, DEEPEST] {
            let page = format!(
                "step game {{ for s in sides {{ {} }} }}\n",
                nested(open, "s.beans := 3", close, depth)
            );
            let (program, said) = compiled(page);
            assert!(program || !said.is_empty(), "{what} {depth} deep: nothing was said");
        }
    }
}

#[test]
fn long_chains() {
    const LONG: usize = 1500;
    let chain = |line: &dyn Fn(usize) -> String| (0..LONG).map(line).collect::<String>();
    compiles(
        "rules that ask rules",
        format!(
            "rule r0(s: side): number = s.beans\n{}step game {{ for s in sides where s.r{LONG} > 3 {{ win(s) }} }}\n",
            chain(&|i| format!("rule r{}(s: side): number = s.r{i} + 1\n", i + 1))
        ),
    );
    for (what, ty, first, next) in [
        ("numbers that ask numbers", "number", "1", "{} + 1"),
        ("flags that ask flags", "flag", "yes", "not {}"),
        ("sets that ask sets", "set of side", "sides", "{} - North"),
        ("things that ask things", "side", "North", "{}"),
    ] {
        // Known beforehand; asked by a step, so that it is needed.
        let ask = if ty == "flag" { "if {} { win(North) }" } else { "if {} = r0 { win(North) }" };
        let name = |of: &str, i: usize| of.replace("{}", &format!("r{i}"));
        compiles(
            what,
            format!(
                "rule r0: {ty} = {first}\n{}step game {{ {} }}\n",
                chain(&|i| format!("rule r{}: {ty} = {}\n", i + 1, name(next, i))),
                name(ask, LONG),
            ),
        );
        compiles(
            &format!("{what}, of a side"),
            format!(
                "rule r0(s: side): {ty} = {first}\n{}step game {{ {} }}\n",
                chain(&|i| format!(
                    "rule r{}(s: side): {ty} = {}\n",
                    i + 1,
                    next.replace("{}", &format!("s.r{i}"))
                )),
                ask.replace("{}", &format!("North.r{LONG}")).replace("= r0", "= North.r0"),
            ),
        );
    }
    compiles(
        "what is told of hidden things",
        format!(
            "kind card = Ace, King {{ fact pips: 0..9 = 3\n state held: side?\n seen by v: v = card.held\n }}\n\
             rule r0(c: card): number = c.pips\n{}step game {{ say \"{{Ace.r{LONG}}}\"; win(North) }}\n",
            chain(&|i| format!("rule r{}(c: card): number = c.r{i} + 1\n", i + 1))
        ),
    );
    compiles(
        "steps that do steps",
        format!(
            "step s0 {{ for s in sides {{ s.beans := 3 }} }}\n{}step game {{ s{LONG} }}\n",
            chain(&|i| format!("step s{} {{ s{i} }}\n", i + 1))
        ),
    );
    compiles(
        "a long sum",
        format!(
            "rule r(s: side): number = s.beans{}\nstep game {{ for s in sides where s.r > 3 {{ win(s) }} }}\n",
            " + 1".repeat(100)
        ),
    );
}
