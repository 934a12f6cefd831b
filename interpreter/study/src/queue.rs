//! Numbers of games out to the threads, and what they make of them back in order. Whoever is too far ahead of the
//! slowest waits, so that memory does not grow with the number of games.
//!
//! A thread [works](Queue::work) until there are no more numbers; the one that has begun them [gathers](Queue::gather) what
//! comes of them, and looks in between whether all is to stop.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::game::NOW;

/// How many games may be done before the slowest is.
const AHEAD: u64 = 4096;
/// How often [`Queue::gather`] looks for an interruption.
const PATIENCE: Duration = Duration::from_millis(100);

/// The queue.
pub struct Queue<T> {
    total: u64,
    state: Mutex<State<T>>,
    /// [`NOW`] once games under way are given up.
    halt: AtomicUsize,
    /// Somebody may begin a game.
    room: Condvar,
    /// Something came back.
    news: Condvar,
}

struct State<T> {
    /// The next number to go out.
    next: u64,
    /// The number that stands first in `done`.
    first: u64,
    /// What came back from `first` on; gaps are still being played.
    done: VecDeque<Option<Back<T>>>,
    /// The threads at work.
    workers: usize,
    /// Nothing goes out any more.
    closed: bool,
}

/// What came back.
pub enum Back<T> {
    /// The next in order.
    Next(T),
    /// A number at which a thread has panicked, which is a bug of ours and has been told by then. The thread is gone; the
    /// others go on.
    Broken(u64),
    /// A number that went out, but was given up.
    Missing(u64),
}

/// What has come while somebody waited.
pub enum Wait<T> {
    /// This.
    Back(Back<T>),
    /// Nothing in that time.
    Nothing,
    /// Everything has come before.
    End,
}

/// What [`Queue::gather`] has to tell.
pub enum Event<T> {
    /// This came back.
    Back(Back<T>),
    /// It was asked to stop: nothing goes out any more, and what is under way has some time to come to its end.
    Stopping,
}

/// How to go on after an [`Event`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// As before.
    GoOn,
    /// Nothing goes out any more; what is under way is played to its end.
    Close,
    /// What is under way is given up as well.
    GiveUp,
}

/// Who may stop the work from outside.
#[derive(Clone, Copy)]
pub struct Stop<'a> {
    /// More than 0: nothing goes out any more. [`NOW`] or more: what is under way is given up.
    pub asked: &'a AtomicUsize,
    /// How long what is under way may go on after it was asked to stop.
    pub grace: Duration,
}

impl<'a> Stop<'a> {
    /// For people, who wait for the games under way as long as that does not take long.
    pub fn in_peace(asked: &'a AtomicUsize) -> Self {
        Self { asked, grace: Duration::from_secs(2) }
    }

    /// Games under way are given up at once.
    pub fn at_once(asked: &'a AtomicUsize) -> Self {
        Self { asked, grace: Duration::ZERO }
    }
}

/// A thread that leaves the queue, however it comes to its end.
struct Leaving<'a, T>(&'a Queue<T>);

impl<T> Drop for Leaving<'_, T> {
    fn drop(&mut self) {
        self.0.lock().workers -= 1;
        self.0.news.notify_one();
    }
}

impl<T> Queue<T> {
    /// For the numbers below `total` and so many threads.
    pub fn new(total: u64, workers: usize) -> Self {
        let state = State { next: 0, first: 0, done: VecDeque::new(), workers, closed: false };
        let halt = AtomicUsize::new(0);
        Self { total, state: Mutex::new(state), halt, room: Condvar::new(), news: Condvar::new() }
    }

    /// What one of the threads does: the job for one number after the other, until there are no more. A job that gives
    /// nothing has been given up.
    pub fn work(&self, mut job: impl FnMut(u64) -> Option<T>) {
        let _leaving = Leaving(self);
        while let Some(number) = self.take() {
            // A panic is a bug of ours; it has been told by the time it is caught, and the others' games are not lost.
            match catch_unwind(AssertUnwindSafe(|| job(number))) {
                Ok(Some(what)) => self.give(number, Back::Next(what)),
                Ok(None) => {}
                Err(_) => {
                    self.give(number, Back::Broken(number));
                    break;
                }
            }
        }
    }

    /// Hands over what comes back, in order, until nothing more does. Answers whether it was stopped from outside.
    pub fn gather(&self, stop: Stop, mut seen: impl FnMut(Event<T>) -> Flow) -> bool {
        let mut since = None;
        loop {
            let asked = stop.asked.load(Ordering::Relaxed);
            if asked > 0 {
                let since = *since.get_or_insert_with(|| {
                    self.close();
                    self.follow(seen(Event::Stopping));
                    Instant::now()
                });
                if asked >= NOW || since.elapsed() >= stop.grace {
                    self.give_up();
                }
            }
            match self.next(PATIENCE) {
                Wait::Back(back) => self.follow(seen(Event::Back(back))),
                Wait::Nothing => {}
                Wait::End => return since.is_some(),
            }
        }
    }

    fn follow(&self, flow: Flow) {
        match flow {
            Flow::GoOn => {}
            Flow::Close => self.close(),
            Flow::GiveUp => self.give_up(),
        }
    }

    /// [`NOW`] once games under way are given up: what [`Plan::play`](crate::Plan::play) looks at.
    pub fn halt(&self) -> &AtomicUsize {
        &self.halt
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next number for a thread; none if there are no more.
    fn take(&self) -> Option<u64> {
        let mut state = self.lock();
        while !state.closed && state.next < self.total && state.next - state.first >= AHEAD {
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.closed || state.next == self.total {
            return None;
        }
        state.next += 1;
        Some(state.next - 1)
    }

    /// What became of a number.
    fn give(&self, number: u64, what: Back<T>) {
        let mut state = self.lock();
        let place = number.saturating_sub(state.first) as usize;
        if state.done.len() <= place {
            state.done.resize_with(place + 1, || None);
        }
        state.done[place] = Some(what);
        if place == 0 {
            self.news.notify_one();
        }
    }

    /// Nothing goes out any more.
    fn close(&self) {
        self.lock().closed = true;
        self.room.notify_all();
    }

    /// Nothing goes out any more, and what is under way is given up.
    pub fn give_up(&self) {
        self.close();
        self.halt.store(NOW, Ordering::Relaxed);
    }

    /// The next in order; waits for it so long.
    pub fn next(&self, patience: Duration) -> Wait<T> {
        let mut state = self.lock();
        if !matches!(state.done.front(), Some(Some(_))) && state.workers > 0 {
            state = self
                .news
                .wait_timeout(state, patience)
                .map_or_else(|poison| poison.into_inner().0, |(s, _)| s);
        }
        match state.done.front_mut().map(Option::take) {
            Some(Some(back)) => {
                state.done.pop_front();
                state.first += 1;
                if state.next - state.first == AHEAD - 1 {
                    self.room.notify_all();
                }
                Wait::Back(back)
            }
            _ if state.workers > 0 => Wait::Nothing,
            // Nobody is at work any more: what is not here will not come.
            _ if state.first < state.next => {
                state.done.pop_front();
                state.first += 1;
                Wait::Back(Back::Missing(state.first - 1))
            }
            _ => Wait::End,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of a job that gives its number, in words.
    fn told(queue: &Queue<u64>) -> Vec<String> {
        let mut told = Vec::new();
        queue.gather(Stop::at_once(&AtomicUsize::new(0)), |event| {
            told.push(match event {
                Event::Back(Back::Next(number)) => number.to_string(),
                Event::Back(Back::Broken(number)) => format!("broken {number}"),
                Event::Back(Back::Missing(number)) => format!("missing {number}"),
                Event::Stopping => "stopping".to_owned(),
            });
            Flow::GoOn
        });
        told
    }

    #[test]
    fn order_is_kept() {
        let queue = Queue::new(3, 1);
        let numbers: Vec<u64> = std::iter::from_fn(|| queue.take()).collect();
        assert_eq!(numbers, [0, 1, 2]);
        queue.give(2, Back::Next(2));
        queue.give(0, Back::Next(0));
        drop(Leaving(&queue));
        assert_eq!(told(&queue), ["0", "missing 1", "2"]);
    }

    #[test]
    fn nobody_runs_far_ahead() {
        let queue = Queue::new(10 * AHEAD, 2);
        std::thread::scope(|scope| {
            let leaving = Leaving(&queue);
            let first = queue.take().unwrap();
            scope.spawn(|| queue.work(Some));
            while queue.lock().next < AHEAD {
                std::thread::yield_now();
            }
            assert_eq!(queue.lock().next, AHEAD);
            queue.give(first, Back::Next(first));
            drop(leaving);
            let all: Vec<String> = (0..10 * AHEAD).map(|number| number.to_string()).collect();
            assert!(told(&queue) == all);
        });
    }

    #[test]
    fn closing_wakes_those_who_wait() {
        let queue: Queue<u64> = Queue::new(10 * AHEAD, 1);
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| std::iter::from_fn(|| queue.take()).count());
            while queue.lock().next < AHEAD {
                std::thread::yield_now();
            }
            queue.close();
            assert_eq!(worker.join().unwrap() as u64, AHEAD);
        });
    }

    /// A job that panics takes its thread with it, and nobody waits for it; without any thread all else is missing.
    #[test]
    fn a_panic_is_told_and_nobody_waits() {
        let queue = Queue::new(3 * AHEAD, 2);
        let job = |number| if number == 5 { std::panic::resume_unwind(Box::new(())) } else { Some(number) };
        let all = std::thread::scope(|scope| {
            scope.spawn(|| queue.work(job));
            scope.spawn(|| queue.work(job));
            told(&queue)
        });
        assert_eq!(all.len() as u64, 3 * AHEAD);
        assert_eq!(all[4..7], ["4", "broken 5", "6"]);
        let queue = Queue::new(9, 1);
        queue.work(job);
        assert_eq!(told(&queue), ["0", "1", "2", "3", "4", "broken 5"]);
    }

    #[test]
    fn what_is_under_way_is_given_up_when_it_is_asked_to_stop() {
        let (queue, asked) = (Queue::new(9, 1), AtomicUsize::new(0));
        let mut told = Vec::new();
        let stopped = std::thread::scope(|scope| {
            scope.spawn(|| {
                queue.work(|number| {
                    if number == 0 {
                        return Some(number);
                    }
                    asked.store(1, Ordering::Relaxed);
                    while queue.halt().load(Ordering::Relaxed) < NOW {
                        std::thread::yield_now();
                    }
                    None
                });
            });
            queue.gather(Stop::at_once(&asked), |event| {
                told.push(match event {
                    Event::Back(Back::Next(number)) => format!("{number}"),
                    Event::Back(Back::Broken(number) | Back::Missing(number)) => format!("no {number}"),
                    Event::Stopping => "stopping".to_owned(),
                });
                Flow::GoOn
            })
        });
        assert!(stopped);
        told.sort();
        assert_eq!(told, ["0", "no 1", "stopping"]);
    }
}
