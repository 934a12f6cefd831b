//! Books that the checker never makes: what is wrong with them is said as a mistake of ours, never played.

use std::sync::Arc;

use blazon::{Loader, Selection};
use blazon_book::{Statement, StatementKind};

/// The small game of the tests, with a `stop` outside all loops as the first statement of its first step.
fn broken() -> blazon_book::Book {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/richard-iii");
    let mut rules = Loader::new().find(folder).unwrap_or_else(|error| panic!("{error}"));
    let program = rules.program(&Selection::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut book = blazon_book::Book::clone(&program.book);
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
