//! Players made of code. They know no game: they see options, outcomes, and a rule `outlook(player)` if the book has
//! one.
//!
//! What a bot chooses is a function of its own seed, of what it has been asked before and chose, and of what its seat may know:
//! it is the same in two positions that differ only in what the seat may not see. A bot that picks at random asks for the names
//! of its options (`keys`); one that looks ahead plays on from guesses (`worlds`). Chance is keyed by what is decided, so
//! that a change of rules moves only the decisions that it is about; those of [`Search`] from when it has tried the change on.

mod flat;
mod keys;
mod outlook;
mod search;
mod skill;
mod thinker;
mod trail;
mod worlds;

use std::sync::Arc;

use blazon_kernel::Position;
use blazon_kernel::chance::Stream;

use crate::fault::Fault;
use crate::machine::{Machine, Outcome};
use keys::Asked;
use worlds::Guesses;

pub use blazon_book::meant::OUTLOOK;
pub use flat::Flat;
pub use outlook::{Share, judged, outlook_of, outlooks};
pub use search::{Advice, Advised, Search};
pub use skill::{Skill, Way};

/// A player made of code, for one game: what it was asked, chose and learned it knows when it is asked next. One that is made
/// anew for each decision goes round in circles, and learns nothing.
pub trait Bot: Send + Sync {
    /// Chooses among the open options of a player who is asked: a place in [`Machine::options`]. The machine is left
    /// at the position it was at.
    fn decide(&mut self, machine: &mut Machine, player: u32) -> usize;

    /// Another that chooses as this one would from now on.
    fn twin(&self) -> Box<dyn Bot>;

    /// Lets go of the memory that it thinks in, and keeps what it knows: it will not be asked for a while.
    fn rest(&mut self) {}
}

/// How hard a bot thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// How many positions it tries for one decision.
    pub positions: usize,
    /// How many decisions a game is played on before it is judged by its outlook. Without a rule `outlook` it is
    /// played to its end, since nothing else says who is ahead.
    pub horizon: usize,
}

impl Effort {
    /// Enough to play sensibly, little enough that nobody waits.
    pub const QUICK: Self = Self { positions: 400, horizon: 10 };
    /// A good while for each decision.
    pub const THOROUGH: Self = Self { positions: 10_000, horizon: 10 };
}

/// The most decisions to the end of a game that is tried.
const LONGEST: usize = 5000;

/// Puts a machine at a guess at what a player may not know: the position as he sees it, with other dice to come and what
/// he does not see dealt anew. What he may choose is the same, at the same places. The guess is made of the seed and of
/// what he may know, and of nothing else. Answers whether there is one; otherwise the machine stands where it stood.
///
/// # Errors
/// A [`Fault`] of the rules that say who sees what.
pub fn imagine(machine: &mut Machine, player: u32, seed: u64) -> Result<bool, Fault> {
    let mut world = Position::default();
    let root = machine.snapshot();
    let guesses = Guesses::new(machine, player)?;
    if guesses.guess(machine, &mut Stream::new(seed), &mut world) {
        return Ok(true);
    }
    machine.restore(&root)?;
    Ok(false)
}

/// How a random player picks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// Every open option is as likely as the others.
    Evenly,
    /// First one of the names that are open, then one of its options: a single `pass` weighs as much as forty moves.
    ByName,
}

/// Picks at random, always in the same way from the same seed.
#[derive(Clone, Debug)]
pub struct Random {
    seed: u64,
    pick: Pick,
    asked: Asked,
}

impl Random {
    /// A random player.
    pub fn new(seed: u64, pick: Pick) -> Self {
        Self { seed, pick, asked: Asked::default() }
    }
}

impl Bot for Random {
    fn decide(&mut self, machine: &mut Machine, player: u32) -> usize {
        let decision = self.asked.decision(self.seed, machine, player);
        keys::pick(machine, player, self.pick, decision)
    }

    fn twin(&self) -> Box<dyn Bot> {
        Box::new(self.clone())
    }
}

/// A machine to try things with, in the position of another: the one that was used before, if it plays the same program.
/// Nothing is told of what it does, nothing lies ready for it, and invariants are not looked at: what is tried is no test.
fn scratch(before: Option<Machine>, machine: &Machine) -> Machine {
    let before = before.filter(|before| Arc::ptr_eq(&before.prepared, &machine.prepared));
    let mut scratch = before.unwrap_or_else(|| machine.clone());
    scratch.record(false);
    scratch.script_dice(Vec::new());
    scratch.script_draws(Vec::new());
    scratch.keeps_invariants = false;
    if scratch.restore(&machine.snapshot()).is_err() {
        scratch = machine.clone();
    }
    scratch
}

/// Lets bots play until the game is over or so many decisions have been taken; one bot for each player of the kind,
/// by place. Answers the outcome and how many decisions were taken.
///
/// # Errors
///
/// A [`Fault`] of the rules that a choice of a bot led to; the game stands at the decision before.
pub fn play_out(
    machine: &mut Machine,
    bots: &mut [&mut dyn Bot],
    most: usize,
) -> Result<(Option<Outcome>, usize), Fault> {
    for taken in 0..most {
        let Some(&player) = machine.deciders().first() else { return Ok((machine.outcome(), taken)) };
        let index = match bots.get_mut(player as usize) {
            Some(bot) => bot.decide(machine, player),
            None => 0,
        };
        machine.choose(player, index)?;
    }
    Ok((machine.outcome(), most))
}
