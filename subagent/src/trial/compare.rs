//! Compares answers and calls with the expected ones.

use serde_json::Value;

use super::ToolUse;

/// Returns whether two answers are equal. Numbers may differ by the tolerance, everything else compares as JSON.
pub(super) fn same_answer(a: &Value, b: &Value, tolerance: f64) -> bool {
    let mut pairs = vec![(a, b)];
    while let Some((a, b)) = pairs.pop() {
        let same = match (a, b) {
            (Value::Number(x), Value::Number(y)) => x == y || is_near(a, b, tolerance),
            (Value::Array(a), Value::Array(b)) => {
                pairs.extend(a.iter().zip(b));
                a.len() == b.len()
            }
            (Value::Object(a), Value::Object(b)) => {
                pairs.extend(a.iter().filter_map(|(key, a)| Some((a, b.get(key)?))));
                a.len() == b.len() && a.keys().all(|key| b.contains_key(key))
            }
            _ => a == b,
        };
        if !same {
            return false;
        }
    }
    true
}

fn is_near(a: &Value, b: &Value, tolerance: f64) -> bool {
    let difference = a.as_f64().zip(b.as_f64()).map(|(a, b)| (a - b).abs());
    difference.is_some_and(|it| it <= tolerance)
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
fn given(args: &Value) -> Value {
    match args {
        Value::Object(args) => args
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect(),
        other => other.clone(),
    }
}
