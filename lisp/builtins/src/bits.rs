//! Bit operations on 64-bit integers, as on the JVM: positions count from 0 and wrap around at 64.

use super::facts::{ANY, as_value};
use super::{Row, pure, wrong_type};
use ptc_machine::Cx;
use ptc_values::{Res, Value};

macro_rules! table {
    (
        fold { $($fname:literal, $fdoc:literal, $fexample:literal, $fop:expr;)+ }
        place { $($name:literal, $doc:literal, $example:literal, $op:expr;)+ }
    ) => {
        pub const TABLE: &[Row] = &[
            $(pure($fname, "x y & more", $fdoc, $fexample, as_value(ANY), |cx, args| {
                fold(cx, $fname, args, $fop)
            }),)+
            pure(
                "bit-not",
                "x",
                "The integer with every bit flipped.",
                "(bit-not 5) => -6",
                as_value(ANY),
                |_, args| bits("bit-not", &args[0]).map(|x| Value::Int(!x)),
            ),
            $(pure($name, "x n", $doc, $example, as_value(ANY), |_, args| {
                let op: fn(i64, u32) -> Value = $op;
                // The low six bits are the position, as on the JVM.
                Ok(op(bits($name, &args[0])?, (bits($name, &args[1])? & 63) as u32))
            }),)+
        ];
    };
}

table! {
    fold {
        "bit-and", "The bits set in all integers.", "(bit-and 12 10) => 8", |x, y| x & y;
        "bit-or", "The bits set in at least one integer.", "(bit-or 12 10) => 14", |x, y| x | y;
        "bit-xor", "The bits set in an odd number of the integers.", "(bit-xor 12 10) => 6", |x, y| x ^ y;
        "bit-and-not", "The bits of x that are not set in any other integer.", "(bit-and-not 12 10) => 4", |x, y| x & !y;
    }
    place {
        "bit-shift-left", "The bits shifted left by n places.", "(bit-shift-left 1 4) => 16", |x, n| Value::Int(x << n);
        "bit-shift-right", "The bits shifted right by n places, keeping the sign.", "(bit-shift-right -8 1) => -4", |x, n| Value::Int(x >> n);
        "unsigned-bit-shift-right", "The bits shifted right by n places, with zeros on the left.", "(unsigned-bit-shift-right -1 60) => 15", |x, n| Value::Int((x as u64 >> n) as i64);
        "bit-set", "The integer with bit n set.", "(bit-set 8 0) => 9", |x, n| Value::Int(x | 1 << n);
        "bit-clear", "The integer with bit n cleared.", "(bit-clear 9 0) => 8", |x, n| Value::Int(x & !(1 << n));
        "bit-flip", "The integer with bit n flipped.", "(bit-flip 9 1) => 11", |x, n| Value::Int(x ^ 1 << n);
        "bit-test", "Whether bit n is set.", "(bit-test 5 2) => true", |x, n| Value::Bool(x >> n & 1 == 1);
    }
}

fn fold(cx: &mut Cx, who: &str, args: &[Value], op: fn(i64, i64) -> i64) -> Res {
    cx.spend(args.len() as u64)?;
    let mut all = None;
    for value in args {
        let value = bits(who, value)?;
        all = Some(all.map_or(value, |all| op(all, value)));
    }
    Ok(Value::Int(all.unwrap_or_default()))
}

fn bits(who: &str, value: &Value) -> Res<i64> {
    value.as_int().ok_or_else(|| {
        let problem = wrong_type(who, "integers of 64 bits", value);
        if value.is_nil() {
            return problem;
        }
        let problem = problem.with_class("IllegalArgumentException");
        if matches!(value, Value::Float(_)) {
            return problem.with_help("convert it to an integer with `(long x)`");
        }
        problem
    })
}
