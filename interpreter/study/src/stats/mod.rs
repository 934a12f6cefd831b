//! How sure one may be: intervals, tests that may be looked at at any time, strengths of players.

mod elo;
mod matched;
mod sequential;
mod spread;
mod wilson;

pub use elo::{Match, Strength, strengths};
pub use matched::matched;
pub use sequential::{Certainty, Counts, Interval, Verdict, normal, normal_quantile};
pub use spread::Spread;
pub use wilson::wilson;

/// How many standard errors an interval of 95 percent reaches to each side, for who looks once: the 97.5th percentile of the
/// normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Of fewer numbers no interval is told for their mean: how they are spread is not known by then, and if all happen to be the
/// same it would seem to be certain.
pub const FEW: u64 = 8;

/// The same of the mean of so many numbers, whose spread is known from these alone: the 97.5th percentile of Student's
/// distribution, to four digits. Nothing of fewer than [`FEW`].
///
/// Source: M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, 1964, 26.7.5.
pub fn student(count: u64) -> Option<f64> {
    if count < FEW {
        return None;
    }
    let (z, n) = (Z95, (count - 1) as f64);
    let odd = [3, 5, 7, 9].map(|power| z.powi(power));
    let terms = [
        (odd[0] + z) / 4.0,
        (5.0 * odd[1] + 16.0 * odd[0] + 3.0 * z) / 96.0,
        (3.0 * odd[2] + 19.0 * odd[1] + 17.0 * odd[0] - 15.0 * z) / 384.0,
        (79.0 * odd[3] + 776.0 * odd[2] + 1482.0 * odd[1] - 1920.0 * odd[0] - 945.0 * z) / 92_160.0,
    ];
    Some(terms.iter().rev().fold(0.0, |sum, term| (sum + term) / n) + z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_is_as_printed_in_tables() {
        for (count, percentile) in [(8, 2.3646), (11, 2.2281), (21, 2.0860), (61, 2.0003), (121, 1.9799)] {
            let found = student(count).expect("there are enough");
            assert!((found - percentile).abs() < 2e-4, "{count}: {found} for {percentile}");
        }
        assert!(student(7).is_none() && (student(1_000_000).expect("enough") - Z95).abs() < 1e-5);
    }
}
