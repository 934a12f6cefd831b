//! From texts to a program, and the messages on the way.

use std::sync::Arc;

use blazon_check::project::{ParseCache, Parsed, Project, parse_anyway, parse_with};
use blazon_check::{Settings, check, is_proved_of_all_readings};
use blazon_diagnostics::{Diagnostic, Sources};
use blazon_program::Program;
use blazon_syntax::ast::{Item, ItemKind};

use crate::error::{Error, Problems, Result};
use crate::load::Rules;

/// What of a game is played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Variants, by name, by folder or by path, in the order in which they are laid on the game.
    pub variants: Vec<String>,
    /// Rulings with their values, where others are wanted than the rules say.
    pub rulings: Vec<(String, String)>,
    /// The setup that games begin with unless another is named.
    pub setup: Option<String>,
    /// Whether the invariants of the rules are looked at while it is played: one that fails stops the game with
    /// `run::invariant`, as it stood before.
    pub invariants: bool,
    /// Whether the program counts what comes up; it is slower then.
    pub coverage: bool,
}

/// A game with some of its variants, parsed.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The trees; none if a manifest cannot be read.
    pub parsed: Option<Parsed>,
    sources: Arc<Sources>,
    /// What is wrong with the files.
    files: Vec<Diagnostic>,
    /// What the parser said, if there are no trees.
    said: Vec<Diagnostic>,
}

/// What came of checking and compiling a reading.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// All that was said.
    pub diagnostics: Vec<Diagnostic>,
    /// The files.
    pub sources: Arc<Sources>,
    /// The program, if there was no error.
    pub program: Option<Arc<Program>>,
    /// The paragraphs that no page cites.
    pub uncited: Vec<String>,
}

impl Reading {
    /// Parses a game with some of its variants, by their places.
    pub fn new(rules: &Rules, stack: &[usize]) -> Self {
        Self::of(&rules.project(stack), rules.file_diagnostics(stack))
    }

    /// Parses a game with each of some stacks of its variants. Of stacks of the same height that follow each other, the
    /// pages of the game are parsed once.
    pub fn each(rules: &Rules, stacks: &[Vec<usize>]) -> Vec<Self> {
        let mut cache = ParseCache::default();
        let read =
            |stack: &Vec<usize>| Self::with(&rules.project(stack), rules.file_diagnostics(stack), &mut cache);
        stacks.iter().map(read).collect()
    }

    /// Parses a project; `files` is what is wrong with its files.
    pub fn of(project: &Project, files: Vec<Diagnostic>) -> Self {
        Self::with(project, files, &mut ParseCache::default())
    }

    fn with(project: &Project, files: Vec<Diagnostic>, cache: &mut ParseCache) -> Self {
        match parse_with(project, cache) {
            Ok(parsed) => {
                Self { sources: parsed.sources.clone(), parsed: Some(parsed), files, said: Vec::new() }
            }
            Err((sources, said)) => Self { parsed: None, sources, files, said },
        }
    }

    /// Parses a project once more, with the trees of pages that the cache knows; a manifest that cannot be read is told among
    /// the rest.
    pub fn again(project: &Project, files: Vec<Diagnostic>, cache: &mut ParseCache) -> Self {
        let parsed = parse_anyway(project, cache);
        Self { sources: parsed.sources.clone(), parsed: Some(parsed), files, said: Vec::new() }
    }

    /// The files.
    pub fn sources(&self) -> &Arc<Sources> {
        &self.sources
    }

    /// Checks it under some settings, and compiles it if nothing is wrong.
    pub fn compile(&self, settings: &Settings) -> Compiled {
        self.compile_parsed(self.parsed.as_ref(), settings)
    }

    /// Whether it is proved, whatever its rulings say, that nobody learns what is hidden: then no reading of it needs to
    /// prove that by itself. The settings are those of any reading that compiles.
    pub fn is_proved_of_all_readings(&self, settings: &Settings) -> bool {
        self.parsed.as_ref().is_some_and(|parsed| is_proved_of_all_readings(parsed, settings))
    }

    /// The program under some settings.
    ///
    /// # Errors
    /// [`Error::Rules`] if the rules have errors, [`Error::Unknown`] if the settings name what the rules do not have.
    pub fn program(&self, settings: &Settings) -> Result<Arc<Program>> {
        let compiled = self.compile(settings);
        self.settle(settings, &compiled)?;
        compiled.into_program()
    }

    /// Whether what is wrong is only what was asked for: a setup or a ruling, or a value of it, that there is not.
    ///
    /// # Errors
    /// [`Error::Unknown`] if so, with what is wrong.
    pub fn settle(&self, settings: &Settings, compiled: &Compiled) -> Result<()> {
        let errors = || compiled.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
        let asked = settings.setup.is_some() || !settings.rulings.is_empty();
        let unknown = asked && compiled.has_errors() && errors().all(|error| error.code == "names::unknown");
        if !unknown || self.compile(&Settings::default()).has_errors() {
            return Ok(());
        }
        let said = errors().map(|error| match &error.help {
            Some(help) => format!("{}; {help}", error.message),
            None => error.message.clone(),
        });
        Err(Error::unknown("names::unknown", said.collect::<Vec<_>>().join("\n")))
    }

    /// Lays a question beside the rules, as a page of a name: one expression, which can change nothing. The program has
    /// what answers it in [`blazon_book::Book::questions`].
    pub fn ask(&mut self, page: &str, question: &str) {
        if let Some(parsed) = &mut self.parsed {
            parsed.ask(page, question);
            self.sources = parsed.sources.clone();
        }
    }

    /// Leaves all tests out, and what variants say about them.
    pub fn leave_out_tests(&mut self) {
        for (_, file) in self.parsed.iter_mut().flat_map(|parsed| &mut parsed.files) {
            if file.items.iter().any(is_about_tests) {
                Arc::make_mut(file).items.retain(|item| !is_about_tests(item));
            }
        }
    }

    pub(crate) fn compile_parsed(&self, parsed: Option<&Parsed>, settings: &Settings) -> Compiled {
        let mut compiled = Compiled {
            diagnostics: self.files.clone(),
            sources: self.sources.clone(),
            program: None,
            uncited: Vec::new(),
        };
        let Some(parsed) = parsed else {
            compiled.diagnostics.extend(self.said.iter().cloned());
            return compiled;
        };
        let checked = check(parsed, settings);
        compiled.diagnostics.extend(checked.diagnostics);
        compiled.uncited = checked.uncited;
        let book = checked.book.filter(|_| !compiled.has_errors());
        let lower = |book: Arc<blazon_book::Book>| match settings.coverage {
            true => blazon_program::lower_counting(&book),
            false => blazon_program::lower(book),
        };
        match book.map(lower) {
            Some(Ok(program)) => compiled.program = Some(Arc::new(program)),
            Some(Err(diagnostics)) => compiled.diagnostics.extend(diagnostics),
            None => {}
        }
        compiled
    }
}

impl Compiled {
    /// Whether there was an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// The program.
    ///
    /// # Errors
    /// [`Error::Rules`] if there is none.
    pub fn into_program(self) -> Result<Arc<Program>> {
        match self.program {
            Some(program) => Ok(program),
            None => Err(Problems { diagnostics: self.diagnostics, sources: self.sources }.into()),
        }
    }
}

/// Whether an item is a test, a scene, or says that a test does not hold as it is.
fn is_about_tests(item: &Item) -> bool {
    match &item.kind {
        ItemKind::Test(_) | ItemKind::Scene(_) => true,
        ItemKind::Amend(amend) => blazon_check::is_about_tests(&amend.kind),
        ItemKind::Declaration(_) => false,
    }
}

/// Parses, checks and compiles a project under some settings; all that there is to say about it comes with it.
pub fn compile(project: &Project, settings: &Settings) -> Compiled {
    Reading::of(project, Vec::new()).compile(settings)
}

impl Rules {
    /// The program of what is wanted of these rules, without tests and without the pages that hold them: to read,
    /// check and compile these is most of what whoever only plays would wait for.
    ///
    /// # Errors
    /// [`Error::Unknown`] if a variant, a ruling or a setup is wanted that there is not, [`Error::Rules`] if the rules
    /// have errors.
    pub fn program(&mut self, wanted: &Selection) -> Result<Arc<Program>> {
        let stack = self.stack(&wanted.variants)?;
        let settings = Settings {
            setup: wanted.setup.clone(),
            rulings: wanted.rulings.clone(),
            invariants: wanted.invariants,
            coverage: wanted.coverage,
            ..Settings::default()
        };
        let to_play = self.project_to_play(&stack, wanted.invariants);
        let mut without_tests = Reading::of(&to_play, self.file_diagnostics(&stack));
        without_tests.leave_out_tests();
        let compiled = without_tests.compile(&settings);
        if let Some(program) = compiled.program {
            return Ok(program);
        }
        // What is wrong is told of the whole; and an invariant may lean on what stands on another page of the tests.
        let mut reading = Reading::new(self, &stack);
        reading.leave_out_tests();
        reading.program(&settings)
    }
}
