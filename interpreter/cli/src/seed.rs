//! Seeds for games that nobody gave one.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A seed that nobody can foretell, nor find by trying all there are: whoever knows the seed knows all dice and hands
/// to come, and what he sees of a game tells him when he has found it.
pub fn new_seed() -> u64 {
    // Keyed by the system's own chance.
    RandomState::new().build_hasher().finish()
}

/// A seed for games between programs, where nobody has anything to find out: 53 bits, which every program that reads JSON
/// can hold, so that what was told can be repeated.
pub fn new_study_seed() -> u64 {
    new_seed() >> 11
}
