//! Many games of one program that are stepped together, for learners.

use std::sync::Arc;

use blazon::Program;
use blazon::bots::Skill;
use blazon::machine::{Fault, Machine};
use blazon_kernel::chance::mix;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple};
use rayon::prelude::*;

use crate::actions::{Asked, Numbering, choice_of};
use crate::error::{not_open, raised, raised_in, unknown};
use crate::layout::Layout;
use crate::numpy;
use crate::rules::program_of;
use crate::seats::{Bots, players, skill};
use crate::sight::mask;

/// The most games that are stepped together: each has a position and what is seen of it.
const MOST_GAMES: usize = 1 << 16;

/// Many games of one set of rules, stepped together on several threads.
///
/// `n` games of `game` (a name, a folder, or a `Game`, of which the rules and the setup count) are begun with seeds made of
/// `seed`. At each there is one player who decides: `players` says which, `observations` what he sees, `masks` what is open
/// to him; where several are asked at once they are asked one after the other, and none sees what another has chosen.
/// `step` takes a number of an option for each game, and goes on to the next decision. A game that is over begins anew with
/// the next seed at once; one that is not over after `most` decisions is cut off and begins anew.
///
/// `opponents` are programs by the names of the players whom they play for, as in `Game.bot_move`; they decide within `step`.
///
/// Raises as `Game(…)`, and `ImportError` without NumPy.
#[pyclass(module = "blazon_rules")]
pub struct VectorGame {
    program: Arc<Program>,
    tables: Vec<Table>,
    shared: Shared,
    pool: Pool,
}

/// What is the same at all tables.
struct Shared {
    layout: Layout,
    numbering: Numbering,
    /// The places of the players at the table in their kind.
    players: Vec<u32>,
    /// By the players' places in their kind.
    opponents: Vec<Option<Skill>>,
    setup: usize,
    seed: u64,
    most: u64,
    tables: u64,
}

/// A game.
struct Table {
    machine: Machine,
    /// The opponents of the game under way.
    bots: Bots,
    /// Which of all tables.
    place: u64,
    /// How many games were begun.
    games: u64,
    /// Who decides, by his place among the players.
    player: usize,
    /// The numbers of what is open to him.
    numbers: Vec<u32>,
    /// What came of the last step.
    end: Option<End>,
    observation: Vec<f32>,
    failed: Option<Failed>,
}

/// Why the rules of a game failed, and its seed.
struct Failed {
    seed: u64,
    fault: Fault,
}

/// How a game ended in a step.
#[derive(Clone, Copy)]
enum End {
    /// By its rules; who has won, by his place in the kind of players.
    Over(Option<u32>),
    /// At the most decisions.
    Cut,
}

impl Table {
    /// The seed of the game under way: of 53 bits, as `simulate` has them.
    fn seed(&self, shared: &Shared) -> u64 {
        mix(shared.seed, self.place + self.games.saturating_sub(1) * shared.tables) >> 11
    }

    /// Begins the next game and goes on to a decision of a learner.
    fn begin(&mut self, shared: &Shared) -> Result<(), Failed> {
        self.begin_next(shared).map_err(|fault| self.failed(shared, fault))
    }

    fn begin_next(&mut self, shared: &Shared) -> Result<(), Fault> {
        // A game that is over before anybody is asked, or by its opponents alone, tells a learner nothing.
        for _ in 0..1000 {
            self.games += 1;
            let seed = self.seed(shared);
            self.machine.start(shared.setup, seed)?;
            self.bots = Bots::default();
            if self.advance(shared)?.is_none() {
                return Ok(());
            }
        }
        let message = "a thousand games were over before a learner was asked".to_owned();
        Err(Fault { code: "usage", message, stack: Vec::new() })
    }

    /// Lets opponents decide until a learner is asked, or the game ends.
    fn advance(&mut self, shared: &Shared) -> Result<Option<End>, Fault> {
        let reached = self.play_opponents(shared);
        // There may be thousands of tables, and each opponent thinks in a machine of its own.
        self.bots.rest();
        reached
    }

    fn play_opponents(&mut self, shared: &Shared) -> Result<Option<End>, Fault> {
        loop {
            let Some(&player) = self.machine.deciders().first() else {
                let winner = self.machine.outcome().and_then(|outcome| outcome.winner);
                return Ok(Some(End::Over(winner)));
            };
            if self.machine.taken() >= shared.most {
                return Ok(Some(End::Cut));
            }
            let Some(skill) = shared.opponents.get(player as usize).and_then(Option::as_ref) else {
                return Ok(None);
            };
            let seed = self.seed(shared);
            let option = self.bots.of(player.into(), skill, seed).decide(&mut self.machine, player);
            self.machine.choose(player, option)?;
        }
    }

    /// Takes an open option. A game whose rules fail is cut off.
    fn step(&mut self, shared: &Shared, place: usize) -> Result<(), Failed> {
        let player = shared.players.get(self.player).copied().unwrap_or_default();
        let stepped = self.machine.choose(player, place).and_then(|()| self.advance(shared));
        let stepped = stepped.map_err(|fault| self.failed(shared, fault));
        self.end = *stepped.as_ref().unwrap_or(&Some(End::Cut));
        if self.end.is_some() {
            self.begin(shared)?;
        }
        stepped.map(|_| ())
    }

    /// A fault, with the seed of the game under way.
    fn failed(&self, shared: &Shared, fault: Fault) -> Failed {
        Failed { seed: self.seed(shared), fault }
    }

    /// Looks at the table as who decides.
    fn look(&mut self, shared: &Shared) -> Result<(), Fault> {
        let Some(&player) = self.machine.deciders().first() else { return Ok(()) };
        self.player = shared.players.iter().position(|&other| other == player).unwrap_or_default();
        let view = self.machine.view(Some(player))?;
        let ints = shared.layout.fill(&view, choice_of(&self.machine, player));
        shared.layout.flatten(&ints, &mut self.observation);
        let asked = Asked::of(&self.machine, player);
        let machine = &mut self.machine;
        let mut show = |kind, thing: i64| {
            let ty = blazon_book::Type::maybe(blazon_book::Base::Thing(kind));
            machine.show(ty, &[thing as u64], Some(player))
        };
        let numbers = shared.numbering.numbers(&asked, &view, &mut show);
        self.numbers = numbers.ok_or_else(|| Fault {
            code: "usage",
            message: format!("more than {} options are open: they have no numbers", shared.numbering.size),
            stack: Vec::new(),
        })?;
        Ok(())
    }
}

/// Threads that work together, in the process that has begun them.
struct Pool {
    threads: usize,
    process: u32,
    begun: Option<rayon::ThreadPool>,
}

impl Pool {
    fn new(threads: usize) -> PyResult<Self> {
        let begun = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let begun =
            begun.map_err(|error| PyRuntimeError::new_err(format!("no threads can be started: {error}")))?;
        Ok(Self { threads, process: std::process::id(), begun: Some(begun) })
    }

    /// Does something on these threads; in a fork of the process that has begun them there are none, and they are begun
    /// anew.
    fn install(&mut self, work: impl FnOnce() + Send) -> PyResult<()> {
        if self.process != std::process::id() {
            *self = Self::new(self.threads)?;
        }
        if let Some(begun) = &self.begun {
            begun.install(work);
        }
        Ok(())
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            // Whoever drops it speaks to its threads, which are not there in a fork.
            std::mem::forget(self.begun.take());
        }
    }
}

impl VectorGame {
    /// Does something at all tables, and then looks at them.
    fn all(
        &mut self,
        py: Python<'_>,
        work: impl Fn(usize, &mut Table, &Shared) -> Result<(), Failed> + Sync,
    ) -> PyResult<()> {
        let (tables, shared, pool) = (&mut self.tables, &self.shared, &mut self.pool);
        py.detach(|| {
            pool.install(|| {
                tables.par_iter_mut().enumerate().for_each(|(place, table)| {
                    let worked = work(place, table, shared);
                    let looked = table.look(shared).map_err(|fault| table.failed(shared, fault));
                    table.failed = worked.and(looked).err();
                });
            })
        })?;
        let failed = self.tables.iter_mut().filter_map(|table| Some((table.place, table.failed.take()?)));
        match failed.min_by_key(|(place, _)| *place) {
            None => Ok(()),
            Some((place, Failed { seed, fault })) => {
                let error = blazon::Error::fault(fault, &self.program.book.sources);
                Err(raised_in(py, &error, &format!("This was game {place}, which had the seed {seed}.")))
            }
        }
    }
}

#[pymethods]
impl VectorGame {
    #[new]
    #[pyo3(signature = (
        n, game, *, variants=None, rulings=None, setup=None, seed=0, opponents=None, most=10_000, threads=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "these are the keywords of a Python class")]
    fn new(
        n: usize,
        game: &Bound<'_, PyAny>,
        variants: Option<Vec<String>>,
        rulings: Option<&Bound<'_, PyDict>>,
        setup: Option<String>,
        seed: u64,
        opponents: Option<std::collections::BTreeMap<String, String>>,
        most: u64,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let py = game.py();
        if n == 0 {
            return Err(unknown(py, "0 games cannot be stepped; say how many: VectorGame(64, …)"));
        }
        if n > MOST_GAMES {
            let message = format!("{n} games are too many to be stepped at once; {MOST_GAMES} are the most");
            return Err(unknown(py, &message));
        }
        let (program, setup) = program_of(game, variants, rulings, setup)?;
        let names = players(&program.book);
        let mut programs = vec![None; program.book.kind(program.book.player).things.len()];
        for (name, text) in opponents.unwrap_or_default() {
            let place = names.iter().position(|other| other.to_lowercase() == name.to_lowercase());
            let place = place.and_then(|place| program.book.players.get(place)).ok_or_else(|| {
                let there = crate::error::names(&names);
                unknown(py, &format!("no player is called `{name}`; there are {there}"))
            })?;
            programs[*place as usize] = Some(skill(py, &program.book, &text)?);
        }
        if program.book.players.iter().all(|&player| programs[player as usize].is_some()) {
            return Err(unknown(py, "all players are opponents: nobody is left to learn"));
        }
        let layout = Layout::of(&program);
        let mut tables = Vec::with_capacity(n);
        for place in 0..n as u64 {
            let mut machine = Machine::new(program.clone())
                .map_err(|fault| raised(py, &blazon::Error::fault(fault, &program.book.sources)))?;
            machine.record(false);
            let observation = vec![0.0; layout.floats];
            let (player, numbers) = (0, Vec::new());
            tables.push(Table {
                machine,
                bots: Bots::default(),
                place,
                games: 0,
                player,
                numbers,
                end: None,
                observation,
                failed: None,
            });
        }
        let threads = crate::simulate::threads(py, threads, n as u64)?;
        let pool = Pool::new(threads)?;
        let shared = Shared {
            layout,
            numbering: Numbering::of(&program),
            players: program.book.players.clone(),
            opponents: programs,
            setup,
            seed,
            most: most.max(1),
            tables: n as u64,
        };
        let mut made = Self { program, tables, shared, pool };
        made.reset(py, None)?;
        Ok(made)
    }

    /// Begins all games anew; with other seeds if a seed is given.
    #[pyo3(signature = (seed=None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        self.shared.seed = seed.unwrap_or(self.shared.seed);
        self.all(py, |_, table, shared| {
            (table.games, table.end) = (0, None);
            table.begin(shared)
        })
    }

    /// Takes an option at each game, by its number, and goes on to the next decision of a learner.
    ///
    /// Answers `(rewards, terminated, truncated)`: float32 of `(n, players)`, which is 1 for who has won, -1 for the others,
    /// and 0 for all while a game goes on or if nobody has won; and two of uint8 of `(n,)`: whether the game was over, or
    /// was cut off. `observations`, `masks` and `players` are of the games as they stand then, of new ones where these
    /// ended.
    ///
    /// Raises `NotOpen` if a number is not open, before anything is done; `Fault` if the rules of a game fail, after the
    /// others were stepped: it is cut off and begins anew, and `last_step` has what came of all.
    fn step<'py>(&mut self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
        let actions: Vec<i64> = actions.extract()?;
        if actions.len() != self.tables.len() {
            let message = format!("there are {} games and {} actions", self.tables.len(), actions.len());
            return Err(unknown(py, &message));
        }
        let mut places = Vec::with_capacity(actions.len());
        for (table, &action) in self.tables.iter().zip(&actions) {
            let Some(place) = table.numbers.iter().position(|&number| i64::from(number) == action) else {
                let message = format!(
                    "no open option has the number {action} in game {}; `masks` marks those that do",
                    table.place
                );
                return Err(not_open(py, &message));
            };
            places.push(place);
        }
        self.all(py, |at, table, shared| table.step(shared, places[at]))?;
        self.last_step(py)
    }

    /// What `step` has answered last, or would have, had the rules of no game failed.
    #[getter]
    fn last_step<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let (n, seats) = (self.tables.len(), self.shared.players.len());
        let mut rewards = vec![0.0; n * seats];
        let (mut over, mut cut) = (vec![0_u8; n], vec![0_u8; n]);
        for (at, table) in self.tables.iter().enumerate() {
            match table.end {
                Some(End::Over(winner)) => {
                    over[at] = 1;
                    for (reward, &player) in rewards[at * seats..].iter_mut().zip(&self.shared.players) {
                        *reward = match winner {
                            None => 0.0,
                            Some(winner) if winner == player => 1.0,
                            Some(_) => -1.0,
                        };
                    }
                }
                Some(End::Cut) => cut[at] = 1,
                None => {}
            }
        }
        PyTuple::new(
            py,
            [
                numpy::floats(py, &rewards, &[n, seats])?,
                numpy::bytes(py, &over, &[n])?,
                numpy::bytes(py, &cut, &[n])?,
            ],
        )
    }

    /// What who decides sees in each game: float32 of `(n, observation_size)`, see `Game.observation`.
    #[getter]
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let size = self.shared.layout.floats;
        let mut all = Vec::with_capacity(self.tables.len() * size);
        for table in &self.tables {
            all.extend_from_slice(&table.observation);
        }
        numpy::floats(py, &all, &[self.tables.len(), size])
    }

    /// What is open to him: uint8 of `(n, action_space_size)`, see `Game.action_mask`.
    #[getter]
    fn masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let size = self.shared.numbering.size;
        let mut all = vec![0; self.tables.len() * size];
        for (table, open) in self.tables.iter().zip(all.chunks_exact_mut(size)) {
            mask(&table.numbers, open);
        }
        numpy::bytes(py, &all, &[self.tables.len(), size])
    }

    /// The numbers of what is open, in the order of the options: a list for each game. It is much smaller than `masks` where
    /// there are many numbers.
    #[getter]
    fn actions(&self) -> Vec<Vec<u32>> {
        self.tables.iter().map(|table| table.numbers.clone()).collect()
    }

    /// Who decides in each game, by his place in `player_names`: int32 of `(n,)`.
    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let players: Vec<i32> = self.tables.iter().map(|table| table.player as i32).collect();
        numpy::ints(py, &players, &[players.len()])
    }

    /// The names of the players at the table, in the order of the rules.
    #[getter]
    fn player_names(&self) -> Vec<String> {
        players(&self.program.book)
    }

    /// The seeds of the games under way.
    #[getter]
    fn seeds(&self) -> Vec<u64> {
        self.tables.iter().map(|table| table.seed(&self.shared)).collect()
    }

    /// How many numbers an observation has.
    #[getter]
    fn observation_size(&self) -> usize {
        self.shared.layout.floats
    }

    /// How many numbers options have.
    #[getter]
    fn action_space_size(&self) -> usize {
        self.shared.numbering.size
    }

    /// How many games.
    fn __len__(&self) -> usize {
        self.tables.len()
    }

    fn __repr__(&self) -> String {
        let (n, threads) = (self.tables.len(), self.pool.threads);
        format!("<VectorGame of {n} games of {}, {threads} threads>", self.program.book.title)
    }
}
