//! One round after a save: what has changed is read and checked, then tested ([`super::tests`]).

use std::collections::{BTreeMap, BTreeSet, HashSet};

use blazon::diagnostics::{Diagnostic, Format, render};
use blazon::{Compiled, ParseCache, Project, Reading, Rules, Settings};
use rayon::prelude::*;

use super::{report, tests};
use crate::args::WatchArgs;
use crate::commands::writing::check::checked;
use crate::commands::writing::test::plan::{named, settings};
use crate::console::Console;
use crate::exit::Result;

/// What is known from the rounds before.
#[derive(Default)]
pub struct Known {
    /// Of the game, of the game and each variant, by name.
    stacks: BTreeMap<String, Stack>,
    /// Whether there was a round.
    pub begun: bool,
    /// Whether the last one was broken off by a save.
    broken_off: bool,
}

/// What is known of a game with some of its variants.
#[derive(Default)]
pub struct Stack {
    pub cache: ParseCache,
    /// The texts as they were read last: name and text.
    pub texts: Vec<(String, String)>,
    /// The text of the rules by which the tests passed.
    pub rules: String,
    /// The texts of tests that passed by these rules.
    pub passed: HashSet<String>,
    /// The names of those that failed last.
    pub failed: BTreeSet<String>,
    /// How many tests passed and failed.
    pub counts: (usize, usize),
    /// Whether it has errors.
    pub is_broken: bool,
    /// Whether its tests were broken off, or wait for errors to be mended.
    pub is_unfinished: bool,
}

/// A stack of this round.
pub struct Looked<'k> {
    pub name: String,
    pub stack: &'k mut Stack,
    /// What came of checking; nothing if nothing changed.
    pub compiled: Option<(Reading, Compiled)>,
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
    if known.begun && changed.is_empty() && !known.broken_off {
        return Ok(());
    }
    report::heading(known.begun.then_some(&changed), console);
    known.begun = true;
    let parsed = looked.iter().map(|one| one.parsed).max().unwrap_or_default();
    messages(&mut looked, parsed, console);
    known.broken_off = !tests::run(looked, &changed, args, news, console);
    Ok(())
}

/// Which variants are laid on the game: those that are asked for, or the one that the path lies in, or each alone, on those that it needs.
fn stacks(rules: &mut Rules, args: &WatchArgs) -> Result<Vec<Vec<usize>>> {
    if !args.with.variants.is_empty() || rules.inside.is_some() {
        return Ok(vec![rules.stack(&args.with.variants)?]);
    }
    Ok(rules.each_alone())
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
    let reading = Reading::again(&rules.project(places), rules.file_diagnostics(places), &mut stack.cache);
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
