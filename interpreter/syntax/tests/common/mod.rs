//! What the tests of the parser share.
#![allow(dead_code)]

pub mod shape;

use std::path::PathBuf;

use blazon_diagnostics::{Diagnostic, Sources};
use blazon_fixtures::fixtures;
use blazon_syntax::ast::File;

/// The folder of the parser's tests.
pub fn tests() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// The pages without mistakes, those whose trees are known included: name and text.
pub fn samples() -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(tests().join("samples")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut samples: Vec<(String, String)> =
        paths.iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect();
    for fixture in fixtures(&tests().join("shapes")) {
        let page = fixture.section("page").expect("a page").to_owned();
        samples.push((format!("{}.blazon", fixture.name), page));
    }
    samples
}

/// The pages of the repository: the library and all games.
pub fn pages() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = vec![root.join("rules"), root.join("stdlib")];
    let mut pages = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "blazon") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// Parses a text; the diagnostics come as lines.
pub fn parse_text(name: &str, text: &str) -> (File, Vec<String>) {
    let mut sources = Sources::default();
    let id = sources.add(name, text);
    let (file, diagnostics) = blazon_syntax::parse(id, text);
    let shown = diagnostics.iter().map(|diagnostic| show(&sources, diagnostic)).collect();
    (file, shown)
}

/// `page:3:5 syntax::expected: expected a name | found `x` | help`
pub fn show(sources: &Sources, diagnostic: &Diagnostic) -> String {
    let place = diagnostic.span.map_or_else(String::new, |span| sources.place(span));
    let mut line = format!("{place} {}: {}", diagnostic.code, diagnostic.message);
    if !diagnostic.label.is_empty() {
        line += &format!(" | {}", diagnostic.label);
    }
    for (span, words) in &diagnostic.related {
        line += &format!(" | {} {words}", sources.place(*span));
    }
    if let Some(help) = &diagnostic.help {
        line += &format!(" | help: {help}");
    }
    line
}
