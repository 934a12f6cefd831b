//! Many games on several threads; what comes of them comes in order, and is the same on any number of threads.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use blazon_machine::Machine;
use blazon_program::Program;

use super::Trouble;
use crate::{Back, Event, Flow, Queue, Stop};

/// Somebody who is told how far it is.
pub trait Progress {
    /// Something begins that takes so many games.
    fn begins(&mut self, what: &str, games: u64);
    /// One game of it is done.
    fn game(&mut self);
    /// All of it is done.
    fn ends(&mut self);
}

/// Nobody is told.
impl Progress for () {
    fn begins(&mut self, _what: &str, _games: u64) {}
    fn game(&mut self) {}
    fn ends(&mut self) {}
}

/// Who works, and who may stop it.
#[derive(Clone, Copy)]
pub struct Hands<'a> {
    /// How many threads.
    pub threads: usize,
    /// As soon as this is not 0, all games are given up.
    pub stop: &'a AtomicUsize,
}

impl Hands<'_> {
    /// Does a job for each number below `total`, and brings back what came of them, in order. A job gives nothing if it was
    /// given up, for which it looks at what it is handed last.
    ///
    /// # Errors
    /// If it is stopped, a job panics, or the states of the game cannot begin.
    pub fn all<T: Send>(
        self,
        program: &Arc<Program>,
        total: u64,
        progress: &mut dyn Progress,
        job: impl Fn(&mut Machine, u64, &AtomicUsize) -> Option<T> + Sync,
    ) -> Result<Vec<T>, Trouble> {
        let threads = self.threads.clamp(1, usize::try_from(total.max(1)).unwrap_or(usize::MAX));
        let mut machines = Vec::new();
        for _ in 0..threads {
            let mut machine = Machine::new(program.clone())
                .map_err(|fault| Trouble::Rules(blazon::Error::fault(fault, &program.book.sources)))?;
            machine.record(false);
            machines.push(machine);
        }
        let queue = Queue::new(total, threads);
        let mut done = Vec::new();
        let mut bug = false;
        let stopped = std::thread::scope(|scope| {
            for mut machine in machines {
                let (queue, job) = (&queue, &job);
                scope.spawn(move || queue.work(|number| job(&mut machine, number, queue.halt())));
            }
            queue.gather(Stop::at_once(self.stop), |event| {
                match event {
                    Event::Back(Back::Next(what)) => {
                        done.push(what);
                        progress.game();
                    }
                    Event::Back(Back::Broken(_)) => {
                        bug = true;
                        return Flow::GiveUp;
                    }
                    Event::Back(Back::Missing(_)) | Event::Stopping => {}
                }
                Flow::GoOn
            })
        });
        if bug {
            return Err(Trouble::Bug);
        }
        if stopped { Err(Trouble::Stopped) } else { Ok(done) }
    }
}
