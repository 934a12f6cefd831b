//! Random games of every scenario, of the variant with a table of events, and of random stacks of variants under random
//! rulings: each comes to a proper end, and after every decision what must always hold does.

use std::collections::BTreeSet;
use std::sync::Arc;

use blazon_check::project::Parsed;
use blazon_check::{Settings, check};
use blazon_diagnostics::{Format, render};
use blazon_kernel::chance::Stream;
use blazon_program::{Program, lower};
use blazon_tests::invariants::{Board, machine, play};
use blazon_tests::{parsed, program, rules_only, style, top};
use rayon::prelude::*;

/// Plays a game for each seed, on all cores; fails with what went wrong in all of them.
fn thousand(program: &Arc<Program>) {
    let board = Board::new(&program.book);
    let played = program.book.played(program.book.default_setup);
    let wrong: Vec<String> = (0..1000u64)
        .into_par_iter()
        .map_init(|| machine(program), |machine, seed| play(machine, seed, |machine| board.check(machine)))
        .filter_map(Result::err)
        .collect();
    assert!(wrong.is_empty(), "{played}: {} games went wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn scenario(name: &str, variants: &[&str]) -> Arc<Program> {
    let settings = Settings { setup: Some(name.to_owned()), rulings: Vec::new() };
    program(&parsed(&rules_only("richard-iii", variants)), &settings)
}

#[test]
fn a_thousand_games_of_kingmaker() {
    thousand(&scenario("Kingmaker", &[]));
}

#[test]
fn a_thousand_games_of_1483() {
    thousand(&scenario("1483", &[]));
}

#[test]
fn a_thousand_games_with_historical_events() {
    thousand(&scenario("1460", &["historical-events"]));
}

/// How many settings are tried, and how many games each.
const SETTINGS: u64 = 40;
const GAMES: u64 = 15;

/// The folders of all variants.
fn variants() -> Vec<String> {
    let folder = top().join("rules/richard-iii/variants");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the variants")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// A random scenario, stack of variants and choice of all rulings, from a seed; variants that another one does not
/// bear are left out.
fn random_settings(seed: u64, all: &[String]) -> Result<Arc<Program>, String> {
    let mut stream = Stream::new(seed);
    // Every variant is in one stack of four; the order is random, too.
    let mut stack: Vec<&str> = Vec::new();
    for name in all {
        if stream.below(4) == 0 {
            stack.insert(stream.below(stack.len() + 1), name);
        }
    }
    loop {
        let parsed = parsed(&rules_only("richard-iii", &stack));
        let settings = choices(&parsed, &mut stream);
        let checked = check(&parsed, &settings);
        let told = || format!("{stack:?}, {settings:?}");
        if let Some(book) = checked.book {
            return lower(book).map(Arc::new).map_err(|wrong| format!("{}: {wrong:?}", told()));
        }
        let refused: BTreeSet<&str> =
            checked.diagnostics.iter().filter(|d| d.is_error()).map(|d| d.code).collect();
        if !refused.iter().all(|code| ["amend::clash", "amend::excludes"].contains(code)) {
            let said = render(&checked.diagnostics, &parsed.sources, Format::Short, style());
            return Err(format!("{}: {said}", told()));
        }
        stack.pop();
    }
}

/// A random value of every ruling, and a random setup.
fn choices(parsed: &Parsed, stream: &mut Stream) -> Settings {
    let book = check(parsed, &Settings::default()).book;
    let Some(book) = book else { return Settings::default() };
    let setup = book.setups[stream.below(book.setups.len())].name.clone();
    let rulings = book.rulings.iter().map(|ruling| {
        let value = &ruling.values[stream.below(ruling.values.len())];
        (ruling.name.clone(), value.clone())
    });
    Settings { setup: Some(setup), rulings: rulings.collect() }
}

#[test]
fn games_with_random_rulings_and_variants() {
    let all = variants();
    assert!(!all.is_empty());
    let wrong: Vec<String> = (0..SETTINGS)
        .into_par_iter()
        .flat_map_iter(|setting| {
            let program = match random_settings(setting, &all) {
                Ok(program) => program,
                Err(wrong) => return vec![format!("setting {setting}: {wrong}")],
            };
            let board = Board::new(&program.book);
            let mut machine = machine(&program);
            let played = program.book.played(program.book.default_setup);
            (0..GAMES)
                .filter_map(|game| {
                    let seed = setting * GAMES + game;
                    play(&mut machine, seed, |machine| board.check(machine)).err()
                })
                .map(|wrong| format!("setting {setting}, {played}: {wrong}"))
                .collect()
        })
        .collect();
    assert!(wrong.is_empty(), "{} things went wrong:\n{}", wrong.len(), wrong.join("\n"));
}
