//! Conversion between values and `serde_json` values.

use std::sync::Arc;

use super::read::{Keys, parse, parse_within};
use super::write::{NotJson, write_outside};
use crate::{FLAT_MAX, Map, Value};

/// Converts a `serde_json` value to a value of the language.
pub fn from_serde(value: &serde_json::Value) -> Value {
    // The text form defines the meaning of JSON here and needs no recursion. A parsed value is at
    // most 128 levels deep.
    from_serde_directly(value, 0, &mut Keys::default())
        .unwrap_or_else(|| parse(&value.to_string()).unwrap_or(Value::Nil))
}

impl From<serde_json::Value> for Value {
    fn from(value: serde_json::Value) -> Value {
        from_serde(&value)
    }
}

/// Converts a value of the language to a `serde_json` value. Outside the program there is only one
/// zero.
///
/// # Errors
///
/// Returns the first value without a JSON form, the first integer that would lose digits, or a
/// nesting over 128 levels.
pub fn to_serde(value: &Value) -> Result<serde_json::Value, NotJson> {
    if let Some(json) = to_serde_directly(value, 0) {
        return Ok(json);
    }
    let text = write_outside(value, 64)?;
    serde_json::from_str(&text).map_err(|_| too_deep())
}

/// Returns the form of a value outside the program. It is the result of [`to_serde`] as a value of
/// the language, with every digit of its integers. Keywords and keys become strings, sets and
/// sequences become vectors.
///
/// # Errors
///
/// Returns the first value without a JSON form, the first integer of over 4,000 digits, or a
/// nesting over 128 levels.
pub fn plain(value: &Value) -> Result<Value, NotJson> {
    if is_plain(value, 0) {
        return Ok(value.clone());
    }
    if let Some(plain) = plain_directly(value, 0) {
        return Ok(plain);
    }
    let text = write_outside(value, MAX_BITS)?;
    // Written text is valid: reading it can fail only for its depth.
    parse_within(&text, false, MAX_DEPTH).ok().flatten().ok_or_else(too_deep)
}

/// The bits of an integer with at most 4,000 digits.
const MAX_BITS: u64 = 13_287;

/// The maximum nesting of containers, in levels. `serde_json` reads no more.
const MAX_DEPTH: u32 = 127;

fn too_deep() -> NotJson {
    NotJson { path: String::new(), what: "value nested over 128 levels" }
}

/// Returns whether a value is plain, as far as a direct check can tell.
fn is_plain(value: &Value, depth: usize) -> bool {
    match value {
        Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Str(_) => true,
        Value::Float(float) => is_plain_float(*float),
        Value::Big(big) => big.bits() <= MAX_BITS,
        _ if depth == MAX_DIRECT => false,
        Value::Vector(items) => items.iter().all(|item| is_plain(item, depth + 1)),
        Value::Map(map) => {
            let is_row = |(key, value): (&Value, &Value)| {
                matches!(key, Value::Str(_)) && is_plain(value, depth + 1)
            };
            map.order().is_none() && map.iter().all(is_row)
        }
        _ => false,
    }
}

/// Returns whether a float has a JSON form; negative zero has none.
fn is_plain_float(float: f64) -> bool {
    float.is_finite() && (float != 0.0 || float.is_sign_positive())
}

/// Returns the plain form directly; none if it does not exist or needs the text form.
fn plain_directly(value: &Value, depth: usize) -> Option<Value> {
    Some(match value {
        Value::Float(0.0) => Value::Float(0.0),
        Value::Keyword(text) | Value::Symbol(text) => Value::Str(text.clone()),
        Value::List(_) | Value::Vector(_) | Value::Set(_) if depth < MAX_DIRECT => {
            let items = value.items()?.map(|item| plain_directly(item, depth + 1));
            Value::vector(items.collect::<Option<_>>()?)
        }
        Value::Map(rows) if depth < MAX_DIRECT => {
            let mut map = Map::default();
            for (key, value) in rows.iter() {
                let (Value::Str(name) | Value::Keyword(name)) = key else { return None };
                map.insert((Value::Str(name.clone()), plain_directly(value, depth + 1)?));
            }
            Value::Map(Arc::new(map))
        }
        scalar if is_plain(scalar, MAX_DIRECT) => scalar.clone(),
        _ => return None,
    })
}

/// The depth of direct conversion, in levels. It recurs; deeper values use the text form.
const MAX_DIRECT: usize = 16;

/// Converts directly; returns none if the value needs the text form.
fn from_serde_directly(value: &serde_json::Value, depth: usize, keys: &mut Keys) -> Option<Value> {
    Some(match value {
        serde_json::Value::Null => Value::Nil,
        serde_json::Value::Bool(bool) => Value::Bool(*bool),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(int) => Value::Int(int),
            None if number.is_f64() => Value::Float(number.as_f64()?),
            None => return None,
        },
        serde_json::Value::String(text) => Value::str(text),
        _ if depth == MAX_DIRECT => return None,
        serde_json::Value::Array(items) => {
            let items: Option<Vec<Value>> =
                items.iter().map(|item| from_serde_directly(item, depth + 1, keys)).collect();
            Value::vector(items?)
        }
        serde_json::Value::Object(rows) if rows.len() <= FLAT_MAX => {
            let mut values = Vec::with_capacity(rows.len());
            for (place, (name, value)) in rows.iter().enumerate() {
                keys.put(depth, place, name);
                values.push(from_serde_directly(value, depth + 1, keys)?);
            }
            let shape = keys.shape(depth, values.len());
            Value::Map(Arc::new(Map::of_shape(shape, values)))
        }
        serde_json::Value::Object(rows) => {
            let mut map = Map::with_capacity(rows.len());
            for (name, value) in rows {
                map.insert((keys.key(name), from_serde_directly(value, depth + 1, keys)?));
            }
            Value::Map(Arc::new(map))
        }
    })
}

/// Converts directly; returns none without a JSON form or if the value needs the text form.
fn to_serde_directly(value: &Value, depth: usize) -> Option<serde_json::Value> {
    Some(match value {
        Value::Nil => serde_json::Value::Null,
        Value::Bool(bool) => (*bool).into(),
        Value::Int(int) => (*int).into(),
        Value::Float(0.0) => 0.0.into(),
        Value::Float(float) => serde_json::Number::from_f64(*float)?.into(),
        Value::Str(text) | Value::Keyword(text) | Value::Symbol(text) => text.as_str().into(),
        _ if depth == MAX_DIRECT => return None,
        Value::List(_) | Value::Vector(_) | Value::Set(_) => {
            let items: Option<Vec<serde_json::Value>> =
                value.items()?.map(|item| to_serde_directly(item, depth + 1)).collect();
            items?.into()
        }
        Value::Map(map) => {
            let mut rows = serde_json::Map::with_capacity(map.len());
            for (key, value) in map.rows() {
                let (Value::Str(name) | Value::Keyword(name)) = key else { return None };
                rows.insert(name.to_string(), to_serde_directly(value, depth + 1)?);
            }
            rows.into()
        }
        _ => return None,
    })
}
