//! How far the counts of a trial can be trusted.

/// The standard score of an interval that holds in 95 of 100 trials.
const SCORE: f64 = 1.959_963_985;

/// Returns the interval of the true share in 95 of 100 trials, if `right` of `all` attempts were right. This is
/// the score interval of Wilson (1927). It is 0 to 1 without attempts.
pub fn interval(right: usize, all: usize) -> (f64, f64) {
    if all == 0 {
        return (0.0, 1.0);
    }
    let (count, square) = (all as f64, SCORE * SCORE);
    let share = right as f64 / count;
    let middle = share + square / (2.0 * count);
    let half = SCORE * ((share * (1.0 - share) + square / (4.0 * count)) / count).sqrt();
    let whole = 1.0 + square / count;
    (((middle - half) / whole).max(0.0), ((middle + half) / whole).min(1.0))
}

/// Returns the probability that a difference this large comes by chance, if of the attempts that two trials judge
/// differently `better` became right and `worse` became wrong. This is the two-sided sign test, exact.
pub fn chance(better: usize, worse: usize) -> f64 {
    let all = better + worse;
    // The logarithm of a binomial coefficient over 2 to the power of `all`. The sum of the tail stays a number then, also
    // for thousands of attempts.
    let mut term = -(all as f64) * std::f64::consts::LN_2;
    let mut tail = 0.0;
    for count in 0..=better.min(worse) {
        tail += term.exp();
        term += ((all - count) as f64 / (count + 1) as f64).ln();
    }
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(it: f64) -> f64 {
        (it * 10_000.0).round() / 10_000.0
    }

    #[test]
    fn intervals_of_wilson() {
        // Newcombe (1998), Statistics in Medicine 17, table I, method 3.
        for (right, all, expected) in [
            (81, 263, (0.2553, 0.3662)),
            (15, 148, (0.0624, 0.1605)),
            (0, 20, (0.0, 0.1611)),
            (1, 29, (0.0061, 0.1718)),
            (0, 0, (0.0, 1.0)),
            (20, 20, (0.8389, 1.0)),
        ] {
            let (low, high) = interval(right, all);
            assert_eq!((rounded(low), rounded(high)), expected, "{right} of {all}");
        }
    }

    #[test]
    fn chances_of_the_sign_test() {
        for (better, worse, expected) in [
            (0, 0, 1.0),
            (1, 0, 1.0),
            (5, 1, 0.2188),
            (1, 5, 0.2188),
            (10, 0, 0.002),
            (9, 1, 0.0215),
        ] {
            assert_eq!(rounded(chance(better, worse)), expected, "{better} and {worse}");
        }
        assert!((chance(5_000, 5_000) - 1.0).abs() < 1e-9);
        assert!(chance(6_000, 5_000) < 1e-9);
    }
}
