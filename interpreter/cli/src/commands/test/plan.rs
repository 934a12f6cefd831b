//! Which tests run by which rules.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use blazon::{Reading, Rules, Settings};
use blazon_book::Test;
use blazon_check::project::{Layer, Parsed};
use blazon_diagnostics::{Diagnostic, SourceId, Sources};
use blazon_machine::Machine;
use blazon_machine::test_runner::{TestReport, run_on, run_test};
use blazon_program::Program;
use rayon::prelude::*;

use crate::exit::Result;

/// The tests of the game, or of one variant.
pub struct Part {
    /// The game, or the game and the variant.
    pub name: String,
    /// The files.
    pub sources: Arc<Sources>,
    /// What was said about them.
    pub diagnostics: Vec<Diagnostic>,
    /// The program by the rulings as they stand; none if there are errors.
    pub program: Option<Arc<Program>>,
    /// The tests that were asked for, in the order of the files.
    pub cases: Vec<Case>,
    /// How many tests were not asked for.
    pub left_out: usize,
    /// The rulings that were asked for and that there are here.
    rulings: Vec<(String, String)>,
    reading: Reading,
}

/// A test and what came of it.
pub struct Case {
    /// The test.
    pub test: Test,
    /// What came of it.
    pub outcome: Option<Outcome>,
}

/// What came of a test.
pub enum Outcome {
    /// It was run, and took so long.
    Run(TestReport, Duration),
    /// The rules have errors under the rulings that it asks for.
    Broken(Vec<Diagnostic>),
}

impl Outcome {
    /// Whether every line held.
    pub fn passed(&self) -> bool {
        matches!(self, Self::Run(report, _) if report.passed)
    }
}

/// Which tests are asked for.
pub struct Filter {
    words: Option<String>,
}

impl Filter {
    /// By a part of the name or file, or by `@` and what is cited.
    pub fn new(words: Option<&str>) -> Self {
        Self { words: words.map(str::to_lowercase) }
    }

    fn wants(&self, test: &Test, sources: &Sources) -> bool {
        let Some(words) = &self.words else { return true };
        if let Some(cite) = words.strip_prefix('@') {
            return test.cites.iter().any(|other| other.to_lowercase() == cite);
        }
        let file =
            sources.find(test.span.source).map(|source| source.name.to_lowercase()).unwrap_or_default();
        test.name.to_lowercase().contains(words) || file.contains(words)
    }
}

impl Part {
    /// The game and each of its variants, or only the variant that the path lies in, by some rulings. One that only a
    /// variant has is for that variant's tests.
    ///
    /// # Errors
    /// If a ruling, or a value of it, is nowhere.
    pub fn all(game: &Rules, filter: &Filter, rulings: &[(String, String)]) -> Result<Vec<Self>> {
        let stacks: Vec<Vec<usize>> = match game.inside {
            Some(variant) => vec![vec![variant]],
            None => std::iter::once(Vec::new()).chain((0..game.variants.len()).map(|v| vec![v])).collect(),
        };
        let parts: Vec<Self> =
            stacks.par_iter().map(|stack| Self::new(game, stack, filter, rulings)).collect();
        for part in &parts {
            part.settle(part.rulings.clone())?;
        }
        let is_known = |asked: &(String, String)| parts.iter().any(|part| part.rulings.contains(asked));
        if let (Some(unknown), Some(part)) = (rulings.iter().find(|asked| !is_known(asked)), parts.first()) {
            part.settle(vec![unknown.clone()])?;
        }
        Ok(parts)
    }

    /// Whether there are these rulings.
    fn settle(&self, rulings: Vec<(String, String)>) -> Result<()> {
        let settings = Settings { setup: None, rulings };
        match settings.rulings.is_empty() {
            true => Ok(()),
            false => Ok(self.reading.settle(&settings, &self.reading.compile(&settings))?),
        }
    }

    fn new(game: &Rules, stack: &[usize], filter: &Filter, rulings: &[(String, String)]) -> Self {
        let reading = Reading::new(game, stack);
        let mut compiled = reading.compile(&Settings::default());
        let mut asked = rulings.to_vec();
        asked.retain(|(name, _)| {
            let mut here = compiled.program.iter().flat_map(|program| &program.book.rulings);
            here.any(|ruling| ruling.name == *name)
        });
        if !asked.is_empty() {
            compiled = reading.compile(&Settings { setup: None, rulings: asked.clone() });
        }
        let mut name = game.name();
        for &variant in stack {
            name += &format!(" + {}", game.variants[variant].name);
        }
        let layer = if stack.is_empty() { Layer::Game } else { Layer::Variant(0) };
        let files = reading.parsed.as_ref().map(|parsed| files_of(parsed, layer)).unwrap_or_default();
        let tests = compiled.program.iter().flat_map(|program| &program.book.tests);
        let tests: Vec<&Test> = tests.filter(|test| files.contains(&test.span.source)).collect();
        let cases: Vec<Case> = tests
            .iter()
            .filter(|test| filter.wants(test, &compiled.sources))
            .map(|&test| Case { test: test.clone(), outcome: None })
            .collect();
        Self {
            name,
            left_out: tests.len() - cases.len(),
            cases,
            sources: compiled.sources,
            diagnostics: compiled.diagnostics,
            program: compiled.program,
            rulings: asked,
            reading,
        }
    }

    /// Runs the tests, those that ask for the same rulings by one program.
    pub fn run(&mut self) {
        let Some(program) = &self.program else { return };
        let mut groups: BTreeMap<Vec<(String, String)>, Vec<&mut Case>> = BTreeMap::new();
        for case in &mut self.cases {
            let mut rulings = case.test.rulings.clone();
            if !rulings.is_empty() {
                // What a test asks for counts more.
                let also = self.rulings.iter().filter(|(name, _)| rulings.iter().all(|(own, _)| own != name));
                let also: Vec<_> = also.cloned().collect();
                rulings.extend(also);
            }
            rulings.sort();
            groups.entry(rulings).or_default().push(case);
        }
        let reading = &self.reading;
        groups.into_par_iter().for_each(|(rulings, mut cases)| {
            if rulings.is_empty() {
                run_cases(program, &mut cases);
                return;
            }
            let tests: Vec<_> = cases.iter().map(|case| case.test.span).collect();
            let compiled = reading.compile_with_tests(&Settings { setup: None, rulings }, &tests);
            match compiled.program {
                Some(program) => run_cases(&program, &mut cases),
                None => {
                    for case in cases {
                        case.outcome = Some(Outcome::Broken(compiled.diagnostics.clone()));
                    }
                }
            }
        });
    }

    /// The statements that tests may cite, in order.
    pub fn statements(&self) -> &[String] {
        self.reading.parsed.as_ref().map(|parsed| parsed.statements.as_slice()).unwrap_or_default()
    }
}

fn run_cases(program: &Arc<Program>, cases: &mut [&mut Case]) {
    let machine = Machine::new(program.clone()).ok();
    let machines: Vec<Option<Machine>> = cases.iter().map(|_| machine.clone()).collect();
    cases.par_iter_mut().zip(machines).for_each(|(case, machine)| {
        // The book is another one: the test's steps and rules have to be those of this program.
        let test = program.book.tests.iter().find(|test| test.span == case.test.span);
        let test = test.unwrap_or(&case.test);
        let begun = Instant::now();
        let report = match machine {
            Some(machine) => run_on(machine, test),
            None => run_test(program, test),
        };
        case.outcome = Some(Outcome::Run(report, begun.elapsed()));
    });
}

/// The files that a layer's items stand in.
fn files_of(parsed: &Parsed, layer: Layer) -> BTreeSet<SourceId> {
    let files = parsed.files.iter().filter(|(of, _)| *of == layer);
    files.filter_map(|(_, file)| file.items.first().map(|item| item.span.source)).collect()
}
