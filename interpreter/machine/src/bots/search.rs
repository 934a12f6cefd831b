//! A bot that looks ahead: it tries its options in games played out at random and keeps halving the field.
//!
//! In every round all options that are left are tried in the same world: the same dice to come and the same guess at
//! what is hidden, so that luck does not decide between them. It does not know the dice to come, the faces that it may not
//! see or the secret answers of others: it plays in guesses ([`super::worlds`]) alone. Where none can be made, it picks as
//! one who does not look ahead.

use blazon_book::{Base, RuleId};
use blazon_kernel::Position;
use blazon_kernel::chance::Stream;

use super::worlds::Guesses;
use super::{Bot, Pick, pick};
use crate::machine::Machine;

/// How hard a bot thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// How many positions it tries for one decision.
    pub positions: usize,
    /// How many decisions a game is played on before it is judged by its outlook. Without a rule `outlook` it is
    /// played to its end, since nothing else says who is ahead.
    pub horizon: usize,
}

/// The most decisions to the end of a game.
const LONGEST: usize = 5000;

impl Default for Effort {
    fn default() -> Self {
        Self { positions: 10_000, horizon: 30 }
    }
}

/// The bot.
pub struct Search {
    stream: Stream,
    effort: Effort,
    scratch: Option<Machine>,
    /// What differences of outlook were like, to bring them between 0 and 1.
    scale: f64,
    /// How many positions a game that is tried takes.
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
        if self.tries == 0 { 0.5 } else { self.sum / f64::from(self.tries) }
    }
}

impl Search {
    /// A bot that thinks so hard; the same seed thinks the same.
    pub fn new(seed: u64, effort: Effort) -> Self {
        Self { stream: Stream::new(seed), effort, scratch: None, scale: 1.0, length: 50.0 }
    }

    /// Plays one option and then at random up to the horizon. Answers how that looks for the player, 0 to 1, and
    /// how many positions were tried.
    fn try_out(
        &mut self,
        machine: &mut Machine,
        world: &Position,
        player: u32,
        index: usize,
        luck: u64,
        outlook: Option<RuleId>,
    ) -> (f64, usize) {
        let mut stream = Stream::new(luck);
        if machine.restore(world).is_err() || machine.choose(player, index).is_err() {
            return (0.5, 1);
        }
        let mut tried = 1;
        let horizon = if outlook.is_some() { self.effort.horizon } else { LONGEST };
        while tried < horizon {
            let Some(&decider) = machine.deciders().first() else { break };
            let index = pick(&mut stream, Pick::ByName, machine, decider);
            if machine.choose(decider, index).is_err() {
                return (0.5, tried);
            }
            tried += 1;
        }
        (self.judge(machine, player, outlook), tried)
    }

    /// A position as a player may like it: 1 won, 0 lost, between them by outlook.
    fn judge(&mut self, machine: &mut Machine, player: u32, outlook: Option<RuleId>) -> f64 {
        if let Some(outcome) = machine.outcome() {
            return match outcome.winner {
                Some(winner) if winner == player => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            };
        }
        let Some(rule) = outlook else { return 0.5 };
        let own = outlook_of(machine, rule, player);
        let players = machine.program().book.players.clone();
        let others = players.into_iter().filter(|&other| other != player);
        let best = others.map(|other| outlook_of(machine, rule, other)).fold(f64::NEG_INFINITY, f64::max);
        let lead = if best.is_finite() { own - best } else { own };
        self.scale += (lead.abs() - self.scale) / 64.0;
        0.5 + 0.4 * lead / (lead.abs() + self.scale.max(1.0))
    }

    /// Tries the options in rounds; after each share of the positions the worse half goes. Not more positions are
    /// tried than are allowed, but for the game that is under way. Nothing if there is no guess to try them in.
    fn halve(
        &mut self,
        machine: &mut Machine,
        guesses: &Guesses,
        player: u32,
        mut field: Vec<Candidate>,
    ) -> Option<usize> {
        let outlook = outlook(machine);
        let phases = field.len().next_power_of_two().trailing_zeros().max(1) as usize;
        let mut left = self.effort.positions;
        let mut world = Position::default();
        for phase in 0..phases {
            let share = left / (phases - phase);
            let mut spent = 0;
            while spent < share && left > 0 {
                if !guesses.guess(machine, &mut self.stream, &mut world) {
                    return None;
                }
                let luck = self.stream.word();
                for candidate in &mut field {
                    let (value, tried) =
                        self.try_out(machine, &world, player, candidate.index, luck, outlook);
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
        field.first().map(|candidate| candidate.index)
    }
}

impl Bot for Search {
    fn decide(&mut self, machine: &mut Machine, player: u32) -> usize {
        let open = machine.options(player).len();
        if open < 2 {
            return 0;
        }
        // Of very many options only as many as half the positions can try are, at random.
        let most = ((self.effort.positions as f64 / (2.0 * self.length.max(1.0))) as usize).max(2);
        let mut places: Vec<usize> = (0..open).collect();
        for i in 0..open.min(most) {
            let other = i + self.stream.below(open - i);
            places.swap(i, other);
        }
        places.truncate(most);
        places.sort_unstable();
        let field = places.into_iter().map(|index| Candidate { index, sum: 0.0, tries: 0 }).collect();
        let root = machine.snapshot();
        let mut scratch = match self.scratch.take() {
            Some(scratch) if std::sync::Arc::ptr_eq(&scratch.prepared, &machine.prepared) => scratch,
            _ => machine.clone(),
        };
        scratch.record(false);
        scratch.script_dice(Vec::new());
        scratch.script_draws(Vec::new());
        let guesses = scratch.restore(&root).and_then(|()| Guesses::new(&mut scratch, player));
        let best = match guesses {
            Ok(guesses) => self.halve(&mut scratch, &guesses, player, field),
            Err(_) => None,
        };
        self.scratch = Some(scratch);
        best.unwrap_or_else(|| pick(&mut self.stream, Pick::ByName, machine, player))
    }
}

/// What the rule says of a player; 0 where it fails.
fn outlook_of(machine: &mut Machine, rule: RuleId, player: u32) -> f64 {
    let words = machine.ask(rule, &[i64::from(player)]).unwrap_or_default();
    words.first().map_or(0.0, |&word| word as i64 as f64)
}

/// The book's rule `outlook(player): number`, if it has one.
fn outlook(machine: &Machine) -> Option<RuleId> {
    let book = &machine.program().book;
    let is_outlook = |rule: &blazon_book::Rule| {
        rule.name == "outlook"
            && rule.params == 1
            && matches!(rule.ty.base, Base::Number(..))
            && rule.locals.first().is_some_and(|local| local.ty.base == Base::Thing(book.player))
    };
    book.rules.iter().position(is_outlook).map(|rule| RuleId(rule as u32))
}
