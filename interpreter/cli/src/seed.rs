//! A seed for a game that nobody gave one.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A seed that nobody can foretell, nor find by trying all there are: whoever knows the seed knows all dice and hands
/// to come, and what he sees of a game tells him when he has found it.
pub fn new_seed() -> u64 {
    // Keyed by the system's own chance.
    RandomState::new().build_hasher().finish()
}
