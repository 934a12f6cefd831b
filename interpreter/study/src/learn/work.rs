//! Many games on several threads; what comes of them comes in order, and is the same on any number of threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use blazon_machine::Machine;
use blazon_program::Program;

use super::Trouble;
use crate::{Back, NOW, Queue};

/// How often an interruption is looked for.
const PATIENCE: Duration = Duration::from_millis(50);

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

/// A thread that has left the queue, however it came to its end.
struct Leaving<'a, T>(&'a Queue<T>);

impl<T> Drop for Leaving<'_, T> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

impl Hands<'_> {
    /// Does a job for each number below `total`, and brings back what came of them, in order.
    ///
    /// # Errors
    /// If it is stopped, or the states of the game cannot begin.
    pub fn all<T: Send>(
        self,
        program: &Arc<Program>,
        total: u64,
        progress: &mut dyn Progress,
        job: impl Fn(&mut Machine, u64) -> Option<T> + Sync,
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
        let mut stopped = false;
        std::thread::scope(|scope| {
            for mut machine in machines {
                let (queue, job) = (&queue, &job);
                scope.spawn(move || {
                    let leaving = Leaving(queue);
                    while let Some(number) = leaving.0.take() {
                        if let Some(what) = job(&mut machine, number) {
                            leaving.0.give(number, what);
                        }
                    }
                });
            }
            loop {
                if self.stop.load(Ordering::Relaxed) > 0 {
                    stopped = true;
                    queue.close();
                    self.stop.store(NOW, Ordering::Relaxed);
                }
                match queue.next(PATIENCE) {
                    Back::Next(what) => {
                        done.push(what);
                        progress.game();
                    }
                    Back::Nothing | Back::Missing(_) => {}
                    Back::End => break,
                }
            }
        });
        if stopped { Err(Trouble::Stopped) } else { Ok(done) }
    }
}
