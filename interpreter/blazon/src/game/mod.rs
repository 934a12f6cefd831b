//! A game under way: the machine, what was chosen, what happened, and the way back.

mod by_hand;
mod happened;
mod log;
mod looking;
mod saving;
mod trying;
mod undo;
mod valuing;

use std::sync::Arc;

use blazon_book::Book;
use blazon_diagnostics::Sources;
use blazon_machine::bots::{Advice, Bot, Search, Skill, judged, outlooks};
use blazon_machine::save::{ByHand, Entry, Laid};
use blazon_machine::{Event, Fault, Limits, Machine};
use blazon_program::Program;

use crate::error::{Error, Result};
use crate::ids::{OptionId, PlayerId, SetupId};

use happened::Happened;
pub use log::Log;
pub(crate) use trying::in_every_guess;
use undo::Before;
pub use undo::NoWayBack;

/// A game under way, at a decision or at its end.
///
/// It owns a [`Machine`], which takes about a megabyte. Who holds many games keeps them as [`crate::Table`]s.
#[derive(Clone)]
pub struct Game {
    pub(crate) machine: Machine,
    pub(crate) record: Record,
}

/// What is known of a game besides its position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    setup: SetupId,
    seed: u64,
    pub(crate) log: Log,
    /// What was laid ready by hand, which no log tells.
    by_hand: Vec<ByHand>,
    pub(crate) happened: Happened,
    /// How many words of positions are kept to take choices back; 0: none, and no way back.
    keeps_back: usize,
    back: Vec<Before>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who won, if anybody did.
    pub winner: Option<PlayerId>,
}

impl Game {
    /// A game with nothing under way: [`Self::begin`], [`Self::start`] or [`Self::load`] comes next.
    ///
    /// # Errors
    /// [`Error::Fault`] if the states of the program have no start.
    pub fn new(program: Arc<Program>) -> Result<Self> {
        Self::with_limits(program, Limits::default())
    }

    /// As [`Self::new`], with limits of its own. By default 50 million operations are done from one decision to the
    /// next before the game is stopped with `run::endless`, which may take a second: a server sets less.
    ///
    /// # Errors
    /// As [`Self::new`], and if the position alone needs more memory than the limit.
    pub fn with_limits(program: Arc<Program>, limits: Limits) -> Result<Self> {
        let sources = program.book.sources.clone();
        let machine = Machine::with_limits(program, limits).map_err(|fault| Error::fault(fault, &sources))?;
        Ok(Self::of(machine))
    }

    /// A game of a machine with nothing under way.
    pub(crate) fn of(mut machine: Machine) -> Self {
        machine.record(true);
        let setup = machine.program().book.default_setup.into();
        Self { machine, record: Record { setup, ..Record::default() } }
    }

    /// Begins a game with the default setup. The same seed gives the same dice and cards.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn begin(&mut self, seed: u64) -> Result<()> {
        self.start(self.book().default_setup.into(), seed)
    }

    /// Begins a game with a setup.
    ///
    /// # Errors
    /// [`Error::Fault`] if the rules fail before the first decision; then nothing has changed.
    pub fn start(&mut self, setup: SetupId, seed: u64) -> Result<()> {
        let left = Laid::left(&self.machine);
        self.machine.start(setup.into(), seed).map_err(|fault| self.failed(fault))?;
        let by_hand = left.into_iter().map(|laid| ByHand { at: None, laid }).collect();
        self.forget(setup, seed, Log::default(), by_hand);
        self.collect();
        Ok(())
    }

    /// Another game stands here now, of which nothing has been told yet.
    fn forget(&mut self, setup: SetupId, seed: u64, log: Log, by_hand: Vec<ByHand>) {
        let keeps_back = self.record.keeps_back;
        self.record = Record { setup, seed, log, by_hand, keeps_back, ..Record::default() };
    }

    /// Takes the machine's events over; answers whether one of them cannot be taken back.
    fn collect(&mut self) -> bool {
        let events = self.machine.take_events();
        let program = self.machine.program();
        for entry in events.iter().filter_map(|event| Entry::of(program, event)) {
            self.record.log.push(&entry);
        }
        let last = events.iter().any(|event| match event {
            Event::Rolled { .. } | Event::Drawn { .. } | Event::Over { .. } => true,
            Event::Said { announce, .. } => *announce,
            Event::Chosen { .. } => false,
        });
        self.record.happened.extend(events);
        last
    }

    /// A player takes an open option; the game goes on to the next decision.
    ///
    /// # Errors
    /// [`Error::Fault`] if the player is not asked, the option is not open, or the rules fail before the next
    /// decision; then nothing has changed.
    pub fn choose(&mut self, player: PlayerId, option: OptionId) -> Result<()> {
        let before = if self.record.keeps_back > 0 { Some(self.before(player)) } else { None };
        self.take(player, option).map_err(|fault| self.failed(fault))?;
        let last = self.collect();
        if let Some((before, faces)) = before {
            self.remember(before, &faces, last);
        }
        Ok(())
    }

    /// Lets a bot choose for a player; answers what it takes.
    ///
    /// # Errors
    /// As [`Self::choose`].
    pub fn choose_by(&mut self, player: PlayerId, bot: &mut dyn Bot) -> Result<OptionId> {
        let option = self.ask(player, bot);
        self.choose(player, option)?;
        Ok(option)
    }

    /// What a bot would choose for a player.
    pub fn ask(&mut self, player: PlayerId, bot: &mut dyn Bot) -> OptionId {
        bot.decide(&mut self.machine, player.into()).into()
    }

    /// Looks whether the outlook says something of everybody in this position, and what bots of these skills judge by, too.
    /// They take a position for even of which it says nothing, so that whoever looks on would never know.
    ///
    /// # Errors
    /// [`crate::Error::Fault`] of the first rule that fails.
    pub fn judged<'s>(&mut self, bots: impl IntoIterator<Item = &'s Skill>) -> Result<()> {
        let rules = outlooks(self.book(), bots);
        let sources = self.book().sources.clone();
        judged(&mut self.machine, &rules).map_err(|fault| Error::fault(fault, &sources))
    }

    /// What a bot thinks of the options of a player, and why; nothing if there is nothing to choose, or no guess at what
    /// he may not know to think in. It knows what he may know, and no more.
    pub fn advise(&mut self, player: PlayerId, bot: &mut Search) -> Option<Advice> {
        bot.advise(&mut self.machine, player.into())
    }

    /// An open option of a player as a choice by meaning, which a log on the disk can hold; [`Self::find`] finds it again.
    pub fn meaning(&self, player: PlayerId, option: OptionId) -> Option<Entry> {
        Entry::open(&self.machine, player.into(), option.into())
    }

    /// Who may make a choice now, and as which of his options; nothing if it is not open.
    pub fn find(&self, entry: &Entry) -> Option<(PlayerId, OptionId)> {
        let (player, option) = entry.find(&self.machine)?;
        Some((player.into(), option.into()))
    }

    /// The program that is played.
    pub fn program(&self) -> &Arc<Program> {
        self.machine.program()
    }

    /// The book of the game.
    pub fn book(&self) -> &Arc<Book> {
        &self.program().book
    }

    /// The files of the rules.
    pub fn sources(&self) -> &Arc<Sources> {
        &self.book().sources
    }

    /// The machine, to be looked at.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The setup it began with, or will begin with.
    pub fn setup(&self) -> SetupId {
        self.record.setup
    }

    /// The seed of its dice.
    pub fn seed(&self) -> u64 {
        self.record.seed
    }

    /// What was chosen from the start, by meaning.
    pub fn log(&self) -> &Log {
        &self.record.log
    }

    /// What happened since the game was begun or loaded, or since [`Self::take_events`]: the last of it. About 16
    /// megabytes of events are kept, then the oldest are dropped; those since the last decision are never.
    pub fn events(&self) -> &[Event] {
        self.record.happened.events()
    }

    /// How many events there have been since the game was begun or loaded, whether they are still here or not.
    pub fn event_count(&self) -> usize {
        self.record.happened.count()
    }

    /// The events from a place among all on, such as an earlier [`Self::event_count`], as far as they are still here.
    pub fn events_since(&self, place: usize) -> &[Event] {
        self.record.happened.since(place)
    }

    /// Takes the events away, so that they take no memory any more; [`crate::told::Event::of`] puts them in words.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.record.happened.take()
    }

    fn failed(&self, fault: Fault) -> Error {
        Error::fault(fault, self.sources())
    }
}
