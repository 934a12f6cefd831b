//! What becomes of a mutant: the checker refuses it, a test fails, or nobody notices. The quick tests come first: those
//! of the game that ask for no ruling, then those of the rulings on which the changed line depends, then the others,
//! then those of the variants. The first that fails ends the trial.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use blazon::{Reading, Settings};
use blazon_book::Test;
use blazon_check::project::{Layer, Page, Project};
use blazon_diagnostics::{Diagnostic, SourceId};
use blazon_machine::Machine;
use blazon_machine::test_runner::run_on;
use blazon_program::Program;

use super::Change;

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It cannot be read: the change was none.
    Unreadable,
    /// The checker refuses it.
    Refused,
    /// The checker warns of it, as it does not of the original.
    Warned,
    /// A test fails: which.
    Killed(String),
    /// Nobody notices.
    Survived,
}

/// A game alone, or with one of its variants.
pub struct Stack {
    /// The texts.
    pub project: Project,
    /// Whose tests are run.
    pub layer: Layer,
}

/// Which page is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A module of the library, by its place.
    Library(usize),
    /// A page of the game.
    Game(usize),
    /// A page of the variant that lies on the game.
    Variant(usize),
}

impl Place {
    /// The page.
    ///
    /// # Panics
    /// If there is no such page.
    pub fn page(self, project: &mut Project) -> &mut Page {
        match self {
            Self::Library(at) => &mut project.library[at],
            Self::Game(at) => &mut project.game.pages[at],
            Self::Variant(at) => &mut project.variants[0].pages[at],
        }
    }
}

/// Tries a mutant on all stacks of a game.
pub fn of(stacks: &[Stack], place: Place, change: &Change) -> Fate {
    for stack in stacks {
        let mut project = stack.project.clone();
        let page = place.page(&mut project);
        page.text = change.applied(&page.text);
        match on(&project, stack.layer, change) {
            Fate::Survived => {}
            fate => return fate,
        }
    }
    Fate::Survived
}

fn on(project: &Project, layer: Layer, change: &Change) -> Fate {
    let reading = Reading::of(project, Vec::new());
    let compiled = reading.compile(&Settings::default());
    let Some(program) = &compiled.program else {
        return if compiled.diagnostics.iter().any(unreadable) { Fate::Unreadable } else { Fate::Refused };
    };
    if !compiled.diagnostics.is_empty() {
        return Fate::Warned;
    }
    let files: BTreeSet<SourceId> = reading
        .parsed
        .iter()
        .flat_map(|parsed| &parsed.files)
        .filter(|(owner, _)| *owner == layer)
        .map(|(_, file)| file.source)
        .collect();
    let mut groups: BTreeMap<&[(String, String)], Vec<&Test>> = BTreeMap::new();
    for test in program.book.tests.iter().filter(|test| files.contains(&test.span.source)) {
        groups.entry(&test.rulings).or_default().push(test);
    }
    let mut ordered: Vec<_> = groups.into_iter().collect();
    let near = |rulings: &[(String, String)]| rulings.iter().any(|(name, _)| change.rulings.contains(name));
    ordered.sort_by_key(|(rulings, _)| (!rulings.is_empty(), !near(rulings)));
    for (rulings, tests) in ordered {
        let killer = if rulings.is_empty() {
            first_failing(program, &tests)
        } else {
            under(&reading, rulings, &tests)
        };
        match killer {
            Some(Killer::Test(name)) => return Fate::Killed(name),
            Some(Killer::Checker) => return Fate::Refused,
            None => {}
        }
    }
    Fate::Survived
}

/// What noticed a mutant.
enum Killer {
    Test(String),
    Checker,
}

fn under(reading: &Reading, rulings: &[(String, String)], tests: &[&Test]) -> Option<Killer> {
    let wanted = Some(tests.iter().map(|test| test.span).collect());
    let settings = Settings { rulings: rulings.to_vec(), tests: wanted, ..Settings::default() };
    match reading.compile(&settings).program {
        Some(program) => first_failing(&program, &program.book.tests.iter().collect::<Vec<_>>()),
        None => Some(Killer::Checker),
    }
}

fn first_failing(program: &Arc<Program>, tests: &[&Test]) -> Option<Killer> {
    let Ok(machine) = Machine::new(program.clone()) else { return Some(Killer::Checker) };
    let failing = tests.iter().find(|test| !run_on(machine.clone(), test).passed);
    failing.map(|test| Killer::Test(test.name.clone()))
}

/// A change that leaves no sentence of the language was not thought of well; brackets that are asked for are meant.
fn unreadable(diagnostic: &Diagnostic) -> bool {
    diagnostic.is_error() && diagnostic.code.starts_with("syntax::") && diagnostic.code != "syntax::brackets"
}
