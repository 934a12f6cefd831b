//! Numbers of games out to the threads, and what they make of them back in order. Whoever is too far ahead of the
//! slowest waits, so that memory does not grow with the number of games.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How many games may be done before the slowest is.
const AHEAD: u64 = 4096;

/// The queue.
pub struct Queue<T> {
    total: u64,
    state: Mutex<State<T>>,
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
    done: VecDeque<Option<T>>,
    /// The threads at work.
    workers: usize,
    /// Nothing goes out any more.
    closed: bool,
}

/// What came back.
pub enum Back<T> {
    /// The next in order.
    Next(T),
    /// Nothing in that time.
    Nothing,
    /// A number that went out, but was given up.
    Missing(u64),
    /// All have come.
    End,
}

impl<T> Queue<T> {
    /// For the numbers below `total` and so many threads.
    pub fn new(total: u64, workers: usize) -> Self {
        let state = State { next: 0, first: 0, done: VecDeque::new(), workers, closed: false };
        Self { total, state: Mutex::new(state), room: Condvar::new(), news: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next number for a thread; none if there are no more.
    pub fn take(&self) -> Option<u64> {
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
    pub fn give(&self, number: u64, what: T) {
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

    /// A thread is done.
    pub fn leave(&self) {
        self.lock().workers -= 1;
        self.news.notify_one();
    }

    /// Nothing goes out any more.
    pub fn close(&self) {
        self.lock().closed = true;
        self.room.notify_all();
    }

    /// The next in order; waits for it so long.
    pub fn next(&self, patience: Duration) -> Back<T> {
        let mut state = self.lock();
        if !matches!(state.done.front(), Some(Some(_))) && state.workers > 0 {
            state = self
                .news
                .wait_timeout(state, patience)
                .map_or_else(|poison| poison.into_inner().0, |(s, _)| s);
        }
        match state.done.front_mut().map(Option::take) {
            Some(Some(row)) => {
                state.done.pop_front();
                state.first += 1;
                if state.next - state.first == AHEAD - 1 {
                    self.room.notify_all();
                }
                Back::Next(row)
            }
            _ if state.workers > 0 => Back::Nothing,
            // Nobody is at work any more: what is not here will not come.
            _ if state.first < state.next => {
                state.done.pop_front();
                state.first += 1;
                Back::Missing(state.first - 1)
            }
            _ => Back::End,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_millis(20);

    #[test]
    fn order_is_kept() {
        let queue = Queue::new(3, 1);
        let numbers: Vec<u64> = std::iter::from_fn(|| queue.take()).collect();
        assert_eq!(numbers, [0, 1, 2]);
        queue.give(2, "c");
        queue.give(0, "a");
        assert!(matches!(queue.next(PATIENCE), Back::Next("a")));
        assert!(matches!(queue.next(PATIENCE), Back::Nothing));
        queue.leave();
        assert!(matches!(queue.next(PATIENCE), Back::Missing(1)));
        assert!(matches!(queue.next(PATIENCE), Back::Next("c")));
        assert!(matches!(queue.next(PATIENCE), Back::End));
    }

    #[test]
    fn nobody_runs_far_ahead() {
        let queue = Queue::new(10 * AHEAD, 2);
        std::thread::scope(|scope| {
            let first = queue.take().unwrap();
            scope.spawn(|| {
                while let Some(number) = queue.take() {
                    queue.give(number, number);
                }
                queue.leave();
            });
            while queue.lock().next < AHEAD {
                std::thread::yield_now();
            }
            assert_eq!(queue.lock().next, AHEAD);
            queue.give(first, first);
            queue.leave();
            let mut next = 0;
            loop {
                match queue.next(PATIENCE) {
                    Back::Next(number) => {
                        assert_eq!(number, next);
                        next += 1;
                    }
                    Back::Nothing => {}
                    Back::Missing(_) | Back::End => break,
                }
            }
            assert_eq!(next, 10 * AHEAD);
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
}
