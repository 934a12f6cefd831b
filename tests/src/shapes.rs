//! Pages as nobody writes them by hand: long chains, heaps of one thing, thousands of mistakes. What is said of them is
//! tested in `tests/shapes.rs`, and how long it takes measured in `benches/scaling.rs`.

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

const HEAD: &str =
    "kind side = Red, Blue\nstate score(side): number\nsetup Start (side: score) { others: 0 }\n";

/// All shapes.
pub const SHAPES: [Shape; 16] = [
    Shape { name: "watches that wake the next", make: watches, code: None, quiet: 0 },
    Shape { name: "steps that do the next", make: steps, code: None, quiet: 0 },
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
];

impl Shape {
    /// A game of this shape with so many parts.
    pub fn project(&self, parts: usize) -> Project {
        let mut text = HEAD.to_owned();
        (self.make)(&mut text, parts);
        let page = |name: &str, text: String| Page { name: name.to_owned(), text };
        let manifest = "Game(name: \"Shape\", player: \"side\", begins: \"game\")".to_owned();
        let game = Folder {
            manifest: Some(page("blazon.ron", manifest)),
            pages: vec![page("shape.blazon", text)],
            ..Folder::default()
        };
        Project { game, ..Project::default() }
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
    *text += "state s0: flag\nstep game { s0 := yes }\n";
    each(text, parts, "state s+#: flag\nwhenever w#: s# { s+# := yes }");
}

fn steps(text: &mut String, parts: usize) {
    each(text, parts, "step t# { t+# }");
    let _ = writeln!(text, "step t{parts} {{ score(Red) += 1 }}\nstep game {{ t0 }}");
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
    each(text, parts, "before game { score(Red) += # }");
}

fn hung(text: &mut String, parts: usize) {
    *text += "state truce: flag\nstep game { score(Red) := r }\nrule r: number = 0\n";
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
