//! Saved games: what was played, as text.
//!
//! A save holds the rules by name and by what their text comes to, the setup, the seed, and all choices by meaning. To
//! load it is to play it again: **a position that the rules cannot reach cannot be loaded**, whatever a file says, and
//! no save hangs on how the machine lays out its memory or its code. A digest of the position by meaning says whether
//! the game came to where it was saved. The checksum finds damage; it is no seal against forgers, and need not be one.

mod by_hand;
mod entry;
mod error;
mod format_1;
mod format_2;
mod position;
mod replay;
mod rules;

use blazon_program::Program;
use serde::Deserialize;

pub use by_hand::{ByHand, Laid};
pub use entry::{Entry, argument};
pub use error::SaveError;
pub use replay::{Course, Divergence, Followed, Replayed, replay};
pub use rules::{Rules, Text};

use error::{damaged, foreign, unknown_format};
use replay::follow;

use crate::fault::Fault;
use crate::machine::Machine;

/// A saved game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Save {
    /// The format that it was read from or will be written in.
    pub format: u32,
    /// The rules it was played by.
    pub rules: Rules,
    /// The setup's name.
    pub setup: String,
    /// The seed.
    pub seed: u64,
    /// What was laid ready by hand, in order.
    pub by_hand: Vec<ByHand>,
    /// What was chosen, from the start.
    pub log: Vec<Entry>,
    /// The answers given in a choice by each that is not over yet, which nobody may know before it is.
    pub pending: Vec<Entry>,
    /// How many decisions were taken.
    pub decisions: u64,
    mark: Mark,
}

/// By what a save knows its position again.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Mark {
    /// The digest of the position by meaning.
    Digest(String),
    /// What the first format says in fixed places.
    Header(format_1::Header),
}

/// A game that goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resumed {
    /// Its log, as this machine made it.
    pub log: Vec<Entry>,
    /// What whoever goes on with it should know.
    pub note: Option<String>,
}

/// How the position after a replay compares with the one saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// It is the same.
    Same,
    /// As far as the save's older format tells it is the same.
    AsFarAsKnown,
    /// As far as the save's older format tells it is the same, but for answers that its log does not have.
    Asked(u64),
    /// It is another one; why.
    Other(String),
}

impl Save {
    /// The game of a machine, with the choices that led to it.
    pub fn new(machine: &Machine, setup: usize, seed: u64, log: Vec<Entry>) -> Self {
        let book = &machine.program().book;
        Self {
            format: format_2::FORMAT,
            rules: Rules::of(book),
            setup: book.setups.get(setup).map(|s| s.name.clone()).unwrap_or_default(),
            seed,
            by_hand: Vec::new(),
            log,
            pending: Entry::pending(machine),
            decisions: machine.taken(),
            mark: Mark::Digest(position::digest(machine)),
        }
    }

    /// The same with what was laid ready by hand in the course of the game; what comes later is left out.
    #[must_use]
    pub fn with_by_hand(mut self, mut by_hand: Vec<ByHand>) -> Self {
        by_hand.retain(|by_hand| by_hand.at <= Some(self.decisions));
        self.by_hand = by_hand;
        self
    }

    /// The text form.
    ///
    /// # Errors
    /// If it was read from an older format, or cannot be written as text.
    pub fn to_text(&self) -> Result<String, SaveError> {
        format_2::write(self)
    }

    /// All choices that were made: those of the log, then the answers that wait for those of others.
    pub fn choices(&self) -> impl Iterator<Item = &Entry> {
        self.log.iter().chain(&self.pending)
    }

    /// Only its first choices, to look back. It says no more where it stands.
    #[must_use]
    pub fn until(mut self, choices: usize) -> Self {
        self.pending.truncate(choices.saturating_sub(self.log.len()));
        self.log.truncate(choices);
        self
    }

    /// Reads the text form, of any format.
    ///
    /// # Errors
    /// If it is damaged, or of a format that this program does not know.
    pub fn from_text(text: &str) -> Result<Self, SaveError> {
        #[derive(Deserialize)]
        #[serde(rename = "Save")]
        struct AnyFormat {
            format: u32,
        }
        let any: AnyFormat =
            ron::from_str(text).map_err(|error| damaged(format!("this is not a saved game: {error}")))?;
        match any.format {
            1 => format_1::read(text),
            2 => format_2::read(text),
            other => Err(unknown_format(other)),
        }
    }

    /// The digest of the position by meaning; the first format has none.
    pub fn digest(&self) -> Option<&str> {
        match &self.mark {
            Mark::Digest(digest) => Some(digest),
            Mark::Header(_) => None,
        }
    }

    /// The setup's place in a program.
    ///
    /// # Errors
    /// If the program has no setup of that name.
    pub fn setup_in(&self, program: &Program) -> Result<usize, SaveError> {
        let found = program.book.setups.iter().position(|setup| setup.name == self.setup);
        found.ok_or_else(|| foreign(format!("there is no setup `{}` here", self.setup)))
    }

    /// Plays the game again from its start, perhaps by other rules; the machine then stands where that ended.
    ///
    /// # Errors
    /// If the rules fail before the first decision.
    pub fn replay(&self, machine: &mut Machine, setup: usize) -> Result<Followed, Fault> {
        follow(machine, &self.course(setup))
    }

    fn course(&self, setup: usize) -> Course<'_> {
        let Self { seed, by_hand, log, pending, .. } = self;
        Course { setup, seed: *seed, by_hand, log, pending }
    }

    /// Compares the position of a machine that has replayed this game with the one saved.
    pub fn compare(&self, machine: &Machine) -> Comparison {
        let (saved, taken) = (self.decisions, machine.taken());
        let header = match &self.mark {
            Mark::Digest(_) if saved != taken => return differs("decisions", saved, taken),
            Mark::Digest(_) if self.pending != Entry::pending(machine) => {
                return Comparison::Other("other answers wait for those of others".to_owned());
            }
            Mark::Digest(digest) if *digest == position::digest(machine) => return Comparison::Same,
            Mark::Digest(_) => return Comparison::Other("it comes to another position".to_owned()),
            Mark::Header(header) => *header,
        };
        if header.seed != self.seed {
            let message = "its dice were given another seed by hand, which its log does not tell";
            return Comparison::Other(message.to_owned());
        }
        if header.outcome != machine.outcome_word() {
            return Comparison::Other("it comes to another outcome".to_owned());
        }
        match saved.checked_sub(taken) {
            Some(0) => Comparison::AsFarAsKnown,
            Some(missing) if missing < machine.deciders_by_each() => Comparison::Asked(missing),
            _ => differs("decisions", saved, taken),
        }
    }

    /// Lets a machine go on with the game.
    ///
    /// # Errors
    /// If the machine plays by other rules, or these do not lead to the position that was saved; nothing changes then.
    pub fn resume(&self, machine: &mut Machine) -> Result<Resumed, SaveError> {
        if let Some(difference) = self.rules.difference(&machine.program().book) {
            return Err(foreign(difference));
        }
        let setup = self.setup_in(machine.program())?;
        let mut other = machine.clone();
        let followed = follow(&mut other, &self.course(setup))
            .map_err(|fault| foreign(format!("{}: {fault}", self.not_followed())))?;
        if let Replayed::Until(divergence) = followed.replayed {
            return Err(foreign(format!("{}: {divergence}", self.not_followed())));
        }
        let note = match self.compare(&other) {
            Comparison::Other(what) => return Err(foreign(format!("{}: {what}", self.not_followed()))),
            Comparison::Same if !is_same_log(&followed.made, &self.log) => {
                let what = "its log says of a choice that it was taken unasked, or asked, and it was not";
                return Err(foreign(format!("{}: {what}", self.not_followed())));
            }
            Comparison::Same | Comparison::AsFarAsKnown => None,
            Comparison::Asked(missing) => Some(asked_again(missing)),
        };
        machine.restore(&other.snapshot()).map_err(|fault| damaged(fault.message))?;
        let (dice, cards) = other.script();
        machine.script_dice(dice);
        machine.script_draws(cards);
        Ok(Resumed { log: followed.made, note })
    }

    /// Why a game that was followed is not gone on with: where the blame lies.
    fn not_followed(&self) -> &'static str {
        match self.mark {
            Mark::Digest(_) => {
                "its log does not lead to where it was saved, though the text of the rules is the same \
                 (the file was made by hand, or by a program that plays these rules otherwise)"
            }
            Mark::Header(_) => {
                "it was saved in an older format, which does not tell by what text of the rules; \
                 by these its log does not lead to where it was saved"
            }
        }
    }
}

fn differs(what: &str, saved: u64, here: u64) -> Comparison {
    Comparison::Other(format!("it comes to {here} {what}, and {saved} were saved"))
}

/// What to say of answers that the older format has in its position only.
pub fn asked_again(missing: u64) -> String {
    let answers = if missing == 1 { "an answer".to_owned() } else { format!("{missing} answers") };
    format!(
        "{answers} to what is being asked stood only in the position, which the older format of this file does not let \
         be read; it is asked again"
    )
}

/// Whether two logs tell of the same choices, taken unasked or asked alike.
fn is_same_log(a: &[Entry], b: &[Entry]) -> bool {
    let mut pairs = a.iter().zip(b);
    a.len() == b.len() && pairs.all(|(a, b)| a.same(b) && a.forced == b.forced)
}

/// Reads a saved game and lets a machine go on with it.
///
/// # Errors
/// As for [`Save::from_text`] and [`Save::resume`].
pub fn load(machine: &mut Machine, text: &str) -> Result<Save, SaveError> {
    let save = Save::from_text(text)?;
    save.resume(machine)?;
    Ok(save)
}
