//! Operations on whole numbers: what they give, and between which bounds. Folding, evaluating at compile time and the
//! machine agree on this.

use crate::build::NUMBER;

/// The greatest number that arithmetic may give while a game is played; the least is its negative.
pub const MOST: i64 = 1_000_000_000_000_000;

/// Arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arithmetic {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`, rounded down; by zero is the run-time error `run::range`
    Over,
    /// `/`, rounded up
    OverUp,
    /// `/`, rounded to the nearest, halves up
    OverNearest,
    /// `min`
    Min,
    /// `max`
    Max,
}

impl Arithmetic {
    /// The answer; `None` where there is none: beyond [`MOST`], or divided by zero.
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        let value = match self {
            Self::Plus => a.checked_add(b),
            Self::Minus => a.checked_sub(b),
            Self::Times => a.checked_mul(b),
            Self::Over => divide(a, b),
            Self::OverUp => divide_up(a, b),
            Self::OverNearest => divide_nearest(a, b),
            Self::Min => Some(a.min(b)),
            Self::Max => Some(a.max(b)),
        };
        value.filter(|value| (-MOST..=MOST).contains(value))
    }

    /// The bounds of the answer, from those of the operands.
    pub fn range(self, (a_lo, a_hi): (i64, i64), (b_lo, b_hi): (i64, i64)) -> (i64, i64) {
        let (lo, hi) = match self {
            Self::Plus => (a_lo.saturating_add(b_lo), a_hi.saturating_add(b_hi)),
            Self::Minus => (a_lo.saturating_sub(b_hi), a_hi.saturating_sub(b_lo)),
            Self::Times => {
                let of = i64::saturating_mul;
                hull([of(a_lo, b_lo), of(a_lo, b_hi), of(a_hi, b_lo), of(a_hi, b_hi)])
            }
            // Away from zero a quotient lies between those of the ends.
            Self::Over | Self::OverUp | Self::OverNearest if b_lo > 0 || b_hi < 0 => {
                let of = |a: i64, b: i64| self.apply(a, b).unwrap_or_default();
                hull([of(a_lo, b_lo), of(a_lo, b_hi), of(a_hi, b_lo), of(a_hi, b_hi)])
            }
            Self::Over | Self::OverUp | Self::OverNearest => NUMBER,
            Self::Min => (a_lo.min(b_lo), a_hi.min(b_hi)),
            Self::Max => (a_lo.max(b_lo), a_hi.max(b_hi)),
        };
        (lo.max(NUMBER.0), hi.min(NUMBER.1))
    }
}

/// The least and the greatest of some numbers.
fn hull(all: [i64; 4]) -> (i64, i64) {
    let [a, b, c, d] = all;
    (a.min(b).min(c).min(d), a.max(b).max(c).max(d))
}

/// A quotient rounded down; none by zero.
#[inline]
pub fn divide(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// A quotient rounded up; none by zero.
pub fn divide_up(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) == (b < 0) { quotient + 1 } else { quotient })
}

/// A quotient rounded to the nearest number, halves up; none by zero.
pub fn divide_nearest(a: i64, b: i64) -> Option<i64> {
    let down = divide(a, b)?;
    // What is left has the sign of the divisor and is smaller.
    let rest = i128::from(a) - i128::from(down) * i128::from(b);
    Some(if 2 * rest.abs() >= i128::from(b).abs() { down + 1 } else { down })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_rounded_down() {
        for (a, b, quotient) in [(7, 2, 3), (-7, 2, -4), (7, -2, -4), (-7, -2, 3), (6, -2, -3), (0, -5, 0)] {
            assert_eq!(Arithmetic::Over.apply(a, b), Some(quotient), "{a} / {b}");
        }
        assert_eq!(Arithmetic::Over.apply(1, 0), None);
        assert_eq!(Arithmetic::Over.apply(i64::MIN, -1), None);
    }

    #[test]
    fn quotients_are_rounded_up_and_to_the_nearest() {
        for (a, b, up, nearest) in [
            (7, 2, 4, 4),
            (-7, 2, -3, -3),
            (7, -2, -3, -3),
            (-7, -2, 4, 4),
            (7, 3, 3, 2),
            (8, 3, 3, 3),
            (-7, 3, -2, -2),
            (-8, 3, -2, -3),
            (6, -2, -3, -3),
            (0, -5, 0, 0),
            (1, 3, 1, 0),
            (-1, 3, 0, 0),
            (MOST, 1, MOST, MOST),
        ] {
            assert_eq!(Arithmetic::OverUp.apply(a, b), Some(up), "{a} / {b} rounded up");
            assert_eq!(Arithmetic::OverNearest.apply(a, b), Some(nearest), "{a} / {b} rounded");
        }
        for op in [Arithmetic::OverUp, Arithmetic::OverNearest] {
            assert_eq!(op.apply(1, 0), None);
            assert_eq!(op.apply(i64::MIN, -1), None);
        }
        assert_eq!(Arithmetic::OverUp.range((-7, 9), (2, 4)), (-3, 5));
        assert_eq!(Arithmetic::OverNearest.range((-7, 9), (2, 4)), (-3, 5));
    }

    #[test]
    fn answers_stay_between_the_bounds() {
        assert_eq!(Arithmetic::Times.apply(MOST, 1), Some(MOST));
        assert_eq!(Arithmetic::Plus.apply(MOST, 1), None);
        assert_eq!(Arithmetic::Minus.apply(-MOST, 1), None);
        assert_eq!(Arithmetic::Plus.range((0, 3), (-1, NUMBER.1)), (-1, NUMBER.1));
        assert_eq!(Arithmetic::Minus.range((0, 3), (1, 2)), (-2, 2));
        assert_eq!(Arithmetic::Times.range((-2, 3), (-4, 5)), (-12, 15));
        assert_eq!(Arithmetic::Times.range((0, 3), NUMBER), NUMBER);
        assert_eq!(Arithmetic::Over.range((-7, 9), (2, 4)), (-4, 4));
        assert_eq!(Arithmetic::Over.range((1, 9), (-2, -2)), (-5, -1));
        assert_eq!(Arithmetic::Over.range((1, 9), (0, 2)), NUMBER);
    }
}
