//! One game that is tried: an option, on by chance for a while, and what came of it.
//!
//! Chance is asked by what is decided, not by places in a list: after whatever option is tried the same is chosen as long as
//! it is open. So games that are tried in one guess differ by what the option changes, as they do by their dice, and not by
//! luck (common random numbers; Glasserman, Yao 1992).

use blazon_kernel::chance::{below, mix};

use super::super::Pick;
use super::super::keys::{self, Asked};
use super::super::outlook::Look;
use super::Thought;
use super::records::keys_of;

/// Of how many options picked by chance the one is taken that did best so far.
const PICKED: u64 = 3;
/// Of a hundred decisions so many are taken by chance alone, so that what did badly at first gets another try.
const BY_CHANCE: u64 = 30;

/// What was chosen in a game that is tried, as keys of records, and by whom.
pub(super) type Course = Vec<(u64, u32)>;

/// A game that was tried.
pub(super) struct Trial {
    pub course: Course,
    /// How it looked where it ended, by the outlook of each player and its clauses that are told of.
    pub look: Look,
    pub outlooks: Vec<f64>,
    pub shares: Vec<Vec<f64>>,
}

/// The rules failed on the way.
struct Failed;

impl Thought<'_> {
    /// Tries a game in the guess in which the machine stands: an option of the question, and then on by chance with a seed,
    /// so many decisions in all.
    pub(super) fn try_game(&mut self, place: usize, seed: u64, horizon: usize) -> Trial {
        let mut course = Course::new();
        let look = match self.play(place, seed, horizon, &mut course) {
            Ok(()) => self.judge.look(self.machine),
            Err(Failed) => {
                self.judge.forget();
                Look::Unknown
            }
        };
        let outlooks = self.judge.outlooks().to_vec();
        let is_told = !outlooks.is_empty() && !self.shares.is_empty();
        let shares = if is_told { self.judge.shares(self.machine, self.shares) } else { Vec::new() };
        Trial { course, look, outlooks, shares }
    }

    fn play(&mut self, place: usize, seed: u64, horizon: usize, course: &mut Course) -> Result<(), Failed> {
        let mut asked = Asked::default();
        asked.decision(seed, self.machine, self.player);
        self.choose(self.player, place, course)?;
        for _ in 1..horizon {
            let Some(&player) = self.machine.deciders().first() else { break };
            let decision = asked.decision(seed, self.machine, player);
            let place = self.pick(player, decision);
            self.choose(player, place, course)?;
        }
        Ok(())
    }

    /// Picks an option by chance under a key: mostly of several the one whose values did best in the games so far (MAST;
    /// Finnsson, Björnsson 2008), so that games go on as sensibly as is known by then.
    fn pick(&self, player: u32, decision: u64) -> usize {
        let lot = |number: u64| keys::pick(self.machine, player, Pick::ByName, mix(decision, number));
        let options = self.machine.options(player);
        let first = lot(0);
        if options.len() < 2 || below(mix(decision, PICKED), 100) < BY_CHANCE {
            return first;
        }
        let record = |place: usize| self.records.of(keys_of(self.machine, player, options, place));
        let mut best = (record(first), first);
        for number in 1..PICKED {
            let place = lot(number);
            let value = record(place);
            if value > best.0 {
                best = (value, place);
            }
        }
        best.1
    }

    fn choose(&mut self, player: u32, place: usize, course: &mut Course) -> Result<(), Failed> {
        self.spent += 1;
        let options = self.machine.options(player);
        course.extend(keys_of(self.machine, player, options, place).map(|key| (key, player)));
        self.machine.choose(player, place).map_err(|_| Failed)
    }
}
