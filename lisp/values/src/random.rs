//! The generator behind `rand` and its kin.
//!
//! The generator is `SplitMix64` (Steele, Lea and Flood, 2014). Recorded runs depend on its numbers, so later versions
//! must draw the same ones.

/// 2 to the power of 64 over the golden ratio, as in `SplitMix64`.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The generator of one line of evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Random {
    /// The key from which the streams of branches are derived; it never changes.
    key: u64,
    state: u64,
}

/// Derives a seed from another seed and a path of numbers. The same path always gives the same seed; different paths
/// give unrelated seeds.
///
/// ```
/// use ptc_values::random::derived_seed;
///
/// assert_eq!(derived_seed(7, &[1, 2]), derived_seed(7, &[1, 2]));
/// assert_ne!(derived_seed(7, &[1, 2]), derived_seed(7, &[2, 1]));
/// ```
pub fn derived_seed(seed: u64, path: &[u64]) -> u64 {
    path.iter().fold(mix(!seed), |key, part| mix(mix(key.wrapping_add(GOLDEN)) ^ part))
}

/// Applies the finalizer of `SplitMix64`: every bit of the result depends on every bit of the argument.
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

impl Random {
    /// Returns the generator of a program, by its number in the session.
    pub fn of_program(seed: u64, program: u64) -> Random {
        Random::keyed(derived_seed(seed, &[program]))
    }

    /// Returns the generator of a branch, by the number of its fork and its place there, independent of earlier draws.
    pub fn of_branch(&self, fork: u32, place: u32) -> Random {
        Random::keyed(derived_seed(self.key, &[fork.into(), place.into()]))
    }

    fn keyed(key: u64) -> Random {
        Random { key, state: key }
    }

    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// Draws a float from 0 to below 1: one of 2^53, all equally likely.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Draws an integer from 0 to below `end`, all equally likely; 0 if `end` is 0.
    ///
    /// The number is the high half of a product (Lemire, 2019). Draws whose low half would favour some numbers are
    /// repeated.
    pub fn below(&mut self, end: u64) -> u64 {
        if end == 0 {
            return 0;
        }
        let unfair = end.wrapping_neg() % end;
        loop {
            let product = u128::from(self.bits()) * u128::from(end);
            if product as u64 >= unfair {
                return (product >> 64) as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records depend on these numbers: they must never change.
    #[test]
    fn draws_the_same_numbers_in_every_version() {
        let mut published = Random { key: 0, state: 1_234_567 };
        let drawn: Vec<u64> = std::iter::repeat_with(|| published.bits()).take(3).collect();
        let known =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(drawn, known);
        let mut program = Random::of_program(0, 0);
        let mut branch = program.of_branch(0, 1);
        let drawn = [program.bits(), program.bits(), branch.bits()];
        assert_eq!(drawn, DRAWN);
    }

    const DRAWN: [u64; 3] =
        [7_891_347_976_550_039_078, 8_977_349_253_255_963_400, 6_124_302_366_318_745_206];

    #[test]
    fn all_numbers_are_equally_likely() {
        let mut random = Random::of_program(1, 0);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[random.below(6) as usize] += 1;
        }
        // Five standard deviations.
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 460), "{counts:?}");
        // A plain remainder would draw two thirds of the numbers below this half as often.
        let end = 3 << 62;
        let low = (0..30_000).filter(|_| random.below(end) < end / 3).count();
        assert!(low.abs_diff(10_000) < 410, "{low}");
        assert_eq!((random.below(1), random.below(0)), (0, 0));
    }

    #[test]
    fn floats_are_spread_from_0_to_below_1() {
        let mut random = Random::of_program(2, 0);
        let floats: Vec<f64> = (0..40_000).map(|_| random.unit()).collect();
        assert!(floats.iter().all(|it| (0.0..1.0).contains(it)));
        let mean = floats.iter().sum::<f64>() / 40_000.0;
        assert!((mean - 0.5).abs() < 0.008, "{mean}");
    }
}
