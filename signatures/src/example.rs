//! Example values of types.

use serde_json::{Map, Value};

use crate::types::{Bounds, Field, Signature, Type};

/// The total number of items and characters that an example may have. Nested minimum lengths
/// multiply, so a short type could otherwise ask for more than fits in memory.
const MAX_SIZE: u64 = 10_000;

impl Type {
    /// Returns JSON that satisfies the type and shows its shape, optional fields included.
    ///
    /// If the minimum lengths of a type ask for more than 10,000 items and characters in total, its
    /// example is too short to satisfy it.
    pub fn example(&self) -> Value {
        example(self, &mut MAX_SIZE.clone())
    }
}

impl Signature {
    /// Returns arguments that satisfy the parameters, as [`Type::example`] does for a type.
    pub fn example_input(&self) -> Value {
        record(&self.params, &mut MAX_SIZE.clone())
    }
}

fn example(ty: &Type, room: &mut u64) -> Value {
    match ty {
        Type::Any => Value::Null,
        Type::Bool => Value::Bool(true),
        Type::Int(range) => Value::from(within(1, range)),
        Type::Float(range) => Value::from(within(1.5, range)),
        Type::String(length) => {
            let wanted = take(within(4, length), room);
            let letters = "text".chars().chain(std::iter::repeat('x'));
            Value::String(letters.take(usize::try_from(wanted).unwrap_or(0)).collect())
        }
        Type::Keyword => Value::from("word"),
        Type::Datetime => Value::from("2026-01-31T12:00:00Z"),
        Type::Map => Value::Object(Map::new()),
        Type::Enum(words) => words.first().map_or(Value::Null, |word| word.as_str().into()),
        Type::List(item, length) => {
            let wanted = take(within(1, length), room);
            (0..wanted).map(|_| example(item, room)).collect()
        }
        Type::Record(fields) => record(fields, room),
        Type::Union(members) => members.first().map_or(Value::Null, |first| example(first, room)),
        Type::Optional(inner) => example(inner, room),
    }
}

fn record(fields: &[Field], room: &mut u64) -> Value {
    let entries = fields.iter().map(|field| (field.name.clone(), example(&field.ty, room)));
    Value::Object(entries.collect())
}

/// Returns the value within bounds that is nearest to `wish`.
fn within<T: PartialOrd + Copy>(wish: T, bounds: &Bounds<T>) -> T {
    match (bounds.min, bounds.max) {
        (Some(min), _) if wish < min => min,
        (_, Some(max)) if wish > max => max,
        _ => wish,
    }
}

/// Takes up to `wanted` out of the remaining room, and returns the amount taken.
fn take(wanted: u64, room: &mut u64) -> u64 {
    let taken = wanted.min(*room);
    *room -= taken;
    taken
}
