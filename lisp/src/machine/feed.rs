//! Items of a collection one after another, across suspensions.

use std::sync::Arc;

use super::cx::{Cx, Res};
use crate::diagnostic::{Code, Diagnostic};
use crate::value::{Lazy, Seq, Value, Vector};

/// Items that are copied without a price.
const FREE: usize = 256;

/// The items of a collection that are still to come.
pub(crate) enum Feed {
    /// Items nobody else holds.
    Own(std::vec::IntoIter<Value>),
    /// Items of a vector somebody may hold.
    Vector(Arc<Vector>, usize),
}

impl Feed {
    /// The items of anything that has some; `nil` has none. Pays for copying many: whoever takes them
    /// may stop at the first.
    pub(crate) fn of(cx: &mut Cx, value: Value) -> Res<Feed> {
        let (count, bytes) = match &value {
            Value::List(seq) if Arc::strong_count(seq) > 1 => (seq.len(), 16),
            Value::Set(set) => (set.len(), 16),
            Value::Map(map) => (map.len(), 112),
            Value::Str(text) => (text.len(), 48),
            _ => (0, 0),
        };
        if count > FREE {
            cx.spend(count as u64 / 8)?;
            cx.alloc(count as u64 * bytes)?;
        }
        Ok(match value {
            Value::Nil => Feed::Own(Vec::new().into_iter()),
            Value::Vector(vector) => {
                if Arc::strong_count(&vector) == 1 {
                    Feed::Own(Vector::into_vec(vector).into_iter())
                } else {
                    Feed::Vector(vector, 0)
                }
            }
            Value::List(seq) => Feed::Own(Seq::into_vec(seq).into_iter()),
            Value::Map(map) => Feed::Own(
                map.iter()
                    .map(|(key, value)| Value::entry(key.clone(), value.clone()))
                    .collect::<Vec<_>>()
                    .into_iter(),
            ),
            Value::Set(set) => Feed::Own(set.iter().cloned().collect::<Vec<_>>().into_iter()),
            Value::Str(text) => Feed::Own(characters(&text).into_iter()),
            other => return Err(not_a_collection(&other)),
        })
    }

    /// How many items are still to come.
    pub(crate) fn len(&self) -> usize {
        match self {
            Feed::Own(items) => items.len(),
            Feed::Vector(vector, at) => vector.len().saturating_sub(*at),
        }
    }

    /// The items still to come, for counting live bytes.
    pub(super) fn rest(&self) -> impl Iterator<Item = &Value> {
        let (own, shared) = match self {
            Feed::Own(items) => (Some(items.as_slice().iter()), None),
            Feed::Vector(vector, at) => (None, Some(vector.iter_from(*at))),
        };
        own.into_iter().flatten().chain(shared.into_iter().flatten())
    }
}

impl Iterator for Feed {
    type Item = Value;

    #[inline]
    fn next(&mut self) -> Option<Value> {
        match self {
            Feed::Own(items) => items.next(),
            Feed::Vector(vector, at) => {
                let item = vector.get(*at)?.clone();
                *at += 1;
                Some(item)
            }
        }
    }
}

/// The items of a collection as a block of their own; pays for each.
pub(crate) fn items_of(cx: &mut Cx, value: Value) -> Res<Vec<Value>> {
    let items = match value {
        Value::List(seq) => Seq::into_vec(seq),
        Value::Vector(vector) => Vector::into_vec(vector),
        other => match Feed::of(cx, other)? {
            Feed::Own(items) => items.collect(),
            feed @ Feed::Vector(..) => feed.collect(),
        },
    };
    cx.spend(items.len() as u64)?;
    Ok(items)
}

/// The characters of a text, each a string of its own (D3).
pub(crate) fn characters(text: &str) -> Vec<Value> {
    let mut buffer = [0u8; 4];
    text.chars().map(|c| Value::str(&*c.encode_utf8(&mut buffer))).collect()
}

#[cold]
pub(crate) fn not_a_collection(value: &Value) -> Diagnostic {
    Diagnostic::new(
        Code::WrongType,
        format!("expected a collection, found {}", crate::builtins::describe(value)),
    )
    .with_class("IllegalArgumentException")
    .with_jvm_message(crate::builtins::no_seq(value))
    .with_help(if Lazy::of(value).is_some() {
        crate::builtins::LAZY_HELP
    } else {
        "a list, vector, map, set, string or nil has items"
    })
}
