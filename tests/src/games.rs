//! Random games that come to a proper end: straight, saved and resumed after every decision, and under random settings.

use std::sync::Arc;

use blazon_check::project::Parsed;
use blazon_check::{Settings, check};
use blazon_diagnostics::{Format, render};
use blazon_kernel::Position;
use blazon_kernel::chance::Stream;
use blazon_machine::Machine;
use blazon_machine::bots::{Bot, Pick, Random};
use blazon_program::{Program, lower};
use rayon::prelude::*;

use crate::{parsed, rules_only, style, top};

/// The most decisions that a proper game can take.
const MOST: usize = 20_000;

/// What a proper end of a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Somebody wins.
    HasWinner,
    /// Somebody wins, or nobody.
    MayBeDrawn,
}

fn bots(seed: u64) -> Vec<Random> {
    (0..4).map(|place| Random::new(seed * 4 + place, Pick::ByName)).collect()
}

/// A machine that keeps no record of what happens.
///
/// # Panics
/// If the program has no start.
pub fn machine(program: &Arc<Program>) -> Machine {
    let mut machine = Machine::new(program.clone()).expect("a machine");
    machine.record(false);
    machine
}

/// Plays a game between random players to its end; answers how many decisions it took.
///
/// # Errors
/// If the rules fail, somebody has nothing to choose from, the game does not end or nobody wins, or `after`, which is
/// asked after every decision, says so; always with the seed and the number of the decision.
pub fn play(
    machine: &mut Machine,
    seed: u64,
    end: End,
    mut after: impl FnMut(&mut Machine) -> Result<(), String>,
) -> Result<usize, String> {
    let setup = machine.program().book.default_setup;
    machine.start(setup, seed).map_err(|fault| format!("seed {seed}: {fault}"))?;
    let mut bots = bots(seed);
    for taken in 0..MOST {
        let wrong = |what: String| format!("seed {seed}, decision {taken}: {what}");
        let Some(&player) = machine.deciders().first() else {
            return match machine.outcome() {
                Some(outcome) if outcome.winner.is_some() || end == End::MayBeDrawn => Ok(taken),
                _ => Err(wrong("the game is over and nobody has won".to_owned())),
            };
        };
        if machine.options(player).is_empty() {
            return Err(wrong("an empty choice".to_owned()));
        }
        let index = bots[player as usize].decide(machine, player);
        machine.choose(player, index).map_err(|fault| wrong(fault.to_string()))?;
        after(machine).map_err(wrong)?;
    }
    Err(format!("seed {seed} does not end"))
}

/// Plays a game for each seed from 0, on all cores; `fresh` makes what is asked after every decision of one game.
///
/// # Panics
/// With all that went wrong.
pub fn play_many<C>(program: &Arc<Program>, games: u64, end: End, fresh: impl Fn() -> C + Sync)
where
    C: FnMut(&Machine) -> Result<(), String>,
{
    let played = program.book.played(program.book.default_setup);
    let wrong: Vec<String> = (0..games)
        .into_par_iter()
        .map_init(
            || machine(program),
            |machine, seed| {
                let mut check = fresh();
                play(machine, seed, end, |machine| check(machine))
            },
        )
        .filter_map(Result::err)
        .collect();
    assert!(wrong.is_empty(), "{played}: {} games went wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Plays games straight, and again saved as text and resumed after every decision: every position must be the same.
///
/// # Panics
/// Where the two differ.
pub fn resume_everywhere(program: &Arc<Program>, games: u64, end: End) {
    let (mut straight, mut resumed) = (machine(program), machine(program));
    for seed in 0..games {
        let mut positions = Vec::new();
        let played = play(&mut straight, seed, end, |machine| {
            positions.push(machine.snapshot());
            Ok(())
        });
        played.unwrap_or_else(|wrong| panic!("{wrong}"));
        let mut taken = 0;
        let again = play(&mut resumed, seed, end, |machine| {
            assert_eq!(machine.snapshot(), positions[taken], "seed {seed}, decision {taken}");
            let text = machine.snapshot().to_text();
            let position = Position::from_text(&text).expect("what was saved");
            // A machine that has seen nothing of the game goes on from the text alone.
            if taken % 50 == 0 {
                *machine = self::machine(program);
            }
            if !machine.deciders().is_empty() || taken % 50 == 0 {
                machine.restore(&position).expect("what was saved");
            }
            taken += 1;
            Ok(())
        });
        again.unwrap_or_else(|wrong| panic!("{wrong}"));
        assert_eq!(taken, positions.len());
    }
}

/// The folders of all variants of a game.
///
/// # Panics
/// If they cannot be read.
pub fn variants(game: &str) -> Vec<String> {
    let folder = top().join("rules").join(game).join("variants");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the variants")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// A random setup, stack of variants and choice of all rulings of a game, from a seed; variants that another one does
/// not bear are left out.
///
/// # Errors
/// With what was chosen and what is wrong with it.
pub fn random_settings(game: &str, seed: u64, variants: &[String]) -> Result<Arc<Program>, String> {
    let mut stream = Stream::new(seed);
    // Every variant is in one stack of four; the order is random, too.
    let mut stack: Vec<&str> = Vec::new();
    for name in variants {
        if stream.below(4) == 0 {
            stack.insert(stream.below(stack.len() + 1), name);
        }
    }
    loop {
        let parsed = parsed(&rules_only(game, &stack));
        let settings = choices(&parsed, &mut stream);
        let checked = check(&parsed, &settings);
        let told = || format!("{stack:?}, {settings:?}");
        if let Some(book) = checked.book {
            return lower(book).map(Arc::new).map_err(|wrong| format!("{}: {wrong:?}", told()));
        }
        let unbearable = |code: &str| ["amend::clash", "amend::excludes"].contains(&code);
        if stack.is_empty()
            || !checked.diagnostics.iter().filter(|d| d.is_error()).all(|d| unbearable(d.code))
        {
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
    Settings { setup: Some(setup), rulings: rulings.collect(), invariants: true, ..Settings::default() }
}

/// Plays games under many random settings; `fresh` makes what is asked after every decision of one game of a program.
///
/// # Panics
/// With all that went wrong, and under which settings.
pub fn play_random_settings<C>(
    game: &str,
    settings: u64,
    games: u64,
    end: End,
    fresh: impl Fn(&Program) -> C + Sync,
) where
    C: FnMut(&Machine) -> Result<(), String>,
{
    let all = variants(game);
    assert!(!all.is_empty());
    let wrong: Vec<String> = (0..settings)
        .into_par_iter()
        .flat_map_iter(|setting| {
            let program = match random_settings(game, setting, &all) {
                Ok(program) => program,
                Err(wrong) => return vec![format!("setting {setting}: {wrong}")],
            };
            let mut machine = machine(&program);
            let played = program.book.played(program.book.default_setup);
            (0..games)
                .filter_map(|game| {
                    let mut check = fresh(&program);
                    play(&mut machine, setting * games + game, end, |machine| check(machine)).err()
                })
                .map(|wrong| format!("setting {setting}, {played}: {wrong}"))
                .collect()
        })
        .collect();
    assert!(wrong.is_empty(), "{} things went wrong:\n{}", wrong.len(), wrong.join("\n"));
}
