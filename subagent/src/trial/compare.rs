//! Compares answers and calls with the expected ones.

use std::borrow::Borrow as _;

use ptc_lisp::Value;
use ptc_signatures::{Datum, View};

use super::ToolUse;
use crate::data::Data;

/// Returns whether two answers are equal. Numbers may differ by the tolerance, everything else compares as JSON.
pub(super) fn same_answer(a: &Data, b: &Data, tolerance: f64) -> bool {
    let mut pairs = vec![(a.value().clone(), b.value().clone())];
    while let Some((a, b)) = pairs.pop() {
        let same = match (a.as_map(), b.as_map()) {
            (Some(a), Some(b)) => {
                pairs
                    .extend(a.iter().filter_map(|(key, a)| Some((a.clone(), b.get(key)?.clone()))));
                a.len() == b.len() && a.iter().all(|(key, _)| b.get(key).is_some())
            }
            _ if a.view() == View::List && b.view() == View::List => {
                let items = |it: &Value| Datum::items(it).map(|it| it.borrow().clone()).collect();
                let (a, b): (Vec<Value>, Vec<Value>) = (items(&a), items(&b));
                let is_as_long = a.len() == b.len();
                pairs.extend(a.into_iter().zip(b));
                is_as_long
            }
            _ => a == b || is_near(&a, &b, tolerance),
        };
        if !same {
            return false;
        }
    }
    true
}

fn is_near(a: &Value, b: &Value, tolerance: f64) -> bool {
    let float = |it: &Value| match it.view() {
        View::Int(int) => Some(int as f64),
        View::Float(float) | View::BigInt(float) => Some(float),
        _ => None,
    };
    // Different integers may have one float.
    let is_exact =
        tolerance == 0.0 && !matches!((a, b), (Value::Float(_), _) | (_, Value::Float(_)));
    let difference = float(a).zip(float(b)).map(|(a, b)| (a - b).abs());
    !is_exact && difference.is_some_and(|it| it <= tolerance)
}

/// Returns whether the calls are the same, in any order.
pub(super) fn same_calls(expected: &[ToolUse], made: &[ToolUse]) -> bool {
    let is_same = |a: &ToolUse, b: &ToolUse| {
        a.tool == b.tool && same_answer(&given(&a.args), &given(&b.args), 0.0)
    };
    let mut left: Vec<&ToolUse> = made.iter().collect();
    for call in expected {
        match left.iter().position(|it| is_same(call, it)) {
            Some(at) => left.swap_remove(at),
            None => return false,
        };
    }
    left.is_empty()
}

/// Returns arguments without those that are null.
fn given(args: &Data) -> Data {
    let Some(map) = args.value().as_map() else { return args.clone() };
    let rows = map.iter().filter(|(_, value)| !value.is_nil());
    Data::made(Value::map(rows.map(|(key, value)| (key.clone(), value.clone()))))
}
