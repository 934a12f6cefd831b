//! A bot that thinks a good while: it tries its options in games that go on as sensibly as it knows by then, over many
//! guesses at what its seat cannot see.
//!
//! The options are tried in rounds, all that are left in the same guess ([`super::worlds`]) with the same dice, and the worse
//! half goes after each share of the positions (sequential halving; Karnin, Koren, Somekh 2013). So luck does not decide
//! between them, and they count for what they are worth over all that may be hidden, not for what the bot could do if it
//! knew. Of very many options those are tried that look best one decision on.
//!
//! A game goes on by chance, but not by blind chance: of a few options the one is taken whose name and arguments did best for
//! who decides in the games before, wherever they were chosen and for whatever decision, lately most (`records`), and the few
//! are the same after whatever option is tried (`trial`). It is judged by the outlook after some decisions; without an outlook
//! it is played to its end. Each player goes for his own value, so there may be any number of players.
//!
//! There was a tree here (ISMCTS; Cowling, Powley, Whitehouse 2012). With as many positions it won less often: a decision is
//! followed by too many others, and too many dice, for a node to be visited often enough. `tests/README.md` has the table.
//!
//! Thinking is counted in positions: choices that are made, and guesses. The same seed chooses the same on any machine.

mod advice;
mod records;
mod trial;

use std::collections::BTreeMap;

use blazon_kernel::Position;
use blazon_kernel::chance::{Stream, mix};

use super::keys;
use super::outlook::{EVEN, Judge, Look, Share};
use super::thinker::Thinker;
use super::trail::{self, Here};
use super::worlds::Guesses;
use super::{Bot, Effort, LONGEST};
use crate::machine::Machine;
use crate::snapshot::Bookmark;
use records::Records;
use trial::Trial;

pub use advice::{Advice, Advised};

/// The bot.
#[derive(Clone)]
pub struct Search {
    thinker: Thinker,
    /// The clauses of its outlook that advice tells of.
    shares: Vec<Share>,
    /// What it learned at each seat while it thought about the decisions that it took there: what one seat knows is not for
    /// another.
    records: BTreeMap<u32, Records>,
}

impl Search {
    /// A bot that thinks so hard; the same seed thinks the same.
    pub fn new(seed: u64, effort: Effort) -> Self {
        Self { thinker: Thinker::new(seed, effort), shares: Vec::new(), records: BTreeMap::new() }
    }

    /// The same bot, judging positions by the rule of another name, if one is given.
    pub fn by(mut self, outlook: Option<&str>) -> Self {
        self.thinker.judge_by(outlook);
        self
    }

    /// The name of the rule that it judges by.
    pub fn judges_by(&self) -> &str {
        &self.thinker.outlook
    }

    /// The same bot, whose advice tells what these clauses of the rule come to.
    pub fn telling(mut self, shares: Vec<Share>) -> Self {
        self.shares = shares;
        self
    }

    /// What it thinks of the options of a player who is asked. If it is asked to decide next, it takes the first of them.
    /// Nothing if there is nothing to decide, or no guess to think in. The machine is left at the position it was at.
    pub fn advise(&mut self, machine: &mut Machine, player: u32) -> Option<Advice> {
        // To be asked for advice is not to be asked to decide.
        let decision = self.thinker.next_decision(machine, player);
        let learned = self.records.clone();
        let found = self.consider(machine, player, decision, true);
        self.records = learned;
        found.map(|(advice, _)| advice)
    }

    /// What it thinks of the options, and where it stands; with what the clauses come to, if they are to be told. It has
    /// learned more afterwards.
    fn consider(
        &mut self,
        machine: &mut Machine,
        player: u32,
        decision: u64,
        tells: bool,
    ) -> Option<(Advice, Here)> {
        if machine.options(player).len() < 2 {
            return None;
        }
        let mut scratch = self.thinker.scratch(machine);
        let records = self.records.entry(player).or_insert_with(|| Records::new(MOST_RECORDS));
        records.fade();
        let shares = if tells { self.shares.as_slice() } else { &[] };
        let advice = Guesses::new(&mut scratch, player).ok().and_then(|guesses| {
            // What is worth nothing and what is worth all is measured from a guess, not from the truth.
            if !guesses.guess(&mut scratch, &mut Stream::new(decision), &mut Position::default()) {
                return None;
            }
            let here = guesses.here();
            let open = self.thinker.open(here, &trail::options(machine, player));
            let judge = Judge::new(&mut scratch, &self.thinker.outlook);
            let (outlook, fault) = (judge.outlooks().to_vec(), judge.fault().cloned());
            let now = judge.shares(&mut scratch, shares);
            let mut thought = Thought {
                machine: &mut scratch,
                guesses: &guesses,
                judge,
                shares,
                player,
                open,
                records,
                effort: self.thinker.effort,
                spent: 1,
                seed: decision,
                world: Position::default(),
                begun: Bookmark::default(),
            };
            let field = thought.think()?;
            let options = field.into_iter().map(Candidate::told).collect();
            Some((Advice { options, outlook, shares: now, positions: thought.spent, fault }, here))
        });
        self.thinker.keep(scratch);
        advice
    }
}

impl Bot for Search {
    fn decide(&mut self, machine: &mut Machine, player: u32) -> usize {
        let decision = self.thinker.decision(machine, player);
        let found = self.consider(machine, player, decision, false);
        let best = found.and_then(|(advice, here)| Some((advice.options.first()?.place, here)));
        self.thinker.settle(machine, player, decision, best)
    }

    fn twin(&self) -> Box<dyn Bot> {
        Box::new(self.clone())
    }

    fn rest(&mut self) {
        self.thinker.rest();
    }
}

/// One decision that is thought about.
struct Thought<'a> {
    machine: &'a mut Machine,
    guesses: &'a Guesses,
    judge: Judge,
    /// The clauses of the outlook that are told of.
    shares: &'a [Share],
    /// Who decides, and the places of the options that may be tried.
    player: u32,
    open: Vec<usize>,
    records: &'a mut Records,
    effort: Effort,
    /// How many positions have been tried.
    spent: usize,
    /// What the guesses are made of.
    seed: u64,
    /// The guess that games are tried in, and the machine as it stands there: a question with hundreds of options is not
    /// listed anew for each of them.
    world: Position,
    begun: Bookmark,
}

/// An option that is tried.
#[derive(Clone, Debug, Default)]
struct Candidate {
    place: usize,
    tries: u32,
    /// The values of these games for who decides.
    sum: f64,
    /// The outlooks of each player where they were judged, and how many were.
    outlooks: Vec<f64>,
    judged: u32,
    /// What each clause that is told of gave there.
    shares: Vec<Vec<f64>>,
}

impl Candidate {
    fn mean(&self) -> f64 {
        if self.tries == 0 { EVEN } else { self.sum / f64::from(self.tries) }
    }

    /// A game was tried; where it was judged by the outlook, with that and its clauses.
    fn add(&mut self, value: f64, outlooks: &[f64], shares: &[Vec<f64>]) {
        self.tries += 1;
        self.sum += value;
        if outlooks.is_empty() {
            return;
        }
        self.judged += 1;
        add_up(&mut self.outlooks, outlooks);
        self.shares.resize(shares.len(), Vec::new());
        for (sums, share) in self.shares.iter_mut().zip(shares) {
            add_up(sums, share);
        }
    }

    fn told(self) -> Advised {
        let value = self.mean();
        let judged = f64::from(self.judged);
        let mean = |sums: Vec<f64>| sums.into_iter().map(|sum| sum / judged).collect();
        let shares = self.shares.into_iter().map(mean).collect();
        Advised { place: self.place, tries: self.tries, value, outlook: mean(self.outlooks), shares }
    }
}

fn add_up(sums: &mut Vec<f64>, more: &[f64]) {
    sums.resize(more.len(), 0.0);
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

/// The most options that are tried in games; of more those that promise most one decision on.
const FIELD: usize = 64;
/// Of the positions so many parts may go into looking one decision on.
const FIRST_LOOKS: usize = 8;
/// So many records of names and values are kept at most: several times what long games of hundreds of pieces come to, and a few
/// hundred thousand bytes.
const MOST_RECORDS: usize = 1 << 14;
/// No more guesses are looked at in this way.
const FIRST_GUESSES: usize = 4;

impl Thought<'_> {
    /// Thinks until the positions are used up, but for the round that is under way. Answers what was tried, the best first;
    /// nothing if there is no guess to think in.
    fn think(&mut self) -> Option<Vec<Candidate>> {
        let mut field = self.field()?;
        let phases = field.len().next_power_of_two().trailing_zeros().max(1) as usize;
        let mut left = field.len();
        let mut number = 0;
        for phase in 0..phases {
            let share = self.effort.positions.saturating_sub(self.spent) / (phases - phase);
            let until = self.spent + share;
            loop {
                self.try_all(number, field.get_mut(..left)?)?;
                number += 1;
                if self.spent >= until {
                    break;
                }
            }
            // Stable, so that equals stay in the order of their lots.
            field.get_mut(..left)?.sort_by(|a, b| b.mean().total_cmp(&a.mean()));
            left = left.div_ceil(2);
        }
        Some(field)
    }

    /// Tries options in one guess, with the same dice. All games of this round go on by what was known before it and are
    /// judged by the same measure: those that come to the same are worth the same, in whatever order they are tried.
    fn try_all(&mut self, number: u64, field: &mut [Candidate]) -> Option<()> {
        let seed = self.guess(number)?;
        let horizon = self.horizon();
        let mut round = Vec::with_capacity(field.len());
        for candidate in &*field {
            self.machine.come_back(&self.begun);
            round.push(self.try_game(candidate.place, seed, horizon));
        }
        let values = self.judge.values_of(round.iter().map(|trial: &Trial| &trial.look));
        for ((candidate, trial), values) in field.iter_mut().zip(round).zip(values) {
            let of = |player: u32| values.get(player as usize).copied().unwrap_or(EVEN);
            for (key, player) in trial.course {
                self.records.add(key, of(player));
            }
            candidate.add(of(self.player), &trial.outlooks, &trial.shares);
        }
        Some(())
    }

    /// Makes the guess of a number. Answers the seed of the games that are tried in it.
    fn guess(&mut self, number: u64) -> Option<u64> {
        let mut stream = Stream::new(mix(self.seed, number));
        self.spent += 1;
        let is_made = self.guesses.guess(self.machine, &mut stream, &mut self.world);
        is_made.then(|| {
            self.machine.keep_in(&mut self.begun);
            stream.word()
        })
    }

    /// The options that are tried, by lot: all, or of many those that look best one decision on, if the book has an outlook
    /// and there are enough positions, and otherwise the first. In what order the rules list them does not matter.
    fn field(&mut self) -> Option<Vec<Candidate>> {
        // The machine stands at the question still.
        let lots: Vec<u64> = keys::lots(self.machine, self.player, self.seed).map(|(lot, _)| lot).collect();
        let lot = |place: usize| lots.get(place).copied().unwrap_or_default();
        let mut places = std::mem::take(&mut self.open);
        places.sort_by_key(|&place| (lot(place), place));
        let open = places.len();
        let most = self.effort.positions / FIRST_LOOKS;
        let length = if self.judge.has_outlook() { self.horizon() } else { self.length(*places.first()?)? };
        let field = (self.effort.positions / (2 * length)).clamp(2, FIELD);
        if open > field {
            let mut promises = vec![0.0; lots.len()];
            if self.judge.has_outlook() && open <= 2 * most {
                for number in 0..(most / open).clamp(1, FIRST_GUESSES) {
                    self.look_one_on(number as u64, &places, &mut promises)?;
                }
            }
            // Stable, so that equals stay in the order of their lots.
            places.sort_by(|&a, &b| promises[b].total_cmp(&promises[a]));
            places.truncate(field);
            places.sort_by_key(|&place| (lot(place), place));
        }
        Some(places.into_iter().map(|place| Candidate { place, ..Candidate::default() }).collect())
    }

    /// How many decisions of a game are tried.
    fn horizon(&self) -> usize {
        if self.judge.has_outlook() { self.effort.horizon.max(1) } else { LONGEST }
    }

    /// How many positions a game takes that begins with an option and is played to its end.
    fn length(&mut self, place: usize) -> Option<usize> {
        let seed = self.guess(0)?;
        let before = self.spent;
        self.try_game(place, seed, LONGEST);
        Some((self.spent - before).max(1))
    }

    /// Adds to what stands at the places of options what each is worth one decision on, in one guess.
    fn look_one_on(&mut self, number: u64, places: &[usize], sums: &mut [f64]) -> Option<()> {
        self.guess(number)?;
        let mut looks = Vec::with_capacity(places.len());
        for &place in places {
            self.spent += 1;
            self.machine.come_back(&self.begun);
            let is_tried = self.machine.choose(self.player, place).is_ok();
            looks.push(if is_tried { self.judge.look(self.machine) } else { Look::Unknown });
        }
        for (&place, values) in places.iter().zip(self.judge.values_of(looks.iter())) {
            sums[place] += values.get(self.player as usize).copied().unwrap_or(EVEN);
        }
        Some(())
    }
}
