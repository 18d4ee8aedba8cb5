//! Iteration over the items of a collection, across suspensions.

use std::sync::Arc;

use super::cx::Cx;
use crate::code::Code;
use crate::value::{Diagnostic, Lazy, Res, Seq, Value, Vector};

/// The number of items that are copied without a price.
const FREE: usize = 256;

pub(crate) enum ItemIter {
    /// Unshared items.
    Own(std::vec::IntoIter<Value>),
    /// Items of a vector that may be shared, from a position on.
    Vector(Arc<Vector>, usize),
    /// Items of a sequence that may be shared, from a position on.
    Seq(Arc<Seq>, usize),
}

impl ItemIter {
    /// Returns the items of any collection; `nil` has none. Pays for copying many items, because
    /// the caller may stop at the first.
    pub(crate) fn of(cx: &mut Cx, value: Value) -> Res<ItemIter> {
        let (count, bytes) = match &value {
            Value::List(seq) if seq.is_unmade() => (seq.len(), 112),
            Value::Set(set) => (set.len(), 16),
            Value::Map(map) => (map.len(), 112),
            Value::Str(text) => (text.len(), 48),
            _ => (0, 0),
        };
        pay_for_copy(cx, count, bytes)?;
        Ok(match value {
            Value::Nil => ItemIter::Own(Vec::new().into_iter()),
            Value::Vector(vector) => {
                if Arc::strong_count(&vector) == 1 {
                    ItemIter::Own(Vector::into_vec(vector).into_iter())
                } else {
                    ItemIter::Vector(vector, 0)
                }
            }
            Value::List(seq) if Seq::is_own(&seq) => ItemIter::Own(Seq::into_vec(seq).into_iter()),
            Value::List(seq) => ItemIter::Seq(seq, 0),
            Value::Map(map) => ItemIter::Own(
                map.iter()
                    .map(|(key, value)| Value::entry(key.clone(), value.clone()))
                    .collect::<Vec<_>>()
                    .into_iter(),
            ),
            Value::Set(set) => ItemIter::Own(set.iter().cloned().collect::<Vec<_>>().into_iter()),
            Value::Str(text) => ItemIter::Own(characters(&text).into_iter()),
            other => return Err(not_a_collection(&other)),
        })
    }

    /// Returns the items of a collection for a caller that may want the rest. A collection that can
    /// share its rest is not unpacked, so [`ItemIter::into_rest`] copies nothing.
    pub(crate) fn kept(cx: &mut Cx, value: Value) -> Res<ItemIter> {
        Ok(match value {
            Value::Vector(vector) => ItemIter::Vector(vector, 0),
            Value::List(seq) => {
                if seq.is_unmade() {
                    pay_for_copy(cx, seq.len(), 112)?;
                }
                ItemIter::Seq(seq, 0)
            }
            other => ItemIter::of(cx, other)?,
        })
    }

    /// Returns `last`, the last item taken, and the remaining items as a sequence.
    pub(crate) fn into_rest(self, last: Value) -> Seq {
        match self {
            ItemIter::Own(items) => Seq::new(std::iter::once(last).chain(items).collect()),
            ItemIter::Vector(vector, at) => Seq::of_vector(vector, at.saturating_sub(1)),
            // The iterator drops the cells it has passed, so its position is 0.
            ItemIter::Seq(seq, 0) => Seq::cons(last, Seq::plain(seq)),
            ItemIter::Seq(seq, at) => Seq::behind(seq, at - 1),
        }
    }

    /// Returns the number of remaining items.
    pub(crate) fn len(&self) -> usize {
        match self {
            ItemIter::Own(items) => items.len(),
            ItemIter::Vector(vector, at) => vector.len().saturating_sub(*at),
            ItemIter::Seq(seq, at) => seq.len().saturating_sub(*at),
        }
    }

    /// Returns the remaining items, for counting live bytes.
    pub(super) fn rest(&self) -> impl Iterator<Item = &Value> {
        let (own, vector, seq) = match self {
            ItemIter::Own(items) => (Some(items.as_slice().iter()), None, None),
            ItemIter::Vector(vector, at) => (None, Some(vector.iter_from(*at)), None),
            ItemIter::Seq(seq, at) => (None, None, Some(seq.iter_from(*at))),
        };
        let shared = vector.into_iter().flatten().chain(seq.into_iter().flatten());
        own.into_iter().flatten().chain(shared)
    }
}

/// Pays for copying items of `bytes` each, if they are many.
fn pay_for_copy(cx: &mut Cx, count: usize, bytes: u64) -> Res<()> {
    if count > FREE {
        cx.spend(count as u64 / 3)?;
        cx.alloc(count as u64 * bytes)?;
    }
    Ok(())
}

impl Iterator for ItemIter {
    type Item = Value;

    #[inline]
    fn next(&mut self) -> Option<Value> {
        match self {
            ItemIter::Own(items) => items.next(),
            ItemIter::Vector(vector, at) => {
                let item = vector.get(*at)?.clone();
                *at += 1;
                Some(item)
            }
            ItemIter::Seq(seq, at) => Seq::step(seq, at),
        }
    }
}

/// Returns the items of a collection as a vector of their own; pays for each.
pub(crate) fn items_of(cx: &mut Cx, value: Value) -> Res<Vec<Value>> {
    let items = match value {
        Value::List(seq) => Seq::into_vec(seq),
        Value::Vector(vector) => Vector::into_vec(vector),
        other => match ItemIter::of(cx, other)? {
            ItemIter::Own(items) => items.collect(),
            other => other.collect(),
        },
    };
    cx.spend(items.len() as u64)?;
    Ok(items)
}

/// Returns the characters of a text, each as a string (D3).
pub(crate) fn characters(text: &str) -> Vec<Value> {
    let mut buffer = [0u8; 4];
    text.chars().map(|c| Value::str(&*c.encode_utf8(&mut buffer))).collect()
}

#[cold]
pub(crate) fn not_a_collection(value: &Value) -> Diagnostic {
    Diagnostic::new(
        Code::WrongType,
        format!("expected a collection, found {}", crate::messages::describe(value)),
    )
    .with_class("IllegalArgumentException")
    .with_jvm_message(crate::messages::no_seq(value))
    .with_help(if Lazy::of(value).is_some() {
        crate::messages::LAZY_HELP
    } else {
        "a list, vector, map, set, string or nil has items"
    })
}
