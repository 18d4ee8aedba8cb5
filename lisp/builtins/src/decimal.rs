//! Exact decimals, for sums and for rounding.

use std::collections::BTreeMap;

use num_bigint::{BigInt, Sign};

use ptc_values::Value;
use ptc_values::num::{Num, big_to_f64};

/// A whole number of digits, times ten to the power of the exponent.
#[derive(Clone)]
pub(super) struct Decimal {
    digits: BigInt,
    exponent: i32,
}

/// The sum of some numbers.
pub(super) enum Sum {
    /// All numbers were integers.
    Integer(Value),
    Decimal(Decimal),
    /// One of the numbers was infinite or not a number.
    Special(f64),
}

/// A sum in progress.
#[derive(Default)]
pub(super) struct Total {
    small: i128,
    big: BigInt,
    /// The sums of the digits of floats, by exponent.
    floats: BTreeMap<i32, i128>,
    special: Option<f64>,
}

/// A place between two items of a list.
pub(super) struct Place {
    /// The position of the item below it.
    pub(super) index: usize,
    /// Its distance from that item, in parts of `whole`.
    part: BigInt,
    whole: BigInt,
}

impl Total {
    pub(super) fn add(&mut self, number: Num<'_>) {
        match number {
            Num::Int(int) => self.small += i128::from(int),
            Num::Big(big) => self.big += big,
            Num::Float(float) if float.is_finite() => {
                let (digits, exponent) = shortest(float);
                *self.floats.entry(exponent).or_default() += i128::from(digits);
            }
            Num::Float(float) => self.special = Some(self.special.unwrap_or(0.0) + float),
        }
    }

    pub(super) fn sum(mut self) -> Sum {
        if let Some(special) = self.special {
            return Sum::Special(special);
        }
        if self.floats.is_empty() {
            return Sum::Integer(Value::big(self.big + self.small));
        }
        *self.floats.entry(0).or_default() += self.small;
        // From the greatest exponent on, each step multiplies by a small power.
        let mut sum = Decimal { digits: BigInt::ZERO, exponent: i32::MAX };
        for (exponent, digits) in self.floats.into_iter().rev() {
            if sum.exponent != i32::MAX {
                sum.digits *= power(sum.exponent - exponent);
            }
            sum = Decimal { digits: sum.digits + digits, exponent };
        }
        if self.big.sign() != Sign::NoSign {
            let [sum, big] = aligned(sum, Decimal { digits: self.big, exponent: 0 });
            return Sum::Decimal(Decimal { digits: sum.digits + big.digits, ..sum });
        }
        Sum::Decimal(sum)
    }
}

impl Decimal {
    /// Returns the decimal of a number as it prints; none if it is not finite.
    pub(super) fn of(number: Num<'_>) -> Option<Decimal> {
        let (digits, exponent) = match number {
            Num::Int(int) => (int.into(), 0),
            Num::Big(big) => (big.clone(), 0),
            Num::Float(float) if float.is_finite() => {
                let (digits, exponent) = shortest(float);
                (digits.into(), exponent)
            }
            Num::Float(_) => return None,
        };
        Some(Decimal { digits, exponent })
    }

    /// Returns the nearest float.
    pub(super) fn to_f64(&self) -> f64 {
        // Powers of ten have more than three bits, so this integer is beyond all floats.
        let is_huge = self.digits.bits() as i64 + i64::from(self.exponent) * 4 > 4_000;
        if self.exponent == 0 || is_huge {
            return big_to_f64(&self.digits);
        }
        format!("{}e{}", self.digits, self.exponent).parse().unwrap_or(f64::NAN)
    }

    /// Returns the float nearest to the quotient.
    pub(super) fn divided_by(&self, divisor: &BigInt) -> f64 {
        // A float has 17 digits; 30 and a last one that tells of a remainder decide how it rounds.
        let places = 30 + (divisor.bits().saturating_sub(self.digits.bits()) / 3) as i32;
        let scaled = &self.digits * power(places);
        let quotient = &scaled / divisor;
        let is_exact = &quotient * divisor == scaled;
        let sign = if scaled.sign() == Sign::Minus { -1 } else { 1 };
        let last = if is_exact { 0 } else { sign };
        let exponent = self.exponent - places - 1;
        Decimal { digits: quotient * 10 + last, exponent }.to_f64()
    }

    /// Returns the integer, without a fraction.
    pub(super) fn to_integer(&self) -> Value {
        Value::big(if self.exponent < 0 {
            &self.digits / power(-self.exponent)
        } else {
            &self.digits * power(self.exponent)
        })
    }

    /// Rounds to a number of decimals; a half is rounded away from zero.
    pub(super) fn rounded(self, places: i32) -> Decimal {
        let dropped = -self.exponent - places;
        if dropped <= 0 {
            return self;
        }
        let unit = power(dropped);
        let half: BigInt = &unit / 2;
        let away = if self.digits.sign() == Sign::Minus { -half } else { half };
        // Division drops the fraction, so the half moves it away from zero first.
        Decimal { digits: (self.digits + away) / unit, exponent: -places }
    }

    /// Returns the place that is this percentage of the way from the first item to the last.
    pub(super) fn place(&self, last: usize) -> Place {
        let whole = power((-self.exponent).max(0)) * 100;
        let way = &self.digits * power(self.exponent.max(0)) * last;
        let index = &way / &whole;
        let part = way - &index * &whole;
        Place { index: usize::try_from(index).unwrap_or(last), part, whole }
    }
}

impl Place {
    /// Returns whether it is at an item.
    pub(super) fn is_whole(&self) -> bool {
        self.part.sign() == Sign::NoSign
    }

    /// Returns the number at this place between two numbers, as a dividend and a divisor.
    pub(super) fn between(&self, low: Decimal, high: Decimal) -> (Decimal, BigInt) {
        let [low, high] = aligned(low, high);
        let digits = low.digits * (&self.whole - &self.part) + high.digits * &self.part;
        (Decimal { digits, ..low }, self.whole.clone())
    }
}

/// Returns two decimals with the same exponent.
fn aligned(a: Decimal, b: Decimal) -> [Decimal; 2] {
    let exponent = a.exponent.min(b.exponent);
    [a, b].map(|it| Decimal { digits: it.digits * power(it.exponent - exponent), exponent })
}

fn power(exponent: i32) -> BigInt {
    BigInt::from(10).pow(exponent.unsigned_abs())
}

/// Returns the digits and the exponent of the shortest decimal that reads as a finite float.
fn shortest(float: f64) -> (i64, i32) {
    // A decimal of at most 15 digits is the shortest one of its float, and most amounts are such.
    for (scale, exponent) in [(100.0, -2), (1_000_000.0, -6)] {
        let digits = (float * scale).round();
        if digits.abs() < 1e15 && digits / scale == float {
            return (digits as i64, exponent);
        }
    }
    let text = format!("{float:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits = format!("{whole}{fraction}").parse().unwrap_or(0);
    (digits, exponent - fraction.len() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_decimal_reads_as_its_float() {
        let floats = [
            0.0,
            -0.0,
            0.1,
            -0.1,
            1.005,
            2.675,
            1e15,
            123_456_789.123,
            5e-324,
            f64::MAX,
            f64::MIN_POSITIVE,
            1.0 / 3.0,
            0.1 + 0.2,
            999_999_999_999_999.9,
            -1e-7,
            1e22,
            1e23,
        ];
        for float in floats {
            let (digits, exponent) = shortest(float);
            let read: f64 = format!("{digits}e{exponent}").parse().unwrap_or(f64::NAN);
            assert_eq!(read, float);
            // No shorter decimal than the one that prints.
            let printed: f64 = format!("{float:e}").parse().unwrap_or(f64::NAN);
            assert_eq!(printed, read);
        }
    }

    #[test]
    fn a_quotient_is_the_nearest_float() {
        for (digits, divisor) in [(1i64, 3i64), (2, 3), (-1, 3), (10, 7), (1, 49), (6, 3)] {
            let decimal = Decimal { digits: digits.into(), exponent: 0 };
            assert_eq!(decimal.divided_by(&divisor.into()), digits as f64 / divisor as f64);
        }
    }

    #[test]
    fn the_order_of_numbers_does_not_change_a_sum() {
        let floats = [1e16, 1.0, -1e16, 0.1, 0.2, 5e-324, -0.3, 3.5];
        let sum = |floats: &mut dyn Iterator<Item = &f64>| {
            let mut total = Total::default();
            floats.for_each(|float| total.add(Num::Float(*float)));
            match total.sum() {
                Sum::Decimal(sum) => sum.to_f64(),
                _ => f64::NAN,
            }
        };
        assert_eq!(sum(&mut floats.iter()), 4.5);
        assert_eq!(sum(&mut floats.iter().rev()), 4.5);
    }
}
