//! What was understood of a page, not only that it was: `shapes/NAME.txt` holds the trees of `samples/NAME.blazon`.
//!
//! With `BLESS=1` in the environment the expected trees are written anew.

mod common;

use std::path::PathBuf;

use common::{parse_text, samples, shape};

/// Pages that hold every form of the language between them.
const PAGES: [&str; 6] = [
    "decisions.blazon",
    "3-actions.blazon",
    "4-events.blazon",
    "lionheart.blazon",
    "variant-0-historical-events.blazon",
    "variant-8-commons.blazon",
];

#[test]
fn pages_are_understood() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = Vec::new();
    for (name, text) in samples().into_iter().filter(|(name, _)| PAGES.contains(&name.as_str())) {
        let (file, shown) = parse_text(&name, &text);
        assert!(shown.is_empty(), "{}", shown.join("\n"));
        let found = shape::file(&file);
        let beside =
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/shapes").join(&name).with_extension("txt");
        if bless {
            std::fs::write(&beside, &found).unwrap();
            continue;
        }
        let expected = std::fs::read_to_string(&beside).unwrap();
        for (found, expected) in found.lines().zip(expected.lines()) {
            if found != expected {
                wrong.push(format!("{name}:\n  expected {expected}\n  found    {found}"));
            }
        }
        assert_eq!(found.lines().count(), expected.lines().count(), "{name}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
