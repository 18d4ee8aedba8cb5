//! Values that a program takes for others, which are made when they are needed.

use super::item::{GROWN, UNBUILT};
use super::text::CHARGE_BYTES;
use super::value::{Ext, Value};

/// Returns whether reading a value has a price for its length: a long text or integer, or a value that is not built.
#[inline]
pub fn is_long(value: &Value) -> bool {
    match value {
        Value::Str(text) | Value::Keyword(text) | Value::Symbol(text) => {
            text.len() as u64 >= CHARGE_BYTES
        }
        Value::Big(_) => true,
        other => is_unbuilt(other),
    }
}

/// Returns whether a program takes a value for another one, which is made when it is needed. It is a range, a text that
/// grew, or a map or vector that holds one.
#[inline]
pub fn is_unbuilt(value: &Value) -> bool {
    match value {
        Value::List(seq) => seq.is_unbuilt(),
        Value::Ext(ext) => matches!(**ext, Ext::Grown(_)),
        Value::Map(map) => map.depth() >= GROWN,
        Value::Vector(vector) => vector.depth() >= GROWN,
        _ => false,
    }
}

/// Returns whether a value is a text that grew, or a map or vector that holds one and no range that nobody has paid for.
#[inline]
pub fn holds_grown(value: &Value) -> bool {
    match value {
        Value::Ext(ext) => matches!(**ext, Ext::Grown(_)),
        Value::Map(map) => (GROWN..UNBUILT).contains(&map.depth()),
        Value::Vector(vector) => (GROWN..UNBUILT).contains(&vector.depth()),
        _ => false,
    }
}
