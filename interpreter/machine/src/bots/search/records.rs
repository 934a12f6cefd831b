//! What came of options, by what they have in common: their name, and each of their arguments by what it means to who
//! decides; one whose face he does not see is its back. So what was learned of an option counts wherever it means the same,
//! whichever thing it is in a guess.

use std::collections::BTreeMap;

use blazon_kernel::chance::mix;

use super::super::keys::{key_of_known, key_of_meant, key_of_question};
use super::super::outlook::EVEN;
use crate::machine::Machine;
use crate::vm::options::Options;

/// So many games what was never chosen counts as even for.
const UNTRIED: f64 = 2.0;
/// What is left of a record from one decision to the next.
const FADING: f64 = 0.9;
/// With less than so many games left a record is forgotten, and sooner where half of the room is taken: there must be room for
/// what is new.
const FORGOTTEN: f64 = 0.05;
const SOON_FORGOTTEN: f64 = 0.7;

/// What came of a name or of a value of an argument, wherever it was chosen.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    /// In how many games; those of earlier decisions count for less.
    visits: f64,
    /// The values of these games for who chose.
    sum: f64,
}

/// Records by question, name, place of the argument, and value.
#[derive(Clone)]
pub(super) struct Records {
    records: BTreeMap<u64, Record>,
    /// The most records there may be.
    most: usize,
}

impl Records {
    /// No records; there may be so many.
    pub fn new(most: usize) -> Self {
        Self { records: BTreeMap::new(), most }
    }

    /// Another decision is thought about: what was learned before counts for less, since it was learned elsewhere (Tak,
    /// Winands, Björnsson 2014).
    pub fn fade(&mut self) {
        let is_crowded = self.records.len() > self.most / 2;
        let least = if is_crowded { SOON_FORGOTTEN } else { FORGOTTEN };
        self.records.retain(|_, record| {
            record.visits *= FADING;
            record.sum *= FADING;
            record.visits >= least
        });
    }

    /// Something was chosen, and that was worth so much to who chose. With too many records new ones are passed over.
    pub fn add(&mut self, key: u64, value: f64) {
        if self.records.len() >= self.most && !self.records.contains_key(&key) {
            return;
        }
        let record = self.records.entry(key).or_default();
        record.visits += 1.0;
        record.sum += value;
    }

    /// How games went in which what an option consists of was chosen, in the mean over its keys.
    pub fn of(&self, keys: impl Iterator<Item = u64>) -> f64 {
        let (sum, count) = keys.fold((0.0, 0.0), |(sum, count), key| {
            let record = self.records.get(&key).copied().unwrap_or_default();
            let mean = (record.sum + UNTRIED * EVEN) / (record.visits + UNTRIED);
            (sum + mean, count + 1.0)
        });
        if count == 0.0 { EVEN } else { sum / count }
    }
}

/// The keys of what an open option consists of: its name, then its arguments.
pub(super) fn keys_of<'a>(
    machine: &'a Machine,
    player: u32,
    options: &'a Options,
    place: usize,
) -> impl Iterator<Item = u64> + 'a {
    let prepared = &machine.prepared;
    let question = key_of_question(machine, player);
    let choice = machine.decision.choice().and_then(|choice| prepared.names.choices.get(usize::from(choice)));
    let found = question.zip(choice).zip(options.get(place)).and_then(|((question, choice), open)| {
        let names = choice.options.get(usize::from(open.option))?;
        Some((mix(question, names.name), names, open))
    });
    let meanings = options.meanings().get(place).map(|(_, meant)| meant);
    found.into_iter().flat_map(move |(name, names, open)| {
        let values = names.kinds.iter().zip(open.args).enumerate().map(move |(level, (&kind, &arg))| {
            let value = match meanings.and_then(|meant| meant.get(level)) {
                Some(meant) => key_of_meant(prepared, kind, meant),
                None => key_of_known(prepared, kind, arg),
            };
            mix(mix(name, level as u64 + 1), value)
        });
        std::iter::once(name).chain(values)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learned_before_counts_for_less_and_is_forgotten() {
        let mut records = Records::new(2);
        records.add(1, 1.0);
        let of = |records: &Records| records.of(std::iter::once(1));
        assert_eq!(of(&records), 2.0 / 3.0);
        records.fade();
        assert_eq!(of(&records), (FADING + UNTRIED * EVEN) / (FADING + UNTRIED));
        for _ in 0..40 {
            records.fade();
        }
        assert!(records.records.is_empty());
    }

    #[test]
    fn where_little_room_is_left_what_is_seldom_is_soon_forgotten() {
        let mut records = Records::new(4);
        (0..9).for_each(|_| records.add(1, 1.0));
        (1..5).for_each(|key| records.add(key, 0.0));
        (0..4).for_each(|_| records.fade());
        assert_eq!(records.records.len(), 1, "of four that fill it three were tried once");
    }

    #[test]
    fn what_went_well_is_worth_more_and_what_is_new_is_even() {
        let mut records = Records::new(2);
        for _ in 0..6 {
            records.add(1, 1.0);
            records.add(2, 0.0);
            records.add(3, 1.0);
        }
        let of = |keys: &[u64]| records.of(keys.iter().copied());
        assert_eq!(of(&[1]), 0.875);
        assert_eq!(of(&[2]), 0.125);
        assert_eq!(of(&[3]), EVEN, "there was no room for it");
        assert_eq!(of(&[1, 2]), EVEN);
        assert_eq!(of(&[]), EVEN);
    }
}
