//! From texts to a program, and the messages on the way.

use std::sync::Arc;

use blazon_check::project::{Parsed, Project, parse};
use blazon_check::{Settings, check};
use blazon_diagnostics::{Diagnostic, Format, Sources, Span, render};
use blazon_program::Program;
use blazon_syntax::ast::{Item, ItemKind};

use super::find::Found;
use crate::args::WithArgs;
use crate::console::Console;
use crate::trouble::{Result, Trouble};

/// A game with some of its variants, parsed.
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
    /// Parses a game with some of its variants.
    pub fn new(found: &Found, stack: &[usize]) -> Self {
        Self::of(&found.project(stack), found.file_diagnostics(stack))
    }

    /// Parses a project; `files` is what is wrong with its files.
    fn of(project: &Project, files: Vec<Diagnostic>) -> Self {
        match parse(project) {
            Ok(parsed) => {
                Self { sources: parsed.sources.clone(), parsed: Some(parsed), files, said: Vec::new() }
            }
            Err((sources, said)) => Self { parsed: None, sources, files, said },
        }
    }

    /// Checks it under some settings, and compiles it if nothing is wrong.
    pub fn compile(&self, settings: &Settings) -> Compiled {
        self.compile_parsed(self.parsed.as_ref(), settings)
    }

    /// The program under some settings; without one the errors are reported.
    ///
    /// # Errors
    /// If there is no program: a problem of the rules, or of the settings if they name what the rules do not have.
    pub fn program(&self, settings: &Settings, console: &Console) -> Result<Arc<Program>> {
        let compiled = self.compile(settings);
        self.settle(settings, &compiled)?;
        compiled.program(console)
    }

    /// Whether what is wrong is only what was asked for: a setup or a ruling, or a value of it, that there is not.
    ///
    /// # Errors
    /// If so, with what is wrong.
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
        Err(Trouble::Usage(said.collect::<Vec<_>>().join("\n")))
    }

    /// Leaves all tests out.
    fn leave_out_tests(&mut self) {
        for (_, file) in self.parsed.iter_mut().flat_map(|parsed| &mut parsed.files) {
            file.items.retain(|item| !matches!(item.kind, ItemKind::Test(_)));
        }
    }

    /// As [`Self::compile`], with some of its tests only, by their places: that is faster.
    pub fn compile_with_tests(&self, settings: &Settings, tests: &[Span]) -> Compiled {
        let wanted = |item: &Item| match &item.kind {
            ItemKind::Test(test) => tests.contains(&test.span),
            ItemKind::Declaration(_) | ItemKind::Amend(_) => true,
        };
        let parsed = self.parsed.as_ref().map(|parsed| {
            let mut parsed = parsed.clone();
            for (_, file) in &mut parsed.files {
                file.items.retain(wanted);
            }
            parsed
        });
        self.compile_parsed(parsed.as_ref(), settings)
    }

    fn compile_parsed(&self, parsed: Option<&Parsed>, settings: &Settings) -> Compiled {
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
        match book.map(blazon_program::lower) {
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

    /// The program; without one the errors are reported.
    ///
    /// # Errors
    /// If there is no program.
    pub fn program(&self, console: &Console) -> Result<Arc<Program>> {
        match &self.program {
            Some(program) => Ok(program.clone()),
            None => {
                report(&self.diagnostics, &self.sources, console);
                Err(Trouble::Problems)
            }
        }
    }
}

/// Shows diagnostics to people.
pub fn report(diagnostics: &[Diagnostic], sources: &Sources, console: &Console) {
    console.write_aside(render(diagnostics, sources, Format::Human, console.aside_style()));
}

/// Finds the variants asked for and compiles the game with them and with the rulings, without tests and without the
/// pages that hold them: to read, check and compile these is most of what whoever only plays would wait for.
///
/// # Errors
/// What there was to report has been reported.
pub fn program(
    found: &mut Found,
    with: &WithArgs,
    setup: Option<String>,
    console: &Console,
) -> Result<Arc<Program>> {
    let stack = found.stack(&with.variants)?;
    let settings = Settings { setup, rulings: with.rulings.clone() };
    let without_tests = Reading::of(&found.project_without_tests(&stack), found.file_diagnostics(&stack));
    let compiled = without_tests.compile(&settings);
    if let Some(program) = compiled.program {
        return Ok(program);
    }
    // What is wrong is told of the whole; and a page may lean on what stands among the tests.
    let mut reading = Reading::new(found, &stack);
    reading.leave_out_tests();
    reading.program(&settings, console)
}
