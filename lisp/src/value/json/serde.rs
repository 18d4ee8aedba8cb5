//! Values of `serde_json`, both ways.

use std::sync::Arc;

use super::{Keys, Map, NotJson, Value, Writer, parse, parse_within};

/// The language value of a `serde_json` value.
pub fn from_serde(value: &serde_json::Value) -> Value {
    // The text form is the one definition of what JSON means here, and is free of recursion; a value that
    // was parsed is at most 128 levels deep.
    taken(value, 0, &mut Keys::default())
        .unwrap_or_else(|| parse(&value.to_string()).unwrap_or(Value::Nil))
}

impl From<serde_json::Value> for Value {
    fn from(value: serde_json::Value) -> Value {
        from_serde(&value)
    }
}

/// The `serde_json` value of a language value. What is outside of the program knows one zero.
///
/// # Errors
/// The first value that has no JSON form, or is an integer that would lose digits there; or that it
/// nests over 128 levels.
pub fn to_serde(value: &Value) -> Result<serde_json::Value, NotJson> {
    if let Some(json) = given(value, 0) {
        return Ok(json);
    }
    let mut text = String::new();
    Writer { outside: Some(64), ..Writer::new(&mut text, None, usize::MAX) }.write(value)?;
    serde_json::from_str(&text).map_err(|_| too_deep())
}

/// The value as it is outside of the program: what [`to_serde`] gives, as a value of the language that has every digit
/// of its integers. Keywords and keys are strings, sets and sequences are vectors.
///
/// # Errors
/// The first value that has no JSON form, or is an integer of over 4,000 digits; or that it nests over 128 levels.
pub fn plain(value: &Value) -> Result<Value, NotJson> {
    if is_plain(value, 0) {
        return Ok(value.clone());
    }
    if let Some(plain) = made_plain(value, 0) {
        return Ok(plain);
    }
    let mut text = String::new();
    Writer { outside: Some(MAX_BITS), ..Writer::new(&mut text, None, usize::MAX) }.write(value)?;
    // What was written is read: only its depth can be in the way.
    parse_within(&text, false, MAX_DEPTH).ok().flatten().ok_or_else(too_deep)
}

/// Integers of so many bits have 4,000 digits at most.
const MAX_BITS: u64 = 13_287;

/// How many containers with something in them may be in one another; `serde_json` reads one level more, which may be
/// empty.
const MAX_DEPTH: u32 = 126;

fn too_deep() -> NotJson {
    NotJson { path: String::new(), what: "value nested over 128 levels" }
}

/// Whether a value has only what JSON has, as far as that is seen by the short way.
fn is_plain(value: &Value, depth: usize) -> bool {
    match value {
        Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Str(_) => true,
        Value::Float(float) => is_plain_float(*float),
        Value::Big(big) => big.bits() <= MAX_BITS,
        _ if depth == MAX_SHORT => false,
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

/// Whether a float has a JSON form, which has one zero.
fn is_plain_float(float: f64) -> bool {
    float.is_finite() && (float != 0.0 || float.is_sign_positive())
}

/// The plain form by the short way; none for what has none, and for what only the text form can say.
fn made_plain(value: &Value, depth: usize) -> Option<Value> {
    Some(match value {
        Value::Float(0.0) => Value::Float(0.0),
        Value::Keyword(text) | Value::Symbol(text) => Value::Str(text.clone()),
        Value::List(_) | Value::Vector(_) | Value::Set(_) if depth < MAX_SHORT => {
            let items = value.items()?.map(|item| made_plain(item, depth + 1));
            Value::vector(items.collect::<Option<_>>()?)
        }
        Value::Map(rows) if depth < MAX_SHORT => {
            let mut map = Map::default();
            for (key, value) in rows.iter() {
                let (Value::Str(name) | Value::Keyword(name)) = key else { return None };
                map.insert((Value::Str(name.clone()), made_plain(value, depth + 1)?));
            }
            Value::Map(Arc::new(map))
        }
        scalar if is_plain(scalar, MAX_SHORT) => scalar.clone(),
        _ => return None,
    })
}

/// How deep the short way goes, which recurs and makes no text in between. What is deeper goes by the text.
const MAX_SHORT: usize = 16;

/// The value by the short way; none for what only the text form can say.
fn taken(value: &serde_json::Value, depth: usize, keys: &mut Keys) -> Option<Value> {
    Some(match value {
        serde_json::Value::Null => Value::Nil,
        serde_json::Value::Bool(bool) => Value::Bool(*bool),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(int) => Value::Int(int),
            None if number.is_f64() => Value::Float(number.as_f64()?),
            None => return None,
        },
        serde_json::Value::String(text) => Value::str(text),
        _ if depth == MAX_SHORT => return None,
        serde_json::Value::Array(items) => {
            let items: Option<Vec<Value>> =
                items.iter().map(|item| taken(item, depth + 1, keys)).collect();
            Value::vector(items?)
        }
        serde_json::Value::Object(rows) => {
            let mut map = Map::default();
            for (place, (name, value)) in rows.iter().enumerate() {
                let key = keys.get(depth, place, name);
                map.insert((Value::Str(key), taken(value, depth + 1, keys)?));
            }
            Value::Map(Arc::new(map))
        }
    })
}

/// The JSON by the short way; none for what has no JSON form, and for what only the text form can say.
fn given(value: &Value, depth: usize) -> Option<serde_json::Value> {
    Some(match value {
        Value::Nil => serde_json::Value::Null,
        Value::Bool(bool) => (*bool).into(),
        Value::Int(int) => (*int).into(),
        Value::Float(0.0) => 0.0.into(),
        Value::Float(float) => serde_json::Number::from_f64(*float)?.into(),
        Value::Str(text) | Value::Keyword(text) | Value::Symbol(text) => text.as_str().into(),
        _ if depth == MAX_SHORT => return None,
        Value::List(_) | Value::Vector(_) | Value::Set(_) => {
            let items: Option<Vec<serde_json::Value>> =
                value.items()?.map(|item| given(item, depth + 1)).collect();
            items?.into()
        }
        Value::Map(map) => {
            let mut rows = serde_json::Map::with_capacity(map.len());
            for (key, value) in map.rows() {
                let (Value::Str(name) | Value::Keyword(name)) = key else { return None };
                rows.insert(name.to_string(), given(value, depth + 1)?);
            }
            rows.into()
        }
        _ => return None,
    })
}
