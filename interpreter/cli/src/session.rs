//! A game under way: the machine, what was chosen, what happened, and the way back.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

use blazon_book::KindId;
use blazon_kernel::Position;
use blazon_machine::save::{ByHand, Entry, Laid, Save, SaveError};
use blazon_machine::{Event, Fault, Machine};
use blazon_program::Program;

/// A game under way.
pub struct Session {
    /// The machine, at a decision or at the end.
    pub machine: Machine,
    /// The setup it began with.
    pub setup: usize,
    /// The seed of its dice.
    pub seed: u64,
    /// What was chosen, by meaning.
    pub log: Vec<Entry>,
    /// What was laid ready by hand, which no log tells.
    by_hand: Vec<ByHand>,
    /// What happened since the game was begun or loaded.
    pub events: Vec<Event>,
    /// Whether choices can be taken back. It costs time and memory, so it is only kept where a person plays.
    pub keeps_back: bool,
    back: Vec<Before>,
}

/// The state before a choice.
struct Before {
    player: u32,
    position: Position,
    log: usize,
    events: usize,
}

/// Why a choice cannot be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoWayBack {
    /// Nothing was chosen since dice fell, cards were drawn or a face was shown.
    Nothing,
    /// Another person has chosen since.
    Another,
}

/// The faces that each player sees.
type Faces = Vec<BTreeSet<(KindId, u32)>>;

impl Session {
    /// A machine with nothing under way.
    ///
    /// # Errors
    /// If the program has no start.
    pub fn new(program: Arc<Program>) -> Result<Self, Fault> {
        let setup = program.book.default_setup;
        let mut machine = Machine::new(program)?;
        machine.record(true);
        Ok(Self {
            machine,
            setup,
            seed: 0,
            log: Vec::new(),
            by_hand: Vec::new(),
            events: Vec::new(),
            keeps_back: false,
            back: Vec::new(),
        })
    }

    /// Begins a game.
    ///
    /// # Errors
    /// If the rules fail before the first decision; then nothing has changed.
    pub fn start(&mut self, setup: usize, seed: u64) -> Result<(), Fault> {
        let left = Laid::left(&self.machine);
        self.machine.start(setup, seed)?;
        self.by_hand = left.into_iter().map(|laid| ByHand { at: None, laid }).collect();
        (self.setup, self.seed) = (setup, seed);
        self.log.clear();
        self.events.clear();
        self.back.clear();
        self.collect();
        Ok(())
    }

    /// Takes the machine's events over; answers whether one of them cannot be taken back.
    fn collect(&mut self) -> bool {
        let events = self.machine.take_events();
        let program = self.machine.program().clone();
        self.log.extend(events.iter().filter_map(|event| Entry::of(&program, event)));
        let last = events.iter().any(|event| match event {
            Event::Rolled { .. } | Event::Drawn { .. } | Event::Over { .. } => true,
            Event::Said { announce, .. } => *announce,
            Event::Chosen { .. } => false,
        });
        self.events.extend(events);
        last
    }

    /// A player takes an open option.
    ///
    /// # Errors
    /// If the rules fail before the next decision; then nothing has changed.
    pub fn choose(&mut self, player: u32, index: usize) -> Result<(), Fault> {
        if !self.keeps_back {
            self.take(player, index)?;
            self.collect();
            return Ok(());
        }
        let before = Before {
            player,
            position: self.machine.snapshot(),
            log: self.log.len(),
            events: self.events.len(),
        };
        let faces = self.faces();
        self.take(player, index)?;
        let last = self.collect();
        let now = self.faces();
        let shown = faces.iter().zip(&now).any(|(before, now)| !now.is_subset(before));
        if last || shown {
            self.back.clear();
        } else {
            self.back.push(before);
        }
        Ok(())
    }

    /// Takes an option. Where the rules fail, what they used of that laid ready by hand is gone, and noted so.
    fn take(&mut self, player: u32, index: usize) -> Result<(), Fault> {
        let taken = self.machine.choose(player, index);
        if taken.is_err() && !self.by_hand.is_empty() {
            let (dice, cards) = self.machine.script();
            self.note(Laid::Dice(dice));
            self.note(Laid::cards(&self.machine.program().book, &cards));
        }
        taken
    }

    /// Lays ready what the next dice show.
    pub fn lay_dice(&mut self, dice: Vec<i64>) {
        self.note(Laid::Dice(dice.clone()));
        self.machine.script_dice(dice);
    }

    /// Lays ready what is drawn next.
    pub fn lay_cards(&mut self, cards: Vec<(KindId, u32)>) {
        self.note(Laid::cards(&self.machine.program().book, &cards));
        self.machine.script_draws(cards);
    }

    /// Gives the dice and draws to come another seed.
    pub fn reseed(&mut self, seed: u64) {
        self.note(Laid::Seed(seed));
        self.machine.reseed(seed);
    }

    fn note(&mut self, laid: Laid) {
        self.by_hand.push(ByHand { at: Some(self.machine.taken()), laid });
    }

    /// The faces that each player sees; only of kinds that have hidden ones.
    fn faces(&mut self) -> Faces {
        let book = self.machine.program().book.clone();
        let mut faces = Faces::new();
        for &player in &book.players {
            let mut seen = BTreeSet::new();
            if let Ok(view) = self.machine.view(Some(player)) {
                for kind in view.kinds.iter().filter(|kind| book.kind(kind.kind).seen.is_some()) {
                    seen.extend(kind.seen.iter().map(|thing| (kind.kind, thing.thing)));
                }
            }
            faces.push(seen);
        }
        faces
    }

    /// Takes back the last choice of a person, with all that programs chose since.
    ///
    /// # Errors
    /// If there is none that can be taken back.
    pub fn undo(&mut self, player: u32, is_human: impl Fn(u32) -> bool) -> Result<(), NoWayBack> {
        let Some(place) = self.back.iter().rposition(|before| is_human(before.player)) else {
            return Err(NoWayBack::Nothing);
        };
        if self.back[place].player != player {
            return Err(NoWayBack::Another);
        }
        let Some(before) = self.back.drain(place..).next() else { return Err(NoWayBack::Nothing) };
        if self.machine.restore(&before.position).is_err() {
            return Err(NoWayBack::Nothing);
        }
        self.machine.take_events();
        self.log.truncate(before.log);
        // Dice and cards still lie there; a seed goes back with the position.
        let now = Some(self.machine.taken());
        self.by_hand.retain(|by_hand| by_hand.at <= now || !matches!(by_hand.laid, Laid::Seed(_)));
        self.by_hand.iter_mut().for_each(|by_hand| by_hand.at = by_hand.at.min(now));
        self.events.truncate(before.events);
        Ok(())
    }

    /// The game as a text to be saved.
    ///
    /// # Errors
    /// If it cannot be written as text.
    pub fn to_text(&self) -> Result<String, SaveError> {
        let save = Save::new(&self.machine, self.setup, self.seed, self.log.clone());
        save.with_by_hand(self.by_hand.clone()).to_text()
    }

    /// Goes on with a saved game; answers with what whoever plays it should know, if there is something.
    ///
    /// # Errors
    /// If it is damaged or belongs to other rules; then nothing has changed.
    pub fn load(&mut self, text: &str) -> Result<Option<String>, SaveError> {
        let save = Save::from_text(text)?;
        let setup = save.setup_in(self.machine.program())?;
        let resumed = save.resume(&mut self.machine)?;
        self.machine.take_events();
        (self.setup, self.seed) = (setup, save.seed);
        (self.log, self.by_hand) = (resumed.log, save.by_hand);
        self.events.clear();
        self.back.clear();
        Ok(resumed.note)
    }

    /// The name of a player.
    pub fn player_name(&self, player: u32) -> String {
        let book = &self.machine.program().book;
        book.kind(book.player)
            .things
            .get(player as usize)
            .map_or_else(|| format!("player {player}"), |thing| thing.name.clone())
    }

    /// The place of a player by name, capitals aside.
    pub fn player(&self, name: &str) -> Option<u32> {
        let book = &self.machine.program().book;
        let name = name.to_lowercase();
        let things = &book.kind(book.player).things;
        things.iter().position(|thing| thing.name.to_lowercase() == name).map(|place| place as u32)
    }
}

/// A seed for a game that nobody gave one; short enough to be typed.
pub fn new_seed() -> u64 {
    std::hash::RandomState::new().build_hasher().finish() % 1_000_000_000
}
