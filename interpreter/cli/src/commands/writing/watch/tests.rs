//! Which tests run after a save, and in which order.
//!
//! A test hangs on its own text, on that of the scenes it takes up, and on the rules. Where the rules did not change, a
//! test that passed and did not change keeps its result. Where they did, all tests run: which of the rules a test comes
//! by is not known before it has run. Those that failed last are first, then those that changed, then those that cite
//! what a changed page cites, then all others; tests that ask for rulings are last, for each ruling is compiled by
//! itself.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use blazon::Reading;
use blazon::testing::Written;

use super::report;
use super::round::{Looked, Stack};
use crate::args::WatchArgs;
use crate::commands::writing::test::plan::{Case, Outcome, Part};
use crate::console::Console;

/// The tests that are run together: by the reading and the rulings that they want.
type Batches = BTreeMap<(usize, Vec<(String, String)>), Vec<usize>>;

/// Runs the tests that must be run, the likeliest to fail first; tells the first failure at once. Answers whether it came
/// to an end before something was saved.
pub fn run(
    mut looked: Vec<Looked>,
    changed: &BTreeSet<String>,
    args: &WatchArgs,
    news: &(dyn Fn() -> bool + Sync),
    console: &Console,
) -> bool {
    if looked.iter().any(|one| one.stack.is_broken) {
        looked.iter_mut().filter(|one| one.compiled.is_some()).for_each(|one| one.stack.is_unfinished = true);
        report::waiting(console);
        return true;
    }
    let mut runs: Vec<Run> = looked.into_iter().filter_map(|one| Run::new(one, changed, args)).collect();
    let mut told: Option<String> = None;
    let last = runs.iter().map(|run| run.batches.len()).max().unwrap_or_default();
    let mut broken_off = false;
    for batch in 0..last {
        for run in &mut runs {
            broken_off |= news();
            if !broken_off {
                run.batch(batch);
                told = told.or_else(|| run.tell_first(console));
            }
        }
    }
    let mut others: Vec<String> = runs.iter().flat_map(Run::failures).collect();
    if let Some(place) = told.and_then(|told| others.iter().position(|name| *name == told)) {
        others.remove(place);
    }
    let (mut passed, mut failed, mut kept) = (0, 0, 0);
    for run in &mut runs {
        let (p, f, k) = run.settle(broken_off);
        (passed, failed, kept) = (passed + p, failed + f, kept + k);
    }
    report::tested(&report::Tested { passed, failed, kept, others, broken_off }, console);
    !broken_off
}

/// The tests of a stack in the order in which they run.
struct Run<'k> {
    stack: &'k mut Stack,
    part: Option<Part>,
    /// The texts of the tests, in the order of the part's cases.
    texts: Vec<String>,
    /// The places of the cases, in batches: the likeliest to fail first.
    batches: Vec<Vec<usize>>,
}

impl<'k> Run<'k> {
    fn new(looked: Looked<'k>, changed: &BTreeSet<String>, args: &WatchArgs) -> Option<Self> {
        let Looked { name, stack, compiled, .. } = looked;
        let Some((reading, compiled)) = compiled else {
            return Some(Self { stack, part: None, texts: Vec::new(), batches: Vec::new() });
        };
        let program = compiled.program?;
        let is_stack = !args.with.variants.is_empty();
        let rules = reading.text_of_rules();
        if rules != stack.rules {
            stack.passed.clear();
            stack.rules = rules;
        }
        let written = reading.tests(is_stack);
        let cited = cited(&reading, changed);
        let part = Part::of_program(name, reading, is_stack, args.with.rulings.clone(), program);
        let of = |case: &Case| written.iter().find(|test| test.span == case.test.span);
        let texts: Vec<String> = part
            .cases
            .iter()
            .map(|case| of(case).map(|test| part.reading().text_of(test)).unwrap_or_default())
            .collect();
        let batches = batches(&part, &texts, stack, changed, &cited, of);
        Some(Self { stack, part: Some(part), texts, batches })
    }

    fn batch(&mut self, batch: usize) {
        let (Some(part), Some(places)) = (&mut self.part, self.batches.get(batch)) else { return };
        let spans: HashSet<_> = places.iter().map(|&place| part.cases[place].test.span).collect();
        part.run_some(&|case| spans.contains(&case.test.span));
    }

    /// Tells the first failure in the order of the batches, if there is one; answers its name.
    fn tell_first(&self, console: &Console) -> Option<String> {
        let part = self.part.as_ref()?;
        let mut cases = self.batches.iter().flatten().map(|&place| &part.cases[place]);
        let first = cases.find(|case| failed(case))?;
        crate::commands::writing::test::report::failure(part, first, console);
        Some(first.test.name.clone())
    }

    /// The names of the tests that failed, in the order of the batches.
    fn failures(&self) -> Vec<String> {
        let cases = self.part.as_ref().map(|part| &part.cases);
        let placed = self.batches.iter().flatten().filter_map(|&place| cases?.get(place));
        let failed = placed.filter(|case| failed(case)).map(|case| case.test.name.clone());
        match &self.part {
            Some(_) => failed.collect(),
            // What did not change fails as it did.
            None => self.stack.failed.iter().cloned().collect(),
        }
    }

    /// Keeps what came of the tests. Answers how many passed, failed, and kept their result.
    fn settle(&mut self, broken_off: bool) -> (usize, usize, usize) {
        let Some(part) = &self.part else {
            let (passed, failed) = self.stack.counts;
            return (passed, failed, passed);
        };
        let (mut kept, mut counts) = (0, (0, 0));
        let names = part.cases.iter().filter(|case| failed(case)).map(|case| case.test.name.clone());
        let failing: BTreeSet<String> = names.collect();
        for (case, text) in part.cases.iter().zip(&self.texts) {
            match &case.outcome {
                Some(outcome) if outcome.passed() => {
                    counts.0 += 1;
                    self.stack.passed.insert(text.clone());
                }
                Some(_) => counts.1 += 1,
                None if self.stack.passed.contains(text) => {
                    counts.0 += 1;
                    kept += 1;
                }
                None => {}
            }
        }
        if broken_off {
            // Those that failed before and were not run yet are still first.
            self.stack.failed.extend(failing);
        } else {
            self.stack.failed = failing;
        }
        self.stack.is_unfinished = broken_off;
        self.stack.counts = counts;
        (counts.0, counts.1, kept)
    }
}

fn failed(case: &Case) -> bool {
    case.outcome.as_ref().is_some_and(|outcome: &Outcome| !outcome.passed())
}

/// The paragraphs that the pages cite that changed.
fn cited(reading: &Reading, changed: &BTreeSet<String>) -> BTreeSet<String> {
    let files = reading.parsed.iter().flat_map(|parsed| &parsed.files);
    let name = |source| reading.sources().find(source).map(|source| source.name.to_string());
    let files = files.filter(|(_, file)| name(file.source).is_some_and(|name| changed.contains(&name)));
    files.flat_map(|(_, file)| &file.cites).map(|cite| cite.text.clone()).collect()
}

/// The places of the cases that must run, the likeliest to fail first.
fn batches<'w>(
    part: &Part,
    texts: &[String],
    stack: &Stack,
    changed: &BTreeSet<String>,
    cited: &BTreeSet<String>,
    of: impl Fn(&Case) -> Option<&'w Written>,
) -> Vec<Vec<usize>> {
    let page = |case: &Case| part.sources.find(case.test.span.source).map(|source| source.name.to_string());
    let mut batches = Batches::new();
    for (place, (case, text)) in part.cases.iter().zip(texts).enumerate() {
        let cites = of(case).map(|test| test.cites.as_slice()).unwrap_or_default();
        let batch = match case.test.rulings.as_slice() {
            _ if stack.passed.contains(text) => continue,
            _ if stack.failed.contains(&case.test.name) => 0,
            _ if page(case).is_some_and(|page| changed.contains(&page)) => 1,
            [_, ..] => 4,
            [] if cites.iter().any(|cite| cited.contains(cite)) => 2,
            [] => 3,
        };
        let rulings = if batch == 4 { case.test.rulings.clone() } else { Vec::new() };
        batches.entry((batch, rulings)).or_default().push(place);
    }
    in_turns(batches)
}

/// So many groups of tests of one ruling each run at once; between them it is looked whether something was saved.
const AT_ONCE: usize = 8;

/// Batches as they run: each kind of tests has its turn, whether there are such tests or not, so that those of all
/// stacks come together.
fn in_turns(batches: Batches) -> Vec<Vec<usize>> {
    let mut turns: Vec<Vec<usize>> = vec![Vec::new(); 4];
    let mut of_rulings: Vec<Vec<usize>> = Vec::new();
    for ((batch, _), places) in batches {
        match turns.get_mut(batch) {
            Some(turn) => turn.extend(places),
            None => of_rulings.push(places),
        }
    }
    turns.extend(of_rulings.chunks(AT_ONCE).map(<[Vec<usize>]>::concat));
    turns
}
