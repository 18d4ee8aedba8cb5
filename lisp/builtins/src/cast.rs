//! Conversions between kinds of numbers, and arithmetic that wraps around.

use super::facts::{ANY, as_value};
use super::{Row, not_a_number, pure, wrong_type};
use ptc_facts::messages::describe;
use ptc_machine::Cx;
use ptc_values::code::Code;
use ptc_values::ir::Op;
use ptc_values::num::Num;
use ptc_values::{Diagnostic, Res, Value, json};

macro_rules! table {
    (
        grow { $($gname:literal, $gusage:literal, $gdoc:literal, $gexample:literal, $gop:expr, $gunit:literal;)+ }
        cut { $($cname:literal, $cdoc:literal, $cexample:literal, $cop:expr;)+ }
        wrap { $($wname:literal, $wusage:literal, $wdoc:literal, $wexample:literal, $wint:expr, $wfloat:expr;)+ }
    ) => {
        pub const TABLE: &[Row] = &[
            $(pure($gname, $gusage, $gdoc, $gexample, as_value(ANY), |cx, args| grow(cx, $gname, $gop, $gunit, args)),)+
            $(pure($cname, "x", $cdoc, $cexample, as_value(ANY), |_, args| {
                let cut: fn(i64) -> i64 = $cop;
                whole($cname, &args[0]).map(|int| Value::Int(cut(int)))
            }),)+
            $(pure($wname, $wusage, $wdoc, $wexample, as_value(ANY), |_, args| {
                let (int, float): (fn(i64, i64) -> i64, fn(f64, f64) -> f64) = ($wint, $wfloat);
                wrap($wname, args, int, float)
            }),)+
            pure("num", "x", "The number itself.", "(num 1.5) => 1.5", as_value(ANY), |_, args| number("num", args).cloned()),
            pure("bigint", "x", "The integer value of a number or of a text of digits.", "(bigint \"12\") => 12", as_value(ANY), |_, args| bigint("bigint", args)),
            pure("biginteger", "x", "The integer value of a number or of a text of digits.", "(biginteger 2.7) => 2", as_value(ANY), |_, args| bigint("biginteger", args)),
            pure("byte", "x", "The integer value of a number; an error if it needs more than 8 bits.", "(byte 65) => 65", as_value(ANY), |_, args| narrow("byte", args, -128, 127)),
            pure("short", "x", "The integer value of a number; an error if it needs more than 16 bits.", "(short 300) => 300", as_value(ANY), |_, args| narrow("short", args, -32768, 32767)),
            pure("char", "x", "The character of a Unicode code point, a string of length one.", "(char 97) => \"a\"", as_value(ANY), character),
            pure("unchecked-double", "x", "The number as a float.", "(unchecked-double 1) => 1.0", as_value(ANY), |_, args| float("unchecked-double", args)),
            pure("unchecked-float", "x", "The number as a float.", "(unchecked-float 1) => 1.0", as_value(ANY), |_, args| float("unchecked-float", args)),
        ];
    };
}

table! {
    grow {
        "+'", "& numbers", "The sum; the same as `+`.", "(+' 1 2) => 3", Op::Add, 0;
        "*'", "& numbers", "The product; the same as `*`.", "(*' 2 3) => 6", Op::Mul, 1;
        "-'", "x & numbers", "The difference; the same as `-`.", "(-' 3 1) => 2", Op::Sub, 0;
        "inc'", "x", "One more; the same as `inc`.", "(inc' 1) => 2", Op::Add, 1;
        "dec'", "x", "One less; the same as `dec`.", "(dec' 1) => 0", Op::Sub, 1;
    }
    cut {
        "unchecked-byte", "The low 8 bits of an integer.", "(unchecked-byte 200) => -56", |x| i64::from(x as i8);
        "unchecked-short", "The low 16 bits of an integer.", "(unchecked-short 40000) => -25536", |x| i64::from(x as i16);
        "unchecked-int", "The low 32 bits of an integer.", "(unchecked-int 3000000000) => -1294967296", |x| i64::from(x as i32);
        "unchecked-long", "The low 64 bits of an integer.", "(unchecked-long 2.9) => 2", |x| x;
    }
    wrap {
        "unchecked-add", "x y", "The sum, wrapped around at 64 bits.", "(unchecked-add 9223372036854775807 1) => -9223372036854775808", i64::wrapping_add, |x, y| x + y;
        "unchecked-subtract", "x y", "The difference, wrapped around at 64 bits.", "(unchecked-subtract 1 2) => -1", i64::wrapping_sub, |x, y| x - y;
        "unchecked-multiply", "x y", "The product, wrapped around at 64 bits.", "(unchecked-multiply 9223372036854775807 2) => -2", i64::wrapping_mul, |x, y| x * y;
        "unchecked-inc", "x", "One more, wrapped around at 64 bits.", "(unchecked-inc 1) => 2", |x, _| x.wrapping_add(1), |x, _| x + 1.0;
        "unchecked-dec", "x", "One less, wrapped around at 64 bits.", "(unchecked-dec 1) => 0", |x, _| x.wrapping_sub(1), |x, _| x - 1.0;
        "unchecked-negate", "x", "The negation, wrapped around at 64 bits.", "(unchecked-negate 1) => -1", |x, _| x.wrapping_neg(), |x, _| -x;
    }
}

fn number<'a>(who: &str, args: &'a [Value]) -> Res<&'a Value> {
    let value = &args[0];
    if Num::of(value).is_some() { Ok(value) } else { Err(not_a_number(who, "first", value)) }
}

fn float(who: &str, args: &[Value]) -> Res {
    number(who, args).map(|value| Value::Float(Num::of(value).map_or(0.0, Num::to_f64)))
}

/// Applies an operation that Clojure has in two versions; `inc'` and `dec'` take one argument.
fn grow(cx: &mut Cx, who: &str, op: Op, unit: i64, args: &[Value]) -> Res {
    cx.spend(args.len() as u64)?;
    let unit = Value::Int(unit);
    match (args, who) {
        ([], _) => Ok(unit),
        ([x], "inc'" | "dec'" | "+'" | "*'") => cx.op(op, x, &unit),
        ([x], _) => cx.op(op, &unit, x),
        ([first, rest @ ..], _) => {
            rest.iter().try_fold(first.clone(), |so_far, next| cx.op(op, &so_far, next))
        }
    }
}

/// Returns the 64 low bits of a number without its fraction.
fn whole(who: &str, value: &Value) -> Res<i64> {
    match value {
        Value::Int(int) => Ok(*int),
        Value::Float(float) => Ok(*float as i64),
        Value::Big(big) => {
            let low = big.iter_u64_digits().next().unwrap_or(0) as i64;
            Ok(if big.sign() == num_bigint::Sign::Minus { low.wrapping_neg() } else { low })
        }
        Value::Str(text) => super::code_point(who, text),
        _ => Err(not_a_number(who, "first", value)),
    }
}

fn wrap(who: &str, args: &[Value], int: fn(i64, i64) -> i64, float: fn(f64, f64) -> f64) -> Res {
    let x = &args[0];
    let y = args.get(1).unwrap_or(x);
    match (Num::of(x), Num::of(y)) {
        (None, _) => Err(not_a_number(who, "first", x)),
        (_, None) => Err(not_a_number(who, "second", y)),
        (Some(Num::Float(x)), Some(y)) => Ok(Value::Float(float(x, y.to_f64()))),
        (Some(x), Some(Num::Float(y))) => Ok(Value::Float(float(x.to_f64(), y))),
        _ => Ok(Value::Int(int(whole(who, x)?, whole(who, y)?))),
    }
}

fn narrow(who: &str, args: &[Value], least: i64, most: i64) -> Res {
    let value = &args[0];
    let int = whole(who, value)?;
    if (least..=most).contains(&int) && !matches!(value, Value::Big(_)) {
        return Ok(Value::Int(int));
    }
    Err(Diagnostic::new(
        Code::NumberRange,
        format!("`{who}` takes integers from {least} to {most}, found {value}"),
    )
    .with_help("use `long`: integers have any size"))
}

fn bigint(who: &str, args: &[Value]) -> Res {
    match &args[0] {
        Value::Str(text) => parse_integer(who, text, 10),
        Value::Int(_) | Value::Big(_) => Ok(args[0].clone()),
        Value::Float(float) => ptc_values::num::f64_to_integer(float.trunc()).ok_or_else(|| {
            Diagnostic::new(
                Code::NumberRange,
                format!("`{who}` cannot convert {} to an integer", args[0]),
            )
        }),
        other => Err(wrong_type(who, "a number or a text of digits", other)),
    }
}

fn character(_: &mut Cx, args: &mut [Value]) -> Res {
    match &args[0] {
        Value::Str(text) if text.chars().count() == 1 => {
            Ok(text.chars().next().map_or(Value::Nil, Value::character))
        }
        Value::Str(_) => Err(wrong_type("char", "a Unicode code point", &args[0])
            .with_help("for a character of a text write `(first text)`")),
        value => {
            let code = whole("char", value)?;
            u32::try_from(code).ok().and_then(char::from_u32).map(Value::character).ok_or_else(
                || Diagnostic::new(Code::NumberRange, format!("{code} is not a Unicode character")),
            )
        }
    }
}

pub fn parse_integer(who: &str, text: &str, radix: u32) -> Res {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty()
        || digits.len() > json::MAX_DIGITS
        || !digits.chars().all(|c| c.is_digit(radix))
    {
        return Err(no_number(who, text, "an integer", radix));
    }
    num_bigint::BigInt::parse_bytes(text.as_bytes(), radix)
        .map(Value::big)
        .ok_or_else(|| no_number(who, text, "an integer", radix))
}

#[cold]
pub fn no_number(who: &str, text: &str, what: &str, radix: u32) -> Diagnostic {
    let shown = describe(&Value::str(text));
    let shown = shown.strip_prefix("a string ").unwrap_or(&shown);
    let better = if what == "a float" { "parse-double" } else { "parse-long" };
    let jvm_message = match text.trim() {
        "" if what == "a float" => "empty String".to_owned(),
        _ if radix == 10 => format!("For input string: \"{text}\""),
        _ => format!("For input string: \"{text}\" under radix {radix}"),
    };
    Diagnostic::new(Code::BadNumber, format!("`{who}` cannot read {shown} as {what}"))
        .with_jvm_message(jvm_message)
        .with_help(format!(
            "`({better} text)` returns nil for text that is not a number; remove spaces and commas first"
        ))
}
