//! Numbers.

use ptc_signatures::Kinds;

use super::facts::{
    ANY, Expects, FLOAT, INT, LazyInput, Moves, NUMBER, Pulls, ResultShape, ResultShape::By,
    as_value, lazily,
};
use super::{Row, not_a_number, pure, wrong_type};
use ptc_facts::shape::gives;
use ptc_machine::{Cx, time_order};
use ptc_values::code::Code;
use ptc_values::ir::Op;
use ptc_values::num::{self, Num};
use ptc_values::{
    Diagnostic, Ext, Numbers, Origin, Pulled, Res, Time, Value, brief_difference, difference,
};

pub const TABLE: &[Row] = &[
    pure(
        "+",
        "& numbers",
        "The sum; 0 without arguments.",
        "(+ 1 2 3) => 6",
        as_value(ANY).op(Op::Add, 2, usize::MAX).several(),
        |cx, args| fold(cx, args, Op::Add, 0),
    ),
    pure(
        "-",
        "x|x & numbers",
        "The difference; for one number its negation.",
        "(- 10 1 2) => 7",
        as_value(ANY).op(Op::Sub, 2, usize::MAX),
        minus,
    ),
    pure(
        "*",
        "& numbers",
        "The product; 1 without arguments.",
        "(* 2 3) => 6",
        as_value(ANY).op(Op::Mul, 2, usize::MAX).several(),
        |cx, args| fold(cx, args, Op::Mul, 1),
    ),
    pure(
        "/",
        "x|x & numbers",
        "The quotient: an integer when integers divide exactly, else a float.",
        "(/ 10 4) => 2.5",
        as_value(ANY).op(Op::Div, 2, usize::MAX).several(),
        divide,
    ),
    pure("inc", "x", "One more.", "(inc 1) => 2", as_value(ANY).op(Op::Inc, 1, 1), |cx, args| {
        cx.op(Op::Inc, &args[0], &Value::Int(1))
    }),
    pure("dec", "x", "One less.", "(dec 1) => 0", as_value(ANY).op(Op::Dec, 1, 1), |cx, args| {
        cx.op(Op::Dec, &args[0], &Value::Int(1))
    }),
    pure(
        "quot",
        "x y",
        "The quotient without its fraction.",
        "(quot -7 2) => -3",
        as_value(ANY).op(Op::Quot, 2, 2),
        |cx, args| cx.op(Op::Quot, &args[0], &args[1]),
    ),
    pure(
        "rem",
        "x y",
        "The remainder, with the sign of x.",
        "(rem -7 2) => -1",
        as_value(ANY).op(Op::Rem, 2, 2),
        |cx, args| cx.op(Op::Rem, &args[0], &args[1]),
    ),
    pure(
        "mod",
        "x y",
        "The modulus, with the sign of y.",
        "(mod -7 2) => 1",
        as_value(ANY).op(Op::Mod, 2, 2),
        |cx, args| cx.op(Op::Mod, &args[0], &args[1]),
    ),
    pure(
        "=",
        "x & more",
        "Whether all are equal; numbers by value.",
        "(= 1 1.0) => true",
        lazily(ANY, LazyInput::Inside)
            .pulls(Pulls::AsValue)
            .moves(Moves::All)
            .op(Op::Equal, 2, 2)
            .expects(Expects::Equality)
            .several(),
        |cx, args| chain(cx, args, Op::Equal),
    ),
    pure(
        "==",
        "x & more",
        "Whether all numbers are equal.",
        "(== 1 1.0) => true",
        as_value(ANY).several(),
        numeric_equal,
    ),
    pure(
        "not=",
        "x & more",
        "Whether not all are equal.",
        "(not= 1 2) => true",
        lazily(ANY, LazyInput::Inside)
            .pulls(Pulls::AsValue)
            .moves(Moves::All)
            .op(Op::NotEqual, 2, 2)
            .expects(Expects::Equality)
            .several(),
        |cx, args| chain(cx, args, Op::Equal).map(|same| Value::Bool(!same.truthy())),
    ),
    pure(
        "<",
        "x & more",
        "Whether each number is less than the next.",
        "(< 1 2 3) => true",
        as_value(ANY).op(Op::Less, 2, 2).expects(Expects::Order).several(),
        |cx, args| chain(cx, args, Op::Less),
    ),
    pure(
        "<=",
        "x & more",
        "Whether each number is at most the next.",
        "(<= 1 1 2) => true",
        as_value(ANY).op(Op::LessEq, 2, 2).expects(Expects::Order).several(),
        |cx, args| chain(cx, args, Op::LessEq),
    ),
    pure(
        ">",
        "x & more",
        "Whether each number is greater than the next.",
        "(> 3 2 1) => true",
        as_value(ANY).op(Op::Greater, 2, 2).expects(Expects::Order).several(),
        |cx, args| chain(cx, args, Op::Greater),
    ),
    pure(
        ">=",
        "x & more",
        "Whether each number is at least the next.",
        "(>= 2 2 1) => true",
        as_value(ANY).op(Op::GreaterEq, 2, 2).expects(Expects::Order).several(),
        |cx, args| chain(cx, args, Op::GreaterEq),
    ),
    pure(
        "max",
        "x & more",
        "The greatest number or date.",
        "(max 1 3 2) => 3",
        as_value(By(gives::extreme)).expects(Expects::Order).several(),
        |_, args| extreme("max", args, true),
    ),
    pure(
        "min",
        "x & more",
        "The least number or date.",
        "(min 3 1 2) => 1",
        as_value(By(gives::extreme)).expects(Expects::Order).several(),
        |_, args| extreme("min", args, false),
    ),
    pure(
        "abs",
        "x",
        "The number without its sign.",
        "(abs -3) => 3",
        as_value(NUMBER),
        |cx, args| match Num::of(&args[0]) {
            Some(number) if number.to_f64() < 0.0 => cx.op(Op::Sub, &Value::Int(0), &args[0]),
            Some(_) => Ok(args[0].clone()),
            None => Err(not_a_number("abs", "first", &args[0])),
        },
    ),
    pure(
        "int",
        "x",
        "The integer part of a number.",
        "(int 2.9) => 2",
        as_value(INT),
        |_, args| integer("int", &args[0]),
    ),
    pure(
        "long",
        "x",
        "The integer part of a number.",
        "(long -2.9) => -2",
        as_value(INT),
        |_, args| integer("long", &args[0]),
    ),
    pure(
        "double",
        "x",
        "The number as a float.",
        "(double 2) => 2.0",
        as_value(FLOAT),
        |_, args| float("double", &args[0]),
    ),
    pure("float", "x", "The number as a float.", "(float 2) => 2.0", as_value(FLOAT), |_, args| {
        float("float", &args[0])
    }),
    pure(
        "Math/abs",
        "x",
        "The number without its sign.",
        "(Math/abs -3) => 3",
        as_value(ANY),
        |cx, args| match Num::of(&args[0]) {
            Some(number) if number.to_f64() < 0.0 => cx.op(Op::Sub, &Value::Int(0), &args[0]),
            Some(_) => Ok(args[0].clone()),
            None => Err(no_method("Math/abs", &args[0], 1)),
        },
    ),
    pure(
        "Math/floor",
        "x",
        "The float rounded down.",
        "(Math/floor 2.7) => 2.0",
        as_value(ANY),
        |_, args| math("Math/floor", &args[0], f64::floor),
    ),
    pure(
        "Math/ceil",
        "x",
        "The float rounded up.",
        "(Math/ceil 2.1) => 3.0",
        as_value(ANY),
        |_, args| math("Math/ceil", &args[0], f64::ceil),
    ),
    pure(
        "Math/round",
        "x",
        "The nearest integer; a half is rounded up.",
        "(Math/round 2.5) => 3",
        as_value(ANY),
        round,
    ),
    pure(
        "Math/max",
        "x y",
        "The greater number.",
        "(Math/max 1 2) => 2",
        as_value(ANY),
        |_, args| extreme("Math/max", args, true),
    ),
    pure(
        "Math/min",
        "x y",
        "The lesser number.",
        "(Math/min 1 2) => 1",
        as_value(ANY),
        |_, args| extreme("Math/min", args, false),
    ),
    pure(
        "parse-long",
        "text",
        "Parses a text as an integer; nil if it is not one.",
        "(parse-long \"42\") => 42",
        as_value(ResultShape::OrNil(Kinds::INT)),
        |_, args| {
            let digits = args[0].as_str().filter(|text| {
                let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
                !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
            });
            Ok(digits.and_then(|text| text.parse().ok()).map_or(Value::Nil, Value::Int))
        },
    ),
    pure(
        "parse-double",
        "text",
        "Parses a text as a float; nil if it is not one.",
        "(parse-double \"2.5\") => 2.5",
        as_value(ResultShape::OrNil(Kinds::FLOAT)),
        |_, args| Ok(args[0].as_str().and_then(parse_double).map_or(Value::Nil, Value::Float)),
    ),
    pure(
        "parse-boolean",
        "text",
        "Parses a text as a boolean; nil if it is not one.",
        "(parse-boolean \"true\") => true",
        as_value(ANY),
        |_, args| {
            Ok(match args[0].as_str() {
                Some("true") => Value::Bool(true),
                Some("false") => Value::Bool(false),
                _ => Value::Nil,
            })
        },
    ),
    pure(
        "compare",
        "x y",
        "Negative, 0 or positive, as x is before, equal to or after y.",
        "(compare 1 2) => -1",
        as_value(INT)
            .looks_inside()
            .expects(Expects::Order)
            .borrows_two_for_one(|_, x, y| brief_difference(x, y).map(Value::Int)),
        |cx, args| {
            let order = cx.compare(&args[0], &args[1])?;
            Ok(Value::Int(difference(&args[0], &args[1], order)))
        },
    ),
    pure(
        "range",
        "|end|start end|start end step",
        "The integers from start (0) to end (exclusive); endless without an end.",
        "(range 1 7 2) => (1 3 5)",
        as_value(By(gives::range)).makes_lazy(0).pulls(Pulls::Makes("ptc/numbers")),
        range,
    ),
    pure(
        "ptc/numbers",
        "",
        "The range without an end as the argument of a builtin that takes one item after another.",
        "",
        as_value(ANY),
        |cx, _| {
            cx.alloc(96)?;
            let origin = Origin::Numbers(Numbers { next: 0, step: 1, left: None });
            Ok(Ext::Pulled(Pulled { origin, stages: Vec::new() }).into_value())
        },
    ),
];

fn number<'a>(who: &str, which: &str, value: &'a Value) -> Res<Num<'a>> {
    Num::of(value).ok_or_else(|| not_a_number(who, which, value))
}

fn math(who: &str, value: &Value, function: fn(f64) -> f64) -> Res {
    number(who, "first", value).map(|number| Value::Float(function(number.to_f64())))
}

fn float(who: &str, value: &Value) -> Res {
    math(who, value, |float| float)
}

fn binary(cx: &mut Cx, op: Op, a: &Value, b: &Value, who: &str) -> Res {
    if Num::of(a).is_none() {
        return Err(not_a_number(who, "first", a));
    }
    cx.op(op, a, b)
}

fn fold(cx: &mut Cx, args: &mut [Value], op: Op, start: i64) -> Res {
    let Some((first, rest)) = args.split_first() else { return Ok(Value::Int(start)) };
    if rest.is_empty() {
        // As in Clojure, one argument is only cast, and nil can be cast to anything.
        return if first.is_nil() {
            Ok(Value::Nil)
        } else {
            number(op.name(), "first", first).map(|_| first.clone())
        };
    }
    let mut value = first.clone();
    for next in rest {
        value = cx.op(op, &value, next)?;
    }
    Ok(value)
}

fn minus(cx: &mut Cx, args: &mut [Value]) -> Res {
    match args {
        [only] => binary(cx, Op::Mul, only, &Value::Int(-1), "-"),
        _ => fold(cx, args, Op::Sub, 0),
    }
}

fn divide(cx: &mut Cx, args: &mut [Value]) -> Res {
    match args {
        [only] => cx.op(Op::Div, &Value::Int(1), only),
        _ => fold(cx, args, Op::Div, 1),
    }
}

fn chain(cx: &mut Cx, args: &mut [Value], op: Op) -> Res {
    if args.len() < 2 {
        return Ok(Value::Bool(true));
    }
    for pair in args.windows(2) {
        if !cx.op(op, &pair[0], &pair[1])?.truthy() {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

fn numeric_equal(cx: &mut Cx, args: &mut [Value]) -> Res {
    for value in args.iter().filter(|_| args.len() > 1) {
        number("==", "one", value)?;
    }
    chain(cx, args, Op::Equal)
}

fn extreme(who: &str, args: &[Value], greatest: bool) -> Res {
    // A single value is not compared, so it need not be a number.
    if let [only] = args {
        return Ok(only.clone());
    }
    if args.first().is_some_and(|first| Time::of(first).is_some()) && !who.starts_with("Math/") {
        return extreme_time(who, args, greatest);
    }
    let mut best: Option<(&Value, Num<'_>)> = None;
    for value in args {
        let number = number(who, "one", value).map_err(|problem| {
            if who.starts_with("Math/") { no_method(who, value, 2) } else { problem }
        })?;
        best = match best {
            Some((kept, best)) => match num::partial_order(best, number) {
                None if best.to_f64().is_nan() => Some((kept, best)),
                None => Some((value, number)),
                // Of equal numbers the last wins, as in Clojure.
                Some(order) if order.is_eq() || order.is_lt() == greatest => Some((value, number)),
                Some(_) => Some((kept, best)),
            },
            None => Some((value, number)),
        };
    }
    Ok(best.map(|(value, _)| value.clone()).unwrap_or_default())
}

/// Returns the greatest or the least of several dates or times; the last of equal ones.
fn extreme_time(who: &str, args: &[Value], greatest: bool) -> Res {
    let mut best: Option<(&Value, &Time)> = None;
    for value in args {
        let time = Time::of(value).ok_or_else(|| wrong_type(who, "only dates", value))?;
        let better = match best {
            None => true,
            Some((_, best)) => {
                let order = time_order(who, time, best)?;
                order.is_eq() || order.is_gt() == greatest
            }
        };
        if better {
            best = Some((value, time));
        }
    }
    Ok(best.map(|(value, _)| value.clone()).unwrap_or_default())
}

fn integer(who: &str, value: &Value) -> Res {
    match value {
        Value::Int(_) | Value::Big(_) => Ok(value.clone()),
        // As on the JVM, which casts not-a-number to 0.
        Value::Float(float) if float.is_nan() => Ok(Value::Int(0)),
        Value::Float(float) => num::f64_to_integer(float.trunc()).ok_or_else(|| {
            Diagnostic::new(
                Code::NumberRange,
                format!("`{who}` cannot convert {value} to an integer"),
            )
        }),
        Value::Str(text) => super::code_point(who, text).map(Value::Int),
        _ => Err(wrong_type(who, "a number", value)),
    }
}

/// Returns the error of a Java method that has no overload for a value.
#[cold]
fn no_method(who: &str, value: &Value, count: usize) -> Diagnostic {
    let which = if count == 1 { "first" } else { "one" };
    let name = who.rsplit('/').next().unwrap_or(who);
    not_a_number(who, which, value)
        .with_class("IllegalArgumentException")
        .with_jvm_message(format!("No matching method {name} found taking {count} args"))
}

pub fn round(_: &mut Cx, args: &mut [Value]) -> Res {
    match Num::of(&args[0]).ok_or_else(|| no_method("Math/round", &args[0], 1))? {
        Num::Float(float) if float.is_nan() => Ok(Value::Int(0)),
        // As on the JVM: half rounds up, and larger values become the limits of 64 bits. Adding a
        // half would round up the float just below one half.
        Num::Float(float) => {
            let down = float.floor();
            Ok(Value::Int(if float - down >= 0.5 { down + 1.0 } else { down } as i64))
        }
        _ => Ok(args[0].clone()),
    }
}

pub fn parse_double(text: &str) -> Option<f64> {
    let text = text.trim();
    match text {
        "NaN" => Some(f64::NAN),
        "Infinity" | "+Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ if text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => {
            let digits = text.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(text);
            digits
                .ends_with(|c: char| c.is_ascii_digit() || c == '.')
                .then(|| digits.parse().ok())
                .flatten()
        }
        _ => None,
    }
}

/// Returns the start, the end and the step of a range.
fn bounds(args: &[Value]) -> [Value; 3] {
    match args {
        [start, end, step, ..] => [start, end, step].map(Clone::clone),
        [start, end] => [start.clone(), end.clone(), Value::Int(1)],
        _ => [Value::Int(0), args.first().cloned().unwrap_or_default(), Value::Int(1)],
    }
}

/// Returns the numbers of a range of integers.
fn integers(args: &[Value]) -> Option<Numbers> {
    let [Value::Int(start), end, Value::Int(step)] = bounds(args) else { return None };
    let end = match end {
        Value::Int(end) => end,
        // The nearest integer that is not in the range. A cast keeps the bounds of the type.
        Value::Float(end) if end.is_finite() => {
            (if step > 0 { end.ceil() } else { end.floor() }) as i64
        }
        _ => return None,
    };
    let (distance, wide) = (i128::from(end) - i128::from(start), i128::from(step));
    let is_there = distance != 0 && (distance > 0) == (wide > 0);
    let count = if is_there {
        distance.checked_div(wide)? + i128::from(distance.checked_rem(wide)? != 0)
    } else {
        0
    };
    let left = Some(u64::try_from(count).unwrap_or(u64::MAX));
    (step != 0).then_some(Numbers { next: start, step, left })
}

fn range(cx: &mut Cx, args: &mut [Value]) -> Res {
    if args.is_empty() {
        return super::lazy_cells::counting(cx);
    }
    let [start, end, step] = bounds(args);
    if let Some(numbers) = integers(args) {
        return super::sequence::part(cx, &numbers);
    }
    for (which, value) in [("first", &start), ("second", &end), ("third", &step)] {
        number("range", which, value)?;
    }
    let width = number("range", "third", &step)?.to_f64();
    if width == 0.0 {
        return if num::equal(&start, &end) {
            cx.list(Vec::new())
        } else {
            super::lazy_cells::zero_step(cx, "range", start)
        };
    }
    let distance =
        number("range", "second", &end)?.to_f64() - number("range", "first", &start)?.to_f64();
    let count = (distance / width).max(0.0);
    if cx.is_lazy_aware() && !cx.has_room(count as u64) {
        return super::lazy_cells::up_to(cx, [start, end, step], count.is_infinite());
    }
    let mut items = Vec::new();
    let mut next = start;
    while is_before(cx, &next, &end, &step)? {
        cx.spend(1)?;
        cx.alloc(16)?;
        if items.len() as u64 * 16 > cx.limits.memory {
            return Err(cx.too_much());
        }
        let after = cx.op(Op::Add, &next, &step)?;
        items.push(std::mem::replace(&mut next, after));
    }
    cx.list(items)
}

pub fn is_before(cx: &mut Cx, number: &Value, end: &Value, step: &Value) -> Res<bool> {
    let down = Num::of(step).is_some_and(|step| step.to_f64() < 0.0);
    Ok(cx.op(if down { Op::Greater } else { Op::Less }, number, end)?.truthy())
}
