//! Where a bot stood before, and what it chose there.
//!
//! Whoever comes back to a position in which he was asked before, with no die cast and nothing changed in between, has not
//! got on by what he chose there. Without this a bot would put off what it does not like for ever: what it can take back
//! looks as good as what it stands at, and better than what follows.

use std::collections::BTreeMap;

use super::keys;
use crate::machine::Machine;

/// A position, as far as the seat may know it, and how many decisions had been taken by then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Here {
    /// A key of the position; neither what cannot be seen nor the number of decisions counts.
    pub key: u64,
    /// How many decisions have been taken.
    pub taken: u64,
}

/// Where a bot stood in a game, and what it chose there.
#[derive(Clone, Debug, Default)]
pub(super) struct Trail {
    /// By the key of the position: how many decisions had been taken by then, and the key of what was chosen.
    chosen: BTreeMap<u64, Vec<(u64, u64)>>,
    /// How many decisions had been taken when it last chose.
    latest: u64,
}

/// The options of a player by their keys, in the order of the rules; look-alikes have the same.
pub(super) fn options(machine: &Machine, player: u32) -> Vec<(u64, usize)> {
    keys::lots(machine, player, OPTION).collect()
}

/// What the keys of options begin with.
const OPTION: u64 = blazon_kernel::chance::hash_text("option");

impl Trail {
    /// The places of those options that were not chosen here before; all of them if each was.
    pub fn untrodden(&self, here: Here, options: &[(u64, usize)]) -> Vec<usize> {
        let before = self.chosen.get(&here.key).map_or(&[][..], Vec::as_slice);
        // What was chosen as late as now, or later, has been taken back.
        let is_trodden = |key: u64| before.iter().any(|&(taken, chosen)| chosen == key && taken < here.taken);
        let new = options.iter().filter(|&&(key, _)| !is_trodden(key)).map(|&(_, place)| place);
        let new: Vec<usize> = new.collect();
        if new.is_empty() { options.iter().map(|&(_, place)| place).collect() } else { new }
    }

    /// An option is chosen here.
    pub fn note(&mut self, here: Here, options: &[(u64, usize)], place: usize) {
        let Some(&(key, _)) = options.iter().find(|&&(_, other)| other == place) else { return };
        if here.taken <= self.latest {
            self.chosen.retain(|_, chosen| {
                chosen.retain(|&(taken, _)| taken < here.taken);
                !chosen.is_empty()
            });
        }
        self.latest = here.taken;
        self.chosen.entry(here.key).or_default().push((here.taken, key));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: [(u64, usize); 3] = [(70, 0), (80, 1), (90, 2)];

    fn at(taken: u64) -> Here {
        Here { key: 5, taken }
    }

    #[test]
    fn what_led_back_here_is_not_chosen_again() {
        let mut trail = Trail::default();
        assert_eq!(trail.untrodden(at(10), &OPTIONS), [0, 1, 2]);
        trail.note(at(10), &OPTIONS, 1);
        assert_eq!(trail.untrodden(at(12), &OPTIONS), [0, 2]);
        assert_eq!(trail.untrodden(Here { key: 6, taken: 12 }, &OPTIONS), [0, 1, 2], "that is elsewhere");
        trail.note(at(12), &OPTIONS, 0);
        trail.note(at(14), &OPTIONS, 2);
        assert_eq!(trail.untrodden(at(16), &OPTIONS), [0, 1, 2], "nothing is new");
    }

    #[test]
    fn what_was_taken_back_was_not_chosen() {
        let mut trail = Trail::default();
        trail.note(at(10), &OPTIONS, 1);
        assert_eq!(trail.untrodden(at(10), &OPTIONS), [0, 1, 2], "the choice was taken back");
        trail.note(at(10), &OPTIONS, 2);
        assert_eq!(trail.untrodden(at(12), &OPTIONS), [0, 1]);
        trail.note(at(4), &OPTIONS, 0);
        assert_eq!(
            trail.untrodden(at(12), &OPTIONS),
            [1, 2],
            "of what came after the fourth nothing is left"
        );
        trail.note(Here { key: 6, taken: 2 }, &OPTIONS, 0);
        assert_eq!(trail.untrodden(at(12), &OPTIONS), [0, 1, 2], "nor elsewhere");
    }
}
