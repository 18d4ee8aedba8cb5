//! Looks at JSON values without native recursion.

use std::sync::Arc;

use arcstr::ArcStr;
use ptc_lisp::Value;

/// One step of a [`Path`](super::Path).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Segment {
    /// The value under this key of a map.
    Key(ArcStr),
    /// The item at this index of a list, from 0.
    Index(usize),
}

/// The maximum nesting of containers that are not empty, in levels. [`Data`](crate::Data) reads no deeper JSON.
pub(super) const MAX_LEVELS: usize = 126;

/// Returns the kind of a value, in the words of signatures.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Nil => "nil",
        Value::Bool(_) => "bool",
        Value::Int(_) | Value::Big(_) => "int",
        Value::Float(_) => "float",
        Value::Str(_) => "string",
        Value::Vector(_) => "list",
        Value::Map(_) => "map",
        other => other.type_name(),
    }
}

/// Returns a direct part of a value.
pub(super) fn child<'a>(value: &'a Value, segment: &Segment) -> Option<&'a Value> {
    match (value, segment) {
        (Value::Map(map), Segment::Key(key)) => map.get_name(key),
        (Value::Vector(items), Segment::Index(index)) => items.get(*index),
        _ => None,
    }
}

/// Returns the value at a path.
pub(super) fn at<'a>(root: &'a Value, path: &[Segment]) -> Option<&'a Value> {
    path.iter().try_fold(root, child)
}

/// Returns the direct parts of a value with their steps.
pub(super) fn children(value: &Value) -> impl DoubleEndedIterator<Item = (Segment, &Value)> {
    let rows: Vec<(Segment, &Value)> = match value {
        Value::Map(map) => map.iter().map(|(key, value)| (key_of(key), value)).collect(),
        Value::Vector(items) => {
            items.iter().enumerate().map(|(at, item)| (Segment::Index(at), item)).collect()
        }
        _ => Vec::new(),
    };
    rows.into_iter()
}

/// Returns the step of a key.
pub(super) fn key_of(key: &Value) -> Segment {
    match key {
        Value::Str(key) => Segment::Key(key.clone()),
        other => Segment::from(other.name().unwrap_or_default()),
    }
}

/// Returns the number of direct parts.
pub(super) fn len(value: &Value) -> usize {
    match value {
        Value::Map(map) => map.len(),
        Value::Vector(items) => items.len(),
        _ => 0,
    }
}

/// Returns whether a value has parts.
pub(super) fn has_parts(value: &Value) -> bool {
    len(value) > 0
}

/// Returns whether two values are the same scalar, the same empty container, or one container in memory.
pub(super) fn is_shared(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Map(one), Value::Map(other)) => {
            Arc::ptr_eq(one, other) || one.is_empty() && other.is_empty()
        }
        (Value::Vector(one), Value::Vector(other)) => {
            Arc::ptr_eq(one, other) || one.is_empty() && other.is_empty()
        }
        // Programs treat an integer and an equal float as equal; a record does not.
        (Value::Float(one), Value::Float(other)) => one == other,
        (Value::Float(_), _) | (_, Value::Float(_)) => false,
        (Value::Map(_) | Value::Vector(_), _) | (_, Value::Map(_) | Value::Vector(_)) => false,
        _ => one == other,
    }
}

/// Returns whether two values are the same JSON.
pub(super) fn is_same(one: &Value, other: &Value) -> bool {
    let mut pairs = vec![(one, other)];
    while let Some((one, other)) = pairs.pop() {
        if is_shared(one, other) {
            continue;
        }
        match (one, other) {
            (Value::Map(one), Value::Map(other)) if one.len() == other.len() => {
                for (key, value) in one.iter() {
                    match other.get(key) {
                        Some(found) => pairs.push((value, found)),
                        None => return false,
                    }
                }
            }
            (Value::Vector(one), Value::Vector(other)) if one.len() == other.len() => {
                pairs.extend(one.iter().zip(other.iter()));
            }
            _ => return false,
        }
    }
    true
}

/// Returns the nesting of the containers that have parts, in levels; at most one more than `max`.
pub(super) fn levels(value: &Value, max: usize) -> usize {
    let mut deepest = 0;
    let mut work = vec![(value, 1)];
    while let Some((value, level)) = work.pop() {
        if has_parts(value) {
            deepest = deepest.max(level);
            if deepest > max {
                break;
            }
            // Only containers are worth a visit.
            let nested = |part: &&Value| has_parts(part);
            match value {
                Value::Map(map) => {
                    let parts = map.iter().map(|(_, part)| part).filter(nested);
                    work.extend(parts.map(|part| (part, level + 1)));
                }
                _ => {
                    let parts = value.items().into_iter().flatten().filter(nested);
                    work.extend(parts.map(|part| (part, level + 1)));
                }
            }
        }
    }
    deepest
}

/// Returns whether a part of a value, or the value, is a string that passes a test.
pub(super) fn has_string(value: &Value, test: impl Fn(&str) -> bool) -> bool {
    let mut work = vec![value];
    while let Some(value) = work.pop() {
        match value {
            Value::Str(text) if test(text) => return true,
            Value::Map(map) => work.extend(map.iter().map(|(_, part)| part)),
            Value::Vector(items) => work.extend(items.iter()),
            _ => {}
        }
    }
    false
}
