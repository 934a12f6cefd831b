//! Many games in little memory: a game that nobody acts in is a position and a log; a machine is borrowed to act.

use std::sync::{Arc, Mutex, PoisonError};

use blazon_book::KindId;
use blazon_kernel::Position;
use blazon_machine::{Limits, Machine};
use blazon_program::Program;

use crate::error::{Error, Result};
use crate::game::{Game, Record, in_every_guess};
use crate::ids::{OptionId, PlayerId, SetupId};
use crate::told::Change;

/// Machines of one program, lent out to act in games.
///
/// A [`Game`] owns a machine, and a machine owns about a megabyte of memory. A [`Table`] holds a game of the same
/// program as its position, its log and what is left of its events. The pool makes as many machines as are used at the
/// same time, one for each thread that acts, and keeps them.
///
/// It can be shared between threads; each table is acted in by one of them at a time.
pub struct Pool {
    program: Arc<Program>,
    limits: Limits,
    idle: Mutex<Vec<Machine>>,
}

/// A game that waits: what is needed to go on with it, a few kilobytes.
#[derive(Clone, Debug)]
pub struct Table {
    position: Position,
    /// What lies ready for the next dice and draws.
    dice: Vec<i64>,
    cards: Vec<(KindId, u32)>,
    record: Record,
}

impl Pool {
    /// Machines of a program, each with these limits. The first one is made now.
    ///
    /// # Errors
    /// As [`Game::with_limits`].
    pub fn new(program: Arc<Program>, limits: Limits) -> Result<Self> {
        let first = Game::with_limits(program.clone(), limits)?.machine;
        Ok(Self { program, limits, idle: Mutex::new(vec![first]) })
    }

    /// The program that is played.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// How many machines wait to be lent out.
    pub fn idle(&self) -> usize {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn borrow(&self) -> Result<Machine> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match idle {
            Some(machine) => Ok(machine),
            None => Ok(Game::with_limits(self.program.clone(), self.limits)?.machine),
        }
    }

    fn give_back(&self, machine: Machine) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(machine);
    }

    /// Begins a game.
    ///
    /// # Errors
    /// As [`Game::start`].
    pub fn start(&self, setup: SetupId, seed: u64) -> Result<Table> {
        self.table(|game| game.start(setup, seed)).map(|(table, ())| table)
    }

    /// Goes on with a saved game; answers with what whoever plays it should know, if there is something.
    ///
    /// # Errors
    /// As [`Game::load`].
    pub fn load(&self, text: &str) -> Result<(Table, Option<String>)> {
        self.table(|game| game.load(text).map_err(Error::from))
    }

    fn table<T>(&self, begin: impl FnOnce(&mut Game) -> Result<T>) -> Result<(Table, T)> {
        let mut game = Game::of(self.borrow()?);
        let begun = begin(&mut game);
        let table = Table::of(&mut game);
        self.give_back(game.machine);
        begun.map(|begun| (table, begun))
    }

    /// Lends a machine to a game and lets somebody look and act; answers what he answers. The game waits again
    /// afterwards, as he left it.
    ///
    /// # Errors
    /// [`Error::Fault`] if the table's position does not belong to the pool's program.
    pub fn act<T>(&self, table: &mut Table, act: impl FnOnce(&mut Game) -> T) -> Result<T> {
        let mut machine = self.borrow()?;
        if let Err(fault) = machine.restore(&table.position) {
            self.give_back(machine);
            return Err(Error::fault(fault, &self.program.book.sources));
        }
        machine.script_dice(std::mem::take(&mut table.dice));
        machine.script_draws(std::mem::take(&mut table.cards));
        let mut game = Game { machine, record: std::mem::take(&mut table.record) };
        let answer = act(&mut game);
        *table = Table::of(&mut game);
        self.give_back(game.machine);
        Ok(answer)
    }

    /// What a player would see otherwise if he took an option, as [`Game::attempt`] says it.
    ///
    /// # Errors
    /// As there.
    pub fn attempt(&self, table: &Table, player: PlayerId, option: OptionId) -> Result<Option<Vec<Change>>> {
        in_every_guess(|guess| {
            self.act(&mut table.clone(), |game| game.attempt_in_guess(player, option, guess))?
        })
    }
}

impl Table {
    /// Takes a game off its machine, with all that the next game should not find there.
    fn of(game: &mut Game) -> Self {
        let mut record = std::mem::take(&mut game.record);
        record.log.shrink();
        record.happened.shrink();
        let (dice, cards) = game.machine.script();
        game.machine.script_dice(Vec::new());
        game.machine.script_draws(Vec::new());
        Self { position: game.machine.snapshot(), dice, cards, record }
    }

    /// The bytes of memory that position and log take. Events and what is kept to take choices back come on top, and
    /// are the caller's to take: see [`Game::take_events`].
    pub fn memory(&self) -> usize {
        size_of_val(self.position.words()) + self.record.log.memory()
    }
}
