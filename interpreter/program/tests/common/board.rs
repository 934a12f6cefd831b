//! The board, a small game, with a page put beside it, lowered.

use std::path::Path;
use std::sync::Arc;

use blazon_book::Book;
use blazon_check::project::{Folder, Page, Project, parse};
use blazon_check::{Settings, check};
use blazon_diagnostics::{Diagnostic, Format, Sources, Style, render};
use blazon_program::{Program, lower};

const MANIFEST: &str =
    "Game(name: \"The Board\", version: \"1.0.0\", player: \"side\", begins: \"nothing\", setup: \"Dawn\")\n";

fn said(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    render(diagnostics, sources, Format::Human, Style { color: false, unicode: true, width: 110 })
}

/// The book of the board with a page beside it.
pub fn book(page: &str) -> Arc<Book> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/board.blazon");
    let board = std::fs::read_to_string(path).expect("the board");
    let page_of = |name: &str, text: &str| Page { name: name.to_owned(), text: text.to_owned() };
    let game = Folder {
        manifest: Some(page_of("blazon.ron", MANIFEST)),
        pages: vec![page_of("board.blazon", &board), page_of("more.blazon", page)],
        ..Folder::default()
    };
    let project = Project { game, ..Project::default() };
    let parsed = parse(&project).unwrap_or_else(|(sources, found)| panic!("{}", said(&found, &sources)));
    let checked = check(&parsed, &Settings::default());
    checked.book.unwrap_or_else(|| panic!("{}", said(&checked.diagnostics, &parsed.sources)))
}

/// The same, lowered.
pub fn program(page: &str) -> Program {
    lower(book(page)).unwrap_or_else(|found| panic!("{found:?}"))
}
