//! Random numbers, from the seed that the host gives a session (D10).

use super::facts::{ANY, FLOAT, INT, Pulls, ResultShape::By, as_value, listed};
use super::{Row, lisp, not_a_number, pure, sequence, wrong_type};
use ptc_facts::messages::out_of_bounds;
use ptc_machine::{Cx, items_of};
use ptc_values::num::Num;
use ptc_values::{Diagnostic, Ext, Res, Uuid, Value};

pub const TABLE: &[Row] = &[
    pure(
        "rand",
        "|n",
        "A random float from 0 (inclusive) to n (exclusive); n is 1 by default.",
        "(< (rand) 1) => true",
        listed(FLOAT).varies(),
        |cx, args| match args.first() {
            None => Ok(Value::Float(cx.own.random.unit())),
            Some(n) => scaled(cx, "rand", n).map(Value::Float),
        },
    ),
    pure(
        "rand-int",
        "n",
        "A random integer from 0 (inclusive) to n (exclusive).",
        "(rand-int 1) => 0",
        listed(INT).varies(),
        |cx, args| match &args[0] {
            Value::Int(end) => {
                let drawn = cx.own.random.below(end.unsigned_abs()) as i64;
                Ok(Value::Int(if *end < 0 { -drawn } else { drawn }))
            }
            Value::Float(_) => scaled(cx, "rand-int", &args[0]).map(|it| Value::Int(it as i64)),
            Value::Big(_) => Err(wrong_type("rand-int", "an integer of 64 bits", &args[0])),
            other => Err(not_a_number("rand-int", "first", other)),
        },
    ),
    pure(
        "rand-nth",
        "coll",
        "A random item of a vector, a list or a text; nil for nil.",
        "(rand-nth [7]) => 7",
        listed(By(|g| g.item(0).or_nil())).pulls(Pulls::AsValue).varies(),
        rand_nth,
    ),
    pure(
        "shuffle",
        "coll",
        "A vector of the items in a random order.",
        "(sort (shuffle [3 1 2])) => (1 2 3)",
        listed(By(|g| g.same(0))).varies(),
        shuffle,
    ),
    lisp(
        "random-sample",
        "prob coll",
        "The items, each kept with the probability prob.",
        "(random-sample 1 [1 2]) => (1 2)",
        as_value(By(|g| g.fewer(1))),
    ),
    pure(
        "random-uuid",
        "",
        "A random UUID, of version 4.",
        "(uuid? (random-uuid)) => true",
        listed(ANY).varies(),
        |cx, _| random_uuid(cx),
    ),
    pure(
        "UUID/randomUUID",
        "",
        "A random UUID; the same as `random-uuid`.",
        "(count (str (UUID/randomUUID))) => 36",
        listed(ANY).varies(),
        |cx, _| random_uuid(cx),
    ),
    pure(
        "Math/random",
        "",
        "A random float from 0 (inclusive) to 1 (exclusive); the same as `rand`.",
        "(< (Math/random) 1) => true",
        listed(FLOAT).varies(),
        |cx, _| Ok(Value::Float(cx.own.random.unit())),
    ),
];

fn scaled(cx: &mut Cx, who: &str, n: &Value) -> Res<f64> {
    let n = Num::of(n).ok_or_else(|| not_a_number(who, "first", n))?;
    Ok(n.to_f64() * cx.own.random.unit())
}

fn rand_nth(cx: &mut Cx, args: &mut [Value]) -> Res {
    let length = match &args[0] {
        Value::Nil => return Ok(Value::Nil),
        Value::List(_) | Value::Vector(_) | Value::Str(_) => {
            sequence::count_of("rand-nth", &args[0])?
        }
        other => return Err(no_position("rand-nth", other)),
    };
    let at = cx.own.random.below(length as u64) as usize;
    let found = match &args[0] {
        Value::Vector(items) => items.get(at).cloned(),
        Value::List(items) => items.front(at),
        Value::Str(text) => {
            cx.spend(text.len() as u64 / 16)?;
            text.chars().nth(at).map(Value::character)
        }
        _ => None,
    };
    found.ok_or_else(|| out_of_bounds(&Value::Int(0), 0))
}

/// Returns the error of a collection whose items have no positions.
#[cold]
fn no_position(who: &str, value: &Value) -> Diagnostic {
    let problem = wrong_type(who, "a vector, a list or a text", value);
    match value {
        Value::Map(_) | Value::Set(_) => problem
            .with_class("UnsupportedOperationException")
            .with_help(format!("write `({who} (seq coll))`")),
        _ => problem.with_class("UnsupportedOperationException"),
    }
}

/// Shuffles by the method of Fisher and Yates: every order is equally likely.
fn shuffle(cx: &mut Cx, args: &mut [Value]) -> Res {
    let (Value::List(_) | Value::Vector(_) | Value::Set(_)) = &args[0] else {
        let problem = wrong_type("shuffle", "a vector, a list or a set", &args[0]);
        return Err(match &args[0] {
            Value::Map(_) | Value::Str(_) => problem.with_help("write `(shuffle (seq coll))`"),
            _ => problem,
        });
    };
    let count = sequence::count_of("shuffle", &args[0])? as u64;
    cx.spend(count)?;
    cx.alloc(count * 16)?;
    let mut items = items_of(cx, super::take(args, 0))?;
    for last in (1..items.len()).rev() {
        let at = cx.own.random.below(last as u64 + 1) as usize;
        items.swap(at, last);
    }
    cx.vector(items)
}

fn random_uuid(cx: &mut Cx) -> Res {
    cx.alloc(96)?;
    let (high, low) = (cx.own.random.bits(), cx.own.random.bits());
    Ok(Ext::Uuid(Uuid::random(high, low)).into_value())
}
