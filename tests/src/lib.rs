//! Tests of Blazon from outside; see the `tests` folder. Here stands only what several of them need: reading a game's
//! folder, and making its program.

pub mod damage;
pub mod games;
pub mod invariants;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use blazon_check::project::{Folder, Page, Parsed, Project, parse};
use blazon_check::{Settings, check};
use blazon_diagnostics::{Format, Style, render};
use blazon_program::{Program, lower};

/// The top of the repository.
pub fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files of a folder, by name, without those of its folders.
///
/// # Panics
/// If the folder cannot be read.
pub fn pages(folder: &Path) -> Vec<Page> {
    let mut pages = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return pages };
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            let name = path.strip_prefix(top()).unwrap_or(&path).display().to_string();
            pages.push(Page { name, text: std::fs::read_to_string(&path).expect("text") });
        }
    }
    pages.sort_by(|a, b| a.name.cmp(&b.name));
    pages
}

/// A game's or variant's folder.
pub fn folder(path: &Path) -> Folder {
    let mut folder = Folder::default();
    for page in pages(path).into_iter().chain(pages(&path.join("tests"))) {
        if page.name.ends_with("blazon.ron") {
            folder.manifest = Some(page);
        } else if page.name.ends_with(".blazon") {
            folder.pages.push(page);
        } else {
            folder.data.push(page);
        }
    }
    folder
}

/// A game of the repository with some of its variants, as texts.
pub fn project(game: &str, variants: &[&str]) -> Project {
    let path = top().join("rules").join(game);
    Project {
        library: pages(&top().join("stdlib")),
        game: folder(&path),
        variants: variants.iter().map(|name| folder(&path.join("variants").join(name))).collect(),
    }
}

/// The same without tests: they take most of the time that reading takes.
pub fn rules_only(game: &str, variants: &[&str]) -> Project {
    let mut project = project(game, variants);
    for folder in std::iter::once(&mut project.game).chain(&mut project.variants) {
        folder.pages.retain(|page| !page.name.contains("/tests/"));
    }
    project
}

/// Parses a project.
///
/// # Panics
/// If a manifest cannot be read.
pub fn parsed(project: &Project) -> Parsed {
    match parse(project) {
        Ok(parsed) => parsed,
        Err((sources, diagnostics)) => panic!("{}", render(&diagnostics, &sources, Format::Short, style())),
    }
}

/// Checks and lowers a project.
///
/// # Panics
/// With the rendered diagnostics, if it has an error.
pub fn program(parsed: &Parsed, settings: &Settings) -> Arc<Program> {
    let checked = check(parsed, settings);
    let Some(book) = checked.book else {
        panic!("{}", render(&checked.diagnostics, &parsed.sources, Format::Human, style()));
    };
    match lower(book) {
        Ok(program) => Arc::new(program),
        Err(diagnostics) => panic!("{}", render(&diagnostics, &parsed.sources, Format::Human, style())),
    }
}

/// A game of the repository, ready to play.
pub fn game(name: &str, variants: &[&str]) -> Arc<Program> {
    program(&parsed(&project(name, variants)), &Settings::default())
}

/// How fixtures are drawn.
pub fn style() -> Style {
    Style { color: false, unicode: true, width: 110 }
}
