//! What a function reads of a position: all of it, through rules, whatever instruction reads it.

#[path = "common/board.rs"]
mod board;

use std::collections::BTreeSet;

use blazon_program::Program;

/// The names of the states that a rule reads.
fn reads(program: &Program, rule: &str) -> BTreeSet<String> {
    let function = program.functions.iter().position(|function| function.name == rule).expect("a rule");
    let reads = program.reads();
    let columns = reads.of(function as u32).expect("a rule reads states alone");
    columns.map(|column| program.book.columns[usize::from(column)].name.clone()).collect()
}

#[test]
fn a_rule_reads_what_the_rules_that_it_asks_read() {
    let program = board::program(
        "\
rule hale(p: piece): flag = p.strength > 2
rule strong(p: piece): flag = hale(p) or p.moved
rule crowded(a: area): flag = (count p in pieces where p.at = a and strong(p)) > 1
rule red moves: flag = active = Red
rule steep(a: area): flag = a.hill and a.worth > 1
step march(p: piece, a: area) {
  p.at := a
  p.strength := 1
  p.moved := yes
  active := Blue
}
",
    );
    let all = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(reads(&program, "strong"), all(&["strength", "moved"]));
    assert_eq!(reads(&program, "crowded"), all(&["at", "strength", "moved"]));
    assert_eq!(reads(&program, "red moves"), all(&["active"]));
    assert_eq!(reads(&program, "steep"), all(&[]), "facts are no part of a position");
    // What a step does hangs on more.
    let step = program.functions.iter().position(|function| function.name == "march").expect("a step");
    assert!(program.reads().of(step as u32).is_none());
}
