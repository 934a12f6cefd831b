//! Chance laid ready by hand, as at a table with real dice and cards; a saved game tells of it.

use blazon_book::KindId;
use blazon_machine::Fault;
use blazon_machine::save::{ByHand, Laid};

use super::Game;
use crate::ids::{OptionId, PlayerId};

impl Game {
    /// Lays ready what the next dice show, before chance is asked again.
    pub fn lay_dice(&mut self, dice: Vec<i64>) {
        self.note(Laid::Dice(dice.clone()));
        self.machine.script_dice(dice);
    }

    /// Lays ready what is drawn next, before chance is asked again; a thing stands for all that look like it.
    pub fn lay_cards(&mut self, cards: Vec<(KindId, u32)>) {
        self.note(Laid::cards(self.book(), &cards));
        self.machine.script_draws(cards);
    }

    /// Gives the dice and draws to come another seed.
    pub fn reseed(&mut self, seed: u64) {
        self.note(Laid::Seed(seed));
        self.machine.reseed(seed);
    }

    fn note(&mut self, laid: Laid) {
        self.record.by_hand.push(ByHand { at: Some(self.machine.taken()), laid });
    }

    /// Takes an option. Where the rules fail, what they used of that laid ready by hand is gone, and noted so.
    pub(super) fn take(&mut self, player: PlayerId, option: OptionId) -> Result<(), Fault> {
        let taken = self.machine.choose(player.into(), option.into());
        if taken.is_err() && !self.record.by_hand.is_empty() {
            let (dice, cards) = self.machine.script();
            self.note(Laid::Dice(dice));
            self.note(Laid::cards(self.book(), &cards));
        }
        taken
    }

    /// The choices that are taken back were made from here on: dice and cards still lie there; a seed goes back with
    /// the position.
    pub(super) fn lay_back(&mut self) {
        let now = Some(self.machine.taken());
        let by_hand = &mut self.record.by_hand;
        by_hand.retain(|by_hand| by_hand.at <= now || !matches!(by_hand.laid, Laid::Seed(_)));
        by_hand.iter_mut().for_each(|by_hand| by_hand.at = by_hand.at.min(now));
    }
}
