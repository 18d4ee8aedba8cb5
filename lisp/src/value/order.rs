//! The order of `compare` and `sort`.

use std::cmp::Ordering;

use super::{Ext, Value};
use crate::num;

/// What comparing two values gives.
type Compared<'a> = Result<Option<Ordering>, (&'a Value, &'a Value)>;

/// Clojure's `compare`: `nil` before everything, numbers by value, strings, keywords and booleans
/// among their kind, vectors by length and then item by item.
///
/// At most `max` items are looked at; with the answer comes how many were. The answer is none when
/// that was not enough, and an error of the two values when they cannot be compared.
pub(crate) fn compare_within<'a>(a: &'a Value, b: &'a Value, max: u64) -> (Compared<'a>, u64) {
    let mut later = vec![(a, b)];
    let mut cost = 0;
    while let Some((a, b)) = later.pop() {
        cost += 1;
        if cost > max {
            return (Ok(None), max);
        }
        let order = match (a, b) {
            (Value::Nil, Value::Nil) => Ordering::Equal,
            (Value::Nil, _) => Ordering::Less,
            (_, Value::Nil) => Ordering::Greater,
            (
                Value::Int(_) | Value::Float(_) | Value::Big(_),
                Value::Int(_) | Value::Float(_) | Value::Big(_),
            ) => num::order(a, b),
            (Value::Str(a), Value::Str(b))
            | (Value::Keyword(a), Value::Keyword(b))
            | (Value::Symbol(a), Value::Symbol(b)) => a.as_str().cmp(b.as_str()),
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Vector(left), Value::Vector(right)) => {
                if left.len() == right.len() && !std::sync::Arc::ptr_eq(left, right) {
                    // Pushed from the back, so that the first items are compared first.
                    let start = later.len();
                    later.extend(left.iter().zip(right.iter()));
                    later.get_mut(start..).unwrap_or_default().reverse();
                }
                left.len().cmp(&right.len())
            }
            (Value::Ext(left), Value::Ext(right)) => match (&**left, &**right) {
                (Ext::Time(left), Ext::Time(right)) => match left.order(right) {
                    Some(order) => order,
                    None => return (Err((a, b)), cost),
                },
                _ => return (Err((a, b)), cost),
            },
            _ => return (Err((a, b)), cost),
        };
        if order.is_ne() {
            return (Ok(Some(order)), cost);
        }
    }
    (Ok(Some(Ordering::Equal)), cost)
}
