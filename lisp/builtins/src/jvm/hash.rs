//! `hash`: the hash numbers of Clojure, equal for equal values.

use num_bigint::{BigInt, Sign};

use ptc_facts::messages::wrong_type;
use ptc_facts::registry::facts::{ANY, INT, listed};
use ptc_machine::Row;
use ptc_machine::{Cx, pure};
use ptc_values::num::f64_to_integer;
use ptc_values::{Diagnostic, Ext, Items, Res, TableIter, Value};

pub const TABLE: &[Row] = &[
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
            Value::Str(text) => {
                cx.spend(text.len() as u64 / 16 + 1)?;
                Ok(Value::Int(i64::from(of_text(text))))
            }
            Value::Int(int) => Ok(Value::Int(i64::from((int ^ (int >> 32)) as i32))),
            Value::Bool(bool) => Ok(Value::Int(if *bool { 1231 } else { 1237 })),
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
        self.hash = if self.ordered {
            self.hash.wrapping_mul(31).wrapping_add(hash)
        } else {
            self.hash.wrapping_add(hash)
        };
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
                done = Some(finish(mix(0, top.hash), top.count.cast_unsigned()));
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
        Value::Int(int) => of_long(*int),
        Value::Big(big) => of_big(cx, big)?,
        // A float that equals an integer has the same hash (D4).
        Value::Float(float) if float.fract() == 0.0 => match f64_to_integer(*float) {
            Some(Value::Int(int)) => of_long(int),
            Some(Value::Big(big)) => of_big(cx, &big)?,
            _ => 0,
        },
        Value::Float(float) => {
            let bits = float.to_bits();
            ((bits ^ (bits >> 32)) as u32).cast_signed()
        }
        // A keyword equals the string of its text (D5).
        Value::Str(text) | Value::Keyword(text) => {
            cx.spend(text.len() as u64 / 16 + 1)?;
            of_int(of_text(text))
        }
        Value::Symbol(name) => of_symbol(name),
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

fn of_symbol(text: &str) -> i32 {
    let (space, name) = match text.split_once('/') {
        Some((space, name)) if !space.is_empty() && !name.is_empty() => (of_text(space), name),
        _ => (0, text),
    };
    let seed = of_units(name);
    let mixed =
        space.wrapping_add(GOLDEN).wrapping_add(seed.wrapping_shl(6)).wrapping_add(seed >> 2);
    seed ^ mixed
}

// The 32-bit Murmur3 hash, which Clojure uses for numbers, names and collections.

const GOLDEN: i32 = 0x9e37_79b9_u32.cast_signed();

fn mix(hash: i32, next: i32) -> i32 {
    let next =
        next.cast_unsigned().wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    let mixed = (hash.cast_unsigned() ^ next).rotate_left(13);
    mixed.wrapping_mul(5).wrapping_add(0xe654_6b64).cast_signed()
}

fn finish(hash: i32, length: u32) -> i32 {
    let mut hash = hash.cast_unsigned() ^ length;
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    (hash ^ (hash >> 16)).cast_signed()
}

fn of_int(int: i32) -> i32 {
    if int == 0 { 0 } else { finish(mix(0, int), 4) }
}

fn of_long(int: i64) -> i32 {
    if int == 0 { 0 } else { finish(mix(mix(0, int as i32), (int >> 32) as i32), 8) }
}

/// Returns the hash of a name, two characters at a time.
fn of_units(name: &str) -> i32 {
    let units: Vec<u16> = name.encode_utf16().collect();
    let mut hash = 0;
    for pair in units.chunks_exact(2) {
        hash = mix(hash, i32::from(pair[0]) | i32::from(pair[1]) << 16);
    }
    if let [last] = units.chunks_exact(2).remainder() {
        // The last one is not mixed into the others.
        let last =
            u32::from(*last).wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
        hash ^= last.cast_signed();
    }
    finish(hash, 2 * units.len() as u32)
}
