//! Everything that `blazon check` says of a game, of the texts on the screen.

use blazon_board::Board;
use blazon_check::project::{ParseCache, Project, parse_anyway};
use blazon_check::{Settings, about_uncited, check};
use blazon_diagnostics::{Diagnostic, Severity, Sources, Span};

/// What was said, and the sources that it points into.
#[derive(Debug)]
pub struct Said {
    /// The messages.
    pub diagnostics: Vec<Diagnostic>,
    /// The pages.
    pub parsed: blazon_check::project::Parsed,
    /// The drawn map, by the name of its file.
    pub map: Option<(String, Sources)>,
    /// The messages about the drawn map.
    pub about_map: Vec<Diagnostic>,
}

/// Checks a project as `blazon check` does; `files` is what is wrong with its files.
pub fn all(project: &Project, files: Vec<Diagnostic>, cache: &mut ParseCache) -> Said {
    let parsed = parse_anyway(project, cache);
    let checked = check(&parsed, &Settings::default());
    let mut diagnostics = files;
    diagnostics.extend(checked.diagnostics);
    let has_errors = diagnostics.iter().any(Diagnostic::is_error);
    let lowered = checked.book.filter(|_| !has_errors).map(blazon_program::lower);
    let mut said = Said { diagnostics, parsed, map: None, about_map: Vec::new() };
    match lowered {
        Some(Ok(program)) => {
            said.diagnostics.extend(about_uncited(&checked.uncited));
            board(project, program.into(), &mut said);
        }
        Some(Err(wrong)) => said.diagnostics.extend(wrong),
        None => said.diagnostics.extend(about_uncited(&checked.uncited)),
    }
    said
}

/// Looks that draw nothing; and the drawn map held against the rules.
fn board(project: &Project, program: std::sync::Arc<blazon::Program>, said: &mut Said) {
    let own = project.variants.iter().rev().filter_map(|variant| variant.map.as_ref()).next();
    let map = own.or(project.game.map.as_ref());
    let board = Board::new(program, map.map(|map| map.text.as_str()));
    said.diagnostics.extend(board.iter().flat_map(Board::idle));
    let Some(map) = map else { return };
    let problems = match board {
        // A variant without a map of its own is drawn on the game's, which need not fit it.
        Ok(_) if own.is_none() && !project.variants.is_empty() => Vec::new(),
        Ok(board) => board.differs().to_vec(),
        Err(problems) => problems,
    };
    let mut sources = Sources::default();
    let source = sources.add(map.name.as_str(), map.text.as_str());
    said.about_map = problems
        .into_iter()
        .map(|problem| {
            let span = Span::new(source, problem.at, (problem.at + 1).min(map.text.len()));
            let mut diagnostic = Diagnostic::error(problem.code, span, problem.message).help(problem.help);
            if problem.code == "map::missing" {
                diagnostic.severity = Severity::Warning;
            }
            diagnostic
        })
        .collect();
    said.map = Some((map.name.clone(), sources));
}
