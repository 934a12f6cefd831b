//! How sure one may be: intervals, tests that may be looked at at any time, strengths of players.

mod elo;
mod sequential;
mod spread;
mod wilson;

pub use elo::{Match, Strength, strengths};
pub use sequential::{Certainty, Counts, Interval, Verdict, normal, normal_quantile};
pub use spread::Spread;
pub use wilson::wilson;

/// How many standard errors an interval of 95 percent reaches to each side, for who looks once: the 97.5th percentile of the
/// normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;
