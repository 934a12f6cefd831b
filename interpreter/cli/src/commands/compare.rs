//! `blazon compare`: what a change of the rules does to the game.

mod json;
mod report;
mod sides;
mod text;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use blazon_machine::bots::Skill;
use blazon_study::Plan;
use blazon_study::compare::{Cause, Causes, Contest, Found};
use blazon_study::stats::Sprt;
use indicatif::ProgressBar;
use rayon::prelude::*;

use crate::args::CompareArgs;
use crate::commands::simulate::{bar_of, interruptions, threads};
use crate::console::Console;
use crate::exit::{Failure, Result};
use crate::seats::may_judge;
use crate::seed::new_seed;

use sides::Sides;

/// The most pairs where nobody thinks, and where somebody does.
const PAIRS: (u64, u64) = (20_000, 400);
/// So many pairs that part share the rules that are tried to find what is to blame; the same on any number of cores.
const TOGETHER: usize = 64;

/// What was found at one level of players.
pub struct Level {
    /// Who played.
    pub player: Skill,
    /// How games were played, by the rules as they were and by the changed ones.
    pub plans: [Plan; 2],
    /// The most pairs.
    pub most: u64,
    /// What came of it.
    pub found: Found,
    /// What is to blame for where pairs part, how often, of so many.
    pub causes: BTreeMap<Cause, u64>,
    /// Of how many pairs that part this was found out.
    pub blamed: u64,
}

/// Compares.
///
/// # Errors
/// If the rules are not found or have errors, or it is interrupted.
pub fn run(args: &CompareArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    if let Some(path) = &args.report {
        report::may_be_written(path)?;
    }
    let mut sides = Sides::of(args, library)?;
    for player in &args.levels {
        may_judge(&sides.base.book, player)?;
        may_judge(&sides.changed.book, player)?;
    }
    let seed = args.seed.unwrap_or_else(new_seed);
    let stop = interruptions()?;
    let mut levels: Vec<Level> = Vec::new();
    for player in &args.levels {
        let level = level(args, &sides, seed, player, &stop)?;
        if !args.json {
            if levels.is_empty() {
                console.write(text::heading(args, &sides, seed));
            }
            console.write(text::level(args, &sides, &level));
        }
        levels.push(level);
        if stop.load(Ordering::Relaxed) > 0 {
            break;
        }
    }
    if args.json {
        console.line(json::told(args, &sides, seed, &levels));
    } else {
        console.write(text::agreement(args, &sides, &levels));
    }
    if let Some(path) = &args.report {
        report::write(path, args, &mut sides, seed, &levels, console)?;
    }
    close(&levels)
}

/// Plays at one level, and finds what is to blame.
fn level(args: &CompareArgs, sides: &Sides, seed: u64, player: &Skill, stop: &AtomicUsize) -> Result<Level> {
    let plans = sides.plans(args, seed, player);
    let pairs = args.pairs.unwrap_or(if player.cost() > 1 { PAIRS.1 } else { PAIRS.0 });
    let contest = Contest {
        base: sides.base.clone(),
        changed: sides.changed.clone(),
        base_plan: &plans[0],
        changed_plan: &plans[1],
        pairs,
        sprt: sprt(args),
        until_sure: !args.all,
        threads: threads(args.threads),
    };
    let bar = bar_of(pairs, "pairs");
    let played = contest.play(stop, &mut |found| {
        bar.set_position(found.pairs);
        bar.set_message(present(sides, found, &sprt(args)));
    });
    bar.finish_and_clear();
    let mut found = played.map_err(|fault| blazon::Error::fault(fault, &sides.base.book.sources))?;
    if args.apart {
        // On luck of their own all pairs part, and nothing is to blame.
        found.parted.clear();
    }
    let most = found.parted.len().min(args.blame);
    let causes = causes(sides, &plans[1], &found, most, stop);
    let blamed = causes.values().sum();
    Ok(Level { player: player.clone(), plans, most: pairs, found, causes, blamed })
}

/// When it is sure.
pub fn sprt(args: &CompareArgs) -> Sprt {
    Sprt { matters: args.points / 100.0, error: args.error / 100.0 }
}

/// How it looks by now, for those who wait.
fn present(sides: &Sides, found: &Found, sprt: &Sprt) -> String {
    let book = &sides.base.book;
    let things = &book.kind(book.player).things;
    let Some((counts, &player)) = found.differences.first().zip(book.players.first()) else {
        return String::new();
    };
    let Some((least, most)) = found.tested(sprt).interval(counts) else { return String::new() };
    let name = things.get(player as usize).map_or("", |thing| thing.name.as_str());
    crate::console::harmless(&format!(
        "; {name} {:+.1} points ({:+.1} to {:+.1})",
        counts.mean() * 100.0,
        least * 100.0,
        most * 100.0
    ))
}

/// What is to blame for where the first pairs part, on all cores.
fn causes(
    sides: &Sides,
    plan: &Plan,
    found: &Found,
    most: usize,
    stop: &AtomicUsize,
) -> BTreeMap<Cause, u64> {
    let bar: ProgressBar = bar_of(most as u64, "partings");
    let parts: Vec<BTreeMap<Cause, u64>> = found.parted[..most]
        .par_chunks(TOGETHER)
        .map(|some| {
            let mut causes = Causes::new(&sides.change, &sides.settings, plan);
            let mut counted = BTreeMap::new();
            for &(game, parting) in some {
                if stop.load(Ordering::Relaxed) > 0 {
                    break;
                }
                *counted.entry(causes.of(game, parting)).or_default() += 1;
                bar.inc(1);
            }
            counted
        })
        .collect();
    bar.finish_and_clear();
    let mut all = BTreeMap::new();
    for (cause, count) in parts.into_iter().flatten() {
        *all.entry(cause).or_default() += count;
    }
    all
}

/// How it all ends.
fn close(levels: &[Level]) -> Result<()> {
    if levels.iter().any(|level| level.found.interrupted) {
        return Err(Failure::Interrupted);
    }
    let failed =
        |level: &Level| level.found.sides.iter().any(|side| side.tally.faults + side.tally.limits > 0);
    if levels.iter().any(failed) { Err(Failure::Problems) } else { Ok(()) }
}
