//! Whole pages of rules parse without a word.

mod common;

use common::{pages, parse_text, samples};

#[test]
fn every_sample_parses() {
    let mut files = 0;
    for (name, text) in samples() {
        let (file, shown) = parse_text(&name, &text);
        assert!(shown.is_empty(), "{}", shown.join("\n"));
        assert!(!file.items.is_empty(), "{name} has no items");
        files += 1;
    }
    assert!(files > 15, "only {files} samples");
}

#[test]
fn every_page_of_the_repository_parses() {
    let mut wrong = Vec::new();
    for path in pages() {
        let text = std::fs::read_to_string(&path).unwrap();
        wrong.extend(parse_text(&path.to_string_lossy(), &text).1);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
