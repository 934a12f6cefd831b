//! One game between programs, and what is kept of it.

use std::sync::atomic::{AtomicUsize, Ordering};

use blazon_book::StepId;
use blazon_kernel::chance;
use blazon_machine::{BacktraceEntry, Event, Fault, Machine};

use crate::args::SimulateArgs;
use crate::exit::Result;
use crate::seats::Seats;

/// What is the same in all games.
pub struct Plan<'a> {
    /// What was asked for.
    pub args: &'a SimulateArgs,
    /// The seed of all.
    pub seed: u64,
    /// The steps whose turns are counted.
    pub rounds: Vec<StepId>,
}

/// What is kept of a game.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its number, from 0.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// How it ended.
    pub end: End,
    /// The decisions taken.
    pub decisions: u64,
    /// The turns of each of [`Plan::rounds`].
    pub turns: Vec<u64>,
}

/// How a game ended.
#[derive(Clone, Debug)]
pub enum End {
    /// By its rules.
    Over {
        /// Who has won.
        winner: Option<u32>,
        /// Where in the rules it was ended.
        place: Option<BacktraceEntry>,
        /// The last line of the log.
        said: String,
    },
    /// The rules failed.
    Fault(Fault),
    /// It was stopped at the most decisions.
    Limit,
}

impl End {
    /// In one word, for programs.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Over { winner: Some(_), .. } => "won",
            Self::Over { winner: None, .. } => "none",
            Self::Fault(_) => "fault",
            Self::Limit => "limit",
        }
    }
}

/// From this on, games under way are given up.
pub const NOW: usize = 2;

impl Plan<'_> {
    /// The seed of a game: 53 bits, which every program that reads the rows can hold.
    pub fn seed_of(&self, game: u64) -> u64 {
        chance::mix(self.seed, game) >> 11
    }

    /// Plays a game; nothing comes of it if it is given up.
    ///
    /// # Errors
    /// If the players asked for cannot sit down.
    pub fn play(&self, machine: &mut Machine, game: u64, stop: &AtomicUsize) -> Result<Option<Row>> {
        let seed = self.seed_of(game);
        let mut seats = Seats::new(&machine.program().book, &self.args.players, seed)?;
        let setup = machine.program().book.default_setup;
        machine.count_turns();
        let mut last = None;
        let mut end = machine.start(setup, seed).err().map(End::Fault);
        let mut decisions = 0;
        while end.is_none() {
            let Some(&player) = machine.deciders().first() else { break };
            if decisions == self.args.most {
                end = Some(End::Limit);
                break;
            }
            if stop.load(Ordering::Relaxed) >= NOW {
                return Ok(None);
            }
            let index = seats.pick(machine, player).unwrap_or(0);
            last = Some((player, index));
            match machine.choose(player, index) {
                Ok(()) => decisions += 1,
                Err(fault) => end = Some(End::Fault(fault)),
            }
        }
        let turns = self.rounds.iter().map(|&step| machine.turns(step)).collect();
        let end = end.unwrap_or_else(|| over(machine, last));
        Ok(Some(Row { game, seed, end, decisions, turns }))
    }
}

/// How a game that is over came to its end. Nothing was recorded, since that takes time; so the last choice is made
/// once more, and listened to.
fn over(machine: &mut Machine, last: Option<(u32, usize)>) -> End {
    let winner = machine.outcome().and_then(|outcome| outcome.winner);
    let place = machine.ending();
    let mut said = String::new();
    if let Some((player, index)) = last
        && machine.restore(&machine.previous()).is_ok()
    {
        machine.record(true);
        if machine.choose(player, index).is_ok() {
            let events = machine.take_events();
            let line = events.iter().rev().find(|event| matches!(event, Event::Said { .. }));
            said = line.and_then(|line| machine.tell_event(line, None)).unwrap_or_default();
        }
        machine.record(false);
        machine.take_events();
    }
    End::Over { winner, place, said }
}
