//! How numbers are spread, in memory that does not grow with how many there are.

use crate::tally::{add_each, add_to};

/// Numbers below this are told apart one by one.
const EXACT: u64 = 1024;
/// Above, so many steps lead from one power of two to the next.
const STEPS: u32 = 9;

/// How numbers are spread: exact below 1,024, to 0.2 percent above. It takes a quarter of a megabyte at most.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
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

    /// All of others, too.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        self.least = if self.count == 0 { other.least } else { self.least.min(other.least) };
        self.most = self.most.max(other.most);
        add_to(&mut self.count, other.count);
        self.sum = self.sum.saturating_add(other.sum);
        add_each(&mut self.buckets, &other.buckets);
    }

    /// Whether there are numbers that are spread so.
    pub fn is_sound(&self) -> bool {
        let first = self.buckets.iter().position(|&count| count > 0);
        let last = self.buckets.iter().rposition(|&count| count > 0);
        let (least, most) = (u128::from(self.least), u128::from(self.most));
        let count = u128::from(self.count);
        match first.zip(last) {
            None => self.count == 0 && self.sum == 0 && self.least == 0 && self.most == 0,
            Some((first, last)) => {
                self.least <= self.most
                    && (bucket(self.least), bucket(self.most)) == (first, last)
                    && self.buckets.iter().try_fold(0u64, |sum, &more| sum.checked_add(more))
                        == Some(self.count)
                    && (least.saturating_mul(count)..=most.saturating_mul(count)).contains(&self.sum)
            }
        }
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

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How many there are of each number, from the least to the most; of large numbers, of those that are told together by
    /// the least of them.
    pub fn bins(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let seen = self.buckets.iter().enumerate().filter(|(_, count)| **count > 0);
        seen.map(|(bucket, &count)| (least_of(bucket).clamp(self.least, self.most), count))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_exact() {
        let mut spread = Spread::default();
        for number in (1..=1000).rev() {
            spread.add(number);
        }
        assert_eq!([1, 2, 3].map(|q| spread.quarter(q)), [250, 500, 750]);
        assert_eq!((spread.least(), spread.most(), spread.mean()), (1, 1000, 500.5));
        assert!(spread.bins().eq((1..=1000).map(|number| (number, 1))));
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
    fn what_no_numbers_come_to_is_not_sound() {
        let mut spread = Spread::default();
        assert!(spread.is_sound());
        for number in [5, 2000, 70_000] {
            spread.add(number);
            assert!(spread.is_sound(), "{spread:?}");
        }
        let mut merged = Spread::default();
        merged.merge(&spread);
        merged.merge(&spread);
        assert!(merged.is_sound());
        let of = |change: fn(&mut Spread)| {
            let mut other = spread.clone();
            change(&mut other);
            other
        };
        for other in [
            of(|spread| spread.least = 80_000),
            of(|spread| spread.most = 1),
            of(|spread| spread.count = 1),
            of(|spread| spread.buckets.resize(1 << 20, 1)),
            of(|spread| spread.buckets.clear()),
            of(|spread| spread.sum = 0),
        ] {
            assert!(!other.is_sound(), "{other:?}");
        }
    }

    #[test]
    fn nothing_is_told_of_nothing() {
        let spread = Spread::default();
        assert_eq!((spread.least(), spread.quarter(2), spread.most()), (0, 0, 0));
    }
}
