//! What code rules become: each fixture in `lowering` shows one thing that the lowering does.
//!
//! ```text
//! what it shows
//! === page
//! a page put beside board.blazon
//! === code NAME
//! the functions of that name
//! === columns
//! the columns that the page declares and those made by the lowering (may be absent)
//! ```
//!
//! A page is kept as small as what it shows allows: then few of them change when the lowering learns something.

#[path = "common/board.rs"]
mod board;

use std::path::Path;

use blazon_fixtures::{Section, each};
use blazon_program::{Program, verify};

#[test]
fn rules_become_the_code_that_is_known() {
    each(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lowering"), |fixture| {
        let program = board::program(fixture.section("page").expect("a page"));
        assert_eq!(verify(&program), Ok(()), "{}", fixture.name);
        let mut found = Vec::new();
        for Section { name, .. } in &fixture.sections {
            if let Some(function) = name.strip_prefix("code ") {
                let code = program.listing_of(function);
                let code = code.unwrap_or_else(|| panic!("{}: there is no `{function}`", fixture.name));
                found.push(Section::new(name.clone(), &code));
            } else if name == "columns" {
                found.push(Section::new(name.clone(), &columns(&program)));
            } else {
                assert_eq!(name, "page", "{}: what is this section?", fixture.name);
            }
        }
        found
    });
}

/// The lines of the layout that are not about the board's own columns.
fn columns(program: &Program) -> String {
    let sources = &program.book.sources;
    let own =
        program.book.columns.iter().map(|column| sources.place(column.span).starts_with("board.blazon"));
    let layout = program.layout();
    let lines = layout.lines().zip(own.chain(std::iter::repeat(false)));
    lines.filter(|(_, own)| !own).map(|(line, _)| format!("{line}\n")).collect()
}
