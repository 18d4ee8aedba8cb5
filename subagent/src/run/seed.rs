//! Seeds: what programs of a run draw random numbers from.

use super::id::random;

/// The greatest seed: every reader of JSON keeps an integer up to it.
pub const MAX_SEED: u64 = (1 << 53) - 1;

/// Returns a seed from the randomness of the operating system.
pub fn fresh_seed() -> u64 {
    random() as u64 & MAX_SEED
}

/// Returns the seed for one part of what has a seed: the same for the same path, and otherwise another one.
pub fn seed_of_part(seed: u64, path: &[u64]) -> u64 {
    ptc_lisp::derived_seed(seed, path) & MAX_SEED
}
