//! `BigInteger`: integers have any size here, so its methods accept all of them.

use num_bigint::{BigInt, Sign};

use super::arguments::int64;
use crate::tower::{arithmetic, gcd, integer, pay_for, power_of, root};
use ptc_facts::messages::wrong_type;
use ptc_facts::registry::facts::{ANY, listed};
use ptc_machine::Cx;
use ptc_machine::Row;
use ptc_values::code::Code;
use ptc_values::ir::Op;
use ptc_values::{Diagnostic, Res, Value};

table! {
    constants {
        "BigInteger/ZERO", "0.", "BigInteger/ZERO => 0", Value::Int(0);
        "BigInteger/ONE", "1.", "BigInteger/ONE => 1", Value::Int(1);
        "BigInteger/TWO", "2.", "BigInteger/TWO => 2", Value::Int(2);
        "BigInteger/TEN", "10.", "BigInteger/TEN => 10", Value::Int(10);
    }
    rows {
        "BigInteger/valueOf", "x", "The integer itself.", "(BigInteger/valueOf 5) => 5", listed(ANY), |_, who, args| int64(who, &args[0]).map(Value::Int);
        ".add", "x y", "The sum of two integers.", "(.add 2N 3N) => 5", listed(ANY), |cx, who, args| operation(cx, who, args, Op::Add);
        ".subtract", "x y", "The difference of two integers.", "(.subtract 2N 3N) => -1", listed(ANY), |cx, who, args| operation(cx, who, args, Op::Sub);
        ".multiply", "x y", "The product of two integers.", "(.multiply 2N 3N) => 6", listed(ANY), |cx, who, args| operation(cx, who, args, Op::Mul);
        ".divide", "x y", "The quotient of two integers without its fraction.", "(.divide 7N 2N) => 3", listed(ANY), |cx, who, args| division(cx, who, args, Op::Quot);
        ".remainder", "x y", "The remainder of two integers, with the sign of x.", "(.remainder -7N 2N) => -1", listed(ANY), |cx, who, args| division(cx, who, args, Op::Rem);
        ".mod", "x m", "The remainder of two integers that is not negative; m is greater than 0.", "(.mod -7N 3N) => 2", listed(ANY), |cx, who, args| {
            operand(who, &args[0])?;
            modulus(who, &args[1])?;
            cx.op(Op::Mod, &args[0], &args[1])
        };
        ".negate", "x", "The negation of an integer.", "(.negate 5N) => -5", listed(ANY), |cx, who, args| {
            operand(who, &args[0])?;
            cx.op(Op::Sub, &Value::Int(0), &args[0])
        };
        ".signum", "x", "The sign of an integer: -1, 0 or 1.", "(.signum -5N) => -1", listed(ANY), |_, who, args| Ok(Value::Int(match operand(who, &args[0])?.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }));
        ".pow", "x n", "An integer to the power of n.", "(.pow 2N 70) => 1180591620717411303424N", listed(ANY), |cx, who, args| {
            let base = operand(who, &args[0])?;
            match u64::try_from(int64(who, &args[1])?) {
                Ok(power) => power_of(cx, &base, power),
                Err(_) => Err(arithmetic(format!("`{who}` takes an exponent that is not negative, found {}", args[1]), "Negative exponent")),
            }
        };
        ".modPow", "x n m", "The remainder of x to the power of n, divided by m.", "(.modPow 3N 200N 13N) => 9", listed(ANY), |cx, who, args| {
            let (base, power) = (operand(who, &args[0])?, operand(who, &args[1])?);
            let m = modulus(who, &args[2])?;
            let base = if power.sign() == Sign::Minus { inverse(cx, &base, &m)? } else { base };
            cx.spend(base.bits() / 64 * (m.bits() / 64) / 16)?;
            power_modulo(cx, &base, &BigInt::from(power.magnitude().clone()), &m).map(Value::big)
        };
        ".modInverse", "x m", "The inverse of x modulo m.", "(.modInverse 3N 11N) => 4", listed(ANY), |cx, who, args| {
            let base = operand(who, &args[0])?;
            let m = modulus(who, &args[1])?;
            inverse(cx, &base, &m).map(Value::big)
        };
        ".gcd", "x y", "The greatest common divisor.", "(.gcd 12N 18N) => 6", listed(ANY), |cx, who, args| {
            operand(who, &args[0])?;
            operand(who, &args[1])?;
            gcd(cx, &args[0], &args[1])
        };
        ".sqrt", "x", "The square root of an integer without its fraction.", "(.sqrt 17N) => 4", listed(ANY), |cx, who, args| {
            let x = operand(who, &args[0])?;
            if x.sign() == Sign::Minus {
                return Err(arithmetic(format!("`{who}` takes an integer that is not negative, found {}", args[0]), "Negative BigInteger"));
            }
            root(cx, &x).map(Value::big)
        };
        ".bitLength", "x", "The number of bits that an integer needs, without its sign bit.", "(.bitLength 255N) => 8", listed(ANY), |_, who, args| {
            let x = operand(who, &args[0])?;
            // The complement of a negative integer is one less in size.
            let bits = if x.sign() == Sign::Minus { (x + 1u8).bits() } else { x.bits() };
            Ok(Value::Int(bits as i64))
        };
        ".bitCount", "x", "The number of bits of an integer that differ from its sign bit.", "(.bitCount 255N) => 8", listed(ANY), |cx, who, args| {
            let x = operand(who, &args[0])?;
            cx.spend(x.bits() / 1024)?;
            let x = if x.sign() == Sign::Minus { x + 1u8 } else { x };
            Ok(Value::Int(x.iter_u64_digits().map(|it| i64::from(it.count_ones())).sum()))
        };
        ".testBit", "x n", "Whether bit n of an integer is set.", "(.testBit 5N 2) => true", listed(ANY), |_, who, args| {
            let x = operand(who, &args[0])?;
            match u64::try_from(int64(who, &args[1])?) {
                Ok(at) => Ok(Value::Bool(x.bit(at))),
                Err(_) => Err(arithmetic(format!("`{who}` takes a place that is not negative, found {}", args[1]), "Negative bit address")),
            }
        };
        ".shiftLeft", "x n", "An integer times two to the power of n.", "(.shiftLeft 1N 70) => 1180591620717411303424N", listed(ANY), |cx, who, args| shifted(cx, who, args, 1);
        ".shiftRight", "x n", "An integer divided by two to the power of n, rounded down.", "(.shiftRight -5N 1) => -3", listed(ANY), |cx, who, args| shifted(cx, who, args, -1);
        ".and", "x y", "The bits set in both integers.", "(.and 12N 10N) => 8", listed(ANY), |cx, who, args| bits(cx, who, args, |x, y| x & y);
        ".or", "x y", "The bits set in at least one of two integers.", "(.or 12N 10N) => 14", listed(ANY), |cx, who, args| bits(cx, who, args, |x, y| x | y);
        ".xor", "x y", "The bits in which two integers differ.", "(.xor 12N 10N) => 6", listed(ANY), |cx, who, args| bits(cx, who, args, |x, y| x ^ y);
        ".not", "x", "The integer with every bit flipped.", "(.not 5N) => -6", listed(ANY), |cx, who, args| {
            operand(who, &args[0])?;
            cx.op(Op::Sub, &Value::Int(-1), &args[0])
        };
        ".max", "x y", "The greater integer.", "(.max 2N 3N) => 3", listed(ANY), |cx, who, args| {
            let less = operand(who, &args[0])? < operand(who, &args[1])?;
            cx.spend(1)?;
            Ok(args[usize::from(less)].clone())
        };
        ".min", "x y", "The lesser integer.", "(.min 2N 3N) => 2", listed(ANY), |cx, who, args| {
            let greater = operand(who, &args[0])? > operand(who, &args[1])?;
            cx.spend(1)?;
            Ok(args[usize::from(greater)].clone())
        };
        ".isProbablePrime", "x certainty", "Whether an integer is probably a prime.", "(.isProbablePrime 97N 10) => true", listed(ANY), |cx, who, args| {
            let x = operand(who, &args[0])?;
            int64(who, &args[1])?;
            is_prime(cx, &BigInt::from(x.magnitude().clone())).map(Value::Bool)
        };
    }
}

fn operand(who: &str, value: &Value) -> Res<BigInt> {
    integer(value).ok_or_else(|| {
        let problem = wrong_type(who, "an integer", value);
        // For the JVM, a value without the method is an argument of the wrong kind.
        if value.is_nil() { problem } else { problem.with_class("IllegalArgumentException") }
    })
}

fn operation(cx: &mut Cx, who: &str, args: &[Value], op: Op) -> Res {
    operand(who, &args[0])?;
    operand(who, &args[1])?;
    cx.op(op, &args[0], &args[1])
}

fn division(cx: &mut Cx, who: &str, args: &[Value], op: Op) -> Res {
    operand(who, &args[0])?;
    if operand(who, &args[1])?.sign() == Sign::NoSign {
        return Err(Diagnostic::new(
            Code::DivideByZero,
            format!("`{who}` divides {} by zero", args[0]),
        )
        .with_jvm_message("BigInteger divide by zero".to_owned())
        .with_help("test the divisor first: `(when-not (zero? y) …)`"));
    }
    cx.op(op, &args[0], &args[1])
}

fn modulus(who: &str, value: &Value) -> Res<BigInt> {
    let m = operand(who, value)?;
    if m.sign() == Sign::Plus {
        return Ok(m);
    }
    Err(arithmetic(
        format!("`{who}` takes a modulus greater than 0, found {value}"),
        "BigInteger: modulus not positive",
    ))
}

fn inverse(cx: &mut Cx, x: &BigInt, m: &BigInt) -> Res<BigInt> {
    pay_for(cx, x.bits().max(m.bits()).saturating_mul(4))?;
    // The remainder by 1 is always 0.
    if m.bits() == 1 {
        return Ok(BigInt::ZERO);
    }
    x.modinv(m).ok_or_else(|| {
        arithmetic(
            "the integer has no inverse for this modulus".to_owned(),
            "BigInteger not invertible.",
        )
    })
}

fn power_modulo(cx: &mut Cx, base: &BigInt, power: &BigInt, m: &BigInt) -> Res<BigInt> {
    let words = m.bits() / 64;
    let product = words.saturating_mul(words) / 8 + 1;
    cx.spend(product.saturating_mul(power.bits() / 8 + 1))?;
    cx.alloc(m.bits() / 2 + 256)?;
    Ok(base.modpow(power, m))
}

fn shifted(cx: &mut Cx, who: &str, args: &[Value], direction: i64) -> Res {
    let x = operand(who, &args[0])?;
    let places = int64(who, &args[1])?.saturating_mul(direction);
    if places < 0 {
        let places = places.unsigned_abs();
        cx.spend(x.bits() / 1024)?;
        let all = if x.sign() == Sign::Minus { BigInt::from(-1) } else { BigInt::ZERO };
        return Ok(Value::big(if places > x.bits() { all } else { x >> places }));
    }
    if x.sign() == Sign::NoSign {
        return Ok(Value::Int(0));
    }
    let bits = x.bits().saturating_add(places.unsigned_abs());
    cx.spend(bits / 64)?;
    cx.alloc(bits / 8 + 48)?;
    Ok(Value::big(x << places))
}

fn bits(cx: &mut Cx, who: &str, args: &[Value], op: fn(BigInt, BigInt) -> BigInt) -> Res {
    let (x, y) = (operand(who, &args[0])?, operand(who, &args[1])?);
    let longest = x.bits().max(y.bits());
    cx.spend(longest / 1024)?;
    cx.alloc(longest / 8 + 48)?;
    Ok(Value::big(op(x, y)))
}

/// Tests primality by the method of Miller and Rabin, with the first primes as bases. Below 3.3e24
/// the first thirteen make it certain.
fn is_prime(cx: &mut Cx, x: &BigInt) -> Res<bool> {
    const BASES: [u32; 24] = [
        2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89,
    ];
    let one = BigInt::from(1);
    if *x <= one {
        return Ok(false);
    }
    cx.spend(x.bits() / 64 + 1)?;
    for base in BASES {
        if *x == BigInt::from(base) {
            return Ok(true);
        }
        if (x % base).sign() == Sign::NoSign {
            return Ok(false);
        }
    }
    let less = x - 1u8;
    let twos = less.trailing_zeros().unwrap_or(0);
    let odd = &less >> twos;
    let certain = if x.bits() <= 81 { 13 } else { BASES.len() };
    'bases: for base in &BASES[..certain] {
        let mut power = power_modulo(cx, &BigInt::from(*base), &odd, x)?;
        if power == one || power == less {
            continue;
        }
        for _ in 1..twos {
            pay_for(cx, x.bits())?;
            power = &power * &power % x;
            if power == less {
                continue 'bases;
            }
        }
        return Ok(false);
    }
    Ok(true)
}
