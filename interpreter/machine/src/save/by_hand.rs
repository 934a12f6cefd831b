//! What was laid ready by hand: dice, cards, another seed. It is in no log, and what comes of a game hangs on it.

use blazon_book::{Book, KindId};
use serde::{Deserialize, Serialize};

use crate::machine::Machine;

/// Something that was laid ready for the dice, the draws or the chance to come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByHand {
    /// How many decisions had been taken then; `None`: before the game was begun.
    pub at: Option<u64>,
    /// What.
    pub laid: Laid,
}

/// What can be laid ready.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Laid {
    /// What the next dice show, in place of what lay there.
    Dice(Vec<i64>),
    /// What is drawn next, by kind and name, in place of what lay there.
    Cards(Vec<(String, String)>),
    /// The seed from here on.
    Seed(u64),
}

impl Laid {
    /// Cards by meaning.
    pub fn cards(book: &Book, cards: &[(KindId, u32)]) -> Self {
        let named = cards.iter().filter_map(|&(kind, thing)| {
            let kind = book.kinds.get(kind.0 as usize)?;
            Some((kind.name.clone(), kind.things.get(thing as usize)?.name.clone()))
        });
        Self::Cards(named.collect())
    }

    /// What lies ready on a machine and has not been used.
    pub fn left(machine: &Machine) -> Vec<Self> {
        let (dice, cards) = machine.script();
        let mut left = Vec::new();
        if !dice.is_empty() {
            left.push(Self::Dice(dice));
        }
        if !cards.is_empty() {
            left.push(Self::cards(&machine.program().book, &cards));
        }
        left
    }

    /// Lays it ready on a machine.
    ///
    /// # Errors
    /// The name of a card that the rules do not have.
    pub(super) fn lay(&self, machine: &mut Machine) -> Result<(), String> {
        match self {
            Self::Dice(dice) => machine.script_dice(dice.clone()),
            Self::Seed(seed) => machine.reseed(*seed),
            Self::Cards(cards) => {
                let book = machine.program().book.clone();
                let found: Result<Vec<_>, String> = cards.iter().map(|card| find(&book, card)).collect();
                machine.script_draws(found?);
            }
        }
        Ok(())
    }
}

fn find(book: &Book, (kind, name): &(String, String)) -> Result<(KindId, u32), String> {
    let missing = || format!("there is no {kind} `{name}`, which was laid ready by hand");
    let place = book.kinds.iter().position(|other| other.name == *kind).ok_or_else(missing)?;
    let thing = book.kinds[place].things.iter().position(|thing| thing.name == *name).ok_or_else(missing)?;
    Ok((KindId(place as u32), thing as u32))
}
