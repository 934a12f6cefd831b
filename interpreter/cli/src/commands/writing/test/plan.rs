//! Which tests run by which rules.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use blazon::testing::{Prepared, Written};
use blazon::{Reading, Rules, Settings};
use blazon_book::Test;
use blazon_diagnostics::{Diagnostic, Sources, Span};
use blazon_machine::Machine;
use blazon_machine::test_runner::{TestReport, run_on, run_test};
use blazon_program::Program;
use rayon::prelude::*;

use crate::args::TestArgs;
use crate::coverage::Coverage;
use crate::exit::Result;

/// The tests of the game, of one variant, or of the game on a stack of variants.
pub struct Part {
    /// The game, or the game and its variants.
    pub name: String,
    /// The files.
    pub sources: Arc<Sources>,
    /// What was said about them, if that keeps all tests from running.
    pub failed: Option<Vec<Diagnostic>>,
    /// The tests that were asked for, in the order of the files.
    pub cases: Vec<Case>,
    /// How many tests were not asked for.
    pub left_out: usize,
    /// What is odd about what a variant says of tests.
    pub warnings: Vec<Diagnostic>,
    /// By what they run where a test asks for no rulings.
    programs: Vec<Arc<Program>>,
    /// The rulings that were asked for and that there are here.
    rulings: Vec<(String, String)>,
    reading: Reading,
    /// Whether all readings are proved at once, as soon as that is asked.
    is_proved: OnceLock<bool>,
    /// Whether it is the game's tests on a stack of variants.
    is_stack: bool,
    /// Whether what comes up is counted.
    counts: bool,
    /// What has come up.
    pub coverage: Mutex<Coverage>,
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

    fn wants(&self, test: &Written, sources: &Sources) -> bool {
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
    /// The game and each of its variants, or only the variant that the path lies in, by some rulings; or, where
    /// variants are asked for, the game on a stack of them. A ruling that only a variant has is for that variant's tests.
    ///
    /// # Errors
    /// If a variant, a ruling, or a value of it, is nowhere.
    pub fn all(game: &mut Rules, args: &TestArgs) -> Result<Vec<Self>> {
        let is_stack = !args.variants.is_empty();
        let stacks: Vec<Vec<usize>> = match game.inside {
            _ if is_stack => vec![game.stack(&args.variants)?],
            Some(variant) => vec![game.alone(variant)],
            None => game.each_alone(),
        };
        let (game, rulings) = (&*game, &args.rulings);
        let parts: Vec<Self> = stacks
            .par_iter()
            .zip(Reading::each(game, &stacks))
            .map(|(stack, reading)| Self::new(named(game, stack), reading, args))
            .collect();
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
        let settings = Settings { rulings, ..Settings::default() };
        match settings.rulings.is_empty() {
            true => Ok(()),
            false => Ok(self.reading.settle(&settings, &self.reading.compile(&settings))?),
        }
    }

    fn new(name: String, reading: Reading, args: &TestArgs) -> Self {
        let mut part = Self::empty(name, reading, !args.variants.is_empty());
        part.counts = args.coverage.is_wanted();
        part.prepare(&Filter::new(args.filter.as_deref()), &args.rulings);
        part
    }

    fn empty(name: String, reading: Reading, is_stack: bool) -> Self {
        Self {
            name,
            sources: reading.sources().clone(),
            failed: None,
            cases: Vec::new(),
            left_out: 0,
            warnings: Vec::new(),
            programs: Vec::new(),
            rulings: Vec::new(),
            reading,
            is_proved: OnceLock::new(),
            is_stack,
            counts: false,
            coverage: Mutex::default(),
        }
    }

    /// All tests of a reading that is compiled already, with nothing wrong.
    pub fn of_program(
        name: String,
        reading: Reading,
        is_stack: bool,
        rulings: Vec<(String, String)>,
        program: Arc<Program>,
    ) -> Self {
        let mut part = Self::empty(name, reading, is_stack);
        let written = part.reading.tests(is_stack);
        let tests = written.iter().filter_map(|test| in_program(&program, test.span));
        part.cases = tests.map(|test| Case { test: test.clone(), outcome: None }).collect();
        part.rulings = rulings;
        part.programs = vec![program];
        part
    }

    /// The game with its variants as it was read.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Makes the tests ready.
    fn prepare(&mut self, filter: &Filter, rulings: &[(String, String)]) {
        let written = self.reading.tests(self.is_stack);
        let mut prepared = self.reading.prepare(&settings(Vec::new(), self.counts), &written);
        let mut asked = rulings.to_vec();
        asked.retain(|(name, _)| {
            let mut here = prepared.programs.iter().flat_map(|program| &program.book.rulings);
            here.any(|ruling| ruling.name == *name)
        });
        if !asked.is_empty() {
            prepared = self.reading.prepare(&settings(asked.clone(), self.counts), &written);
        }
        self.rulings = asked;
        let Prepared { programs, broken, failed } = prepared;
        self.failed = failed.map(|compiled| compiled.diagnostics);
        if self.failed.is_some() {
            return;
        }
        let mut cases = Vec::new();
        for test in &written {
            let outcome = broken.get(&test.span).map(|said| Outcome::Broken(said.clone()));
            let found = programs.iter().find_map(|program| in_program(program, test.span));
            // What a variant has taken out is in no program.
            let checked = match (found, &outcome) {
                (Some(test), _) => test.clone(),
                (None, Some(_)) => stub(test),
                (None, None) => continue,
            };
            cases.push((test, Case { test: checked, outcome }));
        }
        let all = cases.len();
        cases.retain(|(test, _)| filter.wants(test, &self.sources));
        self.left_out = all - cases.len();
        self.cases = cases.into_iter().map(|(_, case)| case).collect();
        self.programs = programs;
    }

    /// Runs the tests.
    pub fn run(&mut self) {
        self.run_some(&|_| true);
        self.warnings = self.needless();
    }

    /// Runs those of the tests that are wanted, each once; those that ask for the same rulings by one program.
    pub fn run_some(&mut self, wanted: &dyn Fn(&Case) -> bool) {
        let mut groups: BTreeMap<Vec<(String, String)>, Vec<&mut Case>> = BTreeMap::new();
        for case in self.cases.iter_mut().filter(|case| case.outcome.is_none() && wanted(case)) {
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
        let (reading, programs, is_stack) = (&self.reading, &self.programs, self.is_stack);
        let (coverage, counts) = (&self.coverage, self.counts);
        let written = reading.tests(is_stack);
        let is_proved = || reading.is_proved_of_all_readings(&settings(self.rulings.clone(), false));
        let unproved =
            groups.keys().any(|rulings| !rulings.is_empty()) && *self.is_proved.get_or_init(is_proved);
        groups.into_par_iter().for_each(|(rulings, mut cases)| {
            if rulings.is_empty() {
                run_cases(programs, &mut cases, coverage);
                return;
            }
            let spans: BTreeSet<Span> = cases.iter().map(|case| case.test.span).collect();
            let tests: Vec<Written> =
                written.iter().filter(|test| spans.contains(&test.span)).cloned().collect();
            let settings = Settings { unproved, ..settings(rulings, counts) };
            let prepared = reading.prepare(&settings, &tests);
            for case in &mut cases {
                let failed = prepared.failed.as_ref().map(|compiled| &compiled.diagnostics);
                let said = failed.or_else(|| prepared.broken.get(&case.test.span));
                case.outcome = said.map(|said| Outcome::Broken(said.clone()));
            }
            cases.retain(|case| case.outcome.is_none());
            run_cases(&prepared.programs, &mut cases, coverage);
        });
    }

    /// The tests that the only variant says do not hold, though they pass as they are printed.
    fn needless(&self) -> Vec<Diagnostic> {
        let is_alone = self.reading.parsed.as_ref().is_some_and(|parsed| parsed.variants.len() == 1);
        let declared = self.reading.declared();
        if !self.is_stack || !is_alone || declared.is_empty() || self.failed.is_some() {
            return Vec::new();
        }
        let printed = self.reading.with_tests_as_printed();
        let mut tests = printed.tests(true);
        tests.retain(|test| declared.iter().any(|declared| declared.name.text == test.name));
        let mut warnings = Vec::new();
        for test in &tests {
            let prepared =
                printed.prepare(&settings(self.rulings.clone(), false), std::slice::from_ref(test));
            let [program] = &*prepared.programs else { continue };
            let Some(checked) = in_program(program, test.span) else { continue };
            let name = declared.iter().find(|declared| declared.name.text == test.name);
            if let Some(declared) = name.filter(|_| run_test(program, checked).passed) {
                warnings.push(
                    Diagnostic::warning("tests::needless", declared.name.span, "this test passes as it is")
                        .related(test.span, "the game's test")
                        .help("leave it to the game: take this out"),
                );
            }
        }
        warnings
    }

    /// The statements that tests may cite, in order.
    pub fn statements(&self) -> &[String] {
        self.reading.parsed.as_ref().map(|parsed| parsed.statements.as_slice()).unwrap_or_default()
    }
}

/// A game with some of its variants, in words.
pub fn named(game: &Rules, stack: &[usize]) -> String {
    let variants = stack.iter().map(|&variant| format!(" + {}", game.variants[variant].name));
    std::iter::once(game.name()).chain(variants).collect()
}

/// How tests are checked: under some rulings, with the invariants.
pub fn settings(rulings: Vec<(String, String)>, coverage: bool) -> Settings {
    Settings { rulings, invariants: true, coverage, ..Settings::default() }
}

/// A test as a program has it: its steps and rules are those of that program.
fn in_program(program: &Program, test: Span) -> Option<&Test> {
    program.book.tests.iter().find(|other| other.span == test)
}

/// What is known of a test that has errors.
fn stub(test: &Written) -> Test {
    Test {
        name: test.name.clone(),
        cites: test.cites.clone(),
        rulings: Vec::new(),
        lines: Vec::new(),
        span: test.span,
    }
}

fn run_cases(programs: &[Arc<Program>], cases: &mut [&mut Case], coverage: &Mutex<Coverage>) {
    for program in programs {
        let machine = Machine::new(program.clone()).ok();
        let here: BTreeMap<Span, &Test> = program.book.tests.iter().map(|test| (test.span, test)).collect();
        let cases: Vec<_> = cases.iter_mut().filter(|case| here.contains_key(&case.test.span)).collect();
        // A machine for each test, but not for all at once: they are large.
        cases.into_par_iter().for_each_with(machine, |machine, case| {
            let Some(test) = here.get(&case.test.span) else { return };
            let begun = Instant::now();
            let report = match machine {
                Some(machine) => run_on(machine.clone(), test),
                None => run_test(program, test),
            };
            let took = begun.elapsed();
            if !report.hits.is_empty()
                && let Ok(mut coverage) = coverage.lock()
            {
                coverage.add(program, &report.hits);
            }
            case.outcome = Some(Outcome::Run(report, took));
        });
    }
}
