//! What a change of the rules does to the game.
//!
//! Pairs of games are played: the same seed and the same players, by the rules as they were and by the changed ones. Dice
//! are keyed by what they are rolled for and the players' choices by what they mean, so what the change does not touch is
//! the same in both, and far fewer games are needed than of games that have nothing to do with each other (common random
//! numbers: P. Glasserman, D. Yao, "Some Guidelines and Guarantees for Common Random Numbers", Management Science 38,
//! 1992, 884-908).
//!
//! After each block of pairs it is looked what is sure by now ([`Certainty`]); blocks are the same on any number of threads.

mod cause;
mod outlook;
mod pair;
mod setups;
mod side;
mod told;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use blazon::Program;
use blazon_book::Book;
use blazon_machine::bots::Skill;
use blazon_machine::{Fault, Machine};
use serde::{Deserialize, Serialize};

use crate::game::{End, Plan};
use crate::heat::Together;
use crate::queue::{Back, Event, Flow, Queue, Stop};
use crate::stats::{Certainty, Counts, Interval, Verdict};
use crate::tables::{self, Batch, Collector, Format, Schema};
use crate::tally::{add_each, add_to, total};

pub use cause::{Cause, Causes, Lines};
pub use outlook::outlook_differs;
pub use pair::{Gathered, Pair, Parting, Played, Table};
pub use setups::{NotBoth, changed_unplayed, each_setup, one_setup, only_one_has, other_players};
pub use side::{Led, Means, Paired, Side, Sum};
pub use told::disagreements;

/// Two rule sets that are compared.
pub struct Contest<'c> {
    /// The rules as they were.
    pub base: Arc<Program>,
    /// The changed rules; the players have the same names, in the same order.
    pub changed: Arc<Program>,
    /// How games are played by the rules as they were.
    pub base_plan: &'c Plan,
    /// How games are played by the changed rules: with the same seed, players and setups.
    pub changed_plan: &'c Plan,
    /// The most pairs.
    pub pairs: u64,
    /// When it is sure.
    pub certainty: Certainty,
    /// Whether it stops when it is sure; else it plays all pairs.
    pub until_sure: bool,
    /// How many games are played at once.
    pub threads: usize,
    /// What each game is told of in rows, if it is.
    pub rows: Option<Rows<'c>>,
}

/// Tables of the games of both sides.
#[derive(Clone, Copy)]
pub struct Rows<'c> {
    /// The columns: those of both rule sets.
    pub schema: &'c Schema,
    /// Which tables there are, and as what they are written.
    pub wanted: &'c [(tables::Table, Format)],
}

/// What the column `side` calls the rules as they were, and the changed ones.
pub const SIDES: [&str; 2] = ["base", "changed"];

/// Some pairs that were played.
pub struct Block {
    /// What they come to.
    pub sums: Sums,
    /// The rows of each of their games, as they were wanted: of each pair that by the rules as they were, then the other.
    pub rows: Vec<Vec<Batch>>,
}

/// What pairs come to: sums alone, so that it does not matter who played which of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sums {
    /// How many pairs were played.
    pub pairs: u64,
    /// The games of both sides.
    pub sides: [Side; 2],
    /// What was gathered of both sides.
    pub gathered: [Gathered; 2],
    /// How what happened where on the board hangs together in pairs.
    pub together: Together,
    /// For each player how his result is another by the changed rules: -1 lost instead of won, 1 won instead of lost.
    pub differences: Vec<Counts>,
    /// The same for each setup of the plan.
    pub by_setup: Vec<Vec<Counts>>,
    /// How pairs came out: for each way by the rules as they were, how many for each way by the changed ones. Ways are the
    /// players, by their places in their kind, that have won, and then the [`Outcome`]s.
    pub outcomes: Vec<Vec<u64>>,
    /// How long the games of pairs are of which both came to an end: the decisions taken, then how often each step of
    /// [`Contest::steps`] was done.
    pub lengths: Vec<Paired>,
    /// And what they were like: behind, lead changes, settled, weight.
    pub like: [Paired; 4],
    /// The pairs that parted: number of the game, and where.
    pub parted: Vec<(u64, Parting)>,
}

/// A step that measures how long games are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Its name.
    pub step: String,
    /// Its place among the [`Plan::rounds`] of each side; nothing where the rules have no step of that name.
    pub places: [Option<usize>; 2],
}

/// The steps that are counted by both rule sets, by name: those of the rules as they were, then those that only the changed
/// ones count.
pub fn counted(sides: [(&Book, &Plan); 2]) -> Vec<Counted> {
    let names = sides.map(|(book, plan)| -> Vec<&str> {
        plan.rounds.iter().map(|&step| book.step(step).title()).collect()
    });
    let [old, new] = &names;
    let all = old.iter().chain(new.iter().filter(|name| !old.contains(name)));
    let places = |name: &str| names.each_ref().map(|names| names.iter().position(|other| *other == name));
    all.map(|name| Counted { step: (*name).to_owned(), places: places(name) }).collect()
}

/// How a game comes out that nobody has won; the places behind those of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is over.
    Nobody,
    /// The rules failed.
    Fault,
    /// It was stopped at the most decisions.
    Limit,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// What all pairs come to.
    pub sums: Sums,
    /// For each player between what the difference lies: what was refused at no moment.
    pub intervals: Vec<Interval>,
    /// For each player what was sure first.
    pub verdicts: Vec<Verdict>,
    /// For each player the differences at which it became sure, if it did.
    pub sure: Vec<Option<Counts>>,
    /// How playing came to its end.
    pub ended: Ended,
}

/// How playing pairs came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It played all pairs, or whoever looked on had seen enough.
    Done,
    /// It was stopped from outside.
    Interrupted,
    /// A thread met a bug of ours, which it has told: pairs behind that block were not handed over.
    Bug,
}

/// The most pairs that are played if nothing else is said: of players who do not think, and of those who do.
const PAIRS: (u64, u64) = (20_000, 400);

/// The most pairs that a player plays if nothing else is said.
pub fn usual_pairs(player: &Skill) -> u64 {
    if player.cost() > 1 { PAIRS.1 } else { PAIRS.0 }
}

/// So many pairs are one block where a decision costs one position.
const QUICK_BLOCK: u64 = 64;
/// And where it costs many.
const SLOW_BLOCK: u64 = 4;

impl Contest<'_> {
    /// How many pairs are one block: it hangs on the players and the number of setups alone, so that the test is looked at at
    /// the same moments on every machine, and never before all setups were played as often.
    pub fn block(&self) -> u64 {
        let thinks = self.base_plan.players.iter().any(|skill| skill.cost() > 1);
        let block = if thinks { SLOW_BLOCK } else { QUICK_BLOCK };
        block.next_multiple_of(self.base_plan.setups.len().max(1) as u64)
    }

    /// Plays until it is sure, all pairs are played, or `stop` holds more than 0. `seen` is told how far it is after each
    /// block, and handed the rows of its games; it answers whether to go on.
    ///
    /// # Errors
    /// A [`Fault`] if the states of one of the programs cannot begin.
    pub fn play(
        &self,
        stop: &AtomicUsize,
        seen: &mut dyn FnMut(&Found, Vec<Vec<Batch>>) -> bool,
    ) -> Result<Found, Fault> {
        let mut found = self.nothing();
        found.ended = self.blocks(0..self.pairs, stop, &mut |block| {
            found.add(&block.sums, &self.base.book.players, &self.certainty);
            seen(&found, block.rows) && !self.is_done(&found)
        })?;
        Ok(found)
    }

    /// Plays pairs of these numbers, which begin where a block does, and hands over each block, in order, until `seen`
    /// answers that it is not to go on or `stop` holds more than 0.
    ///
    /// # Errors
    /// A [`Fault`] if the states of one of the programs cannot begin.
    pub fn blocks(
        &self,
        numbers: Range<u64>,
        stop: &AtomicUsize,
        seen: &mut dyn FnMut(Block) -> bool,
    ) -> Result<Ended, Fault> {
        let blocks = numbers.end.saturating_sub(numbers.start).div_ceil(self.block());
        let threads = self.threads.clamp(1, usize::try_from(blocks).unwrap_or(usize::MAX).max(1));
        let mut tables = Vec::new();
        for _ in 0..threads {
            let [base, changed] = SIDES;
            tables.push((
                self.table(&self.base, self.base_plan, base)?,
                self.table(&self.changed, self.changed_plan, changed)?,
            ));
        }
        let queue = Queue::new(blocks, tables.len());
        let (mut wanted, mut ended) = (true, Ended::Done);
        let interrupted = std::thread::scope(|scope| {
            for (mut base, mut changed) in tables {
                let (queue, numbers) = (&queue, numbers.clone());
                scope.spawn(move || {
                    queue.work(|number| {
                        let first = numbers.start + number * self.block();
                        let games = first..(first + self.block()).min(numbers.end);
                        self.pairs(&mut base, &mut changed, games, queue.halt())
                    });
                });
            }
            queue.gather(Stop::in_peace(stop), |event| {
                match event {
                    Event::Back(Back::Next(block)) if wanted => wanted = seen(block),
                    // Where a block is missing, those behind it are not in order.
                    Event::Back(Back::Missing(_)) => wanted = false,
                    Event::Back(Back::Broken(_)) => (wanted, ended) = (false, Ended::Bug),
                    Event::Back(Back::Next(_)) | Event::Stopping => {}
                }
                if wanted { Flow::GoOn } else { Flow::GiveUp }
            })
        });
        Ok(if interrupted && ended == Ended::Done { Ended::Interrupted } else { ended })
    }

    /// Whether the test is sure of every player, where that is what is waited for.
    pub fn is_done(&self, found: &Found) -> bool {
        self.until_sure && found.is_sure()
    }

    /// What is found when nothing is played yet.
    pub fn nothing(&self) -> Found {
        let (sums, players) = (self.no_sums(), self.base.book.players.len());
        Found {
            intervals: sums.differences.iter().map(Interval::of).collect(),
            sums,
            verdicts: vec![Verdict::Open; players],
            sure: vec![None; players],
            ended: Ended::Done,
        }
    }

    /// What no pairs come to.
    pub fn no_sums(&self) -> Sums {
        Sums::new([(&self.base, self.base_plan), (&self.changed, self.changed_plan)], self.steps().len())
    }

    /// The steps that are counted.
    pub fn steps(&self) -> Vec<Counted> {
        counted([(&self.base.book, self.base_plan), (&self.changed.book, self.changed_plan)])
    }

    /// Plays some pairs; nothing if they are given up.
    fn pairs(
        &self,
        base: &mut Table,
        changed: &mut Table,
        games: Range<u64>,
        stop: &AtomicUsize,
    ) -> Option<Block> {
        let (mut sums, mut rows, steps) = (self.no_sums(), Vec::new(), self.steps());
        for game in games {
            let (one, course) = base.play(game, &mut sums.gathered[0], stop)?;
            let (other, changed_course) = changed.play(game, &mut sums.gathered[1], stop)?;
            rows.extend(base.rows());
            rows.extend(changed.rows());
            if one.row.end.is_over() && other.row.end.is_over() {
                let [base, changed] = &sums.gathered;
                sums.together.add(&base.heat, &changed.heat);
                sums.gathered.iter_mut().for_each(Gathered::keep_whole);
            }
            let parting = pair::parting(&course, &changed_course);
            sums.add(&Pair { base: one, changed: other, parting }, &self.base.book.players, &steps);
        }
        Some(Block { sums, rows })
    }

    /// What plays the games of a side on one thread.
    fn table(&self, program: &Arc<Program>, plan: &Plan, side: &str) -> Result<Table, Fault> {
        let mut machine = Machine::new(program.clone())?;
        machine.record(false);
        let table = Table::new(machine, plan.clone());
        Ok(match self.rows {
            Some(Rows { schema, wanted }) => {
                table.telling(Collector::new(schema, program, plan, Some(side), wanted))
            }
            None => table,
        })
    }
}

impl Sums {
    /// Of no pairs yet, by two programs and how games are played by them.
    fn new(sides: [(&Arc<Program>, &Plan); 2], steps: usize) -> Self {
        let book = &sides[0].0.book;
        let players = book.kind(book.player).things.len();
        let differences = vec![Counts::of(&[-1.0, 0.0, 1.0]); book.players.len()];
        Self {
            pairs: 0,
            sides: sides.map(|(_, plan)| Side::new(players, plan.rounds.len(), plan.setups.len())),
            gathered: sides.map(|(program, _)| Gathered::new(program)),
            together: Together::new(sides[0].0, sides[1].0),
            differences: differences.clone(),
            by_setup: vec![differences; sides[0].1.setups.len()],
            outcomes: vec![vec![0; players + 3]; players + 3],
            lengths: vec![Paired::default(); 1 + steps],
            like: Default::default(),
            parted: Vec::new(),
        }
    }

    /// A pair; what was gathered of it is there.
    fn add(&mut self, pair: &Pair, players: &[u32], steps: &[Counted]) {
        self.pairs += 1;
        let whole = pair.base.row.end.is_over() && pair.changed.row.end.is_over();
        self.sides[0].add(&pair.base, whole);
        self.sides[1].add(&pair.changed, whole);
        let won = |played: &Played, player: u32| f64::from(u8::from(played.row.end.winner() == Some(player)));
        let setup = pair.base.row.game % self.by_setup.len().max(1) as u64;
        let mut by_setup = self.by_setup.get_mut(setup as usize).map(|counts| counts.iter_mut());
        for (counts, &player) in self.differences.iter_mut().zip(players) {
            let difference = won(&pair.changed, player) - won(&pair.base, player);
            counts.add(difference);
            if let Some(counts) = by_setup.as_mut().and_then(Iterator::next) {
                counts.add(difference);
            }
        }
        let things = self.outcomes.len().saturating_sub(3);
        let out = [&pair.base, &pair.changed].map(|played| match &played.row.end {
            End::Over { winner: Some(winner), .. } => *winner as usize,
            End::Over { winner: None, .. } => things + Outcome::Nobody as usize,
            End::Fault(_) => things + Outcome::Fault as usize,
            End::Limit => things + Outcome::Limit as usize,
        });
        if let Some(count) = self.outcomes.get_mut(out[0]).and_then(|row| row.get_mut(out[1])) {
            *count += 1;
        }
        // What a game was like that came to no end is no more than where it was broken off.
        if out.iter().all(|&out| out <= things) {
            let both = [&pair.base.row, &pair.changed.row];
            let [base, changed] = both.map(|row| Some(row.decisions as f64));
            let mut lengths = self.lengths.iter_mut();
            if let Some(decisions) = lengths.next() {
                decisions.add(base, changed);
            }
            for (paired, step) in lengths.zip(steps) {
                let turns = |side: usize| both[side].turns.get(step.places[side]?).map(|&turns| turns as f64);
                match step.places {
                    [Some(_), Some(_)] => paired.add(turns(0), turns(1)),
                    _ => paired.add_one_sided(turns(0), turns(1)),
                }
            }
            let of = |played: &Played| {
                let of = &played.measures;
                [of.behind, of.lead_changes, of.settled, of.weight]
            };
            for ((paired, base), changed) in self.like.iter_mut().zip(of(&pair.base)).zip(of(&pair.changed)) {
                paired.add(base, changed);
            }
        }
        self.parted.extend(pair.parting.map(|parting| (pair.base.row.game, parting)));
    }

    /// All of other pairs of the same rules and plans, too.
    pub fn merge(&mut self, other: &Self) {
        add_to(&mut self.pairs, other.pairs);
        for (own, more) in self.sides.iter_mut().zip(&other.sides) {
            own.merge(more);
        }
        for (own, more) in self.gathered.iter_mut().zip(&other.gathered) {
            own.merge(more);
        }
        self.together.merge(&other.together);
        for (own, more) in self.differences.iter_mut().zip(&other.differences) {
            own.merge(more);
        }
        for (own, more) in self.by_setup.iter_mut().flatten().zip(other.by_setup.iter().flatten()) {
            own.merge(more);
        }
        for (own, more) in self.outcomes.iter_mut().zip(&other.outcomes) {
            add_each(own, more);
        }
        for (own, more) in self.lengths.iter_mut().zip(&other.lengths) {
            own.merge(more);
        }
        for (own, more) in self.like.iter_mut().zip(&other.like) {
            own.merge(more);
        }
        self.parted.extend(&other.parted);
    }

    /// Whether these are of the same rules and plans as others, as far as their shape tells, and what pairs can come to.
    pub fn fits(&self, other: &Self) -> bool {
        self.sides.iter().zip(&other.sides).all(|(one, other)| one.fits(other))
            && self.gathered.iter().zip(&other.gathered).all(|(one, other)| one.fits(other))
            && self.together.fits(&other.together)
            && self.parted.len() as u64 <= self.pairs
            && self.outcomes.len() == other.outcomes.len()
            && other.outcomes.iter().all(|row| row.len() == other.outcomes.len())
            && self.lengths.len() == other.lengths.len()
            && self.differences.len() == other.differences.len()
            && self.differences.iter().zip(&other.differences).all(|(one, other)| one.fits(other))
            && self.by_setup.len() == other.by_setup.len()
            && self.by_setup.iter().zip(&other.by_setup).all(|(one, other)| {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.fits(other))
            })
    }
}

impl Sums {
    /// The pairs that came out otherwise, of those of which both games came to an end: somebody else has won, or nobody.
    pub fn otherwise(&self) -> u64 {
        let ended = self.outcomes.len().saturating_sub(2);
        let all = self.outcomes.iter().enumerate().take(ended).flat_map(|(base, row)| {
            row.iter().enumerate().take(ended).filter(move |(changed, _)| base != *changed)
        });
        total(all.map(|(_, count)| count))
    }

    /// The least and the most that the differences of a player can come to: a game that did not come to an end may be won
    /// by anybody, and what is sure is so however those would have ended.
    fn bounds(&self, counts: &Counts, player: u32) -> [Counts; 2] {
        if self.broken() == 0 {
            return [counts.clone(), counts.clone()];
        }
        let mut bounds = [counts.emptied(), counts.emptied()];
        let ended = self.outcomes.len().saturating_sub(2);
        let won = |way: usize| if way < ended { [way == player as usize; 2] } else { [false, true] };
        for (base, row) in self.outcomes.iter().enumerate() {
            for (changed, &count) in row.iter().enumerate() {
                let [one, other] =
                    [won(base), won(changed)].map(|won| won.map(|won| f64::from(u8::from(won))));
                bounds[0].add_many(other[0] - one[1], count);
                bounds[1].add_many(other[1] - one[0], count);
            }
        }
        bounds
    }

    /// The pairs of which a game, or both, did not come to an end.
    pub fn broken(&self) -> u64 {
        self.pairs.saturating_sub(self.whole())
    }

    /// The pairs of which both games came to an end.
    pub fn whole(&self) -> u64 {
        let ended = self.outcomes.len().saturating_sub(2);
        total(self.outcomes.iter().take(ended).flat_map(|row| row.iter().take(ended)))
    }

    /// Whether so much came to no end that no number of pairs can tell whether a difference of this size is there: what those
    /// games might have come to is more.
    pub fn hide(&self, matters: f64) -> bool {
        matters > 0.0 && self.broken() as f64 > matters * self.pairs as f64
    }
}

impl Found {
    /// The next block, with those who sit at the table; it is looked what is sure now.
    pub fn add(&mut self, block: &Sums, seats: &[u32], certainty: &Certainty) {
        self.sums.merge(block);
        let certainty = self.tested(certainty);
        let players = self.verdicts.iter_mut().zip(&mut self.sure).zip(&mut self.intervals);
        for (((verdict, sure), interval), (counts, &player)) in
            players.zip(self.sums.differences.iter().zip(seats))
        {
            let [least, most] = self.sums.bounds(counts, player);
            interval.narrow(&certainty, &least, &most);
            // What it was once sure of it stays sure of: the interval does not get wider.
            if *verdict == Verdict::Open {
                *verdict = certainty.verdict(interval);
                *sure = (*verdict != Verdict::Open).then(|| counts.clone());
            }
        }
    }

    /// Whether it is sure of every player.
    pub fn is_sure(&self) -> bool {
        self.verdicts.iter().all(|&verdict| verdict != Verdict::Open)
    }

    /// How many pairs tell a difference that matters from none, and how many games of each side do that are no pairs: for each
    /// player at the table, who shares the error with the others. Nothing where all games came out the same, from which it cannot
    /// be told, nor where games that came to no end hide it.
    pub fn needed(&self, certainty: &Certainty, seats: &[u32]) -> Vec<[Option<f64>; 2]> {
        let (is_hidden, certainty) = (self.sums.hide(certainty.matters), self.tested(certainty));
        let of = |(counts, &player): (&Counts, &u32)| {
            let apart = self.sums.sides.each_ref().map(|of| {
                let won = of.tally.won.get(player as usize).copied().unwrap_or_default();
                let share = won as f64 / of.tally.games.max(1) as f64;
                share * (1.0 - share)
            });
            let can_be_told = |variance: &f64| *variance > 0.0 && !is_hidden;
            [counts.variance(), apart.iter().sum()]
                .map(|variance| Some(variance).filter(can_be_told).map(|variance| certainty.needed(variance)))
        };
        self.sums.differences.iter().zip(seats).map(of).collect()
    }

    /// The same for the player of whom most are needed.
    pub fn most_needed(&self, certainty: &Certainty, seats: &[u32]) -> [Option<f64>; 2] {
        let more = |one: Option<f64>, other: Option<f64>| one.into_iter().chain(other).reduce(f64::max);
        let each = self.needed(certainty, seats).into_iter();
        each.fold([None; 2], |most, one| [more(most[0], one[0]), more(most[1], one[1])])
    }

    /// How sure it must be of each player, where all are asked for: they share the error.
    pub fn tested(&self, certainty: &Certainty) -> Certainty {
        // The results of two players mirror each other, so what is sure of one is of both. Of three any may be told wrongly.
        let players = self.sums.differences.len();
        let tests = if players > 2 { players as f64 } else { 1.0 };
        Certainty { error: certainty.error / tests, ..*certainty }
    }

    /// What is to blame for where the first pairs part: how often each.
    pub fn causes(&self, causes: &mut Causes<'_>, most: usize) -> BTreeMap<Cause, u64> {
        let mut counted = BTreeMap::new();
        for &(game, parting) in self.sums.parted.iter().take(most) {
            *counted.entry(causes.of(game, parting)).or_default() += 1;
        }
        counted
    }
}
