//! One game that is tried: an option, on by chance for a while, and what came of it.
//!
//! Chance is asked by what is decided, not by places in a list: after whatever option is tried the same is chosen as long as
//! it is open. So games that are tried in one guess differ by what the option changes, as they do by their dice, and not by
//! luck (common random numbers; Glasserman, Yao 1992).

use blazon_kernel::chance::{below, mix};

use super::super::Pick;
use super::super::keys::{self, Asked};
use super::super::outlook::EVEN;
use super::Thought;
use super::records::keys_of;

/// Of how many options picked by chance the one is taken that did best so far.
const PICKED: u64 = 3;
/// Of a hundred decisions so many are taken by chance alone, so that what did badly at first gets another try.
const BY_CHANCE: u64 = 30;

/// What was chosen in a game that is tried, as keys of records, and by whom.
type Course = Vec<(u64, u32)>;

/// The rules failed on the way.
struct Failed;

impl Thought<'_> {
    /// Tries a game in the guess in which the machine stands: an option of the question, and then on by chance with a seed,
    /// so many decisions in all. Answers what came of it for who decides.
    pub(super) fn try_game(&mut self, place: usize, seed: u64, horizon: usize) -> f64 {
        let mut course = Course::new();
        let values = match self.play(place, seed, horizon, &mut course) {
            Ok(()) => self.judge.values(self.machine),
            Err(Failed) => {
                self.judge.forget();
                vec![EVEN; self.machine.players()]
            }
        };
        let of = |player: u32| values.get(player as usize).copied().unwrap_or(EVEN);
        for (key, player) in course {
            self.records.add(key, of(player));
        }
        of(self.player)
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
