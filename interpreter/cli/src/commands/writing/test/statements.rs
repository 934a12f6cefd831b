//! Which statements of the rulebook the tests show.

use std::collections::BTreeMap;

use super::plan::{Outcome, Part};
use crate::console::{Console, harmless, paint, style};

/// What shows a statement.
#[derive(Default)]
struct Shown {
    /// The names of tests that passed.
    passed: Vec<String>,
    /// The names of tests that did not.
    failed: Vec<String>,
}

/// Tells of each statement which tests show it, then how many are shown.
pub fn report(parts: &[Part], console: &Console) {
    let mut shown: BTreeMap<&str, Shown> = BTreeMap::new();
    for case in parts.iter().flat_map(|part| &part.cases) {
        let passed = case.outcome.as_ref().is_some_and(Outcome::passed);
        for cite in &case.test.cites {
            let shown = shown.entry(cite).or_default();
            let names = if passed { &mut shown.passed } else { &mut shown.failed };
            names.push(case.test.name.clone());
        }
    }
    let mut statements: Vec<&String> = Vec::new();
    for statement in parts.iter().flat_map(|part| part.statements()) {
        if !statements.contains(&statement) {
            statements.push(statement);
        }
    }
    let widest = statements.iter().map(|statement| statement.len()).max().unwrap_or(0);
    let mut covered = 0;
    let none = Shown::default();
    console.line("");
    console.line(paint(style::STRONG, "Statements"));
    for statement in &statements {
        let shown = shown.get(statement.as_str()).unwrap_or(&none);
        let quoted = |names: &[String]| {
            names.iter().map(|name| format!("\"{}\"", harmless(name))).collect::<Vec<_>>().join(", ")
        };
        let words = if !shown.passed.is_empty() {
            covered += 1;
            format!("{}  {}", paint(style::GOOD, "covered    "), quoted(&shown.passed))
        } else if !shown.failed.is_empty() {
            format!("{}  fails: {}", paint(style::BAD, "not covered"), quoted(&shown.failed))
        } else {
            paint(style::CARE, "not covered")
        };
        console.line(format!("  {}  {words}", harmless(&format!("{statement:widest$}"))));
    }
    let count = statements.len();
    if count == 0 {
        console.line("there are no statements: statements.txt in the folder of the rules lists them");
        return;
    }
    let share = 100.0 * covered as f64 / count as f64;
    console.line(format!(
        "{covered} of {count} statements covered ({share:.1} %), {} not covered",
        count - covered
    ));
}
