//! A bot that looks ahead without a tree: it tries its options in games played out at random and keeps halving the field
//! (flat Monte Carlo with sequential halving; Karnin, Koren, Somekh 2013).
//!
//! In every round all options that are left are tried in the same world: the same dice to come and the same guess at
//! what is hidden, so that luck does not decide between them. It does not know the dice to come, the faces that it may not
//! see or the secret answers of others: it plays in guesses ([`super::worlds`]) alone. Where none can be made, it picks as
//! one who does not look ahead.
//!
//! Where the book has an outlook, all options are tried, as long as there is a position for each and another: of many
//! options the first rounds look less far ahead.

use blazon_kernel::Position;
use blazon_kernel::chance::Stream;

use super::outlook::{EVEN, Judge, OUTLOOK};
use super::worlds::Guesses;
use super::{Bot, Effort, LONGEST, Pick, pick};
use crate::machine::Machine;

/// The bot.
pub struct Flat {
    stream: Stream,
    effort: Effort,
    scratch: Option<Machine>,
    /// The rule that positions are judged by.
    outlook: String,
    /// What differences of outlook were like, to bring them between 0 and 1.
    scale: f64,
    /// How many positions a game takes that is tried to its end.
    length: f64,
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
}

impl Trials<'_> {
    /// Plays one option and then at random, so many decisions in all. Answers how that looks for the player, 0 to 1,
    /// and how many positions were tried.
    fn try_out(&mut self, index: usize, luck: u64, horizon: usize) -> (f64, usize) {
        let mut stream = Stream::new(luck);
        if self.machine.restore(&self.world).is_err() || self.machine.choose(self.player, index).is_err() {
            return (EVEN, 1);
        }
        let mut tried = 1;
        while tried < horizon {
            let Some(&decider) = self.machine.deciders().first() else { break };
            let index = pick(&mut stream, Pick::ByName, self.machine, decider);
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
        Self {
            stream: Stream::new(seed),
            effort,
            scratch: None,
            outlook: OUTLOOK.to_owned(),
            scale: 1.0,
            length: 50.0,
        }
    }

    /// The same bot, judging positions by the rule of another name, if one is given.
    pub fn by(mut self, outlook: Option<&str>) -> Self {
        if let Some(outlook) = outlook {
            outlook.clone_into(&mut self.outlook);
        }
        self
    }

    /// Tries the options in rounds; after each share of the positions the worse half goes. Not more positions are
    /// tried than are allowed, but for the round that is under way. Nothing if there is no guess to try them in.
    fn halve(&mut self, machine: &mut Machine, player: u32) -> Option<usize> {
        let open = machine.options(player).len();
        let guesses = Guesses::new(machine, player).ok()?;
        let mut world = Position::default();
        if !guesses.guess(machine, &mut self.stream, &mut world) {
            return None;
        }
        let judge = Judge::new(machine, &self.outlook, self.scale);
        let mut field = self.field(open, judge.has_outlook());
        let phases = field.len().next_power_of_two().trailing_zeros().max(1) as usize;
        let mut left = self.effort.positions;
        let mut trials = Trials { machine, player, judge, world };
        for phase in 0..phases {
            let share = left / (phases - phase);
            let horizon = match trials.judge.has_outlook() {
                true => (share / field.len()).clamp(1, self.effort.horizon.max(1)),
                false => LONGEST,
            };
            let mut spent = 0;
            while spent < share && left > 0 {
                if !guesses.guess(trials.machine, &mut self.stream, &mut trials.world) {
                    return None;
                }
                let luck = self.stream.word();
                for candidate in &mut field {
                    let (value, tried) = trials.try_out(candidate.index, luck, horizon);
                    candidate.sum += value;
                    candidate.tries += 1;
                    spent += tried;
                    left = left.saturating_sub(tried);
                    self.length += (tried as f64 - self.length) / 32.0;
                }
            }
            // Stable, so that equals stay in the order of the rules.
            field.sort_by(|a, b| b.mean().total_cmp(&a.mean()));
            field.truncate(field.len().div_ceil(2));
        }
        self.scale = trials.judge.scale();
        field.first().map(|candidate| candidate.index)
    }

    /// The options that are tried. Of very many only as many as half the positions can try are, at random.
    fn field(&mut self, open: usize, has_outlook: bool) -> Vec<Candidate> {
        let length = if has_outlook { 1.0 } else { self.length.max(1.0) };
        let most = ((self.effort.positions as f64 / (2.0 * length)) as usize).max(2);
        let mut places: Vec<usize> = (0..open).collect();
        for i in 0..open.min(most) {
            let other = i + self.stream.below(open - i);
            places.swap(i, other);
        }
        places.truncate(most);
        places.sort_unstable();
        places.into_iter().map(|index| Candidate { index, sum: 0.0, tries: 0 }).collect()
    }
}

impl Bot for Flat {
    fn decide(&mut self, machine: &mut Machine, player: u32) -> usize {
        if machine.options(player).len() < 2 {
            return 0;
        }
        let mut scratch = super::scratch(self.scratch.take(), machine);
        let best = self.halve(&mut scratch, player);
        self.scratch = Some(scratch);
        best.unwrap_or_else(|| pick(&mut self.stream, Pick::ByName, machine, player))
    }
}
