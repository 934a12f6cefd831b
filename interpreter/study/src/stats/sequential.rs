//! A test, and an interval, that may be looked at after every game.
//!
//! Whoever looks at an ordinary test again and again until it says what he hopes for is fooled sooner or later. What is
//! here keeps its promises whenever it is looked at and whatever makes one stop.
//!
//! [`Sprt`] asks whether a mean is 0, or as far from 0 as would matter: the generalised sequential probability ratio test,
//! which is Wald's ratio of likelihoods (A. Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical
//! Statistics 16, 1945, 117-186), each the greatest among all distributions with the mean in question (X. Li, J. Liu, Z.
//! Ying, "Generalized Sequential Probability Ratio Test for Separate Families of Hypotheses", Sequential Analysis 33, 2014,
//! 539-563). Its interval holds all means that the same test, asked of them instead of 0, has not refused (H. Robbins,
//! "Statistical Methods Related to the Law of the Iterated Logarithm", Annals of Mathematical Statistics 41, 1970,
//! 1397-1409): so it leaves out 0 where, and only where, the test says that the mean is not 0.

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

    /// One more of a value; one that is not among them counts as the nearest.
    pub fn add(&mut self, value: f64) {
        let far = |other: &f64| (other - value).abs();
        let nearest =
            (0..self.values.len()).min_by(|&a, &b| far(&self.values[a]).total_cmp(&far(&self.values[b])));
        if let Some(place) = nearest {
            self.counts[place] += 1;
        }
    }

    /// All that others have counted, too; they have the same values.
    pub fn merge(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
    }

    /// Whether the same values are told apart as in others.
    pub fn fits(&self, other: &Self) -> bool {
        self.values == other.values && self.counts.len() == other.counts.len()
    }

    /// How many.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// How many of a value.
    pub fn of_value(&self, value: f64) -> u64 {
        self.values.iter().position(|&other| other == value).map_or(0, |place| self.counts[place])
    }

    /// How many are not zero.
    pub fn discordant(&self) -> u64 {
        self.count() - self.of_value(0.0)
    }

    /// The mean; 0 of none.
    pub fn mean(&self) -> f64 {
        let count = self.count();
        let sum: f64 = self.values.iter().zip(&self.counts).map(|(value, &count)| value * count as f64).sum();
        if count == 0 { 0.0 } else { sum / count as f64 }
    }

    /// The variance; 0 of none.
    pub fn variance(&self) -> f64 {
        let (count, mean) = (self.count(), self.mean());
        let of = |(value, &count): (&f64, &u64)| (value - mean) * (value - mean) * count as f64;
        let sum: f64 = self.values.iter().zip(&self.counts).map(of).sum();
        if count == 0 { 0.0 } else { sum / count as f64 }
    }
}

/// What a value that was never seen counts for in a likelihood: it could have come.
const UNSEEN: f64 = 1e-3;

/// The logarithm of how much likelier the counts are if the mean is `one` than if it is `other`, each taken for the
/// likeliest distribution over the values with that mean.
pub fn log_ratio(counts: &Counts, one: f64, other: f64) -> f64 {
    likeliest(counts, one) - likeliest(counts, other)
}

/// The greatest logarithm of the likelihood of the counts among the distributions with a mean.
///
/// It is taken at `p = f / (1 + x (v - mean))` with the shares `f` and the one `x` for which the mean is right (A. Owen,
/// "Empirical likelihood ratio confidence intervals for a single functional", Biometrika 75, 1988, 237-249).
fn likeliest(counts: &Counts, mean: f64) -> f64 {
    let weights: Vec<f64> = counts.counts.iter().map(|&count| (count as f64).max(UNSEEN)).collect();
    let total: f64 = weights.iter().sum();
    let away: Vec<f64> = counts.values.iter().map(|value| value - mean).collect();
    let (Some(&least), Some(&most)) = (away.first(), away.last()) else { return 0.0 };
    if least >= 0.0 || most <= 0.0 {
        return f64::NEG_INFINITY;
    }
    // All probabilities are positive between these; the sum falls from one to the other.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let slope = |x: f64| -> f64 {
        away.iter().zip(&weights).map(|(away, weight)| weight / total * away / (1.0 + x * away)).sum()
    };
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    let x = 0.5 * (low + high);
    away.iter().zip(&weights).map(|(away, weight)| weight * (weight / total / (1.0 + x * away)).ln()).sum()
}

/// What a test says by now.
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

/// A test of a mean: 0, or as far from 0 as would matter, on either side. It is two one-sided tests at half the error
/// each.
///
/// Where the mean is 0 it says [`Verdict::More`] or [`Verdict::Less`] at most with probability `error`; where it is as far
/// away as would matter it says something else than that at most with probability `error`. Of means between the two it may
/// say either.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// How far from 0 would matter: above 0.
    pub matters: f64,
    /// How often it may be wrong: between 0 and 1.
    pub error: f64,
}

impl Sprt {
    /// The least counts that anything is said of: the likelihoods are right in the long run only.
    const LEAST: u64 = 40;

    /// What it says of what was counted.
    pub fn verdict(&self, counts: &Counts) -> Verdict {
        if counts.count() < Self::LEAST {
            return Verdict::Open;
        }
        let (upper, lower) = (self.refusing(), self.error.ln());
        let up = log_ratio(counts, self.matters, 0.0);
        let down = log_ratio(counts, -self.matters, 0.0);
        if up >= upper {
            Verdict::More
        } else if down >= upper {
            Verdict::Less
        } else if up <= lower && down <= lower {
            Verdict::Same
        } else {
            Verdict::Open
        }
    }

    /// Between what the mean lies: those that the test does not refuse in favour of one as much farther on as would matter.
    /// The intervals of all moments hold together with probability `1 - error`. Its width does not fall below what would
    /// matter: who wants to see smaller things says that they matter. Nothing where nothing was counted.
    pub fn interval(&self, counts: &Counts) -> Option<(f64, f64)> {
        let (least, most) = (*counts.values.first()?, *counts.values.last()?);
        if counts.count() == 0 {
            return None;
        }
        let bound = self.refusing();
        let mean = counts.mean();
        let edge = |end: f64, step: f64| {
            // At the mean it is not refused, at the end of all means it is.
            let (mut inside, mut outside) = (mean, end);
            for _ in 0..60 {
                let middle = 0.5 * (inside + outside);
                if log_ratio(counts, middle + step, middle) < bound {
                    inside = middle
                } else {
                    outside = middle
                }
            }
            inside
        };
        Some((edge(least, self.matters), edge(most, -self.matters)))
    }

    /// The logarithm of the ratio of likelihoods at which a mean is refused in favour of another: by Ville's inequality a
    /// ratio comes to `1 / e` at any time with probability `e` at most, and each side has half the error.
    fn refusing(&self) -> f64 {
        (2.0 / self.error).ln()
    }

    /// About how many are needed to tell a mean that matters from 0 without looking before, if the variance is this.
    pub fn needed(&self, variance: f64) -> f64 {
        let z = normal_quantile(1.0 - self.error / 2.0) + normal_quantile(1.0 - self.error);
        z * z * variance / (self.matters * self.matters)
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
    use blazon_kernel::chance::Stream;

    const WINS: [f64; 3] = [-1.0, 0.0, 1.0];

    fn counts(lost: u64, even: u64, won: u64) -> Counts {
        Counts { values: WINS.to_vec(), counts: vec![lost, even, won] }
    }

    /// Against the definition: the probabilities of Owen's form, found on a grid, for counts without zeros.
    #[test]
    fn the_likeliest_distribution_has_the_mean() {
        let seen = counts(12, 70, 18);
        for mean in [-0.1, 0.0, 0.05, 0.2] {
            // With three values and a mean there is one degree of freedom: the middle probability.
            let of = |even: f64| {
                let (lost, won) = ((1.0 - even - mean) / 2.0, (1.0 - even + mean) / 2.0);
                12.0 * lost.ln() + 70.0 * even.ln() + 18.0 * won.ln()
            };
            let best = (1..100_000).map(|i| f64::from(i) / 100_000.0 * (1.0 - f64::abs(mean))).map(of);
            let best = best.filter(|value| value.is_finite()).fold(f64::NEG_INFINITY, f64::max);
            assert!((likeliest(&seen, mean) - best).abs() < 1e-5, "{mean}");
        }
    }

    #[test]
    fn the_test_says_what_was_put_in() {
        let test = Sprt { matters: 0.02, error: 0.05 };
        assert_eq!(test.verdict(&counts(0, 39, 0)), Verdict::Open);
        assert_eq!(test.verdict(&counts(0, 2000, 0)), Verdict::Same);
        assert_eq!(test.verdict(&counts(100, 1700, 400)), Verdict::More);
        assert_eq!(test.verdict(&counts(400, 1700, 100)), Verdict::Less);
        assert_eq!(test.verdict(&counts(50, 300, 55)), Verdict::Open);
    }

    /// A thousand runs with a mean of 0, and with one that matters: it is wrong no more often than it says, and stops long
    /// before the test that does not look.
    #[test]
    fn it_is_wrong_no_more_often_than_it_says() {
        let test = Sprt { matters: 0.1, error: 0.05 };
        let run = |mean: f64, stream: &mut Stream| {
            let mut seen = counts(0, 0, 0);
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
                let verdict =
                    if seen.count().is_multiple_of(20) { test.verdict(&seen) } else { Verdict::Open };
                if verdict != Verdict::Open {
                    return (verdict, seen.count());
                }
            }
        };
        let mut stream = Stream::new(5);
        let alike: Vec<_> = (0..1000).map(|_| run(0.0, &mut stream)).collect();
        let wrong = alike.iter().filter(|(verdict, _)| *verdict != Verdict::Same).count();
        assert!(wrong <= 62, "{wrong} of 1000");
        let apart: Vec<_> = (0..1000).map(|_| run(0.1, &mut stream)).collect();
        let missed = apart.iter().filter(|(verdict, _)| *verdict != Verdict::More).count();
        assert!(missed <= 62, "{missed} of 1000");
        let mean = apart.iter().map(|(_, games)| games).sum::<u64>() as f64 / 1000.0;
        assert!(mean < test.needed(0.3) * 0.75, "{mean} against {}", test.needed(0.3));
    }

    /// Of 300 long runs the interval has left out the mean at some time in about 5 percent at most.
    #[test]
    fn the_interval_holds_at_all_times() {
        let (test, mut stream) = (Sprt { matters: 0.1, error: 0.05 }, Stream::new(11));
        let mut left_out = 0;
        for _ in 0..300 {
            let mut seen = counts(0, 0, 0);
            let mut is_out = false;
            for number in 0..1500u64 {
                seen.add(WINS[stream.below(3)]);
                if number >= 40 && number.is_multiple_of(20) {
                    let (least, most) = test.interval(&seen).unwrap_or((-1.0, 1.0));
                    is_out |= least > 0.0 || most < 0.0;
                }
            }
            left_out += u32::from(is_out);
        }
        assert!(left_out <= 22, "{left_out} of 300");
    }

    #[test]
    fn the_interval_leaves_out_nothing_where_the_test_says_nothing() {
        let (test, mut stream) = (Sprt { matters: 0.05, error: 0.05 }, Stream::new(3));
        let mut seen = counts(0, 0, 0);
        for number in 0..3000u64 {
            seen.add(if stream.below(100) < 12 {
                1.0
            } else if stream.below(100) < 10 {
                -1.0
            } else {
                0.0
            });
            if number > 60 && number.is_multiple_of(50) {
                let (least, most) = test.interval(&seen).unwrap();
                let is_sure = matches!(test.verdict(&seen), Verdict::More | Verdict::Less);
                assert_eq!(least > 0.0 || most < 0.0, is_sure, "{seen:?}: {least} {most}");
                assert!(least < seen.mean() && seen.mean() < most && most - least > test.matters);
            }
        }
    }

    /// Against R: `pnorm` and `qnorm`.
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
        assert!((normal_quantile(0.975) - 1.959_963_984_540_05).abs() < 1e-9);
    }
}
