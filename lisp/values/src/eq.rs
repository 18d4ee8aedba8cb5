//! Equality: the language's `=`, which also decides which map keys and set members are the same.

use std::sync::Arc;

use super::num;
use super::text::same_text;
use super::value::{Ext, Grown, Map, Value};

/// The language's `=`. Numbers compare by value, a keyword and a string by their text (D5),
/// sequences and vectors by their items. Maps and sets compare without order, functions by
/// identity. Values may have any depth, since a list of work replaces the native stack.
pub fn equal(a: &Value, b: &Value) -> bool {
    let mut later: Vec<(&Value, &Value)> = Vec::new();
    let mut pair = Some((a, b));
    while let Some((a, b)) = pair {
        if !step(a, b, &mut later) {
            return false;
        }
        pair = later.pop();
    }
    true
}

/// Compares like [`equal`], visiting at most `max` items; also returns the number visited. Returns
/// none if that did not suffice: values that share parts can be small in memory and endless to
/// walk.
pub fn equal_within(a: &Value, b: &Value, max: u64) -> (Option<bool>, u64) {
    let mut later: Vec<(&Value, &Value)> = Vec::new();
    let mut pair = Some((a, b));
    let mut cost = 0;
    while let Some((a, b)) = pair {
        cost += work(a, b);
        if cost > max {
            return (None, max);
        }
        if !step(a, b, &mut later) {
            return (Some(false), cost);
        }
        pair = later.pop();
    }
    (Some(true), cost)
}

/// Compares like [`equal`], with a fast path for names, the most common keys.
#[inline]
pub fn same_key(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Str(a) | Value::Keyword(a), Value::Str(b) | Value::Keyword(b)) => {
            arcstr::ArcStr::ptr_eq(a, b) || same_text(a, b)
        }
        _ => equal(a, b),
    }
}

impl PartialEq for Value {
    /// Compares with the language's `=`.
    fn eq(&self, other: &Value) -> bool {
        equal(self, other)
    }
}

impl Value {
    /// Returns whether another constant duplicates this one, perhaps in another spelling. They are
    /// equal, and of the same kind or a keyword and a string.
    pub fn is_written_again(&self, other: &Value) -> bool {
        let is_name = |it: &Value| matches!(it, Value::Str(_) | Value::Keyword(_));
        let alike = self.type_name() == other.type_name() || is_name(self) && is_name(other);
        alike && self == other
    }
}

impl PartialEq for Map {
    fn eq(&self, other: &Map) -> bool {
        let mut all = true;
        self.same_shape(other, &mut |a, b| all = all && equal(a, b)) && all
    }
}

/// Compares what needs one step and defers nested pairs.
fn step<'a>(a: &'a Value, b: &'a Value, later: &mut Vec<(&'a Value, &'a Value)>) -> bool {
    match (a, b) {
        (Value::Nil, Value::Nil) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (
            Value::Int(_) | Value::Float(_) | Value::Big(_),
            Value::Int(_) | Value::Float(_) | Value::Big(_),
        ) => num::equal(a, b),
        (Value::Str(a) | Value::Keyword(a), Value::Str(b) | Value::Keyword(b))
        | (Value::Symbol(a), Value::Symbol(b)) => arcstr::ArcStr::ptr_eq(a, b) || same_text(a, b),
        (Value::Vector(a), Value::Vector(b)) if Arc::ptr_eq(a, b) => true,
        (Value::List(a), Value::List(b)) if Arc::ptr_eq(a, b) => true,
        (Value::List(_) | Value::Vector(_), Value::List(_) | Value::Vector(_)) => {
            let (Some(mut left), Some(mut right)) = (a.items(), b.items()) else { return false };
            if length(a) != length(b) {
                return false;
            }
            loop {
                match (left.next(), right.next()) {
                    (Some(a), Some(b)) if nested(a) && nested(b) => later.push((a, b)),
                    (Some(a), Some(b)) => {
                        if !step(a, b, later) {
                            return false;
                        }
                    }
                    (None, None) => return true,
                    _ => return false,
                }
            }
        }
        (Value::Map(a), Value::Map(b)) => {
            Arc::ptr_eq(a, b) || a.same_shape(b, &mut |a, b| later.push((a, b)))
        }
        (Value::Set(a), Value::Set(b)) => {
            Arc::ptr_eq(a, b) || (a.len() == b.len() && a.iter().all(|member| b.contains(member)))
        }
        (Value::Function(a), Value::Function(b)) => Arc::ptr_eq(a, b),
        (Value::Builtin(a), Value::Builtin(b)) => a == b,
        (Value::Ext(left), Value::Ext(right)) => match (&**left, &**right) {
            (Ext::Regex(_), Ext::Regex(_))
            | (Ext::Cell(_), Ext::Cell(_))
            | (Ext::Lazy(_), Ext::Lazy(_))
            | (Ext::Pulled(_), Ext::Pulled(_))
            | (Ext::Error(_), Ext::Error(_))
            | (Ext::Matcher(_), Ext::Matcher(_))
            | (Ext::Stage(_), Ext::Stage(_)) => Arc::ptr_eq(left, right),
            (Ext::Uuid(a), Ext::Uuid(b)) => a == b,
            (Ext::Var(a), Ext::Var(b)) => a == b,
            (Ext::Class(a), Ext::Class(b)) => a.name == b.name,
            (Ext::Time(a), Ext::Time(b)) => a.kind == b.kind,
            (Ext::Reduced(a), Ext::Reduced(b)) => {
                later.push((a, b));
                true
            }
            (Ext::Grown(_), _) | (_, Ext::Grown(_)) => step(a.plain(), b.plain(), later),
            _ => false,
        },
        (Value::Ext(_), _) | (_, Value::Ext(_)) => match (Grown::of(a), Grown::of(b)) {
            (None, None) => false,
            _ => step(a.plain(), b.plain(), later),
        },
        _ => false,
    }
}

/// Returns whether comparing the value may need several steps. `step` recurs at most once, into a
/// value for which this is false.
fn nested(value: &Value) -> bool {
    matches!(
        value,
        Value::List(_) | Value::Vector(_) | Value::Map(_) | Value::Set(_) | Value::Ext(_)
    )
}

/// Returns the number of items that comparing two values visits, without deferred pairs.
fn work(a: &Value, b: &Value) -> u64 {
    let shorter = length(a).min(length(b)) as u64;
    // Each member or key of one is looked up in the other.
    match (a, b) {
        (Value::Set(a), Value::Set(b)) if a.len() == b.len() && !Arc::ptr_eq(a, b) => {
            shorter + key_parts(a.iter())
        }
        (Value::Map(a), Value::Map(b)) if a.len() == b.len() && !Arc::ptr_eq(a, b) => {
            shorter + key_parts(a.iter().map(|(key, _)| key))
        }
        _ => shorter,
    }
}

fn key_parts<'a>(keys: impl Iterator<Item = &'a Value>) -> u64 {
    keys.filter(|key| key.depth() > 0).map(|key| parts(key, usize::MAX) as u64).sum()
}

/// Counts the values in a value, including itself. A shared part counts each time, and a long text
/// as several. Stops soon after `max`.
///
/// A map remembers its count, because programs look into one record again and again.
pub fn parts(value: &Value, max: usize) -> usize {
    let known = match value {
        Value::Map(map) => map.parts(),
        _ => None,
    };
    if let Some(parts) = known
        && parts <= max
    {
        return parts;
    }
    let few =
        if value.depth() == 1 && length(value) <= FEW { Some(1 + leaves(value)) } else { None };
    let parts = few.filter(|parts| *parts <= max).or_else(|| parts_within(value, max));
    let Some(parts) = parts else { return parts_beyond(value, max) };
    if let Value::Map(map) = value {
        map.remember_parts(parts);
    }
    parts
}

/// The items of a value whose parts are counted without a list of work.
const FEW: usize = 32;

/// Counts the values in a value if they are at most `max`. Only collections of collections go
/// through the list of work.
fn parts_within(value: &Value, max: usize) -> Option<usize> {
    let mut parts = atoms(value);
    let mut work = Vec::new();
    let mut next = value;
    loop {
        let mut add = |item| {
            parts += match Value::depth(item) {
                0 => atoms(item),
                1 => 1 + leaves(item),
                _ => {
                    work.push(item);
                    1
                }
            };
            parts <= max
        };
        let is_within = match next {
            Value::Map(map) => map.iter().all(|(key, value)| add(key) && add(value)),
            _ => next.items().into_iter().flatten().all(add),
        };
        if !is_within {
            return None;
        }
        match work.pop() {
            Some(item) => next = item,
            None => return (parts <= max).then_some(parts),
        }
    }
}

/// Counts the parts of a value whose parts hold nothing.
fn leaves(value: &Value) -> usize {
    match value {
        Value::Map(map) => match map.small_rows() {
            Some(rows) => rows.map(|(key, value)| atoms(key) + atoms(value)).sum(),
            None => map.iter().map(|(key, value)| atoms(key) + atoms(value)).sum(),
        },
        Value::Vector(vector) if let Some(items) = vector.as_slice() => {
            items.iter().map(atoms).sum()
        }
        _ => value.items().into_iter().flatten().map(atoms).sum(),
    }
}

/// Counts the values in a value that has more than `max`. Prices follow from where the walk stops.
fn parts_beyond(value: &Value, max: usize) -> usize {
    let mut parts = 0;
    let mut work = vec![value];
    while let Some(value) = work.pop() {
        parts += 1;
        if parts > max {
            break;
        }
        parts += atoms(value) - 1;
        match value {
            Value::Map(map) => {
                work.extend(map.iter().flat_map(|(key, value)| [key, value]).take(max));
            }
            _ => work.extend(value.items().into_iter().flatten().take(max)),
        }
    }
    parts
}

/// Counts a value without nested values.
fn atoms(value: &Value) -> usize {
    match value {
        Value::Str(text) | Value::Keyword(text) | Value::Symbol(text) => 1 + text.len() / 256,
        _ => 1,
    }
}

fn length(value: &Value) -> usize {
    match value {
        Value::List(seq) => seq.len(),
        Value::Vector(vector) => vector.len(),
        Value::Map(map) => map.len(),
        Value::Set(set) => set.len(),
        Value::Str(text) => text.len() / 16,
        Value::Keyword(text) | Value::Symbol(text) => text.len() / 256,
        Value::Big(big) => (big.bits() / 2048) as usize,
        _ => 0,
    }
}
