//! The items of a collection as values of their own.

use std::borrow::Cow;

use super::cx::Cx;
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Lazy, Res, Seq, Value, Vector};

/// The number of items that are copied without a price.
const FREE: usize = 256;

/// Returns the items of a collection as a vector of their own; pays for each.
pub fn items_of(cx: &mut Cx, mut value: Value) -> Res<Vec<Value>> {
    cx.build(&mut value)?;
    let items = match value {
        Value::List(seq) => Seq::into_vec(seq),
        Value::Vector(vector) => Vector::into_vec(vector),
        other => copied(cx, other)?,
    };
    cx.spend(items.len() as u64)?;
    Ok(items)
}

/// Returns the result of [`items_of`] without a copy where the collection has the items in a row.
pub fn items_in<'a>(cx: &mut Cx, value: &'a Value) -> Res<Cow<'a, [Value]>> {
    if let Value::Vector(vector) = value
        && let Some(items) = vector.as_slice()
    {
        cx.spend(items.len() as u64)?;
        return Ok(Cow::Borrowed(items));
    }
    items_of(cx, value.clone()).map(Cow::Owned)
}

/// Makes the items of a map, a set, a text or nil. Pays only if they are many, because the caller
/// may stop at the first.
pub(super) fn copied(cx: &mut Cx, value: Value) -> Res<Vec<Value>> {
    Ok(match value {
        Value::Nil => Vec::new(),
        Value::Map(map) => {
            pay_for_copy(cx, map.len(), 112)?;
            map.iter().map(|(key, value)| Value::entry(key.clone(), value.clone())).collect()
        }
        Value::Set(set) => {
            pay_for_copy(cx, set.len(), 16)?;
            set.iter().cloned().collect()
        }
        Value::Str(text) => {
            pay_for_copy(cx, text.len(), 48)?;
            characters(&text)
        }
        other => return Err(not_a_collection(&other)),
    })
}

/// Pays for copying items of `bytes` each, if they are many.
pub(super) fn pay_for_copy(cx: &mut Cx, count: usize, bytes: u64) -> Res<()> {
    if count > FREE {
        cx.spend(count as u64 / 3)?;
        cx.alloc(count as u64 * bytes)?;
    }
    Ok(())
}

/// Returns the characters of a text, each as a string (D3).
pub(crate) fn characters(text: &str) -> Vec<Value> {
    text.chars().map(Value::character).collect()
}

#[cold]
pub fn not_a_collection(value: &Value) -> Diagnostic {
    Diagnostic::new(
        Code::WrongType,
        format!("expected a collection, found {}", ptc_facts::messages::describe(value)),
    )
    .with_class("IllegalArgumentException")
    .with_jvm_message(ptc_facts::messages::no_seq(value))
    .with_help(if Lazy::of(value).is_some() {
        ptc_facts::messages::LAZY_HELP
    } else {
        "a list, vector, map, set, string or nil has items"
    })
}
