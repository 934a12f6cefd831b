//! What the checker makes of good rules: the typed tree in words. A fixture in `accept` changes a small game as `common`
//! says; its section `book` holds what the pages that it adds became, a section `book NAME` what became of an item of
//! that name.

mod common;

use blazon_fixtures::{Section, each, fixtures};
use common::book_text::BookText;
use common::{checked, tests};

#[test]
fn what_is_right_becomes_a_book() {
    let mut refused = String::new();
    for fixture in fixtures(&tests().join("accept")) {
        let (_, said) = checked(&fixture.sections);
        // A page about rules alone has nothing that uses them.
        if said.contains("error[") || said.replace("warning[names::unused]", "").contains("warning[") {
            refused += &format!("{}:\n{said}\n", fixture.name);
        }
    }
    assert!(refused.is_empty(), "not every page is right\n{refused}");
    each(&tests().join("accept"), |fixture| {
        let (outcome, _) = checked(&fixture.sections);
        let book = outcome.and_then(|(_, checked)| checked.book).expect("a book");
        let text = BookText { book: &book };
        let mut found = Vec::new();
        for section in &fixture.sections {
            if section.name == "book" {
                found.push(Section::new("book", &text.added()));
            } else if let Some(name) = section.name.strip_prefix("book ") {
                found.push(Section::new(section.name.clone(), &text.named(name)));
            }
        }
        if found.is_empty() {
            found.push(Section::new("book", &text.added()));
        }
        found
    });
}
