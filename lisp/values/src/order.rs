//! The order of `compare` and `sort`.

use std::cmp::Ordering;
use std::sync::Arc;

use super::num;
use super::time::Time;
use super::value::{Ext, Order, Value, VectorIter};

/// The result of a comparison: an order, none if the budget ran out, or the incomparable pair.
type Compared<'a> = Result<Option<Ordering>, (&'a Value, &'a Value)>;

/// Returns the namespace and the name of a symbol; symbols without a namespace come first.
fn parts(text: &str) -> (Option<&str>, &str) {
    match text.split_once('/') {
        Some((space, name)) if !space.is_empty() && !name.is_empty() => (Some(space), name),
        _ => (None, text),
    }
}

/// Returns the extra cost of comparing a long unstructured value.
fn length(value: &Value) -> u64 {
    match value {
        Value::Str(text) | Value::Keyword(text) | Value::Symbol(text) => text.len() as u64 / 256,
        Value::Big(big) => big.bits() / 2048,
        _ => 0,
    }
}

/// Returns whether two unordered values are one object on the JVM, and so equal to `compare`.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::List(a), Value::List(b)) => Arc::ptr_eq(a, b) || a.is_empty() && b.is_empty(),
        (Value::Map(a), Value::Map(b)) => {
            Arc::ptr_eq(a, b) || a.is_empty() && b.is_empty() && one_kind(a.order(), b.order())
        }
        (Value::Set(a), Value::Set(b)) => {
            Arc::ptr_eq(a, b) || a.is_empty() && b.is_empty() && one_kind(a.order(), b.order())
        }
        (Value::Function(a), Value::Function(b)) => Arc::ptr_eq(a, b),
        (Value::Builtin(a), Value::Builtin(b)) => a == b,
        (Value::Ext(a), Value::Ext(b)) => Arc::ptr_eq(a, b),
        _ => false,
    }
}

/// Returns whether two empty collections with these orders are one object on the JVM.
fn one_kind(a: Option<&Order>, b: Option<&Order>) -> bool {
    matches!((a, b), (None, None) | (Some(Order::Natural), Some(Order::Natural)))
}

/// Returns whether a value is comparable with its kind, so that it may be the first key of a sorted
/// collection. As on the JVM, the items of a vector do not matter.
pub fn is_comparable(value: &Value) -> bool {
    match value {
        Value::List(_) | Value::Map(_) | Value::Set(_) | Value::Function(_) | Value::Builtin(_) => {
            false
        }
        Value::Ext(ext) => match &**ext {
            Ext::Time(time) => time.order(time).is_some(),
            Ext::Uuid(_) => true,
            _ => false,
        },
        _ => true,
    }
}

/// Returns the number that `compare` gives for two values of this order. For texts and dates it is
/// the distance of the first parts that differ, for others the sign.
pub fn difference(a: &Value, b: &Value, order: Ordering) -> i64 {
    if order.is_eq() {
        return 0;
    }
    let (mut a, mut b) = (a, b);
    // Find the deciding pair through nested vectors. The order is known, so comparing cannot fail.
    while let (Value::Vector(left), Value::Vector(right)) = (a, b) {
        let differs = |pair: &(&Value, &Value)| {
            !matches!(compare_within(pair.0, pair.1, u64::MAX).0, Ok(Some(Ordering::Equal)))
        };
        match left.iter().zip(right.iter()).find(differs) {
            Some(pair) if left.len() == right.len() => (a, b) = pair,
            _ => return order as i64,
        }
    }
    match (a, b) {
        (Value::Str(a) | Value::Keyword(a), Value::Str(b) | Value::Keyword(b)) => {
            text_difference(a, b)
        }
        (Value::Symbol(a), Value::Symbol(b)) => match (parts(a), parts(b)) {
            ((Some(a), _), (Some(b), _)) if a != b => text_difference(a, b),
            ((Some(_), a), (Some(_), b)) | ((None, a), (None, b)) => text_difference(a, b),
            _ => order as i64,
        },
        _ => match (Time::of(a), Time::of(b)) {
            (Some(a), Some(b)) => a.difference(b).unwrap_or(order as i64),
            _ => order as i64,
        },
    }
}

/// Returns the [`difference`] of two values whose comparison is one visit: plain numbers and short texts. None for others.
#[inline]
pub fn brief_difference(a: &Value, b: &Value) -> Option<i64> {
    Some(match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b) as i64,
        (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) => {
            num::order(a, b) as i64
        }
        (Value::Str(left) | Value::Keyword(left), Value::Str(right) | Value::Keyword(right))
            if length(a).min(length(b)) == 0 =>
        {
            text_difference(left, right)
        }
        _ => return None,
    })
}

/// Returns the distance of the first characters that differ, or else of the lengths.
fn text_difference(a: &str, b: &str) -> i64 {
    match a.chars().zip(b.chars()).find(|(a, b)| a != b) {
        Some((a, b)) => i64::from(u32::from(a)) - i64::from(u32::from(b)),
        None => a.chars().count() as i64 - b.chars().count() as i64,
    }
}

/// Clojure's `compare`. `nil` comes first. Numbers compare by value, strings and keywords by their
/// text (D5), symbols and booleans among their kind. Vectors compare by length and then by items.
///
/// Visits at most `max` items and returns their number beside the answer. The answer is none if
/// that did not suffice, or an error with two values that cannot be compared.
pub fn compare_within<'a>(a: &'a Value, b: &'a Value, max: u64) -> (Compared<'a>, u64) {
    let mut cost = 0;
    // The vectors being compared, and those around them: none for most values.
    let mut open: Option<Items<'a>> = None;
    let mut around: Vec<Items<'a>> = Vec::new();
    let (mut a, mut b) = (a, b);
    loop {
        cost += 1 + length(a).min(length(b));
        if cost > max {
            return (Ok(None), max);
        }
        match order_of(a, b) {
            Some(Ordering::Equal) => {}
            Some(order) => return (Ok(Some(order)), cost),
            None => return (Err((a, b)), cost),
        }
        if let (Value::Vector(left), Value::Vector(right)) = (a, b)
            && !Arc::ptr_eq(left, right)
        {
            around.extend(open.replace(left.iter().zip(right.iter())));
        }
        (a, b) = loop {
            let Some(items) = &mut open else { return (Ok(Some(Ordering::Equal)), cost) };
            match items.next() {
                Some(pair) => break pair,
                None => open = around.pop(),
            }
        };
    }
}

/// The pairs of items of two vectors.
type Items<'a> = std::iter::Zip<VectorIter<'a>, VectorIter<'a>>;

/// Orders two values without the items of vectors; none if they cannot be compared.
pub fn order_of(a: &Value, b: &Value) -> Option<Ordering> {
    Some(match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Str(a) | Value::Keyword(a), Value::Str(b) | Value::Keyword(b)) => {
            a.as_str().cmp(b.as_str())
        }
        (Value::Nil, Value::Nil) => Ordering::Equal,
        (Value::Nil, _) => Ordering::Less,
        (_, Value::Nil) => Ordering::Greater,
        (
            Value::Int(_) | Value::Float(_) | Value::Big(_),
            Value::Int(_) | Value::Float(_) | Value::Big(_),
        ) => num::order(a, b),
        (Value::Symbol(a), Value::Symbol(b)) => parts(a).cmp(&parts(b)),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Vector(left), Value::Vector(right)) => left.len().cmp(&right.len()),
        (Value::Ext(left), Value::Ext(right)) => match (&**left, &**right) {
            (Ext::Time(left), Ext::Time(right)) => left.order(right)?,
            (Ext::Uuid(left), Ext::Uuid(right)) => left.order(right),
            _ if same(a, b) => Ordering::Equal,
            _ => return None,
        },
        _ if same(a, b) => Ordering::Equal,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A call that borrows pays one unit and must answer as the general comparison does.
    #[test]
    fn brief_differences_are_those_of_one_visit() {
        let long = "a".repeat(256);
        let values = [
            Value::Nil,
            Value::Bool(true),
            Value::Int(-1),
            Value::Int(i64::MAX),
            Value::Float(-1.0),
            Value::Float(0.5),
            Value::Float(f64::NAN),
            Value::Float(f64::INFINITY),
            Value::str(""),
            Value::str("ab"),
            Value::str("aé"),
            Value::str(long.as_str()),
            Value::keyword("ab"),
            Value::vector(Vec::new()),
        ];
        let mut brief = 0;
        for (a, b) in values.iter().flat_map(|a| values.iter().map(move |b| (a, b))) {
            let Some(answer) = brief_difference(a, b) else { continue };
            brief += 1;
            let (Ok(Some(order)), cost) = compare_within(a, b, u64::MAX) else {
                panic!("{a:?} and {b:?} have no order")
            };
            assert_eq!((answer, 1), (difference(a, b, order), cost), "{a:?} and {b:?}");
        }
        // Six numbers among themselves, and five texts except the long one with itself.
        assert_eq!(brief, 36 + 24);
    }
}
