//! What many games come to, in memory that does not grow with their number.

use std::collections::BTreeMap;

use super::game::{End, Row};

/// How many failed games are told one by one.
const TOLD: usize = 5;
/// So many rounds are told apart; whatever lasts longer is told together.
pub const ROUNDS: u64 = 24;

/// All games so far.
pub struct Tally {
    /// How many.
    pub games: u64,
    /// Of them came to an end by their rules.
    pub over: u64,
    /// And nobody has won.
    pub nobody: u64,
    /// The games that each player has won.
    pub won: Vec<u64>,
    /// The games that came to an end, by the step that ended them.
    pub endings: BTreeMap<Ending, Ended>,
    /// And by how often the outermost round came.
    pub by_round: BTreeMap<u64, Ended>,
    /// The rules failed.
    pub faults: u64,
    /// Stopped at the most decisions.
    pub limits: u64,
    /// The first that did not come to an end.
    pub failed: Vec<Row>,
    /// The decisions of games that came to an end.
    pub decisions: Spread,
    /// Their rounds.
    pub turns: Vec<Spread>,
}

/// A step that ended games; the blank one is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ending {
    /// Its name.
    pub step: String,
    /// Its paragraphs.
    pub cites: Vec<String>,
}

/// The games of a sort.
#[derive(Clone, Debug, Default)]
pub struct Ended {
    /// How many.
    pub games: u64,
    /// The games that each player has won.
    pub won: Vec<u64>,
}

impl Ended {
    fn add(&mut self, winner: Option<u32>, players: usize) {
        self.games += 1;
        self.won.resize(players, 0);
        if let Some(won) = winner.and_then(|winner| self.won.get_mut(winner as usize)) {
            *won += 1;
        }
    }
}

impl Tally {
    /// No games yet.
    pub fn new(players: usize, rounds: usize) -> Self {
        Self {
            games: 0,
            over: 0,
            nobody: 0,
            won: vec![0; players],
            endings: BTreeMap::new(),
            by_round: BTreeMap::new(),
            faults: 0,
            limits: 0,
            failed: Vec::new(),
            decisions: Spread::default(),
            turns: vec![Spread::default(); rounds],
        }
    }

    /// A game is done.
    pub fn add(&mut self, row: &Row) {
        self.games += 1;
        match &row.end {
            End::Over { winner, place, .. } => {
                self.over += 1;
                let players = self.won.len();
                match winner.and_then(|winner| self.won.get_mut(winner as usize)) {
                    Some(won) => *won += 1,
                    None => self.nobody += 1,
                }
                let ending = place
                    .as_ref()
                    .map(|place| Ending { step: place.name.clone(), cites: place.cites.clone() });
                self.endings.entry(ending.unwrap_or_default()).or_default().add(*winner, players);
                if let Some(&round) = row.turns.first() {
                    self.by_round.entry(round.min(ROUNDS)).or_default().add(*winner, players);
                }
                self.decisions.add(row.decisions);
                for (spread, &turns) in self.turns.iter_mut().zip(&row.turns) {
                    spread.add(turns);
                }
                return;
            }
            End::Fault(_) => self.faults += 1,
            End::Limit => self.limits += 1,
        }
        if self.failed.len() < TOLD {
            self.failed.push(row.clone());
        }
    }
}

/// Numbers below this are told apart one by one.
const EXACT: u64 = 1024;
/// Above, so many steps lead from one power of two to the next.
const STEPS: u32 = 9;

/// How numbers are spread: exact below 1,024, to 0.2 percent above. It takes a quarter of a megabyte at most.
#[derive(Clone, Debug, Default)]
pub struct Spread {
    count: u64,
    sum: u128,
    least: u64,
    most: u64,
    buckets: Vec<u64>,
}

impl Spread {
    /// One more.
    pub fn add(&mut self, number: u64) {
        self.least = if self.count == 0 { number } else { self.least.min(number) };
        self.most = self.most.max(number);
        self.count += 1;
        self.sum += u128::from(number);
        let bucket = bucket(number);
        if self.buckets.len() <= bucket {
            self.buckets.resize(bucket + 1, 0);
        }
        self.buckets[bucket] += 1;
    }

    /// The mean; 0 of none.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum as f64 / self.count as f64 }
    }

    /// The least.
    pub fn least(&self) -> u64 {
        self.least
    }

    /// The most.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// The least number that so many quarters of all do not exceed.
    pub fn quarter(&self, quarters: u64) -> u64 {
        let rank = (u128::from(self.count) * u128::from(quarters)).div_ceil(4).max(1);
        let mut seen = 0;
        for (bucket, &count) in self.buckets.iter().enumerate() {
            seen += u128::from(count);
            if seen >= rank {
                return least_of(bucket).clamp(self.least, self.most);
            }
        }
        self.most
    }
}

fn bucket(number: u64) -> usize {
    if number < EXACT {
        return number as usize;
    }
    let power = number.ilog2();
    let within = (number >> (power - STEPS)) - (1 << STEPS);
    (EXACT + (u64::from(power - EXACT.ilog2()) << STEPS) + within) as usize
}

fn least_of(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    if bucket < EXACT {
        return bucket;
    }
    let (power, within) = ((bucket - EXACT) >> STEPS, (bucket - EXACT) & ((1 << STEPS) - 1));
    ((1 << STEPS) + within) << (power + u64::from(EXACT.ilog2() - STEPS))
}

/// Between what the true share lies, with 95 percent confidence, when `hits` of `count` were seen: Wilson's score
/// interval (E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", Journal of the
/// American Statistical Association 22, 1927, 209-212). Unlike the plain one it holds for small numbers and for shares
/// near 0 and 1, too.
pub fn wilson(hits: u64, count: u64) -> (f64, f64) {
    /// The 97.5th percentile of the normal distribution.
    const Z: f64 = 1.959_963_984_540_054;
    if count == 0 {
        return (0.0, 1.0);
    }
    let (n, share) = (count as f64, hits as f64 / count as f64);
    let middle = share + Z * Z / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    let least = if hits == 0 { 0.0 } else { (middle - half) / scale };
    let most = if hits == count { 1.0 } else { (middle + half) / scale };
    (least, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against R: `prop.test(hits, count, correct = FALSE)$conf.int`.
    #[test]
    fn intervals_are_wilsons() {
        for (hits, count, least, most) in [
            (0, 10, 0.0, 0.277_533),
            (10, 10, 0.722_467, 1.0),
            (1, 10, 0.017_876, 0.404_150),
            (5, 10, 0.236_593, 0.763_407),
            (520, 1000, 0.489_021, 0.550_828),
        ] {
            let (l, m) = wilson(hits, count);
            assert!((l - least).abs() < 1e-5 && (m - most).abs() < 1e-5, "{hits} of {count}: {l} {m}");
        }
        assert_eq!(wilson(0, 0), (0.0, 1.0));
    }

    #[test]
    fn small_numbers_are_exact() {
        let mut spread = Spread::default();
        for number in (1..=1000).rev() {
            spread.add(number);
        }
        assert_eq!([1, 2, 3].map(|q| spread.quarter(q)), [250, 500, 750]);
        assert_eq!((spread.least(), spread.most(), spread.mean()), (1, 1000, 500.5));
    }

    #[test]
    fn large_numbers_are_near() {
        for number in [1023, 1024, 1025, 5000, 123_456_789, u64::MAX / 3, u64::MAX] {
            let low = least_of(bucket(number));
            assert!(low <= number && (number - low) as f64 <= number as f64 * 0.002, "{number}: {low}");
            let mut spread = Spread::default();
            spread.add(number);
            assert_eq!(spread.quarter(2), number);
        }
        assert!(bucket(u64::MAX) < 30_000);
    }

    #[test]
    fn nothing_is_told_of_nothing() {
        let spread = Spread::default();
        assert_eq!((spread.least(), spread.quarter(2), spread.most()), (0, 0, 0));
    }
}
