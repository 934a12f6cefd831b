//! Tests of Blazon from outside; see the `tests` folder. Here stands only what several of them need: reading a game's
//! folder, and making its program.

pub mod corpus;
pub mod damage;
pub mod games;
pub mod invariants;
pub mod mutation;
pub mod pairs;
pub mod shapes;
pub mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use blazon::Loader;
use blazon_check::project::{Folder, Page, Parsed, Project, parse};
use blazon_check::{Settings, check};
use blazon_diagnostics::{Format, Style, render};
use blazon_machine::test_runner::run_test;
use blazon_program::{Program, lower};

/// The top of the repository.
pub fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Reads games as the program does; files are named from the top of the repository.
pub fn loader() -> Loader {
    Loader::new().names_from(top())
}

/// A game's or variant's folder, its tests among its pages.
///
/// # Panics
/// If there is no such folder, or a file of it cannot be read.
pub fn folder(path: &Path) -> Folder {
    let mut project = of_path(path, &[]);
    project.variants.pop().unwrap_or(project.game)
}

/// A game of the repository with some of its variants, as texts.
///
/// # Panics
/// If there is no such game or variant, or a file cannot be read.
pub fn project(game: &str, variants: &[&str]) -> Project {
    of_path(&top().join("rules").join(game), variants)
}

fn of_path(path: &Path, variants: &[&str]) -> Project {
    let mut rules = match loader().find(&path.display().to_string()) {
        Ok(rules) => rules,
        Err(error) => panic!("{error}"),
    };
    let names: Vec<String> = variants.iter().map(|&name| name.to_owned()).collect();
    let stack = rules.stack(&names).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(rules.file_diagnostics(&stack), [], "{}", path.display());
    let mut project = rules.project(&stack);
    for folder in std::iter::once(&mut project.game).chain(&mut project.variants) {
        folder.pages.append(&mut folder.tests);
    }
    project
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

/// The program of a game of one page, whose players are its sides and which begins with the step `game`.
///
/// # Errors
///
/// The codes of the errors.
pub fn compiled(text: &str) -> Result<Arc<Program>, Vec<&'static str>> {
    let page = |name: &str, text: &str| Page { name: name.to_owned(), text: text.to_owned() };
    let game = Folder {
        manifest: Some(page("blazon.ron", r#"Game(name: "Written", player: "side", begins: "game")"#)),
        pages: vec![page("written.blazon", text)],
        ..Folder::default()
    };
    let parsed = parse(&Project { game, ..Project::default() });
    let parsed = parsed.map_err(|(_, said)| said.iter().map(|said| said.code).collect::<Vec<_>>())?;
    let checked = check(&parsed, &Settings::default());
    let errors = checked.diagnostics.iter().filter(|said| said.is_error());
    let book = checked.book.ok_or_else(|| errors.map(|error| error.code).collect::<Vec<_>>())?;
    lower(book).map(Arc::new).map_err(|said| said.iter().map(|said| said.code).collect())
}

/// A page as [`compiled`] takes it, with tests of its own: they all hold.
///
/// # Panics
///
/// If one does not, or the page cannot be compiled, or has no tests.
pub fn every_test_holds(text: &str) {
    let program = compiled(text).unwrap_or_else(|codes| panic!("{codes:?}:{text}"));
    assert!(!program.book.tests.is_empty(), "no test:{text}");
    for test in &program.book.tests {
        let report = run_test(&program, test);
        let told: Vec<&String> = report.failures.iter().map(|failure| &failure.message).collect();
        assert!(report.passed, "{}: {told:?}{text}", test.name);
    }
}

/// A game of the repository, ready to play.
pub fn game(name: &str, variants: &[&str]) -> Arc<Program> {
    program(&parsed(&project(name, variants)), &Settings::default())
}

/// The same without its tests, its invariants looked at after every decision.
pub fn game_with_invariants(name: &str) -> Arc<Program> {
    let settings = Settings { invariants: true, ..Settings::default() };
    program(&parsed(&rules_only(name, &[])), &settings)
}

/// How fixtures are drawn.
pub fn style() -> Style {
    Style { color: false, unicode: true, width: 110 }
}
