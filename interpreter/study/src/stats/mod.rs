//! How sure one may be: intervals, tests that may be looked at at any time, strengths of players.

mod elo;
mod sequential;
mod spread;
mod wilson;

pub use elo::{Match, Strength, strengths};
pub use sequential::{Certainty, Counts, Interval, Verdict, normal, normal_quantile};
pub use spread::Spread;
pub use wilson::wilson;
