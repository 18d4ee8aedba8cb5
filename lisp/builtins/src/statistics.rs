//! Statistics of numbers, and rounding. Not in Clojure.
//!
//! Floats are added as the decimals that they print, and a result is rounded once. So amounts of
//! money give what a person gets on paper, in any order: the sum of 0.1 and 0.2 is 0.3.

use ptc_signatures::Kinds;

use super::decimal::{Decimal, Sum, Total};
use super::facts::{LAST, NUMBER, ResultShape, ResultShape::By, as_value, listed};
use super::{Row, describe, not_a_number, pure, take, wrong_type};
use ptc_facts::shape::Shape;
use ptc_machine::{Cx, items_of};
use ptc_values::code::Code;
use ptc_values::ir::Op;
use ptc_values::num::{self, Num};
use ptc_values::{Diagnostic, Res, Value};

pub const TABLE: &[Row] = &[
    pure(
        "round",
        "x|x n",
        "The nearest integer, or x rounded to n decimals; a half is rounded away from zero. Not in Clojure.",
        "(round 2.675 2) => 2.68",
        as_value(By(|g| Shape::Kinds(if g.args.len() == 1 { Kinds::INT } else { Kinds::NUMBER }))),
        round,
    ),
    pure(
        "sum",
        "coll",
        "The sum of the numbers, without nils; 0 if there are none. Not in Clojure.",
        "(sum [0.1 0.2]) => 0.3",
        listed(NUMBER).collection(LAST),
        |cx, args| {
            let numbers = numbers(cx, "sum", take(args, 0))?;
            total(cx, "sum", &numbers)
        },
    ),
    pure(
        "mean",
        "coll",
        "The mean of the numbers, without nils; nil if there are none. Not in Clojure.",
        "(mean [1 2]) => 1.5",
        listed(ResultShape::OrNil(Kinds::NUMBER)).collection(LAST),
        |cx, args| {
            let numbers = numbers(cx, "mean", take(args, 0))?;
            mean(cx, "mean", &numbers)
        },
    ),
    pure(
        "median",
        "coll",
        "The middle of the numbers, or the mean of the two in the middle; nil if there are none. Not in Clojure.",
        "(median [5 1 2]) => 2",
        listed(ResultShape::OrNil(Kinds::NUMBER)).collection(LAST),
        |cx, args| {
            let numbers = numbers(cx, "median", take(args, 0))?;
            quantile(cx, "median", numbers, &Value::Int(50))
        },
    ),
    pure(
        "percentile",
        "p coll",
        "The number below which p percent of the numbers are, interpolated between two; nil if there are none. Not in Clojure.",
        "(percentile 95 [1 2 3 4]) => 3.85",
        listed(ResultShape::OrNil(Kinds::NUMBER)).collection(LAST),
        |cx, args| {
            let p = take(args, 0);
            if !Num::of(&p).is_some_and(|p| (0.0..=100.0).contains(&p.to_f64())) {
                return Err(wrong_type("percentile", "a number from 0 to 100", &p)
                    .with_help("write `(percentile 95 numbers)`"));
            }
            let numbers = numbers(cx, "percentile", take(args, 1))?;
            quantile(cx, "percentile", numbers, &p)
        },
    ),
    pure(
        "stdev",
        "coll",
        "The standard deviation of a sample, which divides by n - 1; nil for fewer than two numbers. Not in Clojure.",
        "(stdev [1 2 3 4 5]) => 1.5811388300841898",
        listed(ResultShape::OrNil(Kinds::FLOAT)).collection(LAST),
        |cx, args| {
            let numbers = numbers(cx, "stdev", take(args, 0))?;
            deviation(cx, &numbers)
        },
    ),
];

/// Returns the sum of numbers, and pays for it. Nils must be left out.
pub(super) fn total(cx: &mut Cx, who: &str, numbers: &[Value]) -> Res {
    match added(cx, who, numbers)? {
        Sum::Integer(sum) => paid(cx, &sum),
        Sum::Decimal(sum) => Ok(Value::Float(sum.to_f64())),
        Sum::Special(sum) => Ok(Value::Float(sum)),
    }
}

/// Returns the mean of numbers, and pays for it; nil if there are none. Nils must be left out.
pub(super) fn mean(cx: &mut Cx, who: &str, numbers: &[Value]) -> Res {
    if numbers.is_empty() {
        return Ok(Value::Nil);
    }
    let count = numbers.len() as i64;
    match added(cx, who, numbers)? {
        Sum::Integer(sum) => cx.op(Op::Div, &sum, &Value::Int(count)),
        Sum::Decimal(sum) => Ok(Value::Float(sum.divided_by(&count.into()))),
        Sum::Special(sum) => Ok(Value::Float(sum)),
    }
}

/// Returns the numbers of a collection without its nils. An error names the item and its position.
fn numbers(cx: &mut Cx, who: &str, collection: Value) -> Res<Vec<Value>> {
    let is_map = matches!(collection, Value::Map(_));
    let mut items = items_of(cx, collection)?;
    let is_wrong = |item: &Value| !item.is_nil() && Num::of(item).is_none();
    if let Some(at) = items.iter().position(is_wrong) {
        let found = describe(&items[at]);
        let problem = Diagnostic::new(
            Code::WrongType,
            format!("`{who}` expects numbers, the item at position {at} is {found}"),
        );
        return Err(match &items[at] {
            _ if is_map => problem.with_help(
                "take the values of a map: `(vals m)`; with `aggregate-by`, the function comes before the rows: `(aggregate-by :field :number sum rows)`",
            ),
            Value::Map(_) => {
                problem.with_help("take one field of all rows first: `(map :field rows)`")
            }
            item => problem.with_help(help_for(item)),
        });
    }
    items.retain(|item| !item.is_nil());
    Ok(items)
}

fn help_for(value: &Value) -> &'static str {
    match value {
        Value::Str(_) => "turn texts into numbers with `parse-long` or `parse-double`",
        _ => "drop other values first: `(filter number? xs)`",
    }
}

fn added(cx: &mut Cx, who: &str, numbers: &[Value]) -> Res<Sum> {
    // A float takes a few steps to become a decimal.
    cx.spend(numbers.len() as u64)?;
    cx.charge_arguments(numbers)?;
    let mut total = Total::default();
    for value in numbers {
        let Some(number) = Num::of(value) else {
            return Err(wrong_type(who, "numbers", value).with_help(help_for(value)));
        };
        total.add(number);
    }
    Ok(total.sum())
}

/// Pays for the length of an integer.
fn paid(cx: &mut Cx, integer: &Value) -> Res {
    cx.op(Op::Add, &Value::Int(0), integer)
}

/// Returns the number at p percent of the way from the least to the greatest.
fn quantile(cx: &mut Cx, who: &str, numbers: Vec<Value>, p: &Value) -> Res {
    let is_nan = |value: &Value| matches!(value, Value::Float(float) if float.is_nan());
    if numbers.is_empty() {
        return Ok(Value::Nil);
    }
    if let Some(nan) = numbers.iter().find(|value| is_nan(value)) {
        return Ok(nan.clone());
    }
    cx.charge_arguments(&numbers)?;
    let numbers = super::sequence::sorted(cx, numbers)?;
    let Some(place) = Num::of(p).and_then(Decimal::of).map(|p| p.place(numbers.len() - 1)) else {
        return Err(wrong_type(who, "a number from 0 to 100", p));
    };
    let item = |at: usize| numbers.get(at).cloned().unwrap_or_default();
    let (low, high) = (item(place.index), item(place.index + 1));
    if place.is_whole() || num::equal(&low, &high) {
        return Ok(low);
    }
    match (Num::of(&low).and_then(Decimal::of), Num::of(&high).and_then(Decimal::of)) {
        (Some(a), Some(b)) => {
            let (sum, parts) = place.between(a, b);
            match (&low, &high) {
                (Value::Int(_) | Value::Big(_), Value::Int(_) | Value::Big(_)) => {
                    cx.op(Op::Div, &sum.to_integer(), &Value::big(parts))
                }
                _ => Ok(Value::Float(sum.divided_by(&parts))),
            }
        }
        // One of the two is infinite.
        _ => cx.op(Op::Add, &low, &high),
    }
}

fn deviation(cx: &mut Cx, numbers: &[Value]) -> Res {
    if numbers.len() < 2 {
        return Ok(Value::Nil);
    }
    let mean = mean(cx, "stdev", numbers)?;
    let float = |value: &Value| Num::of(value).map_or(f64::NAN, Num::to_f64);
    let mean = float(&mean);
    let squares: f64 = numbers.iter().map(|value| (float(value) - mean).powi(2)).sum();
    Ok(Value::Float(libm::sqrt(squares / (numbers.len() - 1) as f64)))
}

fn round(cx: &mut Cx, args: &mut [Value]) -> Res {
    /// No number of the real world has more decimals, and a larger one is most likely the number
    /// to round.
    const MOST: i64 = 100;
    let number = Num::of(&args[0]).ok_or_else(|| not_a_number("round", "first", &args[0]))?;
    let places = match args.get(1) {
        None => 0,
        Some(Value::Int(places)) if (-MOST..=MOST).contains(places) => *places as i32,
        Some(other) => {
            return Err(wrong_type("round", "a number of decimals from -100 to 100", other)
                .with_help("write `(round x 2)`; the number to round is first"));
        }
    };
    let is_float = matches!(number, Num::Float(_));
    let Some(decimal) = Decimal::of(number) else {
        // Infinite, or not a number.
        return match args.get(1) {
            Some(_) => Ok(args[0].clone()),
            None => Err(Diagnostic::new(
                Code::NumberRange,
                format!("`round` cannot convert {} to an integer", args[0]),
            )
            .with_help("test the number first with `infinite?` and `NaN?`")),
        };
    };
    if let Value::Big(big) = &args[0] {
        // The divisor has a few words only.
        cx.spend(big.bits() / 256)?;
    }
    let decimal = decimal.rounded(places);
    if is_float && args.len() > 1 {
        return Ok(Value::Float(decimal.to_f64()));
    }
    paid(cx, &decimal.to_integer())
}
