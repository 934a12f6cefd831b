//! A seed for a game that nobody gave one.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A seed that nobody can foretell; short enough to be typed.
pub fn new_seed() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000
}
