//! What happened where, in pairs of games on the same luck: how the counts of the two hang together. Where a change is seldom
//! felt most pairs come to the same, and a small difference is surely one.

use std::collections::HashMap;

use blazon_board::Movers;
use blazon_book::Book;
use blazon_program::Program;

use super::{Counted, Game, Heat, Read};

/// Sums over pairs of one place or link, from which it can be worked out how sure a difference is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shared {
    /// How often by the one rules times how often by the others.
    pub both: u64,
    /// In how many pairs it was not as often.
    pub otherwise: u64,
}

/// The same of all places and links of the rules as they were.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Together {
    cells: Vec<Shared>,
    /// For each cell of the rules as they were, the one of the same name of the changed rules.
    #[serde(skip)]
    same: Vec<Option<u32>>,
}

impl Together {
    /// Nothing yet, of pairs of games by two programs for the same players.
    pub fn new(base: &Program, changed: &Program) -> Self {
        let (Some(one), Some(other)) = (Read::of(base), Read::of(changed)) else { return Self::default() };
        let mut same = vec![None; one.len()];
        let (places, links) = named(&base.book, &changed.book);
        let mut of = |counted: Counted, names: &[Option<u32>]| {
            let (here, there) = (one.range(counted), other.range(counted));
            for (place, name) in here.zip(names) {
                same[place] = name.map(|name| there.start as u32 + name);
            }
        };
        of(Counted::Met, &places);
        // After all sides stands nobody.
        for side in (0..one.sides.min(other.sides)).chain([usize::MAX]) {
            of(Counted::Stood(side), &places);
            of(Counted::Left(side), &places);
            of(Counted::Walked(side), &links);
        }
        Self { cells: vec![Shared::default(); same.len()], same }
    }

    /// The two games that were played last came to an end; they are not kept yet.
    pub fn add(&mut self, base: &Heat, changed: &Heat) {
        let (one, other): (&Game, &Game) = (&base.game, &changed.game);
        for ((shared, same), &count) in self.cells.iter_mut().zip(&self.same).zip(&one.counts) {
            let there = same.and_then(|same| other.counts.get(same as usize)).copied().unwrap_or_default();
            if count > 0 || there > 0 {
                shared.both = shared.both.saturating_add(count.saturating_mul(there));
                shared.otherwise += u64::from(count != there);
            }
        }
    }

    /// All that others have counted of the same two programs, too.
    pub fn merge(&mut self, other: &Self) {
        for (own, more) in self.cells.iter_mut().zip(&other.cells) {
            own.both = own.both.saturating_add(more.both);
            own.otherwise = own.otherwise.saturating_add(more.otherwise);
        }
    }

    /// Whether this was counted of programs of the same shape as another was.
    pub fn fits(&self, other: &Self) -> bool {
        self.cells.len() == other.cells.len()
    }

    /// What was counted, by place or link of the rules as they were, whose counts are handed in.
    pub fn cells(&self, base: &Heat, counted: Counted) -> &[Shared] {
        let range = base.read.as_ref().map(|read| read.range(counted));
        range.and_then(|range| self.cells.get(range)).unwrap_or_default()
    }
}

/// For each place, and for each link, of one book, that of the same name in another. Of those that share a name within a book,
/// as two links between the same places do, the first goes with the first.
fn named(one: &Book, other: &Book) -> (Vec<Option<u32>>, Vec<Option<u32>>) {
    let kinds = [one, other].map(|book| Movers::of(book).map(|movers| (movers.places, movers.links)));
    let [Some(here), Some(there)] = kinds else { return (Vec::new(), Vec::new()) };
    let names = |book: &Book, kind: Option<blazon_book::KindId>| -> Vec<(String, u32)> {
        let mut seen: HashMap<&str, u32> = HashMap::new();
        let things = kind.map(|kind| book.kind(kind).things.as_slice()).unwrap_or_default();
        let all = things.iter().map(|thing| {
            let number = seen.entry(&thing.name).or_default();
            *number += 1;
            (thing.name.clone(), *number)
        });
        all.collect()
    };
    let same = |one: Vec<(String, u32)>, other: Vec<(String, u32)>| -> Vec<Option<u32>> {
        let places: HashMap<(String, u32), u32> = other.into_iter().zip(0..).collect();
        one.iter().map(|name| places.get(name).copied()).collect()
    };
    (
        same(names(one, Some(here.0)), names(other, Some(there.0))),
        same(names(one, here.1), names(other, there.1)),
    )
}
