//! An interval for a mean that may be looked at after every game, and what follows from it.
//!
//! Whoever looks at an ordinary test again and again until it says what he hopes for is fooled sooner or later. What is
//! here keeps its promises whenever it is looked at and whatever makes one stop.
//!
//! A mean is refused when somebody who bets against it, with odds that are fair if it is right, has multiplied his stake so
//! often as he would with a small probability only (J. Ville, "Étude critique de la notion de collectif", 1939). The means
//! that are not refused are an interval that holds at all moments at once (I. Waudby-Smith, A. Ramdas, "Estimating means of
//! bounded random variables by betting", Journal of the Royal Statistical Society B 86, 2024, 1-27). The stake is spread
//! over bets of many sizes, each kept up for ever (F. Orabona, K.-S. Jun, "Tight concentrations and confidence sequences
//! from the regret of universal portfolio", IEEE Transactions on Information Theory 70, 2024, 436-455): so what came of it
//! hangs on how often each value was seen and not on the order, and large differences are told as sharply as small ones.
//! Nothing is true in the long run only: it holds from the first game on.

use super::matched;
use crate::tally::{add_to, total};

/// How often each of a few values was seen.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// The values, from the least to the greatest.
    values: Vec<f64>,
    counts: Vec<u64>,
}

impl Counts {
    /// None of these values yet.
    pub fn of(values: &[f64]) -> Self {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let counts = vec![0; values.len()];
        Self { values, counts }
    }

    /// None of the same values.
    pub fn emptied(&self) -> Self {
        Self { values: self.values.clone(), counts: vec![0; self.counts.len()] }
    }

    /// One more of a value; one that is not among them counts as the nearest.
    pub fn add(&mut self, value: f64) {
        self.add_many(value, 1);
    }

    /// So many more of a value.
    pub fn add_many(&mut self, value: f64, count: u64) {
        let far = |other: &f64| (other - value).abs();
        let nearest =
            (0..self.values.len()).min_by(|&a, &b| far(&self.values[a]).total_cmp(&far(&self.values[b])));
        if let Some(place) = nearest {
            add_to(&mut self.counts[place], count);
        }
    }

    /// All that others have counted, too; they have the same values.
    pub fn merge(&mut self, other: &Self) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, &more)| add_to(count, more));
    }

    /// Whether the same values are told apart as in others.
    pub fn fits(&self, other: &Self) -> bool {
        self.values == other.values && self.counts.len() == other.counts.len()
    }

    /// How many.
    pub fn count(&self) -> u64 {
        total(&self.counts)
    }

    /// How many of a value.
    pub fn of_value(&self, value: f64) -> u64 {
        self.values.iter().position(|&other| other == value).map_or(0, |place| self.counts[place])
    }

    /// The mean; 0 of none.
    pub fn mean(&self) -> f64 {
        let count = self.count();
        let sum: f64 = self.values.iter().zip(&self.counts).map(|(value, &count)| value * count as f64).sum();
        if count == 0 { 0.0 } else { sum / count as f64 }
    }

    /// Between what the mean of differences of -1, 0 and 1 lies, with 95 percent confidence for who looks once.
    pub fn interval(&self) -> (f64, f64) {
        let counts = self.values.iter().zip(&self.counts).map(|(&value, &count)| (value, count as f64));
        matched(counts, [-1.0, 0.0, 1.0])
    }

    /// The variance; 0 of none.
    pub fn variance(&self) -> f64 {
        let (count, mean) = (self.count(), self.mean());
        let of = |(value, &count): (&f64, &u64)| (value - mean) * (value - mean) * count as f64;
        let sum: f64 = self.values.iter().zip(&self.counts).map(of).sum();
        if count == 0 { 0.0 } else { sum / count as f64 }
    }
}

/// What is sure by now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The mean is above 0.
    More,
    /// The mean is below 0.
    Less,
    /// The mean is not as far from 0 as would matter.
    Same,
    /// It needs more.
    Open,
}

/// How sure one wants to be of a mean, and of what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certainty {
    /// How far from 0 would matter: above 0.
    pub matters: f64,
    /// How often it may be wrong: between 0 and 1.
    pub error: f64,
}

/// Between what a mean lies: the means that were never refused, at none of the moments at which it was looked.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// The least of them.
    pub least: f64,
    /// The greatest.
    pub most: f64,
    /// What was counted when the last below them was refused.
    pub least_at: Counts,
    /// And when the last above them was.
    pub most_at: Counts,
}

/// What part of the stake goes into bets of more than half of what may be bet: they tell large differences.
const BOLD: f64 = 0.25;
/// So far apart bets are in size, in logarithms of the odds of the part of the whole that is bet.
const STEP: f64 = 0.25;
/// The boldest bet leaves so much (in the same logarithms, about 1 percent).
const BOLDEST: f64 = 4.5;

impl Certainty {
    /// The bets that the stake is spread over: each a part of what may be bet, and the logarithm of its share of the stake.
    /// The least are as large as would tell half of what matters; below half of what may be bet all sizes have the same
    /// share, and above it.
    fn bets(&self) -> Vec<(f64, f64)> {
        let least = (self.matters / 2.0).clamp(1e-6, 0.4);
        let low = (least / (1.0 - least)).ln();
        let steps = |from: f64, to: f64| -> Vec<f64> {
            let count = ((to - from) / STEP).ceil().max(1.0);
            let at = |step: u32| from + (to - from) * (f64::from(step) + 0.5) / count;
            (0..count as u32).map(at).collect()
        };
        let mut bets = Vec::new();
        for (sizes, share) in [(steps(low, 0.0), 1.0 - BOLD), (steps(0.0, BOLDEST), BOLD)] {
            let log = (share / sizes.len() as f64).ln();
            bets.extend(sizes.into_iter().map(|size| (1.0 / (1.0 + (-size).exp()), log)));
        }
        bets
    }

    /// Between what the mean lies by what was counted, looked at once; the intervals of all moments hold together with
    /// probability `1 - error`. Nothing where nothing was counted.
    pub fn interval(&self, counts: &Counts) -> Option<(f64, f64)> {
        if counts.count() == 0 {
            return None;
        }
        let least = self.least(counts);
        let other = Counts {
            values: counts.values.iter().rev().map(|value| -value).collect(),
            counts: counts.counts.iter().rev().copied().collect(),
        };
        Some((least, -self.least(&other)))
    }

    /// The least mean that is not refused in favour of greater ones.
    fn least(&self, counts: &Counts) -> f64 {
        let Some(&end) = counts.values.first() else { return 0.0 };
        let (bets, mean) = (self.bets(), counts.mean());
        // The smaller a mean, the more is won by who bets on more: there is one place where it begins to be refused.
        let (mut inside, mut outside) = (mean, end);
        for _ in 0..60 {
            let middle = 0.5 * (inside + outside);
            if middle > end && won(&bets, counts, middle) < self.refusing() {
                inside = middle
            } else {
                outside = middle
            }
        }
        inside
    }

    /// What is sure if the mean lies between these: that it is not 0, or not as far from 0 as would matter.
    pub fn verdict(&self, interval: &Interval) -> Verdict {
        if interval.least > 0.0 {
            Verdict::More
        } else if interval.most < 0.0 {
            Verdict::Less
        } else if -self.matters < interval.least && interval.most < self.matters {
            Verdict::Same
        } else {
            Verdict::Open
        }
    }

    /// The logarithm of what a stake must have become for a mean to be refused: it becomes `1 / e` times as much at any
    /// time with probability `e` at most, and each side has half the error.
    fn refusing(&self) -> f64 {
        (2.0 / self.error).ln()
    }

    /// About how many are needed to tell a mean that matters from 0 without looking before, if the variance is this.
    pub fn needed(&self, variance: f64) -> f64 {
        let z = normal_quantile(1.0 - self.error / 2.0) + normal_quantile(1.0 - self.error);
        z * z * variance / (self.matters * self.matters)
    }
}

/// The logarithm of what a stake of 1 has become that was spread over some bets on more than a mean. A bet of the part `p`
/// wins `p (v - mean) / (mean - least)` for a value `v`: nothing on the whole if the mean is right, and never more is lost
/// than `p`.
fn won(bets: &[(f64, f64)], counts: &Counts, mean: f64) -> f64 {
    let Some(&least) = counts.values.first() else { return 0.0 };
    let of = |&(part, share): &(f64, f64)| {
        let each = counts.values.iter().zip(&counts.counts).filter(|(_, count)| **count > 0);
        let gain =
            |(value, &count): (&f64, &u64)| count as f64 * (part * (value - mean) / (mean - least)).ln_1p();
        share + each.map(gain).sum::<f64>()
    };
    let all: Vec<f64> = bets.iter().map(of).collect();
    let top = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if top.is_finite() { top + all.iter().map(|log| (log - top).exp()).sum::<f64>().ln() } else { top }
}

impl Interval {
    /// Nothing is refused yet of means of such values.
    pub fn of(counts: &Counts) -> Self {
        let none = counts.emptied();
        let (least, most) = (counts.values.first(), counts.values.last());
        let [least, most] = [least, most].map(|end| end.copied().unwrap_or_default());
        Self { least, most, least_at: none.clone(), most_at: none }
    }

    /// It is looked at once more: what was refused before stays refused. What was seen lies between two counts, which are the
    /// same where all is known.
    pub fn narrow(&mut self, certainty: &Certainty, low: &Counts, high: &Counts) {
        let Some(((least, _), (_, most))) = certainty.interval(low).zip(certainty.interval(high)) else {
            return;
        };
        // Where all means are refused, which happens no more often than it may be wrong, the last one stays.
        if least > self.least {
            self.least = least.min(self.most);
            self.least_at = low.clone();
        }
        if most < self.most {
            self.most = most.max(self.least);
            self.most_at = high.clone();
        }
    }
}

/// The number below which a standard normal variable stays with a probability; by bisection of [`normal`].
pub fn normal_quantile(probability: f64) -> f64 {
    let (mut low, mut high) = (-9.0, 9.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if normal(middle) < probability { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The probability that a standard normal variable stays below a number, to about 1e-15: its power series for small
/// numbers, its continued fraction for large ones (M. Abramowitz, I. Stegun, Handbook of Mathematical Functions, 1964,
/// 26.2.11 and 26.2.14).
pub fn normal(x: f64) -> f64 {
    let density = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if x.abs() < 3.0 {
        let (mut term, mut sum) = (x, x);
        for n in 1..200u32 {
            term *= x * x / f64::from(2 * n + 1);
            sum += term;
        }
        return 0.5 + density * sum;
    }
    let far = x.abs();
    let fraction = (1..200u32).rev().fold(far, |below, n| far + f64::from(n) / below);
    let tail = density / fraction;
    if x > 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blazon_fixtures::tries;
    use blazon_kernel::chance::Stream;

    const WINS: [f64; 3] = [-1.0, 0.0, 1.0];

    fn counts(lost: u64, even: u64, won: u64) -> Counts {
        Counts { values: WINS.to_vec(), counts: vec![lost, even, won] }
    }

    const CERTAINTY: Certainty = Certainty { matters: 0.02, error: 0.05 };

    fn verdict(counts: &Counts) -> Verdict {
        let mut interval = Interval::of(counts);
        interval.narrow(&CERTAINTY, counts, counts);
        CERTAINTY.verdict(&interval)
    }

    #[test]
    fn the_stake_is_spread_over_all_bets() {
        for matters in [0.0001, 0.02, 0.3, 1.0] {
            let bets = Certainty { matters, error: 0.05 }.bets();
            let all: f64 = bets.iter().map(|(_, share)| share.exp()).sum();
            assert!((all - 1.0).abs() < 1e-12, "{matters}: {all}");
            assert!(bets.iter().all(|(part, _)| 0.0 < *part && *part < 1.0), "{matters}: {bets:?}");
        }
    }

    /// What a bet wins on the average over the values is nothing, if the mean is right.
    #[test]
    fn the_odds_are_fair() {
        for mean in [-0.9, -0.3, 0.0, 0.05, 0.7] {
            let [lost, even] = [0.3 * (1.0 - mean) / 2.0, 0.1];
            // What is left is won as often as makes the mean right.
            let share = [lost, even, 1.0 - lost - even];
            let own = share[2] - share[0];
            let stake = [counts(1, 0, 0), counts(0, 1, 0), counts(0, 0, 1)];
            let all: f64 = stake
                .iter()
                .zip(share)
                .map(|(seen, share)| share * won(&CERTAINTY.bets(), seen, own).exp())
                .sum();
            assert!((all - 1.0).abs() < 1e-12, "{mean}: {all}");
        }
    }

    #[test]
    fn it_says_what_was_put_in() {
        assert_eq!(verdict(&counts(0, 39, 0)), Verdict::Open);
        assert_eq!(verdict(&counts(0, 2000, 0)), Verdict::Same);
        assert_eq!(verdict(&counts(100, 1700, 400)), Verdict::More);
        assert_eq!(verdict(&counts(400, 1700, 100)), Verdict::Less);
        assert_eq!(verdict(&counts(50, 300, 55)), Verdict::Open);
    }

    /// A side that loses nearly all that it won before is told so at once, and how much it loses.
    #[test]
    fn large_differences_are_told_sharply() {
        let (least, most) = CERTAINTY.interval(&counts(94, 6, 0)).expect("an interval");
        assert!((-1.0..-0.97).contains(&least) && (-0.85..-0.75).contains(&most), "{least} {most}");
        assert_eq!(verdict(&counts(16, 0, 0)), Verdict::Less);
        let (least, most) = CERTAINTY.interval(&counts(0, 0, 100)).expect("an interval");
        assert!(least > 0.8 && most == 1.0, "{least} {most}");
        // It is never as narrow as an interval that may be looked at once only, nor much wider than twice that.
        for (seen, once) in [(counts(100, 1700, 200), 0.0167), (counts(300, 9000, 320), 0.005)] {
            let (least, most) = CERTAINTY.interval(&seen).expect("an interval");
            let half = (most - least) / 2.0;
            assert!(once < half && half < 2.2 * once, "{least} {most}");
        }
    }

    /// Many runs with a mean of 0, and with one that matters: it is wrong no more often than it says.
    #[test]
    fn it_is_wrong_no_more_often_than_it_says() {
        let certainty = Certainty { matters: 0.1, error: 0.05 };
        let run = |mean: f64, stream: &mut Stream| {
            let mut seen = counts(0, 0, 0);
            let mut interval = Interval::of(&seen);
            loop {
                let lot = stream.below(1_000_000) as f64 / 1e6;
                let won = 0.15 + mean / 2.0;
                seen.add(if lot < won {
                    1.0
                } else if lot < 0.3 {
                    -1.0
                } else {
                    0.0
                });
                if seen.count().is_multiple_of(20) {
                    interval.narrow(&certainty, &seen, &seen);
                    let verdict = certainty.verdict(&interval);
                    if verdict != Verdict::Open {
                        return (verdict, seen.count());
                    }
                }
            }
        };
        let mut stream = Stream::new(5);
        let runs = tries(200, 1000);
        let alike: Vec<_> = (0..runs).map(|_| run(0.0, &mut stream)).collect();
        let wrong = alike.iter().filter(|(verdict, _)| *verdict != Verdict::Same).count();
        assert!(wrong <= runs / 20, "{wrong} of {runs}");
        let apart: Vec<_> = (0..runs).map(|_| run(0.1, &mut stream)).collect();
        let missed = apart.iter().filter(|(verdict, _)| *verdict != Verdict::More).count();
        assert!(missed <= runs / 20, "{missed} of {runs}");
        let mean =
            |all: &[(Verdict, u64)]| all.iter().map(|(_, games)| games).sum::<u64>() as f64 / runs as f64;
        let (alike, apart) = (mean(&alike), mean(&apart));
        let once = certainty.needed(0.3);
        assert!(apart < once * 1.2 && alike < once * 1.6, "{apart} and {alike} against {once}");
    }

    /// Of 50 or 200 long runs each the interval has left out the mean at some time in about 5 percent at most: of means near
    /// 0 and far from it, of values that come often and seldom.
    #[test]
    fn the_interval_holds_at_all_times() {
        let mut stream = Stream::new(11);
        for (lost, won) in [(333, 333), (20, 20), (10, 60), (900, 50), (0, 300), (0, 4)] {
            let (mean, certainty) =
                ((f64::from(won) - f64::from(lost)) / 1000.0, Certainty { matters: 0.1, error: 0.05 });
            let mut left_out = 0;
            for _ in 0..tries(50, 200) {
                let mut seen = counts(0, 0, 0);
                let mut interval = Interval::of(&seen);
                for number in 1..1200u64 {
                    let lot = stream.below(1000) as u32;
                    seen.add(f64::from(u8::from(lot < won)) - f64::from(u8::from(lot >= 1000 - lost)));
                    if number.is_multiple_of(40) {
                        interval.narrow(&certainty, &seen, &seen);
                    }
                }
                left_out += u32::from(mean < interval.least || interval.most < mean);
            }
            assert!(left_out <= tries(5, 17), "{lost}, {won}: {left_out}");
        }
    }

    #[test]
    fn the_normal_distribution_is_right() {
        for (x, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-2.0, 0.022_750_131_948_179_2),
            (3.5, 0.999_767_370_920_964),
        ] {
            assert!((normal(x) - p).abs() < 1e-12, "{x}: {}", normal(x));
        }
        assert!((normal_quantile(0.975) - crate::stats::Z95).abs() < 1e-9);
    }
}
