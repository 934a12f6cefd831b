//! Games of a plan on several threads, in the order of their numbers.
//!
//! Threads take numbers from a [`Queue`] that brings what comes of them back in order; whoever called adds up and is handed
//! the rows.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use blazon_machine::{Fault, Machine};
use blazon_program::Program;
use serde::{Deserialize, Serialize};

use crate::choices::Choices;
use crate::compare::{Played, Side};
use crate::game::Plan;
use crate::measure::Measure;
use crate::queue::{Back, Event, Flow, Queue, Stop};
use crate::tables::{Batch, Collector, Format, Schema, Table};

/// Games to be played.
pub struct Simulation<'a> {
    /// By which rules.
    pub program: &'a Arc<Program>,
    /// How.
    pub plan: &'a Plan,
    /// How many at once.
    pub threads: usize,
    /// The columns of the tables.
    pub schema: &'a Schema,
    /// Of what each game is told in rows.
    pub wanted: &'a [(Table, Format)],
}

/// What games come to, added up.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Games {
    /// Who won, how long they were, what they were like.
    pub side: Side,
    /// How the options fared.
    pub choices: Choices,
}

/// What has happened.
pub enum Step {
    /// The next game in order is done; its rows, as they were wanted.
    Game(Vec<Batch>),
    /// It was asked to stop.
    Stopping,
}

/// What was played.
pub struct Done {
    /// What it came to.
    pub games: Games,
    /// What came up of each place of the program, if it counts.
    pub hits: Vec<Vec<[u64; 2]>>,
    /// The games that were given up.
    pub missing: Vec<u64>,
    /// Whether it was asked to stop.
    pub interrupted: bool,
    /// Whether a thread met a bug of ours, which it has told.
    pub bug: bool,
}

impl Games {
    /// None yet.
    pub fn new(program: &Program, plan: &Plan) -> Self {
        let players = program.book.kind(program.book.player).things.len();
        Self {
            side: Side::new(players, plan.rounds.len(), plan.setups.len()),
            choices: Choices::new(program),
        }
    }

    /// All of other games of the same plan, too, in whatever order.
    pub fn merge(&mut self, other: &Self) {
        self.side.merge(&other.side);
        self.choices.merge(&other.choices);
    }

    /// Whether these are of the same rules and plan as others, as far as their shape tells.
    pub fn fits(&self, other: &Self) -> bool {
        self.side.fits(&other.side) && self.choices.fits(&other.choices)
    }
}

impl Simulation<'_> {
    /// Plays games of these numbers until `stop` holds more than 0; what comes of each is told in order, and nothing more
    /// is begun when `seen` answers that it is not to go on.
    ///
    /// # Errors
    /// A [`Fault`] if the states of the program cannot begin.
    pub fn play(
        &self,
        numbers: Range<u64>,
        stop: &AtomicUsize,
        seen: &mut dyn FnMut(Step) -> bool,
    ) -> Result<Done, Fault> {
        let total = numbers.end.saturating_sub(numbers.start);
        let threads = self.threads.clamp(1, usize::try_from(total).unwrap_or(usize::MAX).max(1));
        // Each has its tables to itself, so that the threads do not wait for each other.
        let mut machines = Vec::new();
        for _ in 0..threads {
            let mut machine = Machine::new(self.program.clone())?;
            machine.record(false);
            machine.count_sites();
            machines.push(machine);
        }
        let mut done = Done {
            games: Games::new(self.program, self.plan),
            hits: Vec::new(),
            missing: Vec::new(),
            interrupted: false,
            bug: false,
        };
        let queue = Queue::new(total, threads);
        std::thread::scope(|scope| {
            let mut workers = Vec::new();
            for machine in machines {
                let queue = &queue;
                let collector = Collector::new(self.schema, self.program, self.plan, None, self.wanted);
                workers.push(scope.spawn(move || self.work(machine, collector, queue, numbers.start)));
            }
            done.interrupted = queue.gather(Stop::in_peace(stop), |event| match event {
                Event::Back(Back::Next((played, batches))) => {
                    done.games.side.add(&played, played.row.end.is_over());
                    if seen(Step::Game(batches)) { Flow::GoOn } else { Flow::Close }
                }
                Event::Back(Back::Broken(_)) => {
                    done.bug = true;
                    Flow::Close
                }
                Event::Back(Back::Missing(number)) => {
                    done.missing.push(numbers.start + number);
                    Flow::GoOn
                }
                Event::Stopping => {
                    seen(Step::Stopping);
                    Flow::GoOn
                }
            });
            for worker in workers {
                let (hits, choices) = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                done.hits.push(hits);
                done.games.choices.merge(&choices);
            }
        });
        Ok(done)
    }

    /// What a thread does; answers what its games have counted, if the program counts, and how its options fared.
    fn work(
        &self,
        mut machine: Machine,
        mut collector: Collector,
        queue: &Queue<(Played, Vec<Batch>)>,
        from: u64,
    ) -> (Vec<[u64; 2]>, Choices) {
        let (mut measure, mut choices) = (Measure::new(&machine), Choices::new(machine.program()));
        queue.work(|number| {
            let watch = &mut (&mut collector, (&mut measure, &mut choices));
            let row = self.plan.play(&mut machine, from + number, watch, queue.halt())?;
            if row.end.is_over() {
                choices.keep_whole();
            }
            let measures = std::mem::take(&mut measure.measures);
            Some((Played { row, measures }, collector.take()))
        });
        (machine.hits().to_vec(), choices)
    }
}
