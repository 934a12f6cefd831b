//! A bot that keeps nobody waiting: it tries its options in games played out at random and keeps halving the field
//! (flat Monte Carlo with sequential halving; Karnin, Koren, Somekh 2013).
//!
//! In every round all options that are left are tried in the same world: the same dice to come and the same guess at
//! what is hidden, so that luck does not decide between them. It does not know the dice to come, the faces that it may not
//! see or the secret answers of others: it plays in guesses ([`super::worlds`]) alone. Where none can be made, it picks as
//! one who does not look ahead. Chance is asked by what is decided, and of what comes to the same the least lot is taken: in
//! what order the rules list their options does not matter.
//!
//! Where the book has an outlook, all options are tried, as long as there is a position for each and another: of many
//! options the first rounds look less far ahead.

use blazon_kernel::Position;
use blazon_kernel::chance::Stream;

use super::keys::{self, Asked};
use super::outlook::{EVEN, Judge};
use super::thinker::Thinker;
use super::trail::{self, Here};
use super::worlds::Guesses;
use super::{Bot, Effort, LONGEST, Pick};
use crate::machine::Machine;
use crate::snapshot::Bookmark;

/// The bot.
#[derive(Clone)]
pub struct Flat {
    thinker: Thinker,
}

/// An option that is tried.
struct Candidate {
    index: usize,
    sum: f64,
    tries: u32,
}

impl Candidate {
    fn mean(&self) -> f64 {
        if self.tries == 0 { EVEN } else { self.sum / f64::from(self.tries) }
    }
}

/// What is tried for one decision.
struct Trials<'a> {
    machine: &'a mut Machine,
    player: u32,
    judge: Judge,
    world: Position,
    /// The machine as it stands in the guess.
    begun: Bookmark,
}

impl Trials<'_> {
    /// Plays one option and then at random, so many decisions in all. Answers how that looks for the player, 0 to 1,
    /// and how many positions were tried.
    fn try_out(&mut self, index: usize, luck: u64, horizon: usize) -> (f64, usize) {
        let mut asked = Asked::default();
        self.machine.come_back(&self.begun);
        asked.decision(luck, self.machine, self.player);
        if self.machine.choose(self.player, index).is_err() {
            return (EVEN, 1);
        }
        let mut tried = 1;
        while tried < horizon {
            let Some(&decider) = self.machine.deciders().first() else { break };
            let decision = asked.decision(luck, self.machine, decider);
            let index = keys::pick(self.machine, decider, Pick::ByName, decision);
            if self.machine.choose(decider, index).is_err() {
                return (EVEN, tried);
            }
            tried += 1;
        }
        let values = self.judge.values(self.machine);
        (values.get(self.player as usize).copied().unwrap_or(EVEN), tried)
    }
}

impl Flat {
    /// A bot that thinks so hard; the same seed thinks the same.
    pub fn new(seed: u64, effort: Effort) -> Self {
        Self { thinker: Thinker::new(seed, effort) }
    }

    /// The same bot, judging positions by the rule of another name, if one is given.
    pub fn by(mut self, outlook: Option<&str>) -> Self {
        self.thinker.judge_by(outlook);
        self
    }

    /// Tries the options in rounds; after each share of the positions the worse half goes. Not more positions are
    /// tried than are allowed, but for the round that is under way. Answers the best, and where the player stands; nothing
    /// if there is no guess to try them in.
    fn halve(&self, machine: &mut Machine, player: u32, decision: u64) -> Option<(usize, Here)> {
        let mut places: Vec<(u64, usize)> = keys::lots(machine, player, decision).collect();
        let options = trail::options(machine, player);
        let mut stream = Stream::new(decision);
        let guesses = Guesses::new(machine, player).ok()?;
        let here = guesses.here();
        let open = self.thinker.open(here, &options);
        places.retain(|(_, place)| open.binary_search(place).is_ok());
        places.sort_unstable();
        let mut world = Position::default();
        if !guesses.guess(machine, &mut stream, &mut world) {
            return None;
        }
        let judge = Judge::new(machine, &self.thinker.outlook);
        let mut left = self.thinker.effort.positions;
        let mut begun = Bookmark::default();
        machine.keep_in(&mut begun);
        let mut trials = Trials { machine, player, judge, world, begun };
        // Of very many options only as many as half the positions can try are, those with the least lots.
        let length = match trials.judge.has_outlook() {
            true => 1,
            false => trials.try_out(places.first()?.1, stream.word(), LONGEST).1,
        };
        let most = (left / (2 * length)).max(2);
        left = left.saturating_sub(length);
        places.truncate(most);
        let mut field: Vec<Candidate> =
            places.into_iter().map(|(_, index)| Candidate { index, sum: 0.0, tries: 0 }).collect();
        let phases = field.len().next_power_of_two().trailing_zeros().max(1) as usize;
        for phase in 0..phases {
            let share = left / (phases - phase);
            let horizon = match trials.judge.has_outlook() {
                true => (share / field.len()).clamp(1, self.thinker.effort.horizon.max(1)),
                false => LONGEST,
            };
            let mut spent = 0;
            while spent < share && left > 0 {
                if !guesses.guess(trials.machine, &mut stream, &mut trials.world) {
                    return None;
                }
                trials.machine.keep_in(&mut trials.begun);
                let luck = stream.word();
                for candidate in &mut field {
                    let (value, tried) = trials.try_out(candidate.index, luck, horizon);
                    candidate.sum += value;
                    candidate.tries += 1;
                    spent += tried;
                    left = left.saturating_sub(tried);
                }
            }
            // Stable, so that equals stay in the order of their lots.
            field.sort_by(|a, b| b.mean().total_cmp(&a.mean()));
            field.truncate(field.len().div_ceil(2));
        }
        field.first().map(|candidate| (candidate.index, here))
    }
}

impl Bot for Flat {
    fn decide(&mut self, machine: &mut Machine, player: u32) -> usize {
        if machine.options(player).len() < 2 {
            return 0;
        }
        let decision = self.thinker.decision(machine, player);
        let mut scratch = self.thinker.scratch(machine);
        let best = self.halve(&mut scratch, player, decision);
        self.thinker.keep(scratch);
        self.thinker.settle(machine, player, decision, best)
    }

    fn twin(&self) -> Box<dyn Bot> {
        Box::new(self.clone())
    }

    fn rest(&mut self) {
        self.thinker.rest();
    }
}
