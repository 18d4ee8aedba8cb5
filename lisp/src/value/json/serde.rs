//! Values of `serde_json`, both ways.

use std::sync::Arc;

use super::{Keys, Map, NotJson, Value, Writer, parse};

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
    Writer { narrow: true, ..Writer::new(&mut text, None, usize::MAX) }.write(value)?;
    serde_json::from_str(&text)
        .map_err(|_| NotJson { path: String::new(), what: "value nested over 128 levels" })
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
