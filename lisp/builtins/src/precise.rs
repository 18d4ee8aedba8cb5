//! `exp`, `log` and `pow` to the last digit.
//!
//! `libm` may be wrong by one in the last place, and the JVM's own code hardly ever is. So these
//! are computed with pairs of floats, about 106 bits, and rounded once. No result depends on the
//! machine.

/// The sum of two floats that do not overlap.
#[derive(Clone, Copy)]
struct Pair {
    high: f64,
    low: f64,
}

/// The logarithm of 2, in three parts.
const LN_2: [f64; 3] =
    [std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17, 5.707_708_438_416_212e-34];

/// The number of times `exp` halves its argument, and squares the result of the series.
const HALVINGS: i32 = 8;

fn sum(a: f64, b: f64) -> Pair {
    let high = a + b;
    let back = high - a;
    Pair { high, low: (a - (high - back)) + (b - back) }
}

/// Returns the exact product of two floats (Dekker).
fn product(a: f64, b: f64) -> Pair {
    let split = |x: f64| {
        let wide = 134_217_729.0 * x;
        let top = wide - (wide - x);
        (top, x - top)
    };
    let ((a1, a2), (b1, b2)) = (split(a), split(b));
    let high = a * b;
    Pair { high, low: ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2 }
}

impl Pair {
    fn add(self, other: Pair) -> Pair {
        let top = sum(self.high, other.high);
        let bottom = sum(self.low, other.low);
        let first = sum(top.high, top.low + bottom.high);
        sum(first.high, first.low + bottom.low)
    }

    fn times(self, other: Pair) -> Pair {
        let top = product(self.high, other.high);
        sum(top.high, top.low + self.high * other.low + self.low * other.high)
    }

    fn scaled(self, by: f64) -> Pair {
        Pair { high: self.high * by, low: self.low * by }
    }

    fn divided(self, by: f64) -> Pair {
        let first = self.high / by;
        let back = product(first, by);
        let rest = ((self.high - back.high) - back.low + self.low) / by;
        sum(first, rest)
    }
}

const fn whole(float: f64) -> Pair {
    Pair { high: float, low: 0.0 }
}

/// Returns e to the power of a pair: a pair near 1, and the power of two to multiply it by.
fn exp_pair(x: Pair) -> (Pair, i32) {
    let power = libm::rint(x.high * std::f64::consts::LOG2_E);
    let [first, second, third] = LN_2;
    let reduced = x
        .add(product(-power, first))
        .add(product(-power, second))
        .add(whole(-power * third))
        .scaled(1.0 / f64::from(1 << HALVINGS));
    // e^r - 1 by its series, from the last term.
    let mut series = whole(0.0);
    for term in (1..=11).rev() {
        series = whole(1.0).add(series).times(reduced).divided(f64::from(term));
    }
    for _ in 0..HALVINGS {
        // (1 + s)^2 - 1
        series = series.scaled(2.0).add(series.times(series));
    }
    (whole(1.0).add(series), power as i32)
}

/// Returns the logarithm of a float greater than 0, as a pair.
fn log_pair(x: f64) -> Pair {
    let near = libm::log(x);
    // One Newton step: log x = y + (x e^-y - 1), less half the square of the remainder.
    let (inverse, power) = exp_pair(whole(-near));
    let one = whole(libm::scalbn(x, power)).times(inverse);
    let off = one.add(whole(-1.0));
    let squared = whole(-off.high * off.high / 2.0);
    whole(near).add(off).add(squared)
}

/// Returns e to the power of a float.
pub(super) fn exp(x: f64) -> f64 {
    if !(-700.0..=700.0).contains(&x) {
        return libm::exp(x);
    }
    let (result, power) = exp_pair(whole(x));
    libm::scalbn(result.high + result.low, power)
}

pub(super) fn log(x: f64) -> f64 {
    if !(1e-300..=1e300).contains(&x) {
        return libm::log(x);
    }
    let result = log_pair(x);
    result.high + result.low
}

/// The range in which products of pairs lose no bits.
const SAFE: std::ops::RangeInclusive<f64> = 1e-200..=1e200;

/// Returns a float to the power of a small whole number, by products: a tenth of the work of a logarithm.
fn multiplied(x: f64, y: f64) -> Option<f64> {
    if !(1.0..=32.0).contains(&y) || y.fract() != 0.0 || !SAFE.contains(&x.abs()) {
        return None;
    }
    let mut product = whole(x);
    for _ in 1..y as u32 {
        product = product.times(whole(x));
        if !SAFE.contains(&product.high.abs()) {
            return None;
        }
    }
    Some(product.high + product.low)
}

/// Returns a float to the power of another, with the JVM's special cases.
pub(super) fn pow(x: f64, y: f64) -> f64 {
    // C gives 1 where the JVM gives not-a-number.
    if y.is_nan() || (x.abs() == 1.0 && y.is_infinite()) {
        return f64::NAN;
    }
    if let Some(product) = multiplied(x, y) {
        return product;
    }
    let near = libm::pow(x, y);
    let size = near.abs();
    if !(1e-300..=1e300).contains(&size) || !(1e-300..=1e300).contains(&x.abs()) || y.abs() > 1e15 {
        return near;
    }
    let exponent = log_pair(x.abs()).times(whole(y));
    let (result, power) = exp_pair(exponent);
    libm::scalbn(result.high + result.low, power).copysign(near)
}
