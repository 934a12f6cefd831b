//! What a change of the rules does to the game.
//!
//! Pairs of games are played: the same seed and the same players, by the rules as they were and by the changed ones. Dice
//! are keyed by what they are rolled for and the players' choices by what they mean, so what the change does not touch is
//! the same in both, and far fewer games are needed than of games that have nothing to do with each other (common random
//! numbers: P. Glasserman, D. Yao, "Some Guidelines and Guarantees for Common Random Numbers", Management Science 38,
//! 1992, 884-908).
//!
//! After each block of pairs a test ([`Sprt`]) looks whether it is sure; blocks are the same on any number of threads.

mod cause;
mod pair;
mod side;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use blazon::Program;
use blazon_machine::{Fault, Machine};

use crate::game::{NOW, Plan};
use crate::queue::{Back, Queue};
use crate::stats::{Counts, Sprt, Verdict};

pub use cause::{Cause, Causes};
pub use pair::{Gathered, Pair, Parting, Played, Table};
pub use side::{Led, Means, Side, Sum};

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
    pub sprt: Sprt,
    /// Whether it stops when it is sure; else it plays all pairs.
    pub until_sure: bool,
    /// How many games are played at once.
    pub threads: usize,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// How many pairs were played.
    pub pairs: u64,
    /// The games of both sides.
    pub sides: [Side; 2],
    /// What was gathered of both sides.
    pub gathered: [Gathered; 2],
    /// For each player how his result is another by the changed rules: -1 lost instead of won, 1 won instead of lost.
    pub differences: Vec<Counts>,
    /// For each player what the test says.
    pub verdicts: Vec<Verdict>,
    /// For each player the differences at which it became sure, if it did.
    pub sure: Vec<Option<Counts>>,
    /// Differences of the decisions taken, changed less base.
    pub longer: Sum,
    /// The same of what games were like: behind, lead changes, settled, weight.
    pub like: [Sum; 4],
    /// The pairs that parted: number of the game, and where.
    pub parted: Vec<(u64, Parting)>,
    /// Whether it was stopped from outside.
    pub interrupted: bool,
}

/// So many pairs are one block where a decision costs one position.
const QUICK_BLOCK: u64 = 64;
/// And where it costs many.
const SLOW_BLOCK: u64 = 4;
/// How long blocks under way may go on after somebody has stopped it.
const GRACE: Duration = Duration::from_secs(2);
/// How often it is looked whether to stop.
const PATIENCE: Duration = Duration::from_millis(100);

impl Contest<'_> {
    /// How many pairs are one block: it hangs on the players alone, so that the test is looked at at the same moments on
    /// every machine.
    pub fn block(&self) -> u64 {
        let thinks = self.base_plan.players.iter().any(|skill| skill.cost() > 1);
        if thinks { SLOW_BLOCK } else { QUICK_BLOCK }
    }

    /// Plays until it is sure, all pairs are played, or `stop` holds more than 0. `seen` is told how far it is after each
    /// block.
    ///
    /// # Errors
    /// A [`Fault`] if the states of one of the programs cannot begin.
    pub fn play(&self, stop: &AtomicUsize, seen: &mut dyn FnMut(&Found)) -> Result<Found, Fault> {
        let mut tables = Vec::new();
        for _ in 0..self.threads.max(1) {
            tables.push((table(&self.base, self.base_plan)?, table(&self.changed, self.changed_plan)?));
        }
        let mut found = self.nothing();
        let blocks = self.pairs.div_ceil(self.block());
        let queue = Queue::new(blocks, tables.len());
        let (halt, mut since) = (AtomicUsize::new(0), None);
        std::thread::scope(|scope| {
            for (base, changed) in tables {
                let (queue, halt) = (&queue, &halt);
                scope.spawn(move || self.work(base, changed, queue, halt));
            }
            loop {
                if stop.load(Ordering::Relaxed) > 0 {
                    found.interrupted = true;
                    queue.close();
                    let since = *since.get_or_insert_with(Instant::now);
                    if since.elapsed() > GRACE || stop.load(Ordering::Relaxed) >= NOW {
                        halt.store(NOW, Ordering::Relaxed);
                    }
                }
                match queue.next(PATIENCE) {
                    Back::Next(Some(block)) if !self.is_done(&found) => {
                        found.add(block, &self.sprt);
                        seen(&found);
                        if self.is_done(&found) {
                            // What is under way is not wanted any more.
                            queue.close();
                            halt.store(NOW, Ordering::Relaxed);
                        }
                    }
                    Back::Next(_) | Back::Missing(_) => {}
                    Back::Nothing => {}
                    Back::End => break,
                }
            }
        });
        Ok(found)
    }

    /// Whether the test is sure of every player.
    fn is_done(&self, found: &Found) -> bool {
        self.until_sure && found.verdicts.iter().all(|&verdict| verdict != Verdict::Open)
    }

    fn nothing(&self) -> Found {
        let book = &self.base.book;
        let (players, setups) = (book.kind(book.player).things.len(), self.base_plan.setups.len());
        Found {
            pairs: 0,
            sides: [self.base_plan, self.changed_plan]
                .map(|plan| Side::new(players, plan.rounds.len(), setups)),
            gathered: [&self.base, &self.changed].map(|program| Gathered::new(program)),
            differences: vec![Counts::of(&[-1.0, 0.0, 1.0]); book.players.len()],
            verdicts: vec![Verdict::Open; book.players.len()],
            sure: vec![None; book.players.len()],
            longer: Sum::default(),
            like: [Sum::default(); 4],
            parted: Vec::new(),
            interrupted: false,
        }
    }

    /// What a thread does.
    fn work(&self, mut base: Table, mut changed: Table, queue: &Queue<Option<Block>>, stop: &AtomicUsize) {
        while let Some(number) = queue.take() {
            let first = number * self.block();
            let games = first..(first + self.block()).min(self.pairs);
            // A panic is a bug of ours; it has been told by the time it is caught, and the others' games are not lost.
            let played = catch_unwind(AssertUnwindSafe(|| play(&mut base, &mut changed, games, stop)));
            let is_there = matches!(played, Ok(Some(_)));
            queue.give(number, played.ok().flatten());
            if !is_there {
                break;
            }
        }
        queue.leave();
    }
}

fn table(program: &Arc<Program>, plan: &Plan) -> Result<Table, Fault> {
    let mut machine = Machine::new(program.clone())?;
    machine.record(false);
    Ok(Table::new(machine, plan.clone()))
}

/// Pairs that were played together.
struct Block {
    players: Vec<u32>,
    pairs: Vec<Pair>,
    gathered: [Gathered; 2],
}

fn play(
    base: &mut Table,
    changed: &mut Table,
    games: std::ops::Range<u64>,
    stop: &AtomicUsize,
) -> Option<Block> {
    let mut gathered = [&base, &changed].map(|table| Gathered::new(table.machine.program()));
    let mut pairs = Vec::new();
    for game in games {
        let (one, course) = base.play(game, &mut gathered[0], stop)?;
        let (other, changed_course) = changed.play(game, &mut gathered[1], stop)?;
        let parting = pair::parting(&course, &changed_course);
        pairs.push(Pair { base: one, changed: other, parting });
    }
    Some(Block { players: base.machine.program().book.players.clone(), pairs, gathered })
}

impl Found {
    fn add(&mut self, block: Block, sprt: &Sprt) {
        for pair in &block.pairs {
            self.pairs += 1;
            self.sides[0].add(&pair.base);
            self.sides[1].add(&pair.changed);
            let won =
                |played: &Played, player: u32| f64::from(u8::from(played.row.end.winner() == Some(player)));
            for (counts, &player) in self.differences.iter_mut().zip(&block.players) {
                counts.add(won(&pair.changed, player) - won(&pair.base, player));
            }
            let of = |played: &Played| {
                let of = &played.measures;
                [of.behind, of.lead_changes, of.settled, of.weight]
            };
            self.longer.add(Some(pair.changed.row.decisions as f64 - pair.base.row.decisions as f64));
            for ((sum, base), changed) in self.like.iter_mut().zip(of(&pair.base)).zip(of(&pair.changed)) {
                sum.add(changed.zip(base).map(|(changed, base)| changed - base));
            }
            self.parted.extend(pair.parting.map(|parting| (pair.base.row.game, parting)));
        }
        for (own, more) in self.gathered.iter_mut().zip(&block.gathered) {
            own.merge(more);
        }
        let sprt = self.tested(sprt);
        for ((verdict, sure), counts) in self.verdicts.iter_mut().zip(&mut self.sure).zip(&self.differences) {
            // What it was once sure of it stays sure of.
            if *verdict == Verdict::Open {
                *verdict = sprt.verdict(counts);
                *sure = (*verdict != Verdict::Open).then(|| counts.clone());
            }
        }
    }

    /// The test of each player, where one of all is asked for: they share its error.
    pub fn tested(&self, sprt: &Sprt) -> Sprt {
        // The results of two players mirror each other, so one test is enough for both.
        let tests = self.differences.len().saturating_sub(1).max(1) as f64;
        Sprt { error: sprt.error / tests, ..*sprt }
    }

    /// What is to blame for where the first pairs part: how often each.
    pub fn causes(&self, causes: &mut Causes<'_>, most: usize) -> BTreeMap<Cause, u64> {
        let mut counted = BTreeMap::new();
        for &(game, parting) in self.parted.iter().take(most) {
            *counted.entry(causes.of(game, parting)).or_default() += 1;
        }
        counted
    }
}
