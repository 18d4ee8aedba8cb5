//! The order of `compare` and `sort`.

use std::cmp::Ordering;

use super::{Ext, Value};
use crate::num;

/// Clojure's `compare`: `nil` before everything, numbers by value, strings, keywords and booleans
/// among their kind, vectors by length and then item by item. Gives the two values that have no
/// order when there are such.
///
/// # Errors
/// The pair of values that cannot be compared.
pub(crate) fn compare<'a>(a: &'a Value, b: &'a Value) -> Result<Ordering, (&'a Value, &'a Value)> {
    let mut later = vec![(a, b)];
    while let Some((a, b)) = later.pop() {
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
                if left.len() == right.len() {
                    // Pushed from the back, so that the first items are compared first.
                    let start = later.len();
                    later.extend(left.iter().zip(right.iter()));
                    later.get_mut(start..).unwrap_or_default().reverse();
                }
                left.len().cmp(&right.len())
            }
            (Value::Ext(left), Value::Ext(right)) => match (&**left, &**right) {
                (Ext::Time(left), Ext::Time(right)) => left.order(right).ok_or((a, b))?,
                _ => return Err((a, b)),
            },
            _ => return Err((a, b)),
        };
        if order.is_ne() {
            return Ok(order);
        }
    }
    Ok(Ordering::Equal)
}
