//! What was understood of a page, not only that it was: the sections `page` and `tree` of the fixtures in `shapes`.
//! Between them the pages hold every form of the language.

mod common;

use blazon_fixtures::{Section, each};
use common::{parse_text, shape, tests};

#[test]
fn pages_are_understood() {
    each(&tests().join("shapes"), |fixture| {
        let page = fixture.section("page").expect("a page");
        let (file, shown) = parse_text(&fixture.name, page);
        assert!(shown.is_empty(), "{}", shown.join("\n"));
        vec![Section::new("tree", &shape::file(&file))]
    });
}
