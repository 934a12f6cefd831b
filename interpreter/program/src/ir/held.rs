//! What the frames of steps under way hold of things with hidden faces. Nobody plays by this: it is for those who ask how
//! a position would be if hidden things were others.

use blazon_book::KindId;

use crate::ir::{Pc, Program, Reg};

/// Locals of a step, and where in its code they hold what they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// From this instruction on.
    pub from: Pc,
    /// Before this one.
    pub to: Pc,
    /// The first local.
    pub reg: Reg,
    /// What it and those after it hold.
    pub holds: Holds,
}

/// What locals hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A thing, or none.
    Thing(KindId),
    /// A set of things.
    Set(KindId),
    /// A sequence that a loop goes through: cursor, length, things.
    Sequence(KindId),
    /// The answers of a choice that several make at once.
    Answers(u16),
    /// How often rolls and steps came here: four words.
    Counts,
}

impl Program {
    /// What the locals of a step hold that stands at an instruction.
    pub fn held_at(&self, pc: Pc) -> impl Iterator<Item = &Held> {
        self.held.iter().filter(move |held| (held.from..held.to).contains(&pc))
    }

    /// How many words are held.
    pub fn held_words(&self, held: &Held) -> usize {
        match held.holds {
            Holds::Thing(_) => 1,
            Holds::Set(kind) => self.kinds.get(kind.0 as usize).map_or(0, |kind| usize::from(kind.words)),
            // As many as its length says.
            Holds::Sequence(_) => 2,
            Holds::Answers(choice) => {
                let each = self.choices.get(usize::from(choice)).and_then(|choice| choice.each);
                let players = self.book.kind(self.book.player).things.len();
                each.map_or(0, |each| 1 + players * usize::from(each.words))
            }
            Holds::Counts => 4,
        }
    }
}
