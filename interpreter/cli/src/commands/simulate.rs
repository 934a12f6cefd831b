//! `blazon simulate`: many games between programs, and how they come out.
//!
//! Threads play games whose numbers they take from a queue that brings the rows back in order; this thread writes them
//! ([`crate::data`]), adds them up and tells of them in the end ([`report`]).

mod report;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use blazon_machine::Machine;
use blazon_program::Program;
use blazon_study::choices::Choices;
use blazon_study::compare::{Played, Side};
use blazon_study::measure::Measure;
use blazon_study::tables::{self, Batch, Collector, Manifest, Part, Schema};
use blazon_study::{Back, NOW, Plan, Queue, course};
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::SimulateArgs;
use crate::console::Console;
use crate::coverage::Coverage;
use crate::data::Tables;
use crate::exit::{Failure, Result};
use crate::load;
use crate::seats::Seats;
use crate::seed::new_seed;

/// How long games under way may go on after an interruption.
const GRACE: Duration = Duration::from_secs(2);
/// How often an interruption is looked for.
const PATIENCE: Duration = Duration::from_millis(100);

/// Plays many games.
///
/// # Errors
/// If the game is not found or has errors, a game does not come to an end, or the rows cannot be written.
pub fn run(args: &SimulateArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let mut rules = load::game_or_default(args.game.as_deref(), &args.with.variants, library)?;
    let counts = args.coverage.is_wanted();
    let program = load::wanted(&mut rules, &args.with, args.scenario.clone(), true, counts)?;
    let book = &program.book;
    let seed = args.seed.unwrap_or_else(new_seed);
    let plan = Plan {
        seed,
        players: Seats::new(book, &args.players, seed)?.skills(book)?,
        setups: if args.each_setup { (0..book.setups.len()).collect() } else { vec![book.default_setup] },
        most: args.most,
        rounds: course::rounds(book),
    };
    let threads = threads(args.threads).min(usize::try_from(args.games).unwrap_or(usize::MAX));
    let machines = machines(&program, threads)?;
    let schema = Schema::new(&[tables::Side { book, rounds: &plan.rounds }]);
    let mut tables = Tables::begin(args.out.as_deref(), &args.data, schema, |format| {
        let command = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
        Manifest::new(command.collect(), format, args.games, &[Part { side: None, book, plan: &plan }])
    })?;
    let stop = interruptions()?;

    let started = Instant::now();
    let mut all = Gathered {
        side: Side::new(book.kind(book.player).things.len(), plan.rounds.len(), plan.setups.len()),
        missing: Vec::new(),
        interrupted: false,
        trouble: None,
    };
    let queue = Queue::new(args.games, threads);
    let (mut coverage, mut choices) = (Coverage::default(), Choices::new(&program));
    std::thread::scope(|scope| {
        let mut workers = Vec::new();
        for machine in machines {
            let (queue, plan, stop) = (&queue, &plan, &*stop);
            let collector = Collector::new(tables.schema(), &program, plan, None, tables.wanted());
            workers.push(scope.spawn(move || work(machine, plan, collector, queue, stop)));
        }
        all.gather(&queue, &mut tables, args.games, &stop);
        for worker in workers {
            let (hits, counted) = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            coverage.add(&program, &hits);
            choices.merge(&counted);
        }
    });
    let seconds = started.elapsed().as_secs_f64();
    if all.trouble.is_none() {
        all.trouble = tables.finish(all.side.tally.games, all.interrupted).err();
    }
    if all.trouble.is_some()
        && let Some(left) = tables.left()
    {
        console.note(left);
    }
    let told = report::Told {
        args,
        plan: &plan,
        book,
        side: &all.side,
        choices: &choices,
        program: &program,
        threads,
        seconds,
    };
    if args.json {
        let mut summary = told.json(all.interrupted);
        if args.coverage.coverage {
            summary["coverage"] = coverage.json(&book.sources)["coverage"].take();
        }
        console.line(summary);
    } else {
        console.write(told.text());
        if args.coverage.coverage {
            console.write(coverage.text(&book.sources));
        }
    }
    if let Some(path) = &args.coverage.lcov {
        coverage.write_lcov(&book.sources, path)?;
    }
    all.close(args.games, console)
}

/// A machine for each thread. Each has its tables to itself, so that the threads do not wait for each other.
fn machines(program: &Arc<Program>, threads: usize) -> Result<Vec<Machine>> {
    let mut machines = Vec::new();
    for _ in 0..threads {
        let mut machine = Machine::new(program.clone())
            .map_err(|fault| blazon::Error::fault(fault, &program.book.sources))?;
        machine.record(false);
        machine.count_sites();
        machines.push(machine);
    }
    Ok(machines)
}

/// What comes of a game: how it ended and what it was like, and its rows in the tables.
type Done = Result<(Played, Vec<Batch>)>;

/// What a thread does; answers what its games have counted, if the program counts, and how its options fared.
fn work(
    mut machine: Machine,
    plan: &Plan,
    mut collector: Collector,
    queue: &Queue<Done>,
    stop: &AtomicUsize,
) -> (Vec<[u64; 2]>, Choices) {
    let (mut measure, mut choices) = (Measure::new(&machine), Choices::new(machine.program()));
    while let Some(game) = queue.take() {
        // A panic is a bug of ours; it has been told by the time it is caught, and the others' games are not lost.
        let played = catch_unwind(AssertUnwindSafe(|| {
            plan.play(&mut machine, game, &mut (&mut collector, (&mut measure, &mut choices)), stop)
        }));
        match played {
            Ok(Some(row)) => {
                let measures = std::mem::take(&mut measure.measures);
                queue.give(game, Ok((Played { row, measures }, collector.take())));
            }
            Ok(None) => {}
            Err(_) => {
                queue.give(game, Err(Failure::Bug));
                break;
            }
        }
    }
    queue.leave();
    (machine.hits().to_vec(), choices)
}

/// What has come back.
struct Gathered {
    side: Side,
    /// The games that were given up.
    missing: Vec<u64>,
    interrupted: bool,
    trouble: Option<Failure>,
}

impl Gathered {
    /// Takes the rows as they come, until there are no more.
    fn gather(&mut self, queue: &Queue<Done>, tables: &mut Tables, games: u64, stop: &AtomicUsize) {
        let bar = bar(games);
        let mut since = None;
        loop {
            if stop.load(Ordering::Relaxed) > 0 {
                let since = *since.get_or_insert_with(|| {
                    queue.close();
                    bar.set_message(", stopping");
                    Instant::now()
                });
                self.interrupted = true;
                if since.elapsed() > GRACE {
                    stop.store(NOW, Ordering::Relaxed);
                }
            }
            let (played, batches) = match queue.next(PATIENCE) {
                Back::Next(Ok(done)) => done,
                Back::Next(Err(trouble)) => {
                    self.fail(trouble, queue);
                    continue;
                }
                Back::Nothing => continue,
                Back::Missing(game) => {
                    self.missing.push(game);
                    continue;
                }
                Back::End => break,
            };
            self.side.add(&played);
            bar.inc(1);
            if self.trouble.is_none()
                && let Err(trouble) = tables.add(batches)
            {
                self.fail(trouble, queue);
            }
        }
        bar.finish_and_clear();
    }

    /// Nothing more is begun.
    fn fail(&mut self, trouble: Failure, queue: &Queue<Done>) {
        queue.close();
        self.trouble.get_or_insert(trouble);
    }

    /// How it all ends.
    fn close(self, games: u64, console: &Console) -> Result<()> {
        if self.side.tally.games < games {
            let mut words = format!("{} of {games} games were played", self.side.tally.games);
            if !self.missing.is_empty() {
                let numbers: Vec<String> = self.missing.iter().take(8).map(u64::to_string).collect();
                words += &format!(
                    "; under way and left out: {} ({}{})",
                    self.missing.len(),
                    blazon_diagnostics::list(&numbers, "and"),
                    if self.missing.len() > 8 { ", …" } else { "" }
                );
            }
            console.note(words);
        }
        match self.trouble {
            Some(trouble) => Err(trouble),
            None if self.interrupted && self.side.tally.games < games => Err(Failure::Interrupted),
            None if self.side.tally.faults + self.side.tally.limits > 0 => Err(Failure::Problems),
            None => Ok(()),
        }
    }
}

/// Shows how far it is, to people only.
pub fn bar(games: u64) -> ProgressBar {
    bar_of(games, "games")
}

/// The same for something else than games.
pub fn bar_of(all: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(all);
    let style = ProgressStyle::with_template(&format!(
        "{{wide_bar}} {{human_pos}} of {{human_len}} {what}, {{per_sec}}, {{eta}} left{{msg}}"
    ));
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar
}

/// Hears interruptions: the number of times that somebody asked to stop.
///
/// # Errors
/// If they cannot be heard.
pub fn interruptions() -> Result<Arc<AtomicUsize>> {
    let stop = Arc::new(AtomicUsize::new(0));
    let asked = stop.clone();
    ctrlc::set_handler(move || {
        asked.fetch_add(1, Ordering::Relaxed);
    })
    .map_err(|error| Failure::Environment(format!("interruptions cannot be heard: {error}")))?;
    Ok(stop)
}

/// How many games are played at once, where so many were asked for, or none.
pub fn threads(asked: Option<u16>) -> usize {
    match asked {
        Some(threads) => threads.into(),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    }
}
