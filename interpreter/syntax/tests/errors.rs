//! Broken pages, what is said about them, and what is understood all the same: the sections `page`, `messages` and
//! `tree` of the fixtures in `errors`.

mod common;

use blazon_fixtures::{Section, each};
use common::{parse_text, shape, tests};

#[test]
fn broken_pages_are_explained() {
    each(&tests().join("errors"), |fixture| {
        let page = fixture.section("page").expect("a page");
        let (file, shown) = parse_text(&fixture.name, page);
        assert!(!shown.is_empty(), "{}: nothing is said", fixture.name);
        vec![Section::new("messages", &shown.join("\n")), Section::new("tree", &shape::file(&file))]
    });
}
