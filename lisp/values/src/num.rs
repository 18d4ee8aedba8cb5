//! Numbers: 64-bit integers that become big instead of overflowing, and doubles.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::value::Value;

/// A number in one of its three forms.
#[derive(Clone, Copy)]
pub enum Num<'a> {
    Int(i64),
    Float(f64),
    Big(&'a BigInt),
}

impl<'a> Num<'a> {
    /// Returns the number of a value, if it is one.
    pub fn of(value: &'a Value) -> Option<Num<'a>> {
        match value {
            Value::Int(int) => Some(Num::Int(*int)),
            Value::Float(float) => Some(Num::Float(*float)),
            Value::Big(big) => Some(Num::Big(big)),
            _ => None,
        }
    }

    /// Returns the nearest double.
    pub fn to_f64(self) -> f64 {
        match self {
            Num::Int(int) => int as f64,
            Num::Float(float) => float,
            Num::Big(big) => big_to_f64(big),
        }
    }

    fn to_big(self) -> Option<BigInt> {
        match self {
            Num::Int(int) => Some(BigInt::from(int)),
            Num::Big(big) => Some(big.clone()),
            Num::Float(_) => None,
        }
    }
}

/// Returns two numbers as big integers, unless one is a double.
fn to_bigs(a: Num<'_>, b: Num<'_>) -> Option<(BigInt, BigInt)> {
    match (a, b) {
        // The other one is not made big for nothing.
        (Num::Float(_), _) | (_, Num::Float(_)) => None,
        _ => a.to_big().zip(b.to_big()),
    }
}

/// Returns the nearest double of a big integer; infinite beyond the range of doubles.
pub fn big_to_f64(big: &BigInt) -> f64 {
    // Parsing the digits is exact to the last bit but slow, so integers that no double can hold skip it.
    let infinite =
        if big.sign() == num_bigint::Sign::Minus { f64::NEG_INFINITY } else { f64::INFINITY };
    if big.bits() > 1024 { infinite } else { big.to_string().parse().unwrap_or(infinite) }
}

/// Returns the integer of a whole double; `None` if it is not finite.
pub fn f64_to_integer(float: f64) -> Option<Value> {
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&float) {
        return Some(Value::Int(float as i64));
    }
    if !float.is_finite() {
        return None;
    }
    format!("{float:.0}").parse::<BigInt>().ok().map(Value::big)
}

/// Returns whether two numbers are equal by value. NaN equals nothing.
pub fn equal(a: &Value, b: &Value) -> bool {
    match (Num::of(a), Num::of(b)) {
        (Some(a), Some(b)) => partial_order(a, b) == Some(Ordering::Equal),
        _ => false,
    }
}

/// Orders two numbers for `compare`: NaN is equal to anything, as on the JVM.
pub fn order(a: &Value, b: &Value) -> Ordering {
    match (Num::of(a), Num::of(b)) {
        (Some(a), Some(b)) => partial_order(a, b).unwrap_or(Ordering::Equal),
        _ => Ordering::Equal,
    }
}

/// Returns the exact order of two numbers; `None` if one is NaN.
pub fn partial_order(a: Num<'_>, b: Num<'_>) -> Option<Ordering> {
    match (a, b) {
        (Num::Int(a), Num::Int(b)) => Some(a.cmp(&b)),
        (Num::Float(a), Num::Float(b)) => a.partial_cmp(&b),
        (Num::Int(a), Num::Float(b)) => int_float(a, b),
        (Num::Float(a), Num::Int(b)) => int_float(b, a).map(Ordering::reverse),
        (Num::Big(a), Num::Big(b)) => Some(a.cmp(b)),
        (Num::Big(a), Num::Int(_)) => Some(sign(a)),
        (Num::Int(_), Num::Big(b)) => Some(sign(b).reverse()),
        (Num::Big(a), Num::Float(b)) => big_float(a, b),
        (Num::Float(a), Num::Big(b)) => big_float(b, a).map(Ordering::reverse),
    }
}

/// Returns the order of a big integer and a small one. The sign decides, as a big integer is outside the small range.
fn sign(big: &BigInt) -> Ordering {
    if big.sign() == num_bigint::Sign::Minus { Ordering::Less } else { Ordering::Greater }
}

fn int_float(int: i64, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    if float >= 9_223_372_036_854_775_808.0 {
        return Some(Ordering::Less);
    }
    if float < -9_223_372_036_854_775_808.0 {
        return Some(Ordering::Greater);
    }
    let whole = float.trunc();
    Some(int.cmp(&(whole as i64)).then_with(|| 0.0f64.total_cmp(&((float - whole) + 0.0))))
}

fn big_float(big: &BigInt, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    match f64_to_integer(float.trunc()) {
        Some(Value::Big(whole)) => Some(big.cmp(&whole)),
        Some(_) => Some(sign(big)),
        None => Some(if float > 0.0 { Ordering::Less } else { Ordering::Greater }),
    }
}

/// The error of an operation on numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    /// One of the values is not a number.
    NotANumber,
    /// A number was divided by zero.
    DivideByZero,
    /// The quotient of two floats is infinite or not a number.
    NotFinite,
}

type Res = Result<Value, Wrong>;

fn both<'a>(a: &'a Value, b: &'a Value) -> Result<(Num<'a>, Num<'a>), Wrong> {
    Num::of(a).zip(Num::of(b)).ok_or(Wrong::NotANumber)
}

/// Applies the operation of the kind that both numbers share.
fn arithmetic(
    a: &Value,
    b: &Value,
    int: fn(i64, i64) -> Option<i64>,
    big: fn(BigInt, BigInt) -> BigInt,
    float: fn(f64, f64) -> f64,
) -> Res {
    let (a, b) = both(a, b)?;
    if let (Num::Int(a), Num::Int(b)) = (a, b)
        && let Some(result) = int(a, b)
    {
        return Ok(Value::Int(result));
    }
    match to_bigs(a, b) {
        Some((a, b)) => Ok(Value::big(big(a, b))),
        None => Ok(Value::Float(float(a.to_f64(), b.to_f64()))),
    }
}

pub fn add(a: &Value, b: &Value) -> Res {
    arithmetic(a, b, i64::checked_add, |a, b| a + b, |a, b| a + b)
}

pub fn sub(a: &Value, b: &Value) -> Res {
    arithmetic(a, b, i64::checked_sub, |a, b| a - b, |a, b| a - b)
}

pub fn mul(a: &Value, b: &Value) -> Res {
    arithmetic(a, b, i64::checked_mul, |a, b| a * b, |a, b| a * b)
}

/// Divides two small integers, unless the divisor is zero or the quotient is big.
#[inline]
pub fn div_ints(a: i64, b: i64) -> Option<Value> {
    let quotient = a.checked_div(b)?;
    let is_exact = quotient * b == a;
    Some(if is_exact { Value::Int(quotient) } else { Value::Float(a as f64 / b as f64) })
}

/// Divides: exact if both are integers and the result is whole, else as doubles (D4).
pub fn div(a: &Value, b: &Value) -> Res {
    let (a, b) = both(a, b)?;
    match (a, b) {
        (_, Num::Int(0)) if !matches!(a, Num::Float(_)) => Err(Wrong::DivideByZero),
        (Num::Int(a), Num::Int(b)) => {
            // What is left is the least integer and -1.
            Ok(div_ints(a, b).unwrap_or_else(|| Value::big(-BigInt::from(a))))
        }
        _ => match to_bigs(a, b) {
            Some((a, b)) if (&a % &b).sign() == num_bigint::Sign::NoSign => Ok(Value::big(a / b)),
            _ => Ok(Value::Float(a.to_f64() / b.to_f64())),
        },
    }
}

pub fn absolute(value: &Value) -> Res {
    match Num::of(value) {
        Some(number) if number.to_f64() < 0.0 => sub(&Value::Int(0), value),
        Some(_) => Ok(value.clone()),
        None => Err(Wrong::NotANumber),
    }
}

/// The three results of an integer division.
#[derive(Clone, Copy)]
pub enum Division {
    /// The quotient, truncated towards zero.
    Quot,
    /// The remainder, with the sign of the dividend.
    Rem,
    /// The modulus, with the sign of the divisor.
    Mod,
}

pub fn divide(a: &Value, b: &Value, what: Division) -> Res {
    let (a, b) = both(a, b)?;
    if let (Num::Int(a), Num::Int(b)) = (a, b) {
        if b == 0 {
            return Err(Wrong::DivideByZero);
        }
        let small = match what {
            Division::Quot => a.checked_div(b),
            Division::Rem => Some(a.checked_rem(b).unwrap_or(0)),
            Division::Mod => {
                let rem = a.checked_rem(b).unwrap_or(0);
                Some(if rem != 0 && (rem < 0) != (b < 0) { rem + b } else { rem })
            }
        };
        if let Some(small) = small {
            return Ok(Value::Int(small));
        }
    }
    if let Some((a, b)) = to_bigs(a, b) {
        if b.sign() == num_bigint::Sign::NoSign {
            return Err(Wrong::DivideByZero);
        }
        let rem = &a % &b;
        return Ok(Value::big(match what {
            Division::Quot => a / b,
            Division::Rem => rem,
            Division::Mod => {
                let zero = rem.sign() == num_bigint::Sign::NoSign;
                if !zero && rem.sign() != b.sign() { rem + b } else { rem }
            }
        }));
    }
    divide_floats(a.to_f64(), b.to_f64(), what).map(Value::Float)
}

/// Divides as the JVM does: the quotient is rounded, then truncated, and the remainder follows from it.
fn divide_floats(a: f64, b: f64, what: Division) -> Result<f64, Wrong> {
    if b == 0.0 {
        return Err(Wrong::DivideByZero);
    }
    // The JVM gives zero without a sign.
    let quotient = (a / b).trunc() + 0.0;
    if !quotient.is_finite() {
        return Err(Wrong::NotFinite);
    }
    let rem = a - quotient * b;
    Ok(match what {
        Division::Quot => quotient,
        Division::Rem => rem,
        Division::Mod if rem != 0.0 && (a > 0.0) != (b > 0.0) => rem + b,
        Division::Mod => rem,
    })
}
