//! Seeds of the random numbers that the programs of a run draw.

use super::id::random;

/// The maximum seed. Every JSON reader keeps integers up to it exact.
pub const MAX_SEED: u64 = (1 << 53) - 1;

/// Returns a seed from the randomness of the operating system.
pub fn fresh_seed() -> u64 {
    random() as u64 & MAX_SEED
}

/// Derives the seed for a part of a run. Equal paths give equal seeds, and different paths give different seeds.
pub fn seed_of_part(seed: u64, path: &[u64]) -> u64 {
    ptc_lisp::derived_seed(seed, path) & MAX_SEED
}
