//! Books that the checker never makes: what is wrong with them is said as a mistake of ours, never played.

#[path = "common/load.rs"]
#[allow(dead_code)]
mod load;

use std::sync::Arc;

use blazon_book::{Statement, StatementKind};

/// The small game of the tests, with a `stop` outside all loops as the first statement of its first step.
fn broken() -> blazon_book::Book {
    let folder = load::root().join("rules/richard-iii");
    let book = load::load(&folder, &[]).unwrap_or_else(|message| panic!("{message}"));
    let mut book = Arc::unwrap_or_clone(book);
    let step = &mut book.steps[0];
    let stop = Statement { kind: StatementKind::Stop, span: step.span, cites: Vec::new() };
    step.body.insert(0, stop);
    book
}

#[test]
fn a_broken_book_is_an_internal_mistake() {
    let problems = blazon_program::lower(Arc::new(broken())).expect_err("it is not lowered");
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code).collect();
    assert_eq!(codes, ["run::internal"]);
    assert_eq!(problems[0].message, "`stop` without a loop (a mistake of the checker or compiler)");
    assert!(problems[0].span.is_some());
}
