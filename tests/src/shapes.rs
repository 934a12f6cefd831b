//! Pages as nobody writes them by hand: long chains, heaps of one thing, thousands of mistakes. What is said of them is
//! tested in `tests/shapes.rs`, what it costs in `tests/growing.rs`, and how long it takes measured in `benches/scaling.rs`.

use std::fmt::Write;

use blazon_check::project::{Folder, Page, Project};

/// A sort of page, of any size.
#[derive(Clone, Copy)]
pub struct Shape {
    /// What it is.
    pub name: &'static str,
    /// The page with so many parts, without its head.
    make: fn(&mut String, usize),
    /// The code of what is said of each part, if something is.
    pub code: Option<&'static str>,
    /// Of how many parts nothing is said.
    pub quiet: usize,
}

const HEAD: &str = "kind side = Red, Blue\nstate score(side): number\nsetup Start (side: score) { others: 0 }\n\
                    invariant counted: every s in sides: s.score > -9\n";

/// All shapes.
pub const SHAPES: [Shape; 45] = [
    Shape { name: "watches that wake the next", make: watches, code: None, quiet: 0 },
    Shape { name: "steps that do the next", make: steps, code: None, quiet: 0 },
    Shape { name: "steps that win by the next", make: wins, code: None, quiet: 0 },
    Shape { name: "rules that ask the next", make: rules, code: None, quiet: 0 },
    Shape { name: "exceptions of one condition", make: exceptions, code: None, quiet: 0 },
    Shape { name: "exceptions that clash", make: clashes, code: Some("rules::clash"), quiet: 1 },
    Shape { name: "exceptions of many conditions", make: distinct, code: None, quiet: 0 },
    Shape { name: "needs of one option", make: needs, code: None, quiet: 0 },
    Shape { name: "states of one step", make: scoped, code: None, quiet: 0 },
    Shape { name: "states that nothing uses", make: unused, code: Some("names::unused"), quiet: 0 },
    Shape { name: "rows of a table", make: rows, code: None, quiet: 0 },
    Shape { name: "statements hung on one step", make: hooks, code: None, quiet: 0 },
    Shape { name: "clauses hung under one condition", make: hung, code: None, quiet: 0 },
    Shape { name: "unknown things", make: unknown, code: Some("names::unknown"), quiet: 0 },
    Shape { name: "unknown names", make: nameless, code: Some("names::unknown"), quiet: 0 },
    Shape { name: "wrong types", make: wrong, code: Some("types::mismatch"), quiet: 0 },
    Shape { name: "rules of one name", make: twice, code: Some("names::twice"), quiet: 1 },
    Shape { name: "numbers that ask the next", make: numbers, code: None, quiet: 0 },
    Shape { name: "flags that ask the next", make: flags, code: None, quiet: 0 },
    Shape { name: "sets that ask the next", make: sets, code: None, quiet: 0 },
    Shape { name: "starts that ask the next twice", make: begun, code: None, quiet: 0 },
    Shape { name: "numbers of a side that ask the next", make: numbers_of_a_side, code: None, quiet: 0 },
    Shape { name: "numbers that ask the next twice", make: forked, code: None, quiet: 0 },
    Shape { name: "things of one kind", make: things, code: None, quiet: 0 },
    Shape { name: "kinds", make: kinds, code: None, quiet: 0 },
    Shape { name: "a row of areas", make: areas, code: None, quiet: 0 },
    Shape { name: "lines of one setup", make: placed, code: None, quiet: 0 },
    Shape { name: "options of one choice", make: options, code: None, quiet: 0 },
    Shape { name: "options that rules ask for", make: asked, code: None, quiet: 0 },
    Shape { name: "statements of one step", make: statements, code: None, quiet: 0 },
    Shape { name: "conditions of one step", make: conditions, code: None, quiet: 0 },
    Shape { name: "cases of one value", make: cases, code: None, quiet: 0 },
    Shape { name: "modifiers of one rule", make: modifiers, code: None, quiet: 0 },
    Shape { name: "tests", make: tests, code: None, quiet: 0 },
    Shape { name: "rulings", make: rulings, code: None, quiet: 0 },
    Shape { name: "rules that ask the next of a hidden thing", make: hidden_rules, code: None, quiet: 0 },
    Shape { name: "steps that do the next with a hidden thing", make: hidden_steps, code: None, quiet: 0 },
    Shape { name: "texts of hidden things", make: hidden_texts, code: None, quiet: 0 },
    Shape { name: "unknown kinds", make: kindless, code: Some("names::unknown"), quiet: 0 },
    Shape { name: "changes of one rule", make: replaced, code: Some("amend::clash"), quiet: 1 },
    Shape {
        name: "changes of one part under conditions",
        make: replaced_under,
        code: Some("amend::clash"),
        quiet: 1,
    },
    Shape {
        name: "lines that a variant adds to a setup",
        make: set_up,
        code: Some("amend::clash"),
        quiet: 1,
    },
    Shape { name: "clauses that a variant adds", make: added, code: None, quiet: 0 },
    Shape { name: "rules that a variant removes", make: removed, code: None, quiet: 0 },
    Shape { name: "steps that a variant hangs on", make: hung_on, code: None, quiet: 0 },
];

/// What stands behind this line is the page of a variant.
const VARIANT: &str = "-- the variant\n";

impl Shape {
    /// A game of this shape with so many parts.
    pub fn project(&self, parts: usize) -> Project {
        let mut text = HEAD.to_owned();
        (self.make)(&mut text, parts);
        let page = |name: &str, text: String| Page { name: name.to_owned(), text };
        let variants = text.find(VARIANT).map(|start| Folder {
            pages: vec![page("variant/change.blazon", text.split_off(start))],
            manifest: Some(page(
                "variant/blazon.ron",
                "Variant(name: \"Change\", game: \"Shape\")".to_owned(),
            )),
            ..Folder::default()
        });
        let manifest = "Game(name: \"Shape\", player: \"side\", begins: \"game\")".to_owned();
        let game = Folder {
            manifest: Some(page("blazon.ron", manifest)),
            pages: vec![page("shape.blazon", text)],
            ..Folder::default()
        };
        Project { game, variants: variants.into_iter().collect(), ..Project::default() }
    }
}

/// Writes `line` for each part, its number in the place of `#` and the next one's in the place of `+#`.
fn each(text: &mut String, parts: usize, line: &str) {
    for part in 0..parts {
        let line = line.replace("+#", &(part + 1).to_string()).replace('#', &part.to_string());
        let _ = writeln!(text, "{line}");
    }
}

const PLAIN: &str = "step game { score(Red) := 1 }\n";

fn watches(text: &mut String, parts: usize) {
    *text += "state s0: flag\nstep game { begin }\nstep begin { s0 := yes }\n";
    each(text, parts, "state s+#: flag\nwhenever w#: s# { s+# := yes }");
    let _ = writeln!(text, "invariant last: not s{parts} or s0");
}

fn steps(text: &mut String, parts: usize) {
    each(text, parts, "step t# { t+# }");
    let _ = writeln!(text, "step t{parts} {{ score(Red) += 1 }}\nstep game {{ t0 }}");
}

fn wins(text: &mut String, parts: usize) {
    each(text, parts, "step t# { t+# }");
    let _ = writeln!(text, "step t{parts} {{ win(Red) }}\nstep game {{ score(Red) += 1; t0 }}");
}

fn rules(text: &mut String, parts: usize) {
    each(text, parts, "rule r#(s: side): number = s.r+# + 1");
    let _ = writeln!(text, "rule r{parts}(s: side): number = s.score\nstep game {{ score(Red) := Red.r0 }}");
}

fn of_rule(text: &mut String, parts: usize, clause: &str) {
    *text += "step game { score(Red) := Red.r }\nrule r(s: side): number = 0\n";
    each(text, parts, clause);
}

fn exceptions(text: &mut String, parts: usize) {
    of_rule(text, parts, "  except e#: 1 if s = Red");
}

fn clashes(text: &mut String, parts: usize) {
    of_rule(text, parts, "  except e#: # if s = Red");
}

fn distinct(text: &mut String, parts: usize) {
    of_rule(text, parts, "  except e#: # if s.score = #");
}

fn needs(text: &mut String, parts: usize) {
    *text +=
        "step game { choose by Red \"What?\" {\n option rest \"Rest\" { }\n option o(s in sides) \"{s}\"\n";
    each(text, parts, "  needs n#: s.score != # else \"not #\"");
    *text += "{ score(Red) += 1 } } }\n";
}

fn scoped(text: &mut String, parts: usize) {
    each(text, parts, "state f#: side, fresh each game");
    *text += "step game {\n";
    each(text, parts, "  f# := Red\n  if f# = Red { score(Red) += 1 }");
    *text += "}\n";
}

fn unused(text: &mut String, parts: usize) {
    *text += PLAIN;
    each(text, parts, "state s#: number");
}

fn rows(text: &mut String, parts: usize) {
    let last = parts.saturating_sub(1);
    let _ = writeln!(text, "step game {{ score(Red) := r(1) }}\nrule r(a: 0..{last}): number\n  | a | x |");
    each(text, parts, "  | # | # |");
}

fn hooks(text: &mut String, parts: usize) {
    *text += PLAIN;
    each(text, parts, "before game { score(Red) += +# }");
}

fn hung(text: &mut String, parts: usize) {
    *text += "state truce: flag\nstep game { score(Red) := r; truce := not truce }\nrule r: number = 0\n";
    each(text, parts, "under truce { in rule r { + m#: 1 } }");
}

fn unknown(text: &mut String, parts: usize) {
    *text += PLAIN;
    *text += "kind thing = Something\n";
    each(text, 4 * parts, "table thing\n  | name |\n  | Thing# |");
    each(text, parts, "rule r#: thing = Thinq#");
}

fn nameless(text: &mut String, parts: usize) {
    *text += PLAIN;
    each(text, parts, "rule r#: number = other# + 1");
}

fn wrong(text: &mut String, parts: usize) {
    *text += PLAIN;
    each(text, parts, "rule r#: number = Red");
}

fn twice(text: &mut String, parts: usize) {
    *text += "step game { score(Red) := r }\n";
    each(text, parts, "rule r: number = #");
}

fn numbers(text: &mut String, parts: usize) {
    each(text, parts, "rule r#: number = r+# + 1");
    let _ = writeln!(text, "rule r{parts}: number = 1\nstep game {{ score(Red) := r0 }}");
}

fn flags(text: &mut String, parts: usize) {
    each(text, parts, "rule r#: flag = not r+#");
    let _ = writeln!(text, "rule r{parts}: flag = yes\nstep game {{ if r0 {{ score(Red) := 1 }} }}");
}

fn sets(text: &mut String, parts: usize) {
    each(text, parts, "rule r#: set of side = r+# - Red");
    let _ =
        writeln!(text, "rule r{parts}: set of side = sides\nstep game {{ for s in r0 {{ score(s) := 1 }} }}");
}

fn numbers_of_a_side(text: &mut String, parts: usize) {
    each(text, parts, "rule r#(s: side): number = s.r+# + 1");
    let _ = writeln!(text, "rule r{parts}(s: side): number = 1\nstep game {{ score(Red) := Red.r0 }}");
}

fn forked(text: &mut String, parts: usize) {
    each(text, parts, "rule r#(s: side): number = max(s.r+#, s.r+# - 1)");
    let _ = writeln!(text, "rule r{parts}(s: side): number = 1\nstep game {{ score(Red) := Red.r0 }}");
}

fn begun(text: &mut String, parts: usize) {
    each(text, parts, "rule r#: number = r+# * r+#");
    let _ = writeln!(text, "rule r{parts}: number = 1\nstate top: 0..9 = r0");
    *text += "step game { score(Red) := top; top += 2 }\n";
}

fn list(text: &mut String, parts: usize, item: &str) {
    let items: Vec<String> = (0..parts.max(1)).map(|part| item.replace('#', &part.to_string())).collect();
    let _ = writeln!(text, "{}", items.join(", "));
}

fn things(text: &mut String, parts: usize) {
    *text += "step game { score(Red) := count cards }\nkind card = ";
    list(text, parts, "C#");
}

fn kinds(text: &mut String, parts: usize) {
    *text += "step game {\n";
    each(text, parts, "  score(Red) += count k#s");
    *text += "}\n";
    each(text, parts, "kind k# = A#, B#");
}

fn areas(text: &mut String, parts: usize) {
    *text += "step game { score(Red) := count A0.borders }\nkind border = area - area\nkind area = ";
    list(text, parts + 1, "A#");
    *text += "links border\n";
    each(text, parts, "  A# - A+#");
}

fn placed(text: &mut String, parts: usize) {
    *text += "step game { score(Red) := count c in cards where c.holder = Red }\n";
    *text += "kind card { state holder: side? }\ntable card\n  | name |\n";
    each(text, parts.max(1), "  | C# |");
    *text += "setup Deal (card: holder) {\n";
    each(text, parts, "  C#: Red");
    *text += "}\n";
}

fn options(text: &mut String, parts: usize) {
    *text += "step game { choose by Red \"What?\" {\n option rest \"Rest\" { }\n";
    each(text, parts, " option o# \"o#\" { score(Red) += +# }");
    *text += "} }\n";
}

fn asked(text: &mut String, parts: usize) {
    *text += "step game {\n choose by Red \"What?\" {\n option rest \"Rest\" { }\n";
    each(
        text,
        parts,
        " option o#(s in sides) \"o# {s}\" needs n: s.score = 0 else \"not #\" { score(s) += 1 }",
    );
    *text += "}\n";
    each(text, parts, " if can o#(Red) { score(Red) += 1 }");
    *text += "}\n";
}

fn statements(text: &mut String, parts: usize) {
    *text += "step game {\n";
    each(text, parts, "  score(Red) += +#");
    *text += "}\n";
}

fn conditions(text: &mut String, parts: usize) {
    *text += "step game {\n  if score(Red) = 0 { score(Red) += 1 }\n";
    each(text, parts, "  if score(Red) = # { score(Red) += 1 } else { score(Blue) += 1 }");
    *text += "}\n";
}

fn cases(text: &mut String, parts: usize) {
    *text += "kind card = None";
    for part in 0..parts {
        let _ = write!(text, ", C{part}");
    }
    *text += "\nstate top: card = None\nstep game {\n  case top {\n    when None { score(Red) := 1 }\n";
    each(text, parts, "    when C# { score(Red) := # }");
    *text += "  }\n  for c in cards { top := c }\n}\n";
}

fn modifiers(text: &mut String, parts: usize) {
    of_rule(text, parts, "  + m#: 1 if s.score > #");
}

fn tests(text: &mut String, parts: usize) {
    *text += PLAIN;
    each(text, parts, "test \"t#\" { from Start; expect score(Red) = 0 }");
}

fn rulings(text: &mut String, parts: usize) {
    *text += "step game {\n";
    each(text, parts, "  if q# { score(Red) += 1 }");
    *text += "}\n";
    each(text, parts, "ruling q#: yes or no \"why #\"");
}

const CARDS: &str = "kind card {\n  fact pips: 0..9 = 3\n  state holder: side?\n  seen by v: v = card.holder\n}\ntable card\n  | name |\n  | Ace |\n  | King |\nbefore game { for c in cards { c.holder := Red } }\n";

fn hidden_rules(text: &mut String, parts: usize) {
    *text += CARDS;
    each(text, parts, "rule r#(c: card): number = c.r+# + 1");
    let _ = writeln!(text, "rule r{parts}(c: card): number = c.pips");
    *text += "step game { score(Red) := 1; say \"{Ace.r0}\" }\n";
}

fn hidden_steps(text: &mut String, parts: usize) {
    *text += CARDS;
    each(text, parts, "step t#(c: card) { t+#(c) }");
    let _ = writeln!(text, "step t{parts}(c: card) {{ c.holder := Blue }}");
    *text += "step game { for c in cards { t0(c) } }\n";
}

fn hidden_texts(text: &mut String, parts: usize) {
    *text += CARDS;
    *text += "step game {\n";
    each(text, parts, "  say \"# {Ace.pips}\"");
    *text += "}\n";
}

fn kindless(text: &mut String, parts: usize) {
    *text += PLAIN;
    each(text, parts, "kind card# = A#, B#");
    each(text, parts, "rule r#: set of carf# = none");
}

fn replaced(text: &mut String, parts: usize) {
    *text += "step game { score(Red) := r }\nrule r: number = 1\n";
    *text += VARIANT;
    each(text, parts, "replace rule r: number = #");
}

fn replaced_under(text: &mut String, parts: usize) {
    *text += "state truce: flag\nstep game { score(Red) := r; truce := not truce }\n";
    *text += "rule r: number = 1\n  + m: 1 if score(Red) > 3\n";
    *text += VARIANT;
    each(text, parts, "under truce { in rule r { replace + m: # } }");
}

fn set_up(text: &mut String, parts: usize) {
    *text += "state marks: number\nstep game { score(Red) := marks; marks += 1 }\n";
    *text += VARIANT;
    each(text, parts, "in setup Start { marks := +# }");
}

fn added(text: &mut String, parts: usize) {
    *text += "step game { score(Red) := r }\nrule r: number = 1\n";
    *text += VARIANT;
    each(text, parts, "in rule r { + m#: 1 }");
}

fn removed(text: &mut String, parts: usize) {
    *text += PLAIN;
    each(text, parts, "rule r#: number = 1");
    *text += VARIANT;
    each(text, parts, "remove rule r#");
}

fn hung_on(text: &mut String, parts: usize) {
    *text += "step game {\n";
    each(text, parts, "  t#");
    *text += "}\n";
    each(text, parts, "step t# { score(Red) += 1 }");
    *text += VARIANT;
    each(text, parts, "before t# { score(Blue) += 1 }");
}
