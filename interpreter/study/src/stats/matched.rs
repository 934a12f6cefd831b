//! The interval of a mean of few values, as of pairs of games that are won, shared or lost.

use super::Z95;

/// Between what the mean of values lies, each with how many there are of it, with 95 percent confidence for who looks once.
///
/// As matched pairs are counted, with half a pair more in each of the four ways in which two games can come out (A. Agresti, Y.
/// Min, "Simple improved confidence intervals for comparing matched proportions", Statistics in Medicine 24, 2005, 729-740):
/// what is added is one more in all at the two ends, and one in the middle. So a few which all come out alike do not seem
/// certain. The ends of the interval are ends of what there can be.
pub fn matched(
    values: impl Iterator<Item = (f64, f64)> + Clone,
    [low, middle, high]: [f64; 3],
) -> (f64, f64) {
    let added = [(low, 0.5), (high, 0.5), (middle, 1.0)];
    let all = || values.clone().chain(added);
    let count: f64 = all().map(|(_, weight)| weight).sum();
    let mean = all().map(|(value, weight)| value * weight).sum::<f64>() / count;
    let spread = all().map(|(value, weight)| weight * (value - mean).powi(2)).sum::<f64>() / count;
    let half = Z95 * (spread / count).sqrt();
    ((mean - half).max(low), (mean + half).min(high))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For 26 pairs won, 7 lost and 67 that came out the same the difference is (26.5 - 7.5) / 102 = 0.18627, its error
    /// sqrt(34 - 19² / 102) / 102 = 0.05410.
    #[test]
    fn intervals_are_those_of_matched_pairs() {
        let counts = [(1.0, 26.0), (-1.0, 7.0), (0.0, 67.0)];
        let (least, most) = matched(counts.into_iter(), [-1.0, 0.0, 1.0]);
        let (middle, half) = (0.186_275, 1.959_964 * 0.054_102);
        assert!(
            (least - (middle - half)).abs() < 1e-4 && (most - (middle + half)).abs() < 1e-4,
            "{least} {most}"
        );
        let (least, most) = matched(std::iter::empty(), [-1.0, 0.0, 1.0]);
        assert!(least < -0.9 && most > 0.9, "of nothing nothing is known: {least} {most}");
    }
}
