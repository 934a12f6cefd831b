//! Damaged rules through everything: whatever is done to the pages, tables and manifests of a game, checking says what
//! is wrong, and what still checks is lowered to a program that verifies and can be played. Nothing panics, hangs, or
//! takes more memory than it may.
//!
//! The seeds are always the same. `BLAZON_DAMAGED=5000` tries so many projects, `BLAZON_DAMAGED_FROM=300` begins with
//! that seed; a failure names the seed and shows what was damaged.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use blazon_check::project::{Page, Project, parse};
use blazon_check::{Settings, check};
use blazon_diagnostics::{Diagnostic, Format, render};
use blazon_fixtures::fixtures;
use blazon_kernel::chance::Stream;
use blazon_machine::test_runner::run_on;
use blazon_machine::{Fault, Limits, Machine, code};
use blazon_program::{Program, lower, verify};
use blazon_tests::damage::damage;
use blazon_tests::{folder, rules_only, style, top};

/// How many projects are damaged where the environment does not say.
const PROJECTS: u64 = 1_500;
/// How many decisions are taken in each.
const DECISIONS: usize = 20;
/// Longer than anything here may take: it hangs.
const PATIENCE: Duration = Duration::from_secs(60);
/// What a damaged game may use.
const LIMITS: Limits = Limits { ops: 100_000, words: 1 << 15, depth: 256, told: 1 << 20 };

/// The stack of a thread of a program's user.
const STACK: usize = 8 << 20;

#[test]
fn damaged_rules_are_refused_or_played() {
    let number = |name: &str, else_: u64| {
        std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(else_)
    };
    let from = number("BLAZON_DAMAGED_FROM", 0);
    let end = from + number("BLAZON_DAMAGED", PROJECTS);
    let originals = Arc::new(originals());
    let (next, played) = (AtomicU64::new(from), AtomicUsize::new(0));
    let mut wrong: Vec<String> = Vec::new();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..std::thread::available_parallelism().map_or(2, |cores| cores.get()))
            .map(|_| {
                scope.spawn(|| {
                    let mut wrong = Vec::new();
                    loop {
                        let seed = next.fetch_add(1, Ordering::Relaxed);
                        if seed >= end {
                            return wrong;
                        }
                        match watched(&originals, seed) {
                            Ok(Outcome::Refused) => {}
                            Ok(Outcome::Played) => {
                                played.fetch_add(1, Ordering::Relaxed);
                            }
                            Err(message) => {
                                // At once, for those who try very many.
                                eprintln!("{message}");
                                wrong.push(message);
                            }
                        }
                    }
                })
            })
            .collect();
        wrong.extend(workers.into_iter().flat_map(|worker| worker.join().expect("a worker")));
    });
    assert!(wrong.is_empty(), "{} damaged projects went wrong:\n{}", wrong.len(), wrong.join("\n"));
    // Were all of them refused, nothing behind the checker would be tested.
    let played = played.into_inner() as u64;
    println!("{played} of {} were played", end - from);
    assert!(played * 8 > end - from, "only {played} of {} were played", end - from);
}

/// How a damaged project ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// It has a mistake, and the mistake was said.
    Refused,
    /// It was played.
    Played,
}

/// The projects that are damaged: small ones for the most part, so that many can be tried.
fn originals() -> Vec<Project> {
    let game = |path: &str| Project { game: folder(&top().join(path)), ..Project::default() };
    let fields = game("interpreter/check/tests/ford");
    let mut rivers = game("interpreter/cli/tests/two-rivers");
    rivers.variants = vec![folder(&top().join("interpreter/cli/tests/two-rivers/variants/floods"))];
    let march = game("interpreter/cli/tests/long-march");
    let mut all = Vec::new();
    for _ in 0..8 {
        all.extend([fields.clone(), rivers.clone(), march.clone(), rules_only("salt-road", &[])]);
    }
    // Between them the pages that show what the checker makes of rules hold every construct.
    for fixture in fixtures(&top().join("interpreter/check/tests/accept")) {
        let text = fixture.section("page").or(fixture.section("variant")).unwrap_or_default().to_owned();
        let mut project = fields.clone();
        project.game.pages.push(Page { name: "more.blazon".to_owned(), text });
        all.push(project);
    }
    all.push(rules_only("richard-iii", &["hard-winter"]));
    all.push(rules_only("lionheart", &[]));
    all
}

/// Tries one seed on a thread of its own, and waits for it no longer than [`PATIENCE`].
fn watched(originals: &Arc<Vec<Project>>, seed: u64) -> Result<Outcome, String> {
    let mut project = originals[Stream::new(seed ^ 0x5eed).below(originals.len())].clone();
    let original = project.clone();
    damage(&mut project, seed);
    let told = |what: String| format!("seed {seed}: {what}\n{}", changes(&original, &project));
    let (sender, receiver) = mpsc::channel();
    let damaged = project.clone();
    // The name is what is printed where a stack overflows.
    let thread = std::thread::Builder::new().name(format!("seed {seed}")).stack_size(STACK);
    let started = thread.spawn(move || {
        let ended = catch_unwind(AssertUnwindSafe(|| tried(&damaged, seed)));
        // Nobody waits any longer, if it took too long.
        let _ = sender.send(ended.unwrap_or_else(|panic| Err(format!("a panic: {}", said(&*panic)))));
    });
    started.map_err(|error| told(error.to_string()))?;
    match receiver.recv_timeout(PATIENCE) {
        Ok(ended) => ended.map_err(told),
        Err(_) => Err(told(format!("it takes longer than {PATIENCE:?}"))),
    }
}

fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("?").to_owned()
}

/// The lines that were changed, for a report.
fn changes(original: &Project, damaged: &Project) -> String {
    let pages = |project: &Project| -> Vec<Page> {
        let folders = std::iter::once(&project.game).chain(&project.variants);
        folders.flat_map(|f| f.pages.iter().chain(&f.data).chain(&f.manifest)).cloned().collect()
    };
    let mut out = String::new();
    for (old, new) in pages(original).iter().zip(&pages(damaged)).filter(|(old, new)| old.text != new.text) {
        out += &format!("  {}\n", old.name);
        let (before, after): (Vec<&str>, Vec<&str>) =
            (old.text.lines().collect(), new.text.lines().collect());
        let same = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
        let most = before.len().min(after.len()) - same;
        let end = before.iter().rev().zip(after.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
        let show = |sign: char, lines: &[&str]| -> String {
            lines[same..lines.len() - end]
                .iter()
                .take(12)
                .map(|line| format!("    {sign} {line}\n"))
                .collect()
        };
        out += &show('-', &before);
        out += &show('+', &after);
    }
    out
}

/// Checks a project; if it has no mistake, lowers and plays it.
fn tried(project: &Project, seed: u64) -> Result<Outcome, String> {
    let parsed = match parse(project) {
        Ok(parsed) => parsed,
        Err((sources, diagnostics)) => {
            return refused(&diagnostics, || render(&diagnostics, &sources, Format::Human, style()));
        }
    };
    let checked = check(&parsed, &Settings::default());
    let text = render(&checked.diagnostics, &parsed.sources, Format::Human, style());
    let Some(book) = checked.book else { return refused(&checked.diagnostics, || text) };
    let program = match lower(book) {
        Ok(program) => program,
        Err(problems) => {
            let mistake = problems.iter().find(|problem| problem.message.contains("a mistake of"));
            return match mistake {
                Some(problem) => Err(format!("{} {:?}", problem.message, problem.span)),
                None => refused(&problems, String::new),
            };
        }
    };
    verify(&program).map_err(|message| format!("it does not verify: {message}"))?;
    played(&Arc::new(program), seed)
}

fn refused(diagnostics: &[Diagnostic], text: impl FnOnce() -> String) -> Result<Outcome, String> {
    match diagnostics.iter().any(Diagnostic::is_error) {
        true => Ok(Outcome::Refused),
        false => Err(format!("there is no book and no error\n{}", text())),
    }
}

/// Plays and looks at everything that a player can look at. A fault of the rules ends the game; one of ours is wrong.
fn played(program: &Arc<Program>, seed: u64) -> Result<Outcome, String> {
    match decisions(program, seed) {
        Err(fault) if fault.code == code::INTERNAL => Err(format!("an internal fault: {fault}")),
        Ok(()) | Err(_) => Ok(Outcome::Played),
    }
}

fn decisions(program: &Arc<Program>, seed: u64) -> Result<(), Fault> {
    let mut machine = Machine::with_limits(program.clone(), LIMITS)?;
    let mut stream = Stream::new(seed);
    for test in &program.book.tests {
        run_on(Machine::with_limits(program.clone(), LIMITS)?, test);
    }
    machine.start(program.book.default_setup, seed)?;
    for _ in 0..DECISIONS {
        let Some(&player) = machine.deciders().first() else { break };
        machine.prompt(Some(player));
        machine.refused(player);
        machine.view(Some(player))?;
        let count = machine.options(player).len();
        let index = stream.below(count);
        machine.label(player, index, None);
        machine.choose(player, index)?;
        let position = machine.snapshot();
        machine.restore(&position)?;
    }
    machine.view(None).map(drop)
}
