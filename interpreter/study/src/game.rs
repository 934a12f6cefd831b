//! One game between programs, and what is kept of it.

use std::sync::atomic::{AtomicUsize, Ordering};

use blazon_book::{Book, StepId};
use blazon_kernel::chance;
use blazon_machine::bots::{Bot, Skill, judged, outlooks};
use blazon_machine::{BacktraceEntry, Event, Fault, Machine};

use crate::course;

/// What is the same in all games of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The seed of all.
    pub seed: u64,
    /// Who plays, by the players' places in their kind.
    pub players: Vec<Skill>,
    /// The setups that are begun with, in turn: game `n` has the one at `n` modulo their number.
    pub setups: Vec<usize>,
    /// A game is stopped after so many decisions.
    pub most: u64,
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
    /// The setup that it began with.
    pub setup: usize,
    /// How it ended.
    pub end: End,
    /// The decisions taken; that at which the rules failed is one of them.
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
    /// The rules failed, or an outlook by which the position was to be judged.
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

    /// Whether the game came to an end by its rules.
    pub fn is_over(&self) -> bool {
        matches!(self, Self::Over { .. })
    }

    /// Who has won, if anybody has.
    pub fn winner(&self) -> Option<u32> {
        match self {
            Self::Over { winner, .. } => *winner,
            Self::Fault(_) | Self::Limit => None,
        }
    }
}

/// Somebody who looks on while games are played. He may ask the machine whatever does not change it, and must leave it in
/// the position in which it was.
pub trait Watch {
    /// A game of this number is about to be set up. Of every game this comes first: whoever keeps something of the game under
    /// way keeps it in one value, and makes that anew here, so that nothing of one game is told of another.
    fn starts(&mut self, machine: &mut Machine, game: u64);
    /// The game stands at its first decision, or is over without one. A game whose rules fail before that never does.
    fn begins(&mut self, _machine: &mut Machine) {}
    /// A player has decided on an option, a place in [`Machine::options`], but it is not carried out yet.
    fn decides(&mut self, _machine: &mut Machine, _player: u32, _index: usize) {}
    /// What was decided last is carried out.
    fn decided(&mut self, _machine: &mut Machine) {}
    /// The game is over.
    fn ends(&mut self, _machine: &mut Machine, _row: &Row) {}
}

/// Nobody looks on.
impl Watch for () {
    fn starts(&mut self, _machine: &mut Machine, _game: u64) {}
}

impl<W: Watch + ?Sized> Watch for &mut W {
    fn starts(&mut self, machine: &mut Machine, game: u64) {
        (**self).starts(machine, game);
    }
    fn begins(&mut self, machine: &mut Machine) {
        (**self).begins(machine);
    }
    fn decides(&mut self, machine: &mut Machine, player: u32, index: usize) {
        (**self).decides(machine, player, index);
    }
    fn decided(&mut self, machine: &mut Machine) {
        (**self).decided(machine);
    }
    fn ends(&mut self, machine: &mut Machine, row: &Row) {
        (**self).ends(machine, row);
    }
}

/// Somebody may look on.
impl<W: Watch> Watch for Option<W> {
    fn starts(&mut self, machine: &mut Machine, game: u64) {
        if let Some(watch) = self {
            watch.starts(machine, game);
        }
    }
    fn begins(&mut self, machine: &mut Machine) {
        if let Some(watch) = self {
            watch.begins(machine);
        }
    }
    fn decides(&mut self, machine: &mut Machine, player: u32, index: usize) {
        if let Some(watch) = self {
            watch.decides(machine, player, index);
        }
    }
    fn decided(&mut self, machine: &mut Machine) {
        if let Some(watch) = self {
            watch.decided(machine);
        }
    }
    fn ends(&mut self, machine: &mut Machine, row: &Row) {
        if let Some(watch) = self {
            watch.ends(machine, row);
        }
    }
}

impl<W: Watch, V: Watch> Watch for (W, V) {
    fn starts(&mut self, machine: &mut Machine, game: u64) {
        self.0.starts(machine, game);
        self.1.starts(machine, game);
    }
    fn begins(&mut self, machine: &mut Machine) {
        self.0.begins(machine);
        self.1.begins(machine);
    }
    fn decides(&mut self, machine: &mut Machine, player: u32, index: usize) {
        self.0.decides(machine, player, index);
        self.1.decides(machine, player, index);
    }
    fn decided(&mut self, machine: &mut Machine) {
        self.0.decided(machine);
        self.1.decided(machine);
    }
    fn ends(&mut self, machine: &mut Machine, row: &Row) {
        self.0.ends(machine, row);
        self.1.ends(machine, row);
    }
}

/// From this on, games under way are given up.
pub const NOW: usize = 2;

impl Plan {
    /// All games of a book with its first setup, one player for all seats.
    pub fn new(book: &Book, seed: u64, player: Skill) -> Self {
        Self {
            seed,
            players: vec![player; book.kind(book.player).things.len()],
            setups: vec![book.default_setup],
            most: 100_000,
            rounds: course::rounds(book),
        }
    }

    /// The seed of a game: 53 bits, which every program that reads the rows can hold.
    pub fn seed_of(&self, game: u64) -> u64 {
        chance::mix(self.seed, game) >> 11
    }

    /// The setup of a game.
    pub fn setup_of(&self, game: u64) -> usize {
        let place = usize::try_from(game % self.setups.len().max(1) as u64).unwrap_or_default();
        self.setups.get(place).copied().unwrap_or_default()
    }

    /// Plays a game while somebody looks on; nothing comes of it if it is given up, which it is as soon as `stop` holds
    /// [`NOW`] or more.
    pub fn play(
        &self,
        machine: &mut Machine,
        game: u64,
        watch: &mut dyn Watch,
        stop: &AtomicUsize,
    ) -> Option<Row> {
        let (seed, setup) = (self.seed_of(game), self.setup_of(game));
        let bots = self.players.iter().enumerate();
        let mut bots: Vec<Box<dyn Bot>> =
            bots.map(|(place, skill)| skill.bot(seed.wrapping_add(place as u64))).collect();
        machine.count_turns();
        watch.starts(machine, game);
        let mut last = None;
        let mut end = machine.start(setup, seed).err().map(End::Fault);
        let (outlooks, mut scratch) = (outlooks(&machine.program().book, &self.players), None);
        let mut decisions = 0;
        if end.is_none() {
            watch.begins(machine);
        }
        while end.is_none() {
            let Some(&player) = machine.deciders().first() else { break };
            if decisions == self.most {
                end = Some(End::Limit);
                break;
            }
            if stop.load(Ordering::Relaxed) >= NOW {
                return None;
            }
            // What would be told of who led would be told of nothing: a game whose outlook fails is one whose rules fail.
            if let Err(fault) = judged(aside(machine, &mut scratch), &outlooks) {
                end = Some(End::Fault(fault));
                break;
            }
            let index = bots.get_mut(player as usize).map_or(0, |bot| bot.decide(machine, player));
            last = Some((player, index));
            watch.decides(machine, player, index);
            // It is taken, whatever the rules make of it: who looks on has seen it, too.
            decisions += 1;
            match machine.choose(player, index) {
                Ok(()) => watch.decided(machine),
                Err(fault) => end = Some(End::Fault(fault)),
            }
        }
        let turns = self.rounds.iter().map(|&step| machine.turns(step)).collect();
        let end = end.unwrap_or_else(|| over(machine, last));
        let row = Row { game, seed, setup, end, decisions, turns };
        watch.ends(machine, &row);
        Some(row)
    }
}

/// The machine to put questions to that are none of the game's: itself, or, where it is counted what comes up, another that
/// stands where it does, since what is only asked about has not come up.
pub(crate) fn aside<'m>(machine: &'m mut Machine, scratch: &'m mut Option<Machine>) -> &'m mut Machine {
    if machine.hits().is_empty() {
        return machine;
    }
    let scratch = scratch.get_or_insert_with(|| {
        let mut copy = machine.clone();
        copy.record(false);
        copy
    });
    // It is of the same program, and can stand wherever the other does.
    let _ = scratch.restore(&machine.snapshot());
    scratch
}

/// How a game that is over came to its end. Nothing was recorded, since that takes time; so the last choice is made
/// once more, and listened to.
fn over(machine: &mut Machine, last: Option<(u32, usize)>) -> End {
    let winner = machine.outcome().and_then(|outcome| outcome.winner);
    let place = machine.ending();
    let mut said = String::new();
    let (before, mut scratch) = (machine.previous(), None);
    if let Some((player, index)) = last {
        let again = aside(machine, &mut scratch);
        if again.restore(&before).is_ok() {
            again.record(true);
            if again.choose(player, index).is_ok() {
                let events = again.take_events();
                let line = events.iter().rev().find(|event| matches!(event, Event::Said { .. }));
                said = line.and_then(|line| again.tell_event(line, None)).unwrap_or_default();
            }
            again.record(false);
            again.take_events();
        }
    }
    End::Over { winner, place, said }
}
