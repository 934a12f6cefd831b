//! How strong players are: pairs of games on the same luck, in which the two change seats.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use blazon::Program;
use blazon_machine::bots::Skill;
use blazon_machine::{Fault, Machine};
use serde::{Deserialize, Serialize};

use crate::game::{Plan, Row};
use crate::queue::{Back, Event, Flow, Queue, Stop};
use crate::stats::{Match, Strength, Z95, strengths};
use crate::tally::{Failures, add_to, total};

/// Games between two players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meeting {
    /// The weaker one, by his place in the list.
    pub one: usize,
    /// The other.
    pub other: usize,
    /// Pairs of which both games came to an end, by how they ended for `other`, in half points: 0 both lost, 4 both won.
    pub pairs: [u64; 5],
    /// For each seat in the order of the table: games of these pairs played there by `other`, and of them won.
    pub seats: Vec<[u64; 2]>,
    /// Pairs of which a game did not come to an end: who is stronger they do not tell.
    #[serde(default)]
    pub broken: u64,
    /// For each seat the games that did not come to an end while `other` sat there.
    #[serde(default)]
    pub failures: [Failures; 2],
}

impl Meeting {
    /// None yet between two.
    fn new(one: usize, other: usize) -> Self {
        Self { one, other, pairs: [0; 5], seats: vec![[0; 2]; 2], broken: 0, failures: Default::default() }
    }

    /// One pair more: how the game came out with `other` on the first seat, and with him on the second.
    fn add(&mut self, played: &[(u32, Row); 2]) {
        let mut failed = false;
        for (failures, (_, row)) in self.failures.iter_mut().zip(played) {
            failed |= failures.add(row);
        }
        if failed {
            self.broken += 1;
            return;
        }
        let halves = played.each_ref().map(|(own, row)| match row.end.winner() {
            Some(winner) if winner == *own => 2,
            Some(_) => 0,
            None => 1,
        });
        self.pairs[halves[0] + halves[1]] += 1;
        for (seat, halves) in self.seats.iter_mut().zip(halves) {
            seat[0] += 1;
            seat[1] += u64::from(halves == 2);
        }
    }

    /// All other games between the same two, too.
    pub fn merge(&mut self, more: &Self) {
        self.pairs.iter_mut().zip(more.pairs).for_each(|(own, more)| add_to(own, more));
        let seats = self.seats.iter_mut().flatten().zip(more.seats.iter().flatten());
        seats.for_each(|(own, &more)| add_to(own, more));
        add_to(&mut self.broken, more.broken);
        for (own, more) in self.failures.iter_mut().zip(&more.failures) {
            own.merge(more);
        }
    }

    /// Whether these are games between the same two.
    pub fn fits(&self, other: &Self) -> bool {
        (self.one, self.other, self.seats.len()) == (other.one, other.other, other.seats.len())
    }

    /// How many games were played.
    pub fn played(&self) -> u64 {
        self.games().saturating_add(self.broken.saturating_mul(2))
    }

    /// How many games count: those of pairs that came to an end.
    pub fn games(&self) -> u64 {
        total(&self.pairs).saturating_mul(2)
    }

    /// How many games did not come to an end.
    pub fn failed(&self) -> u64 {
        self.failures.iter().map(Failures::count).fold(0, u64::saturating_add)
    }

    /// How many of the games that count `other` has won, half of those that nobody has.
    pub fn points(&self) -> f64 {
        (0..)
            .zip(&self.pairs)
            .map(|(halves, &pairs): (u32, &u64)| f64::from(halves) / 2.0 * pairs as f64)
            .sum()
    }

    /// The share of the points of `other` and half the width of its interval of 95 percent; the pairs are what is counted,
    /// for two games of a pair hang together. Nothing where no pair came to its end.
    pub fn share(&self) -> Option<(f64, f64)> {
        let pairs = total(&self.pairs) as f64;
        if pairs == 0.0 {
            return None;
        }
        let share = self.points() / (2.0 * pairs);
        // Two made-up pairs, one lost and one won: where all were won the interval is not nothing.
        let value = |halves: usize| halves as f64 / 4.0;
        let squares: f64 =
            self.pairs.iter().enumerate().map(|(h, &n)| (value(h) - share).powi(2) * n as f64).sum();
        let made_up = share * share + (1.0 - share) * (1.0 - share);
        let variance = (squares + made_up) / (pairs + 2.0);
        Some((share, Z95 * (variance / pairs).sqrt()))
    }
}

/// Who plays whom.
pub struct Ladder {
    /// By which rules.
    pub program: Arc<Program>,
    /// The seed of all games, and how they are played; its players are not looked at.
    pub plan: Plan,
    /// The players.
    pub players: Vec<Skill>,
    /// The pairs of places in `players` that meet.
    pub meetings: Vec<(usize, usize)>,
    /// How many pairs of games each meeting has.
    pub pairs: u64,
    /// How many games are played at once.
    pub threads: usize,
}

impl Ladder {
    /// How many pairs there are in all.
    pub fn all(&self) -> u64 {
        self.pairs * self.meetings.len() as u64
    }

    /// Nobody has met yet.
    pub fn nothing(&self) -> Vec<Meeting> {
        self.meetings.iter().map(|&(one, other)| Meeting::new(one, other)).collect()
    }

    /// Plays the pairs of these numbers, of which each meeting has one in turn; `seen` is told after each how many are done.
    /// Stops early if `stop` holds more than 0.
    ///
    /// # Errors
    /// A [`Fault`] if the states of the program cannot begin.
    pub fn play(
        &self,
        numbers: Range<u64>,
        stop: &AtomicUsize,
        seen: &mut dyn FnMut(u64),
    ) -> Result<Vec<Meeting>, Fault> {
        let mut machines = Vec::new();
        for _ in 0..self.threads.max(1) {
            let mut machine = Machine::new(self.program.clone())?;
            machine.record(false);
            machines.push(machine);
        }
        let (mut meetings, from) = (self.nothing(), numbers.start);
        let queue = Queue::new(numbers.end.saturating_sub(from), machines.len());
        std::thread::scope(|scope| {
            for mut machine in machines {
                let queue = &queue;
                scope.spawn(move || {
                    queue.work(|number| {
                        let pair = from + number;
                        Some((pair, self.pair(&mut machine, pair, queue.halt())?))
                    });
                });
            }
            let mut done = 0;
            queue.gather(Stop::at_once(stop), |event| {
                if let Event::Back(Back::Next((number, played))) = event {
                    meetings[(number % self.meetings.len().max(1) as u64) as usize].add(&played);
                    done += 1;
                    seen(done);
                }
                Flow::GoOn
            });
        });
        Ok(meetings)
    }

    /// One pair: where the second of the two sat and how it came out; the first game on the first seat.
    fn pair(&self, machine: &mut Machine, number: u64, stop: &AtomicUsize) -> Option<[(u32, Row); 2]> {
        let count = self.meetings.len().max(1) as u64;
        let (one, other) = *self.meetings.get((number % count) as usize)?;
        let (one, other) = (self.players.get(one)?, self.players.get(other)?);
        let seats = machine.program().book.players.clone();
        let mut play = |seat: usize| {
            let own = *seats.get(seat)?;
            let mut plan = self.plan.clone();
            for player in &seats {
                let sits = if *player == own { other } else { one };
                sits.clone_into(plan.players.get_mut(*player as usize)?);
            }
            Some((own, plan.play(machine, number / count, &mut (), stop)?))
        };
        Some([play(0)?, play(1)?])
    }
}

/// How strong all are who have met, the first at 0.
pub fn ranked(players: usize, meetings: &[Meeting]) -> Vec<Strength> {
    // Where no pair came to an end, nothing connects the two.
    let told = meetings.iter().filter(|meeting| meeting.games() > 0);
    let matches = told.map(|meeting| Match { one: meeting.other, other: meeting.one, pairs: meeting.pairs });
    strengths(players, &matches.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::End;

    #[test]
    fn a_share_counts_pairs() {
        let meeting =
            Meeting { pairs: [0, 0, 10, 0, 30], seats: vec![[40, 40], [40, 30]], ..Meeting::new(0, 1) };
        assert_eq!((meeting.games(), meeting.points()), (80, 70.0));
        let (share, half) = meeting.share().expect("there are pairs");
        assert!((share - 0.875).abs() < 1e-12 && half > 0.06 && half < 0.09, "{share} {half}");
        let all = Meeting { pairs: [0, 0, 0, 0, 40], seats: vec![[40, 40], [40, 40]], ..Meeting::new(0, 1) };
        assert!(all.share().is_some_and(|(_, half)| half > 0.01), "{:?}", all.share());
        assert_eq!(Meeting::new(0, 1).share(), None);
    }

    #[test]
    fn what_did_not_come_to_an_end_counts_for_nobody() {
        let row = |end: End| Row { game: 3, seed: 9, setup: 0, end, decisions: 7, turns: Vec::new() };
        let over = || row(End::Over { winner: Some(1), place: None, said: String::new() });
        let mut meeting = Meeting::new(0, 1);
        meeting.add(&[(0, over()), (1, over())]);
        meeting.add(&[(0, over()), (1, row(End::Limit))]);
        assert_eq!((meeting.games(), meeting.played(), meeting.points()), (2, 4, 1.0));
        assert_eq!((meeting.failed(), meeting.failures[1].limits, meeting.broken), (1, 1, 1));
        // Who has met without an end is as good as who has not met.
        let mut broken = Meeting::new(0, 1);
        broken.add(&[(0, row(End::Limit)), (1, row(End::Limit))]);
        assert!(!ranked(2, &[broken])[1].half.is_finite());
    }
}
