//! Many games between programs: as tables, or counted as fast as can be.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

use blazon::Program;
use blazon::machine::Machine;
use blazon_study::tables::{Batch, Collector, Format, Schema, Side, Table as Which, Writer};
use blazon_study::{Back, End, Plan, Queue, Row, Wait};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyString};

use crate::error::{raised, unknown};
use crate::rules::program_of;
use crate::seats::skills;
use crate::tables::{Filling, Table};

/// How often it is looked whether somebody wants to stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// So many threads may be asked for.
const MOST_THREADS: usize = 1024;

/// What is played, how often, on how many threads.
pub struct Run {
    pub program: Arc<Program>,
    pub plan: Plan,
    pub games: u64,
    pub threads: usize,
}

/// A number of threads: as many as there are cores if none is asked for.
pub fn threads(py: Python<'_>, asked: Option<usize>, work: u64) -> PyResult<usize> {
    if asked == Some(0) {
        return Err(unknown(py, "0 threads play nothing; `None` is as many as there are cores"));
    }
    if asked.is_some_and(|asked| asked > MOST_THREADS) {
        return Err(unknown(py, &format!("at most {MOST_THREADS} threads play at once")));
    }
    let threads = asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    Ok(threads.min(usize::try_from(work).unwrap_or(usize::MAX)).max(1))
}

/// Plays games on threads and hands what a worker makes of each to `take`, in order, on this thread. A worker's number is that
/// of a game, or of so many games `together`. Ctrl-C stops it.
fn played<T: Send, W: FnMut(&mut Machine, u64, &AtomicUsize) -> Option<T> + Send>(
    py: Python<'_>,
    run: &Run,
    together: u64,
    mut worker: impl FnMut() -> W,
    mut take: impl FnMut(T) -> PyResult<()>,
) -> PyResult<()> {
    let mut machines = Vec::new();
    for _ in 0..run.threads {
        let mut machine = Machine::new(run.program.clone())
            .map_err(|fault| raised(py, &blazon::Error::fault(fault, &run.program.book.sources)))?;
        machine.record(false);
        machines.push((machine, worker()));
    }
    let queue = Queue::new(run.games, run.threads);
    let mut trouble = None;
    std::thread::scope(|scope| {
        for (mut machine, mut play) in machines {
            let queue = &queue;
            scope.spawn(move || queue.work(|game| play(&mut machine, game, queue.halt())));
        }
        let mut end = |error: PyErr| {
            trouble.get_or_insert(error);
            queue.give_up();
        };
        let mut looked = Instant::now();
        loop {
            let back = py.detach(|| queue.next(PATIENCE));
            if looked.elapsed() >= PATIENCE {
                looked = Instant::now();
                if let Err(error) = py.check_signals() {
                    end(error);
                }
            }
            match back {
                Wait::Back(Back::Next(done)) => {
                    if let Err(error) = take(done) {
                        end(error);
                    }
                }
                Wait::Nothing => {}
                Wait::Back(Back::Broken(number) | Back::Missing(number)) => {
                    let first = number * together;
                    let which = match together {
                        1 => format!("game {first} was"),
                        _ => format!("one of the games {first} to {} was", first + together - 1),
                    };
                    end(PyRuntimeError::new_err(format!("{which} given up: this is a bug of Blazon")));
                }
                Wait::End => break,
            }
        }
    });
    trouble.map_or(Ok(()), Err)
}

/// What Python asks for.
#[expect(clippy::too_many_arguments, reason = "these are the keywords of a Python function")]
fn run(
    game: &Bound<'_, PyAny>,
    games: u64,
    seed: u64,
    asked: Option<&Bound<'_, PyAny>>,
    variants: Option<Vec<String>>,
    rulings: Option<&Bound<'_, PyDict>>,
    setup: Option<String>,
    each_setup: bool,
    most: u64,
    asked_threads: Option<usize>,
) -> PyResult<Run> {
    let py = game.py();
    let (program, setup) = program_of(game, variants, rulings, setup)?;
    let book = &program.book;
    let mut plan = Plan::new(book, seed, blazon::bots::Skill::RANDOM);
    let random = PyString::new(py, "random");
    plan.players = skills(book, asked.unwrap_or(random.as_any()))?;
    plan.setups = if each_setup { (0..book.setups.len()).collect() } else { vec![setup] };
    plan.most = most;
    let threads = threads(py, asked_threads, games)?;
    Ok(Run { program, plan, games, threads })
}

/// What many games came to, and their tables.
#[pyclass(frozen, module = "blazon_rules")]
pub struct Simulation {
    games: Option<Py<Table>>,
    decisions: Option<Py<Table>>,
    events: Option<Py<Table>>,
    counts: Counts,
    players: Vec<String>,
    /// The seed of all games.
    #[pyo3(get)]
    seed: u64,
}

/// What is counted of games.
#[derive(Clone, Debug, Default)]
struct Counts {
    games: u64,
    decisions: u64,
    /// By the players' places in their kind.
    won: Vec<u64>,
    nobody: u64,
    faults: u64,
    limits: u64,
    /// Why the first that failed could not go on.
    failed: Option<String>,
}

impl Counts {
    fn add(&mut self, row: &Row) {
        self.games += 1;
        self.decisions += row.decisions;
        match &row.end {
            End::Over { winner: Some(winner), .. } => {
                if self.won.len() <= *winner as usize {
                    self.won.resize(*winner as usize + 1, 0);
                }
                self.won[*winner as usize] += 1;
            }
            End::Over { winner: None, .. } => self.nobody += 1,
            End::Fault(fault) => {
                self.faults += 1;
                let (game, code) = (row.game, fault.code);
                self.failed.get_or_insert_with(|| format!("game {game}, seed {}: {code}: {fault}", row.seed));
            }
            End::Limit => self.limits += 1,
        }
    }

    fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.decisions += other.decisions;
        self.won.resize(self.won.len().max(other.won.len()), 0);
        for (own, other) in self.won.iter_mut().zip(&other.won) {
            *own += other;
        }
        self.nobody += other.nobody;
        self.faults += other.faults;
        self.limits += other.limits;
        self.failed = self.failed.take().or_else(|| other.failed.clone());
    }

    /// The games won by each player at the table, and `None` for nobody if that happened.
    fn winners<'py>(&self, py: Python<'py>, names: &[String]) -> PyResult<Bound<'py, PyDict>> {
        let winners = PyDict::new(py);
        for (place, name) in names.iter().enumerate() {
            winners.set_item(name, self.won.get(place).copied().unwrap_or_default())?;
        }
        winners.set_item(py.None(), self.nobody)?;
        Ok(winners)
    }
}

/// The names of all players, by their places in their kind.
fn all_players(program: &Program) -> Vec<String> {
    let things = &program.book.kind(program.book.player).things;
    things.iter().map(|thing| thing.name.clone()).collect()
}

impl Simulation {
    fn table(&self, py: Python<'_>, table: Option<&Py<Table>>, name: &str) -> PyResult<Py<Table>> {
        table.map(|table| table.clone_ref(py)).ok_or_else(|| {
            unknown(py, &format!("the table `{name}` was not asked for: simulate(…, tables=[{name:?}])"))
        })
    }
}

#[pymethods]
impl Simulation {
    /// A row for each game.
    #[getter]
    fn games(&self, py: Python<'_>) -> PyResult<Py<Table>> {
        self.table(py, self.games.as_ref(), "games")
    }

    /// A row for each decision that a player took.
    #[getter]
    fn decisions(&self, py: Python<'_>) -> PyResult<Py<Table>> {
        self.table(py, self.decisions.as_ref(), "decisions")
    }

    /// A row for each thing that happened.
    #[getter]
    fn events(&self, py: Python<'_>) -> PyResult<Py<Table>> {
        self.table(py, self.events.as_ref(), "events")
    }

    /// How many games each player has won, by name; under `None` those that were over and nobody has won.
    #[getter]
    fn winners<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.counts.winners(py, &self.players)
    }

    /// How many games were stopped since the rules failed; `games` says why.
    #[getter]
    fn faults(&self) -> u64 {
        self.counts.faults
    }

    /// How many games were stopped at the most decisions.
    #[getter]
    fn limits(&self) -> u64 {
        self.counts.limits
    }

    /// How many games.
    fn __len__(&self) -> usize {
        usize::try_from(self.counts.games).unwrap_or(usize::MAX)
    }

    fn __repr__(&self) -> String {
        let won = self.players.iter().enumerate().map(|(place, name)| {
            format!("{name} {}", self.counts.won.get(place).copied().unwrap_or_default())
        });
        format!(
            "<Simulation of {} games, seed {}: {}>",
            self.counts.games,
            self.seed,
            won.collect::<Vec<_>>().join(", ")
        )
    }
}

/// Plays games between programs, and answers what came of them with tables of games, decisions and events.
///
/// `game` is the name or folder of one, with `variants`, `rulings` and `setup`, or a `Game`, of which only the rules and the
/// setup count. `players` is a program for all seats, one for each in order, or some by the players' names, as in
/// `Game.play_out`; `each_setup` begins with all setups in turn. `most` decisions end a game. `tables` are those that are
/// made: without `decisions` and `events` it is faster and takes less memory.
///
/// The same seed gives the same tables on any number of `threads` (all cores if `None`), and the same as `blazon simulate
/// --data`. They are a designer's: nothing is hidden in them. Other Python threads go on meanwhile; Ctrl-C stops it.
///
/// Raises as `Game(…)`. A game whose rules fail is a row with the outcome `fault`.
#[pyfunction]
#[pyo3(signature = (
    game, games=1000, seed=7, *, players=None, variants=None, rulings=None, setup=None, each_setup=false, most=100_000,
    threads=None, tables=None
))]
#[expect(clippy::too_many_arguments, reason = "these are the keywords of a Python function")]
pub fn simulate(
    game: &Bound<'_, PyAny>,
    games: u64,
    seed: u64,
    players: Option<&Bound<'_, PyAny>>,
    variants: Option<Vec<String>>,
    rulings: Option<&Bound<'_, PyDict>>,
    setup: Option<String>,
    each_setup: bool,
    most: u64,
    threads: Option<usize>,
    tables: Option<Vec<String>>,
) -> PyResult<Simulation> {
    let py = game.py();
    let run = run(game, games, seed, players, variants, rulings, setup, each_setup, most, threads)?;
    let asked = match &tables {
        None => Which::ALL.to_vec(),
        Some(names) => {
            let named = |name: &String| name.parse().map_err(|why: String| unknown(py, &why));
            names.iter().map(named).collect::<PyResult<Vec<Which>>>()?
        }
    };
    let schema = Schema::new(&[Side { book: &run.program.book, rounds: &run.plan.rounds }]);
    let mut counts = Counts::default();
    let mut writers = Vec::new();
    for &table in &asked {
        let filling = Filling::new(&schema.columns(table));
        writers.push((table, Writer::new(filling, &schema, table, Format::Jsonl)?));
    }
    let wanted: Vec<(Which, Format)> = asked.iter().map(|&table| (table, Format::Jsonl)).collect();
    let worker = || {
        let mut collector = Collector::new(&schema, &run.program, &run.plan, None, &wanted);
        let plan = &run.plan;
        move |machine: &mut Machine, game: u64, stop: &AtomicUsize| -> Option<(Row, Vec<Batch>)> {
            let row = plan.play(machine, game, &mut collector, stop)?;
            Some((row, collector.take()))
        }
    };
    played(py, &run, 1, worker, |(row, batches)| {
        counts.add(&row);
        for ((_, writer), batch) in writers.iter_mut().zip(batches) {
            writer.add(batch)?;
        }
        Ok(())
    })?;
    let mut made: [Option<Py<Table>>; 3] = [None, None, None];
    for (which, writer) in writers {
        let table = Py::new(py, writer.finish()?.table(which.name())?)?;
        let place = match which {
            Which::Games => 0,
            Which::Decisions => 1,
            Which::Events => 2,
        };
        made[place] = Some(table);
    }
    let [games, decisions, events] = made;
    let players = all_players(&run.program);
    Ok(Simulation { games, decisions, events, counts, players, seed: run.plan.seed })
}

/// How many games share one message between threads.
const TOGETHER: u64 = 16;

/// Plays whole games as fast as can be, and only counts: a dictionary with `games`, `decisions`, `winners` (by player;
/// under `None` nobody), `faults`, `limits`, `failed` (why the first that failed could not go on). Otherwise as `simulate`;
/// the same seed plays the same games.
#[pyfunction]
#[pyo3(signature = (
    game, games=1000, seed=7, *, players=None, variants=None, rulings=None, setup=None, each_setup=false, most=100_000,
    threads=None
))]
#[expect(clippy::too_many_arguments, reason = "these are the keywords of a Python function")]
pub fn rollouts<'py>(
    game: &Bound<'py, PyAny>,
    games: u64,
    seed: u64,
    players: Option<&Bound<'_, PyAny>>,
    variants: Option<Vec<String>>,
    rulings: Option<&Bound<'_, PyDict>>,
    setup: Option<String>,
    each_setup: bool,
    most: u64,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let py = game.py();
    let mut run = run(game, games, seed, players, variants, rulings, setup, each_setup, most, threads)?;
    let all = run.games;
    run.games = all.div_ceil(TOGETHER);
    let mut counts = Counts::default();
    let worker = || {
        let plan = &run.plan;
        move |machine: &mut Machine, block: u64, stop: &AtomicUsize| -> Option<Counts> {
            let mut counts = Counts::default();
            for game in block * TOGETHER..all.min((block + 1) * TOGETHER) {
                counts.add(&plan.play(machine, game, &mut (), stop)?);
            }
            Some(counts)
        }
    };
    played(py, &run, TOGETHER, worker, |block| {
        counts.merge(&block);
        Ok(())
    })?;
    let told = PyDict::new(py);
    told.set_item("games", counts.games)?;
    told.set_item("decisions", counts.decisions)?;
    told.set_item("winners", counts.winners(py, &all_players(&run.program))?)?;
    told.set_item("faults", counts.faults)?;
    told.set_item("limits", counts.limits)?;
    told.set_item("failed", &counts.failed)?;
    Ok(told)
}
