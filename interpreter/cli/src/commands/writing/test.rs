//! `blazon test`: runs the tests of a game and its variants.
//!
//! The game's tests run with the game alone, a variant's with the variant on top; where variants are asked for, both run
//! with these. Tests that ask for rulings run with a book checked under these ([`plan`]). What came of them is told by [`report`], what they show by [`statements`].

pub mod plan;
pub mod report;
mod statements;

use std::path::Path;

use crate::args::TestArgs;
use crate::console::{Console, harmless, paint, style};
use crate::coverage::may_write_lcov;
use crate::exit::{Failure, Result};
use crate::load;

use plan::Part;

/// Runs or lists the tests.
///
/// # Errors
/// If a test fails, no test is meant, or the game or a variant has errors.
pub fn run(args: &TestArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let mut rules = load::game(args.path.as_deref(), &args.variants, library)?;
    let pool = pool(args.jobs)?;

    let mut parts = pool.install(|| Part::all(&mut rules, args))?;
    let mut broken = 0;
    for part in &parts {
        if let Some(diagnostics) = &part.failed {
            broken += 1;
            console.report(diagnostics, &part.sources);
            console.note(format!("{}: its tests were not run", harmless(&part.name)));
        }
    }
    if let Some(words) = args.filter.as_deref().filter(|_| broken == 0) {
        somebody_is_meant(&parts, words)?;
    }
    if let Some(path) = args.coverage.lcov.as_deref().filter(|_| !args.list) {
        may_write_lcov(path)?;
    }
    if args.list {
        list(&parts, console);
    } else {
        pool.install(|| parts.iter_mut().for_each(Part::run));
        let (programs, beside) = (console, console.beside());
        let console = if tells_programs(args) { &beside } else { programs };
        let (passed, failed) = report::results(&parts, console);
        if args.statements {
            statements::report(&parts, console);
        }
        for part in &parts {
            console.report(&part.warnings, &part.sources);
        }
        coverage(args, &parts, programs)?;
        let left_out: usize = parts.iter().map(|part| part.left_out).sum();
        report::closing(passed, failed, left_out, broken, console);
        if failed > 0 {
            return Err(Failure::Problems);
        }
    }
    if broken > 0 { Err(Failure::Problems) } else { Ok(()) }
}

/// Whether some test is asked for: where none is, nothing was tried, and nothing is well.
///
/// # Errors
/// If none is.
fn somebody_is_meant(parts: &[Part], words: &str) -> Result<()> {
    if parts.iter().any(|part| !part.cases.is_empty()) {
        return Ok(());
    }
    let all: usize = parts.iter().map(|part| part.left_out).sum();
    let what = match words.strip_prefix('@') {
        Some(cite) => format!("no test cites `{}`", harmless(cite)),
        None => format!("no test has `{}` in its name or its file's", harmless(words)),
    };
    let tests = if all == 1 { "is 1 test".to_owned() } else { format!("are {all} tests") };
    Err(Failure::Usage(format!("{what}; there {tests} (--list)")))
}

/// Threads for tests, so many or as many as there are cores, with room for rules that are nested deeply.
///
/// # Errors
/// If they cannot be started.
pub fn pool(jobs: Option<u16>) -> Result<rayon::ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().stack_size(64 << 20).num_threads(jobs.unwrap_or(0).into());
    pool.build().map_err(|error| Failure::Environment(format!("no threads can be started: {error}")))
}

/// Whether standard output is for programs.
fn tells_programs(args: &TestArgs) -> bool {
    args.coverage.coverage && args.format == "json"
}

/// What never came up, of each part by itself: with a variant there are other rules.
fn coverage(args: &TestArgs, parts: &[Part], console: &Console) -> Result<()> {
    for part in parts.iter().filter(|_| args.coverage.is_wanted()) {
        let Ok(coverage) = part.coverage.lock() else { return Err(Failure::Bug) };
        if tells_programs(args) {
            console.line(coverage.json(&part.sources));
        } else if args.coverage.coverage {
            console.write(coverage.text(&part.sources));
        }
        if let Some(path) = &args.coverage.lcov {
            coverage.write_lcov(&part.sources, path)?;
            break;
        }
    }
    Ok(())
}

fn list(parts: &[Part], console: &Console) {
    let mut count = 0;
    for part in parts.iter().filter(|part| !part.cases.is_empty()) {
        console.line(paint(style::STRONG, &part.name));
        for case in &part.cases {
            let cites: String = blazon::present::cited(&case.test.cites);
            console.line(format!(
                "  {}  {}{}",
                harmless(&case.test.name),
                paint(style::FAINT, part.sources.place(case.test.span)),
                paint(style::PLACE, cites)
            ));
            count += 1;
        }
    }
    console.line(if count == 1 { "1 test".to_owned() } else { format!("{count} tests") });
}
