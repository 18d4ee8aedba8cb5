//! `clojure.math.numeric-tower`, and the arithmetic of large integers that `BigInteger` shares with
//! it.

use num_bigint::{BigInt, Sign};

use super::facts::{ANY, listed};
use super::{Row, not_a_number, pure, wrong_type};
use ptc_machine::Cx;
use ptc_values::code::Code;
use ptc_values::ir::Op;
use ptc_values::num::Num;
use ptc_values::{Diagnostic, Res, Value};

pub const TABLE: &[Row] = &[
    pure(
        "numeric-tower/expt",
        "x n",
        "x to the power of n; exact for integers.",
        "(numeric-tower/expt 2 70) => 1180591620717411303424N",
        listed(ANY),
        expt,
    ),
    pure(
        "numeric-tower/abs",
        "x",
        "The number without its sign.",
        "(numeric-tower/abs -3) => 3",
        listed(ANY),
        |cx, args| match Num::of(&args[0]) {
            Some(number) if number.to_f64() < 0.0 => cx.op(Op::Sub, &Value::Int(0), &args[0]),
            Some(_) => Ok(args[0].clone()),
            None => Err(not_a_number("numeric-tower/abs", "first", &args[0])),
        },
    ),
    pure(
        "numeric-tower/gcd",
        "x y",
        "The greatest common divisor of two integers.",
        "(numeric-tower/gcd 12 18) => 6",
        listed(ANY),
        |cx, args| {
            two("numeric-tower/gcd", args)?;
            gcd(cx, &args[0], &args[1])
        },
    ),
    pure(
        "numeric-tower/lcm",
        "x y",
        "The least common multiple of two integers.",
        "(numeric-tower/lcm 4 6) => 12",
        listed(ANY),
        |cx, args| {
            two("numeric-tower/lcm", args)?;
            let divisor = gcd(cx, &args[0], &args[1])?;
            if divisor == Value::Int(0) {
                return Ok(divisor);
            }
            let part = cx.op(Op::Quot, &args[0], &divisor)?;
            let product = cx.op(Op::Mul, &args[1], &part)?;
            absolute(cx, &product)
        },
    ),
    pure(
        "numeric-tower/floor",
        "x",
        "The number rounded down; an integer is unchanged.",
        "(numeric-tower/floor 2.7) => 2.0",
        listed(ANY),
        |_, args| rounded("numeric-tower/floor", &args[0], f64::floor),
    ),
    pure(
        "numeric-tower/ceil",
        "x",
        "The number rounded up; an integer is unchanged.",
        "(numeric-tower/ceil 2.1) => 3.0",
        listed(ANY),
        |_, args| rounded("numeric-tower/ceil", &args[0], f64::ceil),
    ),
    pure(
        "numeric-tower/round",
        "x",
        "The nearest integer; a half is rounded up.",
        "(numeric-tower/round 2.5) => 3",
        listed(ANY),
        |cx, args| match Num::of(&args[0]) {
            Some(_) => super::number::round(cx, args),
            None => Err(not_a_number("numeric-tower/round", "first", &args[0])),
        },
    ),
    pure(
        "numeric-tower/sqrt",
        "x",
        "The square root; an integer if it is exact.",
        "(numeric-tower/sqrt 16) => 4",
        listed(ANY),
        |cx, args| match (Num::of(&args[0]), integer(&args[0])) {
            (None, _) => Err(not_a_number("numeric-tower/sqrt", "first", &args[0])),
            (Some(x), None) => Ok(Value::Float(libm::sqrt(x.to_f64()))),
            (Some(_), Some(x)) if x.sign() == Sign::Minus => Ok(Value::Float(f64::NAN)),
            (Some(number), Some(x)) => {
                let root = root(cx, &x)?;
                let exact = &root * &root == x;
                Ok(if exact { Value::big(root) } else { Value::Float(libm::sqrt(number.to_f64())) })
            }
        },
    ),
    pure(
        "numeric-tower/exact-integer-sqrt",
        "n",
        "The integer square root of an integer, and the remainder.",
        "(numeric-tower/exact-integer-sqrt 15) => [3 6]",
        listed(ANY),
        |cx, args| {
            let who = "numeric-tower/exact-integer-sqrt";
            let x = integer(&args[0]).filter(|x| x.sign() != Sign::Minus);
            let x = x.ok_or_else(|| {
                wrong_type(who, "an integer that is not negative", &args[0])
                    .with_class("IllegalArgumentException")
                    .with_jvm_message("exact-integer-sqrt requires nonnegative integer".to_owned())
            })?;
            let root = root(cx, &x)?;
            let rest = x - &root * &root;
            cx.vector(vec![Value::big(root), Value::big(rest)])
        },
    ),
];

pub fn integer(value: &Value) -> Option<BigInt> {
    match value {
        Value::Int(int) => Some(BigInt::from(*int)),
        Value::Big(big) => Some((**big).clone()),
        _ => None,
    }
}

fn two(who: &str, args: &[Value]) -> Res<()> {
    match args.iter().find(|it| !matches!(it, Value::Int(_) | Value::Big(_))) {
        None => Ok(()),
        Some(other) => {
            let name = who.rsplit('/').next().unwrap_or(who);
            Err(wrong_type(who, "two integers", other)
                .with_class("IllegalArgumentException")
                .with_jvm_message(format!("{name} requires two integers")))
        }
    }
}

fn absolute(cx: &mut Cx, value: &Value) -> Res {
    match value {
        Value::Int(0..) => Ok(value.clone()),
        Value::Big(big) if big.sign() == Sign::Plus => Ok(value.clone()),
        _ => cx.op(Op::Sub, &Value::Int(0), value),
    }
}

/// Returns the nonnegative greatest common divisor; each step of Euclid pays for its division.
pub fn gcd(cx: &mut Cx, a: &Value, b: &Value) -> Res {
    let (mut a, mut b) = (a.clone(), b.clone());
    while b != Value::Int(0) {
        cx.spend(1)?;
        let rest = cx.op(Op::Rem, &a, &b)?;
        a = std::mem::replace(&mut b, rest);
    }
    absolute(cx, &a)
}

fn rounded(who: &str, value: &Value, round: fn(f64) -> f64) -> Res {
    match value {
        Value::Int(_) | Value::Big(_) => Ok(value.clone()),
        Value::Float(float) => Ok(Value::Float(round(*float))),
        other => Err(not_a_number(who, "first", other)),
    }
}

fn expt(cx: &mut Cx, args: &mut [Value]) -> Res {
    let who = "numeric-tower/expt";
    let (x, n) = (&args[0], &args[1]);
    for (which, value) in [("first", x), ("second", n)] {
        if Num::of(value).is_none() {
            return Err(not_a_number(who, which, value));
        }
    }
    let (Some(base), Value::Int(power)) = (integer(x), n) else {
        let float = |value| Num::of(value).map_or(f64::NAN, Num::to_f64);
        if let (Some(base), Value::Big(_)) = (integer(x), n) {
            return power_of(cx, &base, u64::MAX);
        }
        return Ok(Value::Float(super::precise::pow(float(x), float(n))));
    };
    let result = power_of(cx, &base, power.unsigned_abs())?;
    if *power < 0 { cx.op(Op::Div, &Value::Int(1), &result) } else { Ok(result) }
}

/// Returns a power of an integer and pays for it beforehand.
pub fn power_of(cx: &mut Cx, base: &BigInt, power: u64) -> Res {
    if power == 0 {
        return Ok(Value::Int(1));
    }
    // 0, 1 and -1 stay short.
    if base.bits() <= 1 {
        let turned = base.sign() == Sign::Minus && power.is_multiple_of(2);
        return Ok(Value::big(if turned { -base } else { base.clone() }));
    }
    // A number of n bits is at least half of the next power of two.
    let bits = (base.bits() - 1).saturating_mul(power);
    pay_for(cx, bits)?;
    cx.alloc(bits / 8 + 48)?;
    let power = u32::try_from(power).map_err(|_| cx.too_much())?;
    Ok(Value::big(base.pow(power)))
}

/// Pays for work like a product of two integers with this number of bits.
pub fn pay_for(cx: &mut Cx, bits: u64) -> Res<()> {
    let words = bits / 64;
    cx.spend(words.saturating_mul(words) / 16 + words + 1)
}

/// Returns the integer part of the root of a nonnegative integer.
pub fn root(cx: &mut Cx, x: &BigInt) -> Res<BigInt> {
    // Each Newton step doubles the number of correct digits.
    pay_for(cx, x.bits())?;
    cx.spend(x.bits() / 16)?;
    cx.alloc(x.bits() / 8 + 48)?;
    Ok(x.sqrt())
}

/// Returns an arithmetic error with the JVM's message.
#[cold]
pub fn arithmetic(message: String, jvm: &str) -> Diagnostic {
    Diagnostic::new(Code::NumberRange, message)
        .with_class("ArithmeticException")
        .with_jvm_message(jvm.to_owned())
}
