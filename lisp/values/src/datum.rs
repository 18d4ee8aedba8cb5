//! Values as signatures see them.

use std::borrow::{Borrow, Cow};

use num_bigint::BigInt;
use ptc_signatures::{Coercible, Datum, View};

use crate::{Ext, Map, Value, json, num};

impl Datum for Value {
    const HAS_FORMS: bool = true;

    fn view(&self) -> View<'_> {
        match self {
            Value::Nil => View::Nil,
            Value::Bool(bool) => View::Bool(*bool),
            Value::Int(int) => View::Int(*int),
            Value::Float(float) => View::Float(*float),
            Value::Big(big) => View::BigInt(num::big_to_f64(big)),
            Value::Str(text) => View::Str(text),
            Value::Keyword(text) => View::Keyword(text),
            // A set leaves the program as a JSON list.
            Value::List(_) | Value::Vector(_) | Value::Set(_) => View::List,
            Value::Map(_) => View::Map,
            Value::Symbol(_) => View::Other("symbol"),
            Value::Function(_) | Value::Builtin(_) => View::Other("function"),
            Value::Ext(ext) => match &**ext {
                // A date leaves the program as JSON text.
                Ext::Time(time) if time.is_data() => View::Str(time.text()),
                Ext::Class(class) => View::Str(class.full_name),
                Ext::Uuid(uuid) => View::Str(uuid.text()),
                _ => View::Other(self.type_name()),
            },
        }
    }

    fn items(&self) -> impl Iterator<Item = impl Borrow<Value>> {
        Value::items(self).into_iter().flatten()
    }

    fn field(&self, name: &str) -> Option<&Value> {
        self.get(name)
    }

    fn entries(&self) -> impl Iterator<Item = (Cow<'_, str>, &Value)> {
        self.as_map()
            .into_iter()
            .flat_map(crate::Map::iter)
            .map(|(key, value)| (json::key_text(key).unwrap_or(Cow::Borrowed("")), value))
    }

    fn literal(&self) -> Option<String> {
        match self {
            Value::Big(big) if big.bits() < 512 => Some(big.to_string()),
            Value::Symbol(text) => Some(text.to_string()),
            _ => None,
        }
    }
}

impl Coercible for Value {
    fn bool(value: bool) -> Value {
        Value::Bool(value)
    }

    fn float(value: f64) -> Value {
        Value::Float(value)
    }

    fn text(text: &str) -> Value {
        Value::str(text)
    }

    fn integer(digits: &str) -> Option<Value> {
        if let Ok(int) = digits.parse() {
            return Some(Value::Int(int));
        }
        if digits.len() > json::MAX_DIGITS {
            return None;
        }
        digits.parse::<BigInt>().ok().map(Value::big)
    }

    fn with_items(self, mut change: impl FnMut(usize, Value) -> Value) -> Value {
        let Some(items) = Value::items(&self) else { return self };
        Value::vector(items.enumerate().map(|(index, it)| change(index, it.clone())).collect())
    }

    fn with_field(mut self, name: &str, change: impl FnOnce(Value) -> Value) -> Value {
        let Value::Map(map) = &mut self else { return self };
        let Some((key, value)) = map.row(&Value::str(name)) else { return self };
        let row = (key.clone(), change(value.clone()));
        Map::make_mut(map).insert(row);
        self
    }

    fn without_field(mut self, name: &str) -> Value {
        let Value::Map(map) = &mut self else { return self };
        let Some((key, _)) = map.row(&Value::str(name)) else { return self };
        let key = key.clone();
        Map::make_mut(map).remove(&key);
        self
    }
}
