//! `Math/`, and `clojure.math`, whose functions are the same under other names.
//!
//! All results are computed with `libm`, so that a program gives the same digits on every machine.

use super::facts::{ANY, as_value};
use super::{Row, not_a_number, precise, pure, wrong_type};
use ptc_machine::constant;
use ptc_values::code::Code;
use ptc_values::num::{self, Division, Num};
use ptc_values::{Diagnostic, Res, Value};

macro_rules! table {
    (
        one { $($name:literal, $doc:literal, $example:literal, $op:expr;)+ }
        two { $($name2:literal, $usage2:literal, $doc2:literal, $example2:literal, $op2:expr;)+ }
        exact { $($name3:literal, $usage3:literal, $doc3:literal, $example3:literal, $op3:expr;)+ }
    ) => {
        pub const TABLE: &[Row] = &[
            constant!("Math/PI", "The ratio of a circle's circumference to its diameter.", "Math/PI => 3.141592653589793", Value::Float(std::f64::consts::PI)),
            constant!("Math/E", "The base of natural logarithms.", "Math/E => 2.718281828459045", Value::Float(std::f64::consts::E)),
            $(pure($name, "x", $doc, $example, as_value(ANY), |_, args| {
                let op: fn(f64) -> f64 = $op;
                Ok(Value::Float(op(float($name, "first", &args[0])?)))
            }),)+
            $(pure($name2, $usage2, $doc2, $example2, as_value(ANY), |_, args| {
                let op: fn(f64, f64) -> f64 = $op2;
                Ok(Value::Float(op(float($name2, "first", &args[0])?, float($name2, "second", &args[1])?)))
            }),)+
            $(pure($name3, $usage3, $doc3, $example3, as_value(ANY), |_, args| {
                let op: fn(i64, i64) -> Option<i64> = $op3;
                let x = integer($name3, &args[0])?;
                let y = args.get(1).map_or(Ok(0), |y| integer($name3, y))?;
                op(x, y).map(Value::Int).ok_or_else(|| overflow($name3, args))
            }),)+
            pure("Math/floorDiv", "x y", "The quotient of integers, rounded down.", "(Math/floorDiv -7 2) => -4", as_value(ANY), |_, args| floor(Division::Quot, "Math/floorDiv", args)),
            pure("Math/floorMod", "x y", "The modulus of integers, with the sign of y.", "(Math/floorMod -7 2) => 1", as_value(ANY), |_, args| floor(Division::Mod, "Math/floorMod", args)),
            pure("Math/getExponent", "x", "The exponent of two in a float.", "(Math/getExponent 8.5) => 3", as_value(ANY), |_, args| {
                let bits = float("Math/getExponent", "first", &args[0])?.to_bits();
                Ok(Value::Int((bits >> 52 & 0x7ff) as i64 - 1023))
            }),
            pure("Math/scalb", "x n", "x times two to the power of n.", "(Math/scalb 1.5 3) => 12.0", as_value(ANY), |_, args| {
                let power = integer("Math/scalb", &args[1])?.clamp(-5000, 5000);
                Ok(Value::Float(libm::scalbn(float("Math/scalb", "first", &args[0])?, power as i32)))
            }),
            pure("Math/fma", "x y z", "x times y plus z, rounded once.", "(Math/fma 2.0 3.0 1.0) => 7.0", as_value(ANY), |_, args| {
                let [x, y, z] = [("first", 0), ("second", 1), ("third", 2)]
                    .map(|(which, at)| float("Math/fma", which, &args[at]));
                Ok(Value::Float(libm::fma(x?, y?, z?)))
            }),
        ];
    };
}

table! {
    one {
        "Math/sin", "The sine of an angle in radians.", "(Math/sin 0) => 0.0", libm::sin;
        "Math/cos", "The cosine of an angle in radians.", "(Math/cos 0) => 1.0", libm::cos;
        "Math/tan", "The tangent of an angle in radians.", "(Math/tan 0) => 0.0", libm::tan;
        "Math/asin", "The angle in radians with this sine.", "(Math/asin 0) => 0.0", libm::asin;
        "Math/acos", "The angle in radians with this cosine.", "(Math/acos 1) => 0.0", libm::acos;
        "Math/atan", "The angle in radians with this tangent.", "(Math/atan 1) => 0.7853981633974483", libm::atan;
        "Math/sinh", "The hyperbolic sine.", "(Math/sinh 0) => 0.0", libm::sinh;
        "Math/cosh", "The hyperbolic cosine.", "(Math/cosh 0) => 1.0", libm::cosh;
        "Math/tanh", "The hyperbolic tangent.", "(Math/tanh 0) => 0.0", tanh;
        "Math/sqrt", "The square root.", "(Math/sqrt 9) => 3.0", libm::sqrt;
        "Math/cbrt", "The cube root.", "(Math/cbrt 27) => 3.0", libm::cbrt;
        "Math/exp", "e to the power of x.", "(Math/exp 0) => 1.0", precise::exp;
        "Math/expm1", "e to the power of x, minus 1; exact near 0.", "(Math/expm1 0) => 0.0", libm::expm1;
        "Math/log", "The natural logarithm.", "(Math/log 1) => 0.0", precise::log;
        "Math/log10", "The logarithm to base 10.", "(Math/log10 1000) => 3.0", libm::log10;
        "Math/log1p", "The natural logarithm of x plus 1; exact near 0.", "(Math/log1p 0) => 0.0", libm::log1p;
        "Math/rint", "The nearest whole float; a half is rounded to the even one.", "(Math/rint 2.5) => 2.0", libm::rint;
        "Math/signum", "The sign: -1.0, 0.0 or 1.0.", "(Math/signum -2.5) => -1.0", signum;
        "Math/toRadians", "Degrees as radians.", "(Math/toRadians 180) => 3.141592653589793", |x| x * (std::f64::consts::PI / 180.0);
        "Math/toDegrees", "Radians as degrees.", "(Math/toDegrees Math/PI) => 180.0", |x| x * (180.0 / std::f64::consts::PI);
        "Math/ulp", "The distance to the next greater float.", "(Math/ulp 1.0) => 2.220446049250313E-16", ulp;
        "Math/nextUp", "The next greater float.", "(Math/nextUp 1.0) => 1.0000000000000002", f64::next_up;
        "Math/nextDown", "The next lesser float.", "(Math/nextDown 1.0) => 0.9999999999999999", f64::next_down;
    }
    two {
        "Math/atan2", "y x", "The angle in radians of the point x, y.", "(Math/atan2 1 1) => 0.7853981633974483", libm::atan2;
        "Math/hypot", "x y", "The length of the hypotenuse for the sides x and y.", "(Math/hypot 3 4) => 5.0", libm::hypot;
        "Math/pow", "x y", "x to the power of y, a float.", "(Math/pow 2 10) => 1024.0", precise::pow;
        "Math/copySign", "x y", "x with the sign of y.", "(Math/copySign 2.0 -1.0) => -2.0", libm::copysign;
        "Math/nextAfter", "x y", "The float next to x in the direction of y.", "(Math/nextAfter 1.0 2.0) => 1.0000000000000002", libm::nextafter;
        "Math/IEEEremainder", "x y", "The difference between x and the nearest multiple of y.", "(Math/IEEEremainder 5 3) => -1.0", libm::remainder;
    }
    exact {
        "Math/addExact", "x y", "The sum; an error if it needs more than 64 bits.", "(Math/addExact 1 2) => 3", i64::checked_add;
        "Math/subtractExact", "x y", "The difference; an error if it needs more than 64 bits.", "(Math/subtractExact 3 1) => 2", i64::checked_sub;
        "Math/multiplyExact", "x y", "The product; an error if it needs more than 64 bits.", "(Math/multiplyExact 2 3) => 6", i64::checked_mul;
        "Math/negateExact", "x", "The negation; an error if it needs more than 64 bits.", "(Math/negateExact 2) => -2", |x, _| x.checked_neg();
        "Math/incrementExact", "x", "One more; an error if it needs more than 64 bits.", "(Math/incrementExact 1) => 2", |x, _| x.checked_add(1);
        "Math/decrementExact", "x", "One less; an error if it needs more than 64 bits.", "(Math/decrementExact 1) => 0", |x, _| x.checked_sub(1);
        "Math/toIntExact", "x", "The integer; an error if it needs more than 32 bits.", "(Math/toIntExact 5) => 5", |x, _| i32::try_from(x).ok().map(i64::from);
    }
}

fn float(who: &str, which: &str, value: &Value) -> Res<f64> {
    Num::of(value).map(Num::to_f64).ok_or_else(|| not_a_number(who, which, value))
}

fn integer(who: &str, value: &Value) -> Res<i64> {
    value.as_int().ok_or_else(|| {
        // No overload of Java accepts this value.
        wrong_type(who, "integers of 64 bits", value).with_class("IllegalArgumentException")
    })
}

#[cold]
fn overflow(who: &str, args: &[Value]) -> Diagnostic {
    let args: Vec<String> = args.iter().map(ToString::to_string).collect();
    Diagnostic::new(
        Code::NumberRange,
        format!("the result of `({who} {})` is out of range", args.join(" ")),
    )
    .with_class("ArithmeticException")
    .with_help("use `+`, `-` and `*`: they return integers of any size")
}

fn floor(what: Division, who: &str, args: &[Value]) -> Res {
    for value in args {
        if !matches!(value, Value::Int(_) | Value::Big(_)) {
            return Err(wrong_type(who, "integers", value).with_class("IllegalArgumentException"));
        }
    }
    let [x, y] = args else { return Ok(Value::Nil) };
    let divide = |x: &Value, what| {
        num::divide(x, y, what).map_err(|_| {
            Diagnostic::new(Code::DivideByZero, format!("`{who}` divides {x} by zero"))
                .with_help("test the divisor first: `(when-not (zero? y) …)`")
        })
    };
    let modulus = divide(x, Division::Mod)?;
    if matches!(what, Division::Mod) {
        return Ok(modulus);
    }
    let rest = num::sub(x, &modulus).map_err(|_| not_a_number(who, "first", x))?;
    divide(&rest, Division::Quot)
}

fn signum(x: f64) -> f64 {
    // Zero keeps its sign and not-a-number stays, as on the JVM.
    if x == 0.0 || x.is_nan() { x } else { x.signum() }
}

fn ulp(x: f64) -> f64 {
    let size = x.abs();
    if size.is_infinite() || size.is_nan() {
        size
    } else if size == f64::MAX {
        size - size.next_down()
    } else {
        size.next_up() - size
    }
}

/// Returns the hyperbolic tangent by the formula of fdlibm, which the JVM uses.
fn tanh(x: f64) -> f64 {
    let size = x.abs();
    let result = if size < 1e-16 {
        size
    } else if size < 1.0 {
        let t = libm::expm1(-2.0 * size);
        -t / (t + 2.0)
    } else if size < 22.0 {
        1.0 - 2.0 / (libm::expm1(2.0 * size) + 2.0)
    } else if size.is_nan() {
        size
    } else {
        1.0
    };
    result.copysign(x)
}
