//! Runs tests of the texts on the screen.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use blazon::testing::Written;
use blazon::{Reading, Settings};
use blazon_book::Test;
use blazon_diagnostics::{Diagnostic, Span};
use blazon_machine::Machine;
use blazon_machine::test_runner::{Failure, TestReport, run_on, run_test};
use blazon_program::Program;
use blazon_program::coverage::Site;
use rayon::prelude::*;

/// What came of a test.
#[derive(Clone, Debug)]
pub struct Tried {
    /// Its heading.
    pub span: Span,
    /// Its name.
    pub name: String,
    /// The lines that did not hold; none if all did.
    pub failures: Vec<Diagnostic>,
}

/// What came of all that were run.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The tests.
    pub tried: Vec<Tried>,
    /// What was wrong with the rules, if nothing could be run.
    pub failed: Vec<Diagnostic>,
    /// How often each site came up and how often it held, if that was counted.
    pub counts: BTreeMap<Site, [u64; 2]>,
}

/// Runs the tests that are wanted, each by the rulings that it asks for; what else is set holds for all.
pub fn run(reading: &Reading, wanted: impl Fn(&Written) -> bool, settings: &Settings) -> Outcome {
    let written: Vec<Written> = reading.tests(false).into_iter().filter(|test| wanted(test)).collect();
    let mut outcome = Outcome::default();
    let mut groups: BTreeMap<Vec<(String, String)>, Vec<Written>> = BTreeMap::new();
    groups.insert(Vec::new(), written);
    // What a test asks for is known when it has been checked once.
    let mut is_first = true;
    while let Some((rulings, tests)) = groups.pop_first() {
        let asked = std::mem::take(&mut is_first);
        let settings = Settings { rulings: rulings.clone(), invariants: true, ..settings.clone() };
        let prepared = reading.prepare(&settings, &tests);
        if let Some(failed) = prepared.failed {
            outcome.failed.extend(failed.diagnostics.into_iter().filter(Diagnostic::is_error));
            continue;
        }
        for test in &tests {
            if let Some(said) = prepared.broken.get(&test.span) {
                outcome.tried.push(Tried {
                    span: test.span,
                    name: test.name.clone(),
                    failures: said.clone(),
                });
            }
        }
        let mut others: BTreeSet<Span> = BTreeSet::new();
        for program in &prepared.programs {
            for test in &program.book.tests {
                let mut wants = test.rulings.clone();
                wants.sort();
                if asked && !wants.is_empty() {
                    others.insert(test.span);
                    let again = tests.iter().filter(|written| written.span == test.span).cloned();
                    groups.entry(wants).or_default().extend(again);
                }
            }
            run_program(program, &tests, &others, &mut outcome);
        }
    }
    outcome.tried.sort_by_key(|tried| tried.span);
    outcome
}

fn run_program(program: &Arc<Program>, tests: &[Written], others: &BTreeSet<Span>, outcome: &mut Outcome) {
    let wanted =
        |test: &&Test| !others.contains(&test.span) && tests.iter().any(|written| written.span == test.span);
    let wanted: Vec<&Test> = program.book.tests.iter().filter(wanted).collect();
    let machine = Machine::new(program.clone()).ok();
    let run = |(test, machine): (&Test, Option<Machine>)| match machine {
        Some(machine) => run_on(machine, test),
        None => run_test(program, test),
    };
    let made: Vec<_> = wanted.iter().map(|test| (*test, machine.clone())).collect();
    let reports: Vec<TestReport> = made.into_par_iter().map(run).collect();
    for (test, report) in wanted.into_iter().zip(reports) {
        for (site, hits) in program.sites.iter().zip(&report.hits) {
            let counts = outcome.counts.entry(site.clone()).or_default();
            counts[0] += hits[0];
            counts[1] += hits[1];
        }
        let failures = report.failures.iter().map(told).collect();
        outcome.tried.push(Tried { span: test.span, name: test.name.clone(), failures });
    }
}

/// A line that did not hold, as a message.
fn told(failure: &Failure) -> Diagnostic {
    let mut message = failure.message.clone();
    if let Some(expected) = &failure.expected {
        message += &format!("\nexpected: {expected}");
    }
    if let Some(actual) = &failure.actual {
        message += &format!("\nfound: {actual}");
    }
    let position = &failure.position;
    if !position.is_empty() {
        message += &format!("\n{position}");
    }
    let diagnostic = Diagnostic::error(FAILED, failure.span, message);
    let diagnostic = match failure.stopped {
        Some(stopped) => diagnostic.related(stopped, "the game stops here"),
        None => diagnostic,
    };
    match failure.from {
        Some(from) => diagnostic.related(from, "the scene is taken up here"),
        None => diagnostic,
    }
}

/// The code of a line of a test that did not hold.
const FAILED: &str = "tests::failed";
