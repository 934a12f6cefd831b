//! The interval of a share.

use super::Z95;

/// Between what the true share lies, with 95 percent confidence, when `hits` of `count` were seen: Wilson's score
/// interval (E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", Journal of the
/// American Statistical Association 22, 1927, 209-212). Unlike the plain one it holds for small numbers and for shares
/// near 0 and 1, too.
pub fn wilson(hits: u64, count: u64) -> (f64, f64) {
    const Z: f64 = Z95;
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
}
