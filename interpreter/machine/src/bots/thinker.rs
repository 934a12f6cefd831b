//! What bots that think have in common: a seed, how hard they think and by which rule they judge, what they have been asked and
//! chose, and a machine to try things with.

use super::OUTLOOK;
use super::keys::{self, Asked};
use super::trail::{self, Here, Trail};
use super::{Effort, Pick};
use crate::machine::Machine;

/// A bot that thinks, but for how.
pub(super) struct Thinker {
    seed: u64,
    asked: Asked,
    trail: Trail,
    pub effort: Effort,
    /// The rule that positions are judged by.
    pub outlook: String,
    scratch: Option<Machine>,
}

impl Clone for Thinker {
    /// The same without the machine: the other makes its own.
    fn clone(&self) -> Self {
        Self {
            seed: self.seed,
            asked: self.asked.clone(),
            trail: self.trail.clone(),
            effort: self.effort,
            outlook: self.outlook.clone(),
            scratch: None,
        }
    }
}

impl Thinker {
    /// One that thinks so hard; the same seed thinks the same.
    pub fn new(seed: u64, effort: Effort) -> Self {
        Self {
            seed,
            asked: Asked::default(),
            trail: Trail::default(),
            effort,
            outlook: OUTLOOK.to_owned(),
            scratch: None,
        }
    }

    /// Positions are judged by the rule of another name, if one is given.
    pub fn judge_by(&mut self, outlook: Option<&str>) {
        if let Some(outlook) = outlook {
            outlook.clone_into(&mut self.outlook);
        }
    }

    /// The key of the decision that a player takes now. It is another each time.
    pub fn decision(&mut self, machine: &Machine, player: u32) -> u64 {
        self.asked.decision(self.seed, machine, player)
    }

    /// The key of the decision that a player would take now.
    pub fn next_decision(&self, machine: &Machine, player: u32) -> u64 {
        self.asked.clone().decision(self.seed, machine, player)
    }

    /// A machine to try things with, in the position of another. It is given back by [`Self::keep`].
    pub fn scratch(&mut self, machine: &Machine) -> Machine {
        super::scratch(self.scratch.take(), machine)
    }

    /// Keeps a machine to try things with next time.
    pub fn keep(&mut self, scratch: Machine) {
        self.scratch = Some(scratch);
    }

    /// Lets the machine go.
    pub fn rest(&mut self) {
        self.scratch = None;
    }

    /// The places of the options that may be tried here: those that did not lead back to where the player stands.
    pub fn open(&self, here: Here, options: &[(u64, usize)]) -> Vec<usize> {
        self.trail.untrodden(here, options)
    }

    /// Chooses what was found to be best, and where; if nothing was, as one who does not look ahead.
    pub fn settle(
        &mut self,
        machine: &Machine,
        player: u32,
        decision: u64,
        best: Option<(usize, Here)>,
    ) -> usize {
        let Some((place, here)) = best else { return keys::pick(machine, player, Pick::ByName, decision) };
        self.trail.note(here, &trail::options(machine, player), place);
        place
    }
}
