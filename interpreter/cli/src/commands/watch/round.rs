//! One round after a save: what has changed is read and checked, then tested.
//!
//! A test hangs on its own text, on that of the scenes it takes up, and on the rules. Where the rules did not change, a
//! test that passed and did not change keeps its result. Where they did, all tests run: which of the rules a test comes
//! by is not known before it has run. Those that failed last are first, then those that changed, then those that cite
//! what a changed page cites, then all others; tests that ask for rulings are last, for each ruling is compiled by
//! itself.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use blazon::diagnostics::{Diagnostic, Format, render};
use blazon::testing::Written;
use blazon::{Compiled, ParseCache, Project, Reading, Rules, Settings};
use rayon::prelude::*;

use super::report;
use crate::args::WatchArgs;
use crate::commands::check::checked;
use crate::commands::test::plan::{Case, Outcome, Part, named, settings};
use crate::console::Console;
use crate::exit::Result;

/// What is known from the rounds before.
#[derive(Default)]
pub struct Known {
    /// Of the game, of the game and each variant, by name.
    stacks: BTreeMap<String, Stack>,
    /// Whether there was a round.
    begun: bool,
}

/// What is known of a game with some of its variants.
#[derive(Default)]
struct Stack {
    cache: ParseCache,
    /// The texts as they were read last: name and text.
    texts: Vec<(String, String)>,
    /// The text of the rules by which the tests passed.
    rules: String,
    /// The texts of tests that passed by these rules.
    passed: HashSet<String>,
    /// The names of those that failed last.
    failed: BTreeSet<String>,
    /// How many tests passed and failed.
    counts: (usize, usize),
    /// Whether it has errors.
    is_broken: bool,
    /// Whether its tests were broken off.
    is_unfinished: bool,
}

/// A stack of this round.
struct Looked<'k> {
    name: String,
    stack: &'k mut Stack,
    /// What came of checking; nothing if nothing changed.
    compiled: Option<(Reading, Compiled)>,
    changed: BTreeSet<String>,
    parsed: usize,
}

/// Reads, checks and tests what changed.
///
/// # Errors
/// If a variant or a ruling is asked for that there is not.
pub fn run(
    rules: &mut Rules,
    args: &WatchArgs,
    known: &mut Known,
    news: &(dyn Fn() -> bool + Sync),
    console: &Console,
) -> Result<()> {
    let stacks = stacks(rules, args)?;
    let names: Vec<String> = stacks.iter().map(|stack| named(rules, stack)).collect();
    known.stacks.retain(|name, _| names.contains(name));
    for name in &names {
        known.stacks.entry(name.clone()).or_default();
    }
    let places: BTreeMap<&String, &Vec<usize>> = names.iter().zip(&stacks).collect();
    let held: Vec<(&String, &mut Stack)> = known.stacks.iter_mut().collect();
    let rules = &*rules;
    let looked = held.into_par_iter().map(|(name, stack)| look(rules, places[name], name, stack, args));
    let mut looked = looked.collect::<Result<Vec<Looked>>>()?;
    looked.sort_by_key(|one| names.iter().position(|name| *name == one.name));
    let changed: BTreeSet<String> = looked.iter().flat_map(|one| one.changed.iter().cloned()).collect();
    let unfinished = looked.iter().any(|one| one.stack.is_unfinished);
    if known.begun && changed.is_empty() && !unfinished {
        return Ok(());
    }
    report::heading(known.begun.then_some(&changed), console);
    known.begun = true;
    let parsed = looked.iter().map(|one| one.parsed).max().unwrap_or_default();
    messages(&mut looked, parsed, console);
    test(looked, &changed, args, news, console);
    Ok(())
}

/// Which variants are laid on the game: those that are asked for, or the one that the path lies in, or each alone.
fn stacks(rules: &mut Rules, args: &WatchArgs) -> Result<Vec<Vec<usize>>> {
    if !args.with.variants.is_empty() || rules.inside.is_some() {
        return Ok(vec![rules.stack(&args.with.variants)?]);
    }
    Ok(std::iter::once(Vec::new()).chain((0..rules.variants.len()).map(|variant| vec![variant])).collect())
}

fn look<'k>(
    rules: &Rules,
    places: &[usize],
    name: &str,
    stack: &'k mut Stack,
    args: &WatchArgs,
) -> Result<Looked<'k>> {
    let texts = texts(&rules.project(places), &rules.file_diagnostics(places));
    let changed = differing(&stack.texts, &texts);
    let (name, before) = (name.to_owned(), stack.cache.parsed());
    if changed.is_empty() && !stack.is_unfinished && !stack.texts.is_empty() {
        return Ok(Looked { name, stack, compiled: None, changed, parsed: 0 });
    }
    let reading = Reading::again(rules, places, &mut stack.cache);
    let is_stack = !args.with.variants.is_empty();
    let tests = Some(reading.tests(is_stack).iter().map(|test| test.span).collect());
    let settings = Settings { tests, ..settings(args.with.rulings.clone(), false) };
    let compiled = checked(rules, places, &reading, &settings)?;
    stack.texts = texts;
    stack.is_broken = compiled.has_errors();
    let parsed = stack.cache.parsed() - before;
    Ok(Looked { name, stack, compiled: Some((reading, compiled)), changed, parsed })
}

/// All texts that are read, by name; and what is wrong with files, which is as good as a text.
fn texts(project: &Project, wrong: &[Diagnostic]) -> Vec<(String, String)> {
    let folders = std::iter::once(&project.game).chain(&project.variants);
    let pages = folders.flat_map(|folder| {
        let all = folder.manifest.iter().chain(&folder.pages).chain(&folder.tests).chain(&folder.data);
        all.chain(&folder.map)
    });
    let pages = project.library.iter().chain(pages).map(|page| (page.name.clone(), page.text.clone()));
    pages.chain(wrong.iter().map(|wrong| (wrong.message.clone(), String::new()))).collect()
}

/// The names of texts that are new, gone or others.
fn differing(before: &[(String, String)], now: &[(String, String)]) -> BTreeSet<String> {
    let old: BTreeMap<&String, &String> = before.iter().map(|(name, text)| (name, text)).collect();
    let new: BTreeMap<&String, &String> = now.iter().map(|(name, text)| (name, text)).collect();
    let names = old.keys().chain(new.keys());
    names.filter(|name| old.get(*name) != new.get(*name)).map(|name| (*name).clone()).collect()
}

/// What is said of the rules; of several variants the same only once.
fn messages(looked: &mut [Looked], parsed: usize, console: &Console) {
    let mut told = HashSet::new();
    for one in looked.iter_mut() {
        let Some((_, compiled)) = &one.compiled else { continue };
        let mut news = compiled.diagnostics.clone();
        news.retain(|said| told.insert(report::short(said, &compiled.sources)));
        console.write(render(&news, &compiled.sources, Format::Human, console.out_style()));
    }
    let broken: Vec<&str> =
        looked.iter().filter(|one| one.stack.is_broken).map(|one| one.name.as_str()).collect();
    report::checked(&broken, looked.len(), parsed, console);
}

/// Runs the tests that must be run, the likeliest to fail first; tells the first failure at once.
fn test(
    mut looked: Vec<Looked>,
    changed: &BTreeSet<String>,
    args: &WatchArgs,
    news: &(dyn Fn() -> bool + Sync),
    console: &Console,
) {
    if looked.iter().any(|one| one.stack.is_broken) {
        looked.iter_mut().filter(|one| one.compiled.is_some()).for_each(|one| one.stack.is_unfinished = true);
        return report::waiting(console);
    }
    let mut runs: Vec<Run> = looked.into_iter().filter_map(|one| Run::new(one, changed, args)).collect();
    let mut is_told = false;
    let last = runs.iter().map(|run| run.batches.len()).max().unwrap_or_default();
    let mut broken_off = false;
    for batch in 0..last {
        for run in &mut runs {
            broken_off |= news();
            if !broken_off {
                run.batch(batch);
                is_told = is_told || run.tell_first(console);
            }
        }
    }
    let others: Vec<String> = runs.iter().flat_map(|run| run.failures()).skip(1).collect();
    let (mut passed, mut failed, mut kept) = (0, 0, 0);
    for run in &mut runs {
        let (p, f, k) = run.settle(broken_off);
        (passed, failed, kept) = (passed + p, failed + f, kept + k);
    }
    report::tested(&report::Tested { passed, failed, kept, others, broken_off }, console);
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

    /// Tells the first failure in the order of the batches, if there is one.
    fn tell_first(&self, console: &Console) -> bool {
        let Some(part) = &self.part else { return false };
        let first = self.batches.iter().flatten().map(|&place| &part.cases[place]).find(|case| failed(case));
        if let Some(case) = first {
            crate::commands::test::report::failure(part, case, console);
        }
        first.is_some()
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
    let mut batches: BTreeMap<(usize, Vec<(String, String)>), Vec<usize>> = BTreeMap::new();
    for (place, (case, text)) in part.cases.iter().zip(texts).enumerate() {
        if stack.passed.contains(text) {
            continue;
        }
        let cites = of(case).map(|test| test.cites.as_slice()).unwrap_or_default();
        let batch = if stack.failed.contains(&case.test.name) {
            0
        } else if page(case).is_some_and(|page| changed.contains(&page)) {
            1
        } else if cites.iter().any(|cite| cited.contains(cite)) && case.test.rulings.is_empty() {
            2
        } else if case.test.rulings.is_empty() {
            3
        } else {
            4
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
fn in_turns(batches: BTreeMap<(usize, Vec<(String, String)>), Vec<usize>>) -> Vec<Vec<usize>> {
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
