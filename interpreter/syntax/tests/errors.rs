//! Broken pages and what is said about them: `errors/NAME.blazon` beside `errors/NAME.txt`.
//!
//! With `BLESS=1` in the environment the expected messages are written anew.

mod common;

use std::path::PathBuf;

use common::{parse_text, shape};

#[test]
fn broken_pages_are_explained() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/errors");
    let bless = std::env::var_os("BLESS").is_some();
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "blazon"));
    files.sort();
    assert!(files.len() > 10);
    let mut wrong = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let (file, shown) = parse_text(&name, &text);
        let found = format!("{}\n\n{}", shown.join("\n"), shape::file(&file));
        let beside = path.with_extension("txt");
        if bless {
            std::fs::write(&beside, &found).unwrap();
        } else if std::fs::read_to_string(&beside).unwrap_or_default() != found {
            wrong.push(format!("==== {name}\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "not as expected:\n{}", wrong.join("\n"));
}
