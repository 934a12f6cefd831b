//! Which part of a change makes a game part: found by trying.
//!
//! The rules are put together with some of the hunks and without the others, and the game is played again under them;
//! what is left is a set of hunks that makes it part at the same choice, and none of which can be left out. This is
//! delta debugging (A. Zeller, R. Hildebrandt: Simplifying and Isolating Failure-Inducing Input, IEEE Transactions on
//! Software Engineering 28(2), 2002, algorithm *ddmin*): rules that cannot be checked count as unresolved there.

use std::collections::HashMap;
use std::sync::Arc;

use blazon_check::Settings;
use blazon_machine::save::{Divergence, Replayed, Save};
use blazon_program::Program;

use super::hunks::{Change, Hunk};
use crate::compile::Reading;
use crate::game::Game;

/// So many sets of hunks are tried for one change; the smallest found so far is the answer then.
const MOST: usize = 600;

/// What of a change is to blame for where games part. The rules that it tries are kept, so many games of the same change
/// cost little more than one.
pub struct Blame<'c> {
    change: &'c Change,
    settings: Settings,
    /// By the places of the hunks; none where the rules have errors.
    programs: HashMap<Vec<usize>, Option<Arc<Program>>>,
    /// Whether something was not tried, since so many sets had been.
    gave_up: bool,
}

/// What is to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Culprit<'c> {
    /// The hunk to be shown first: the one with the need that refuses, or else the first that changes something and that
    /// the others do not need to be understood.
    pub first: &'c Hunk,
    /// The others without which it would not part there: what the first one needs to be understood, mostly.
    pub others: Vec<&'c Hunk>,
    /// Whether none of them can be left out.
    pub is_least: bool,
}

impl<'c> Blame<'c> {
    /// Of a change, under some settings.
    pub fn new(change: &'c Change, settings: &Settings) -> Self {
        let settings = Settings { unproved: true, ..settings.clone() };
        Self { change, settings, programs: HashMap::new(), gave_up: false }
    }

    /// What makes a saved game part as it does under the whole change. None if nothing in the texts does: then the rules
    /// in force, or the program, are others.
    pub fn of(&mut self, save: &Save, parting: &Divergence) -> Option<Culprit<'c>> {
        let all: Vec<usize> = (0..self.change.hunks().len()).collect();
        let refusing = self.refusing(&all, parting);
        self.find(refusing, &mut |program| {
            let replayed = Game::new(program.clone()).and_then(|mut game| game.replay(save));
            match replayed {
                Ok(Replayed::Until(other)) => (other.step, &other.entry) == (parting.step, &parting.entry),
                Ok(Replayed::Whole) | Err(_) => false,
            }
        })
    }

    /// What makes something come to pass as it does under the whole change: `parts` says of rules with a part of the
    /// hunks whether it does. A hunk that is `suspected` is tried alone before all others. None if it does not even come
    /// to pass under the whole change, or nothing was changed.
    pub fn find(
        &mut self,
        suspected: Option<usize>,
        parts: &mut dyn FnMut(&Arc<Program>) -> bool,
    ) -> Option<Culprit<'c>> {
        let all: Vec<usize> = (0..self.change.hunks().len()).collect();
        let (least, is_least) = match (all.as_slice(), suspected) {
            ([], _) => return None,
            ([_], _) => (all, true),
            (_, Some(hunk)) if self.parts(&[hunk], parts) => (vec![hunk], true),
            _ => self.least(all, parts)?,
        };
        let refusing = suspected;
        let hunks = self.change.hunks();
        let changes = |place: &&usize| hunks[**place].changes();
        let first = refusing.filter(|hunk| least.contains(hunk)).or_else(|| self.needless_to_others(&least));
        let first = first.or_else(|| least.iter().find(changes).copied()).or(least.first().copied())?;
        let others = least.iter().filter(|&&place| place != first).map(|&place| &hunks[place]).collect();
        Some(Culprit { first: &hunks[first], others, is_least })
    }

    /// Whether it comes to pass under one of the hunks alone, by its place.
    pub fn alone(&mut self, hunk: usize, parts: &mut dyn FnMut(&Arc<Program>) -> bool) -> bool {
        self.parts(&[hunk], parts)
    }

    /// Whether it comes to pass though nothing of the texts is changed: then something else that is in force does it, a
    /// ruling.
    pub fn comes_of_no_text(&mut self, parts: &mut dyn FnMut(&Arc<Program>) -> bool) -> bool {
        self.parts(&[], parts)
    }

    /// The first of several that change something without which the others are still sound rules: what the others need to
    /// be understood is not what makes the game part.
    fn needless_to_others(&mut self, least: &[usize]) -> Option<usize> {
        let hunks = self.change.hunks();
        least.iter().copied().filter(|&place| hunks[place].changes()).find(|&place| {
            let others: Vec<usize> = least.iter().copied().filter(|&other| other != place).collect();
            self.program(&others).is_some()
        })
    }

    /// The hunk that the refusing need stands in.
    fn refusing(&mut self, all: &[usize], parting: &Divergence) -> Option<usize> {
        let span = parting.refusal.as_ref()?.span;
        let program = self.program(all)?;
        self.change.hunk_at(&program.book.sources, span)
    }

    /// *ddmin*; also whether it came to its end.
    fn least(
        &mut self,
        all: Vec<usize>,
        parts_with: &mut dyn FnMut(&Arc<Program>) -> bool,
    ) -> Option<(Vec<usize>, bool)> {
        if !self.parts(&all, parts_with) {
            return None;
        }
        self.gave_up = false;
        let (mut left, mut parts) = (all, 2);
        while left.len() > 1 {
            if self.gave_up {
                return Some((left, false));
            }
            let size = left.len().div_ceil(parts);
            let chunks: Vec<Vec<usize>> = left.chunks(size).map(<[usize]>::to_vec).collect();
            let without = |chunk: &Vec<usize>| -> Vec<usize> {
                left.iter().copied().filter(|place| !chunk.contains(place)).collect()
            };
            let complements: Vec<Vec<usize>> = chunks.iter().map(without).collect();
            if let Some(chunk) = chunks.iter().find(|chunk| self.parts(chunk, parts_with)) {
                (left, parts) = (chunk.clone(), 2);
            } else if let Some(rest) = complements.iter().find(|rest| self.parts(rest, parts_with)) {
                (left, parts) = (rest.clone(), (parts - 1).max(2));
            } else if parts >= left.len() {
                break;
            } else {
                parts = (parts * 2).min(left.len());
            }
        }
        Some((left, !self.gave_up))
    }

    /// Whether it comes to pass with these hunks alone; no where it is not tried any more.
    fn parts(&mut self, hunks: &[usize], parts: &mut dyn FnMut(&Arc<Program>) -> bool) -> bool {
        if self.programs.len() >= MOST && !self.programs.contains_key(hunks) {
            self.gave_up = true;
            return false;
        }
        self.program(hunks).is_some_and(|program| parts(&program))
    }

    /// The place of a hunk among those of the change.
    pub fn place_of(&self, hunk: &Hunk) -> Option<usize> {
        self.change.hunks().iter().position(|other| std::ptr::eq(other, hunk))
    }

    fn program(&mut self, hunks: &[usize]) -> Option<Arc<Program>> {
        if let Some(known) = self.programs.get(hunks) {
            return known.clone();
        }
        let project = self.change.with(hunks);
        // No game is played by a test, and one on a page may need what stood among those that were left out.
        let mut reading = Reading::of(&project, Vec::new());
        reading.leave_out_tests();
        let program = reading.compile(&self.settings).program;
        self.programs.insert(hunks.to_vec(), program.clone());
        program
    }
}
