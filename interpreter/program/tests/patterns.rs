//! What key patterns become: sets by algebra, tables of facts, columns only where they are needed.

use std::sync::{Arc, OnceLock};

use blazon::{Loader, Selection};
use blazon_program::Program;
use blazon_program::ir::{Op, Space};

fn program() -> &'static Program {
    static PROGRAM: OnceLock<Arc<Program>> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/richard-iii");
        let mut rules = Loader::new().find(folder).unwrap_or_else(|error| panic!("{error}"));
        // Without the tests, which ask more than the rules do.
        rules.program(&Selection::default()).unwrap_or_else(|error| panic!("{error}"))
    })
}

#[test]
fn open_options_are_found_by_sets() {
    let listing = program().listing_of("give orders").expect("it is listed");
    let open = listing.split("choice 2: what is open").nth(1).and_then(|rest| rest.split("choice 2:").next());
    let open = open.expect("the orders are listed");
    // Where enemies stand is one set, asked once; whole sets of destinations are open at once.
    assert!(open.contains("= at of r"), "{open}");
    assert!(open.contains("for each of"), "{open}");
    // What is closed to whom reads only facts: a table.
    assert!(!open.contains("ask closed"), "{open}");
}

#[test]
fn what_nothing_writes_takes_no_room() {
    let program = program();
    let column = |name: &str| program.book.columns.iter().position(|c| c.name == name).expect("a column");
    // A state of a reading that does not hold.
    assert_eq!(program.columns[column("outward")].space, Space::Fact);
    // Nothing asks which blocks came over a border: no index.
    assert_eq!(program.columns[column("way")].inverse, 0);
    assert_ne!(program.columns[column("at")].inverse, 0);
    assert!(program.state_words * 8 < 4096, "{} words", program.state_words);
}

#[test]
fn what_does_the_work_of_two_has_the_second_behind_it() {
    let code = &program().code;
    let two = code.windows(2).filter(|pair| matches!(pair[0], Op::JumpHas { .. } | Op::JumpEqInt { .. }));
    assert!(two.clone().count() > 100);
    assert!(two.into_iter().all(|pair| matches!(pair[1], Op::JumpIf { .. } | Op::JumpUnless { .. })));
}
