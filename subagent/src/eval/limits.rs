//! Limits from data.

use std::time::Duration;

use ptc_lisp::{LimitValue, Limits, Value};

/// Returns limits with changes, given by the names of limits.
///
/// # Errors
///
/// The reason that a name or a value is wrong, or that programs cannot run within the limits.
pub fn changed_limits<'c>(
    base: &Limits,
    changes: impl IntoIterator<Item = (&'c Value, &'c Value)>,
) -> Result<Limits, String> {
    let mut limits = base.clone();
    for (key, value) in changes {
        let name = key.name().unwrap_or_default();
        let limit = Limits::find(name).ok_or_else(|| {
            let names: Vec<&str> = Limits::ALL.iter().map(|limit| limit.name).collect();
            format!("there is no limit `{name}`; the limits are {}", names.join(", "))
        })?;
        let value = match limit.max {
            LimitValue::Count(max) => {
                count(value, max).ok_or("a whole number that is not negative")
            }
            LimitValue::Time(_) => seconds(value).ok_or("a number of seconds greater than 0"),
        };
        let value = value.map_err(|kind| format!("the limit `{name}` must be {kind}"))?;
        limit.set(&mut limits, value);
    }
    match limits.fault() {
        Some(fault) => Err(format!("the limit {fault}")),
        None => Ok(limits),
    }
}

fn count(value: &Value, max: u64) -> Option<LimitValue> {
    let count = u64::try_from(value.as_int()?).ok()?;
    (count <= max).then_some(LimitValue::Count(count))
}

fn seconds(value: &Value) -> Option<LimitValue> {
    let seconds = match value {
        Value::Int(int) => *int as f64,
        Value::Float(float) => *float,
        _ => return None,
    };
    let time = Duration::try_from_secs_f64(seconds).ok()?;
    (!time.is_zero()).then_some(LimitValue::Time(time))
}
