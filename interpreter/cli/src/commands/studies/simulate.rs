//! `blazon simulate`: many games between programs, and how they come out.
//!
//! [`Simulation`] plays; this thread writes the rows ([`crate::data`]) as they come, and tells of all games in the end
//! ([`report`]). Of a block the rows are kept with what is added up, for `blazon merge`.

mod report;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use blazon_machine::bots::outlooks;
use blazon_program::Program;
use blazon_study::part::Run;
use blazon_study::simulation::{Done, Games, Simulation, Step};
use blazon_study::tables::{self, Batch, Format, Manifest, Part, Schema, Table};
use blazon_study::{Plan, course};
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::{DataArgs, SimulateArgs};
use crate::blocks::{self, Block};
use crate::commands::studies::merge::{Kept, strange};
use crate::console::Console;
use crate::coverage::{Coverage, may_write_lcov};
use crate::data::{self, Tables};
use crate::exit::{Failure, Result};
use crate::load;
use crate::seats::Seats;
use crate::seed::new_study_seed;
use crate::words::Words;

/// Plays many games.
///
/// # Errors
/// If the game is not found or has errors, a game does not come to an end, or the rows cannot be written.
pub fn run(args: &SimulateArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let asked = Asked::of(args, library)?;
    if args.block.parts.is_some() || args.block.describe {
        return asked.block(console);
    }
    if let Some(path) = &args.coverage.lcov {
        may_write_lcov(path)?;
    }
    let mut tables = asked.tables(&args.data)?;
    let stop = interruptions()?;
    let started = Instant::now();
    let mut trouble = None;
    let wanted = tables.wanted().to_vec();
    let done = asked.play(&wanted, 0..args.games, &stop, &mut |batches| match tables.add(batches) {
        Ok(()) => true,
        Err(failure) => {
            trouble = Some(failure);
            false
        }
    })?;
    let seconds = started.elapsed().as_secs_f64();
    if done.bug {
        trouble.get_or_insert(Failure::Bug);
    }
    let mut coverage = Coverage::default();
    for hits in &done.hits {
        coverage.add(&asked.program, hits);
    }
    // How things look bots ask, and who tells who leads; in no game does it come up.
    coverage.leave_out_aside(&asked.program, &outlooks(&asked.program.book, &asked.plan.players));
    let end = End { missing: done.missing, interrupted: done.interrupted, trouble };
    asked.tell(&done.games, &coverage, &mut tables, Some(seconds), end, console)
}

/// Tells of games that were played in blocks.
///
/// # Errors
/// As [`run`], and if the parts are of other rules than those that lie here.
pub fn merged(
    args: &SimulateArgs,
    kept: &Kept,
    data: Option<PathBuf>,
    library: Option<&Path>,
    console: &Console,
) -> Result<()> {
    let asked = Asked::of(args, library)?;
    let of: Vec<(Table, Format)> = kept
        .run()
        .tables
        .iter()
        .filter_map(|table| Some((table.parse().ok()?, kept.run().format.parse().ok()?)))
        .collect();
    kept.are_of(&Run::of_games(&asked.program.book, &asked.plan, &of))?;
    let mut data = DataArgs { data, data_format: Format::default(), tables: Vec::new() };
    if let Some((_, format)) = of.first() {
        data.data_format = *format;
        data.tables = of.iter().map(|(table, _)| *table).collect();
    } else if data.data.is_some() {
        return Err(Failure::Usage(
            "the parts keep no tables: play them with --tables games (or more)".to_owned(),
        ));
    }
    let mut tables = asked.tables(&data)?;
    let places = places(&of, tables.wanted())?;
    let mut games = Games::new(&asked.program, &asked.plan);
    let bar = bar(kept.of());
    kept.each(|part| {
        let more: Games = part.sums().map_err(|damage| strange(&part, Some(damage)))?;
        if !more.fits(&games) {
            return Err(strange(&part, None));
        }
        games.merge(&more);
        let rows: Vec<(u64, &[u8])> = part.tables().collect();
        let batches = places.iter().filter_map(|&place| rows.get(place));
        tables.add(batches.map(|(rows, lines)| Batch::of_lines(*rows, lines.to_vec())).collect())?;
        bar.inc(part.head.count);
        Ok(true)
    })?;
    bar.finish_and_clear();
    let args = SimulateArgs { games: kept.of(), ..args.clone() };
    let asked = Asked { args: &args, ..asked };
    let end = End { missing: Vec::new(), interrupted: false, trouble: None };
    asked.tell(&games, &Coverage::default(), &mut tables, None, end, console)
}

/// For each table that is written where its rows stand in a part.
fn places(kept: &[(Table, Format)], wanted: &[(Table, Format)]) -> Result<Vec<usize>> {
    let place = |&(table, format): &(Table, Format)| {
        let place = kept.iter().position(|kept| *kept == (table, format));
        place.ok_or_else(|| match kept.iter().find(|(kept, _)| *kept == table) {
            Some((_, other)) => Failure::Usage(format!(
                "the parts keep {table} as {other}; they cannot be written as {format}"
            )),
            None => {
                Failure::Usage(format!("the parts keep no table {table}: play them with --tables {table}"))
            }
        })
    };
    wanted.iter().map(place).collect()
}

/// What was asked for.
struct Asked<'a> {
    args: &'a SimulateArgs,
    program: Arc<Program>,
    plan: Plan,
}

/// How the playing ended.
struct End {
    /// The games that were given up.
    missing: Vec<u64>,
    interrupted: bool,
    trouble: Option<Failure>,
}

impl<'a> Asked<'a> {
    fn of(args: &'a SimulateArgs, library: Option<&Path>) -> Result<Self> {
        let mut rules = load::game_or_default(args.game.as_deref(), &args.with.variants, library)?;
        let counts = args.coverage.is_wanted();
        let program = load::wanted(&mut rules, &args.with, args.scenario.clone(), true, counts)?;
        let book = &program.book;
        let seed = args.seed.unwrap_or_else(new_study_seed);
        let plan = Plan {
            seed,
            players: Seats::new(book, &args.players, seed)?.skills(book)?,
            setups: if args.each_setup { (0..book.setups.len()).collect() } else { vec![book.default_setup] },
            most: args.most,
            rounds: course::rounds(book),
        };
        Ok(Self { args, program, plan })
    }

    fn schema(&self) -> Schema {
        Schema::new(&[tables::Side { book: &self.program.book, rounds: &self.plan.rounds }])
    }

    /// The files that rows are written to.
    fn tables(&self, data: &DataArgs) -> Result<Tables> {
        Tables::begin(self.args.out.as_deref(), data, self.schema(), |format| {
            let part = Part { side: None, book: &self.program.book, plan: &self.plan };
            Manifest::new(data::command(), format, self.args.games, &[part])
        })
    }

    /// Plays games, and hands over their rows as they come.
    fn play(
        &self,
        wanted: &[(Table, Format)],
        numbers: std::ops::Range<u64>,
        stop: &AtomicUsize,
        rows: &mut dyn FnMut(Vec<Batch>) -> bool,
    ) -> Result<Done> {
        let schema = self.schema();
        let simulation = Simulation {
            program: &self.program,
            plan: &self.plan,
            threads: threads(self.args.threads),
            schema: &schema,
            wanted,
        };
        let bar = bar(numbers.end - numbers.start);
        let done = simulation.play(numbers, stop, &mut |step| match step {
            Step::Game(batches) => {
                bar.inc(1);
                rows(batches)
            }
            Step::Stopping => {
                bar.set_message(", stopping");
                true
            }
        });
        bar.finish_and_clear();
        Ok(done.map_err(|fault| blazon::Error::fault(fault, &self.program.book.sources))?)
    }

    /// Plays a block and keeps its part.
    fn block(&self, console: &Console) -> Result<()> {
        if self.args.coverage.is_wanted() {
            return Err(Failure::Usage(
                "parts keep no coverage: ask for it without --parts, of fewer games".to_owned(),
            ));
        }
        let data = &self.args.data;
        let mut tables = data.tables.clone();
        tables.sort_unstable();
        tables.dedup();
        let wanted: Vec<(Table, Format)> = tables.iter().map(|&table| (table, data.data_format)).collect();
        if !wanted.is_empty() && data.data_format == Format::Parquet {
            return Err(Failure::Usage(
                "parts keep csv or jsonl, which are laid end to end; `blazon merge` writes the same, and DuckDB converts \
                 it to parquet"
                    .to_owned(),
            ));
        }
        let run = Run::of_games(&self.program.book, &self.plan, &wanted);
        if blocks::describe(&self.args.block, &run, self.args.games, 1, console) {
            return Ok(());
        }
        let Some(block) = Block::of(&self.args.block, run, self.args.games, 1)? else { return Ok(()) };
        let stop = interruptions()?;
        block.keep(Words::simulate(self.args, self.plan.seed).0, self.args.json, console, || {
            let mut rows: Vec<(u64, Vec<u8>)> = wanted.iter().map(|_| (0, Vec::new())).collect();
            let done = self.play(&wanted, block.numbers.clone(), &stop, &mut |batches| {
                for ((count, lines), batch) in rows.iter_mut().zip(batches) {
                    *count += batch.rows();
                    lines.extend(batch.lines());
                }
                true
            })?;
            match done {
                Done { bug: true, .. } => Err(Failure::Bug),
                Done { games, .. } if games.side.tally.games < block.numbers.end - block.numbers.start => {
                    Err(Failure::Interrupted)
                }
                done => Ok((done.games, rows)),
            }
        })
    }

    /// Tells of games, and brings their rows to an end.
    fn tell(
        &self,
        games: &Games,
        coverage: &Coverage,
        tables: &mut Tables,
        seconds: Option<f64>,
        mut end: End,
        console: &Console,
    ) -> Result<()> {
        let (args, book) = (self.args, &self.program.book);
        if end.trouble.is_none() {
            end.trouble = tables.finish(games.side.tally.games, end.interrupted).err();
        }
        if end.trouble.is_some()
            && let Some(left) = tables.left()
        {
            console.note(left);
        }
        let told = report::Told {
            args,
            plan: &self.plan,
            book,
            side: &games.side,
            choices: &games.choices,
            program: &self.program,
            threads: threads(args.threads).min(usize::try_from(args.games).unwrap_or(usize::MAX)),
            seconds,
        };
        if args.json {
            let mut summary = told.json(end.interrupted);
            if args.coverage.coverage {
                summary["coverage"] = coverage.json(&book.sources)["coverage"].take();
            }
            console.line(summary);
        } else {
            console.write(told.text());
            if args.coverage.coverage {
                console.write(coverage.text(&book.sources));
                if self.plan.players.iter().any(|skill| skill.cost() > 1) {
                    console.line(
                        "\nWhat programs asked in thought, as their outlook, is not among what came up.",
                    );
                }
            }
        }
        if let Some(path) = &args.coverage.lcov {
            coverage.write_lcov(&book.sources, path)?;
        }
        end.close(games, args.games, console)
    }
}

impl End {
    /// How it all ends.
    fn close(self, done: &Games, games: u64, console: &Console) -> Result<()> {
        let tally = &done.side.tally;
        if tally.games < games {
            let mut words = format!("{} of {games} games were played", tally.games);
            if !self.missing.is_empty() {
                let numbers: Vec<String> = self.missing.iter().take(8).map(u64::to_string).collect();
                words += &format!(
                    "; under way and left out: {} ({}{})",
                    self.missing.len(),
                    crate::figures::joined(&numbers, "and"),
                    if self.missing.len() > 8 { ", …" } else { "" }
                );
            }
            console.note(words);
        }
        match self.trouble {
            Some(trouble) => Err(trouble),
            None if self.interrupted && tally.games < games => Err(Failure::Interrupted),
            None if tally.broken() > 0 => Err(Failure::Problems),
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
