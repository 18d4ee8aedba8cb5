//! `hash`: numbers that equal values share, on every machine.

use num_bigint::{BigInt, Sign};

use super::facts::{ANY, INT, listed};
use super::{Builtin, pure, wrong_type};
use crate::diagnostic::Diagnostic;
use crate::machine::{Cx, Res};
use crate::num::f64_to_integer;
use crate::value::{Ext, Items, TableIter, Value};

pub(super) const TABLE: &[Builtin] = &[
    pure(
        "hash",
        "x",
        "A number of 32 bits, the same for equal values.",
        "(= (hash [1 2]) (hash '(1 2))) => true",
        listed(INT).looks_inside(),
        |cx, args| hash(cx, &args[0]).map(|hash| Value::Int(i64::from(hash))),
    ),
    pure(
        ".hashCode",
        "x",
        "The hash code of a text, an integer or a boolean in Java, a number of 32 bits.",
        "(.hashCode \"abc\") => 96354",
        listed(ANY),
        |cx, args| match &args[0] {
            it @ (Value::Str(_) | Value::Int(_) | Value::Bool(_)) => {
                hash(cx, it).map(|hash| Value::Int(i64::from(hash)))
            }
            other => Err(wrong_type(".hashCode", "a text, an integer or a boolean", other)
                .with_help("`(hash x)` takes collections too")),
        },
    ),
];

/// A collection whose items are being hashed.
struct Open<'v> {
    items: Parts<'v>,
    /// Whether the order of the items matters.
    ordered: bool,
    hash: i32,
    count: i32,
}

enum Parts<'v> {
    Items(Items<'v>),
    Rows(TableIter<'v, (Value, Value)>),
    Entry(std::array::IntoIter<&'v Value, 2>),
}

/// The next part to hash.
enum Next<'v> {
    Value(&'v Value),
    Entry(&'v Value, &'v Value),
    Over,
}

impl<'v> Open<'v> {
    fn new(items: Parts<'v>, ordered: bool) -> Open<'v> {
        Open { items, ordered, hash: i32::from(ordered), count: 0 }
    }

    fn next(&mut self) -> Next<'v> {
        match &mut self.items {
            Parts::Items(items) => items.next().map_or(Next::Over, Next::Value),
            Parts::Rows(rows) => {
                rows.next().map_or(Next::Over, |(key, value)| Next::Entry(key, value))
            }
            Parts::Entry(parts) => parts.next().map_or(Next::Over, Next::Value),
        }
    }

    fn add(&mut self, hash: i32) {
        let before = if self.ordered { self.hash.wrapping_mul(31) } else { self.hash };
        self.hash = before.wrapping_add(hash);
        self.count = self.count.wrapping_add(1);
    }
}

fn hash(cx: &mut Cx, value: &Value) -> Res<i32> {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut done = enter(cx, value, &mut open)?;
    while let Some(top) = open.last_mut() {
        if let Some(hash) = done.take() {
            top.add(hash);
        }
        cx.spend(1)?;
        match top.next() {
            Next::Value(value) => done = enter(cx, value, &mut open)?,
            Next::Entry(key, value) => {
                open.push(Open::new(Parts::Entry([key, value].into_iter()), true));
            }
            Next::Over => {
                done = Some(scattered(top.hash.wrapping_add(top.count)));
                open.pop();
            }
        }
    }
    Ok(done.unwrap_or(0))
}

/// Returns the hash of a value that is not a collection, or opens a collection.
fn enter<'v>(cx: &mut Cx, value: &'v Value, open: &mut Vec<Open<'v>>) -> Res<Option<i32>> {
    Ok(Some(match value {
        Value::Nil => 0,
        Value::Bool(bool) => 1237 - 6 * i32::from(*bool),
        Value::Int(int) => of_int(*int),
        Value::Big(big) => of_big(cx, big)?,
        // A float that equals an integer has the same hash (D4).
        Value::Float(float) if float.fract() == 0.0 => match f64_to_integer(*float) {
            Some(Value::Int(int)) => of_int(int),
            Some(Value::Big(big)) => of_big(cx, &big)?,
            _ => 0,
        },
        Value::Float(float) => of_int(float.to_bits().cast_signed()),
        // A keyword equals the string of its text (D5).
        Value::Str(text) | Value::Keyword(text) => {
            cx.spend(text.len() as u64 / 16 + 1)?;
            of_text(text)
        }
        Value::Symbol(name) => of_text(name),
        Value::List(_) | Value::Vector(_) | Value::Set(_) => {
            if let Some(items) = value.items() {
                let ordered = !matches!(value, Value::Set(_));
                open.push(Open::new(Parts::Items(items), ordered));
            }
            return Ok(None);
        }
        Value::Map(map) => {
            open.push(Open::new(Parts::Rows(map.rows()), false));
            return Ok(None);
        }
        Value::Ext(ext) => match &**ext {
            Ext::Time(time) => of_text(time.text()),
            Ext::Uuid(uuid) => of_text(uuid.text()),
            Ext::Class(class) => of_text(class.full_name),
            _ => return Err(no_hash(value)),
        },
        Value::Function(_) | Value::Builtin(_) => return Err(no_hash(value)),
    }))
}

#[cold]
fn no_hash(value: &Value) -> Diagnostic {
    wrong_type("hash", "a value that is the same in every run", value)
        .with_help("functions, atoms and the like have no stable hash")
}

fn of_big(cx: &mut Cx, big: &BigInt) -> Res<i32> {
    cx.spend(big.bits() / 64)?;
    let size = big
        .to_u32_digits()
        .1
        .into_iter()
        .rev()
        .fold(0i32, |hash, digit| hash.wrapping_mul(31).wrapping_add(digit.cast_signed()));
    Ok(if big.sign() == Sign::Minus { size.wrapping_neg() } else { size })
}

/// Returns Java's own hash of a text.
fn of_text(text: &str) -> i32 {
    text.encode_utf16().fold(0i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

/// Returns Java's own hash of an integer.
fn of_int(int: i64) -> i32 {
    (int ^ (int >> 32)) as i32
}

/// Returns a number whose bits all depend on all bits of the hash (Murmur3). Otherwise two maps with
/// swapped values would have the same sum.
fn scattered(hash: i32) -> i32 {
    let hash = hash.cast_unsigned();
    let hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    let hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    (hash ^ (hash >> 16)).cast_signed()
}
