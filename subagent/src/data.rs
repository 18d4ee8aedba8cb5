//! JSON that keeps every digit of its integers.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use ptc_lisp::{Value, json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::error::{Error, ErrorKind};

/// JSON that keeps every digit of its integers. Events and records hold the input of a run and the arguments of a call
/// in this form.
///
/// `serde_json` reads an integer beyond 64 bits as a float, which changes the number. A `Data` reads and writes such an
/// integer exactly. It prints as compact JSON, or as indented JSON with `{:#}`. It can be compared with values of
/// `serde_json`.
///
/// ```
/// use ptc_subagent::{Agent, Data, Mission};
/// use serde_json::json;
///
/// let input: Data = r#"{"n": 123456789012345678901234567890}"#.parse()?;
/// assert_eq!(input.to_string(), r#"{"n":123456789012345678901234567890}"#);
/// assert!(input.to_json().is_err());
///
/// let agent = Agent::new("Add one to {{n}}.").with_signature("(n :int) -> :string")?;
/// let mission = Mission::new(&agent, &input);
/// assert!(mission.system_prompt()?.text().contains("123456789012345678901234567890"));
///
/// assert_eq!(Data::from(json!({"n": 1})), json!({"n": 1}));
/// # Ok::<(), ptc_subagent::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Data(Value);

impl Data {
    /// Converts a value of the language. Keywords become strings; sets and sequences become lists.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Input`] if a part has no JSON form, such as a function; if an integer has more than 4,000 digits;
    /// or if the value nests more than 128 levels.
    pub fn of(value: &Value) -> Result<Data, Error> {
        Data::of_program(value).map_err(|error| Error::new(ErrorKind::Input, error.to_string()))
    }

    /// Converts a value that serde can serialize, and keeps every digit of its integers.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Input`] if serde cannot serialize the value, or if [`Data::of`] fails.
    pub fn written(value: &(impl Serialize + ?Sized)) -> Result<Data, Error> {
        let text = serde_json::to_string(value)
            .map_err(|error| Error::new(ErrorKind::Input, error.to_string()))?;
        text.parse()
    }

    /// Returns the value of the language. Keys of its maps are strings.
    pub fn value(&self) -> &Value {
        &self.0
    }

    /// Returns the value as a value of `serde_json`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Value`] if an integer exceeds 64 bits.
    pub fn to_json(&self) -> Result<serde_json::Value, Error> {
        json::to_serde(&self.0).map_err(|error| Error::new(ErrorKind::Value, error.to_string()))
    }

    /// Returns a list.
    #[must_use]
    pub fn list(items: impl IntoIterator<Item = Data>) -> Data {
        Data(Value::vector(items.into_iter().map(Data::into_value).collect()))
    }

    /// Returns an object.
    #[must_use]
    pub fn object(fields: impl IntoIterator<Item = (String, Data)>) -> Data {
        let rows = fields.into_iter().map(|(name, value)| (Value::str(&name), value.into_value()));
        Data(Value::map(rows))
    }

    /// Returns the text, if the value is one.
    pub fn as_str(&self) -> Option<&str> {
        self.0.as_str()
    }

    /// Returns the boolean, if the value is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self.0 {
            Value::Bool(it) => Some(it),
            _ => None,
        }
    }

    /// Returns whether the value is null.
    pub fn is_null(&self) -> bool {
        self.0.is_nil()
    }

    /// Returns the value under a key of an object.
    pub fn get(&self, key: &str) -> Option<Data> {
        self.0.get(key).cloned().map(Data)
    }

    /// Returns whether the value is an object.
    pub fn is_object(&self) -> bool {
        self.0.as_map().is_some()
    }

    /// Returns the items of a list; `None` for any other value.
    pub fn items(&self) -> Option<impl Iterator<Item = Data>> {
        match &self.0 {
            Value::Vector(items) => Some(items.iter().cloned().map(Data)),
            _ => None,
        }
    }

    /// Returns the fields of an object. Any other value has none.
    pub fn fields(&self) -> impl Iterator<Item = (String, Data)> {
        let rows = self.0.as_map().into_iter().flat_map(ptc_lisp::Map::iter);
        rows.map(|(key, value)| (key.name().unwrap_or_default().to_string(), Data(value.clone())))
    }

    /// Returns the object with a key set. A value that is not an object becomes an object with this key alone.
    #[must_use]
    pub fn with(self, key: &str, value: impl Into<Data>) -> Data {
        let rows = self.0.as_map().into_iter().flat_map(ptc_lisp::Map::iter);
        let rows = rows.map(|(key, value)| (key.clone(), value.clone()));
        Data(Value::map(rows.chain([(Value::str(key), value.into().0)])))
    }

    /// Reads the value as a Rust type. Integers of 128 bits keep every digit.
    pub(crate) fn read<T: DeserializeOwned>(
        &self,
    ) -> Result<T, serde_path_to_error::Error<serde_json::Error>> {
        match self.to_json() {
            Ok(json) => serde_path_to_error::deserialize(json),
            // A value of `serde_json` cannot hold it, but text can.
            Err(_) => {
                let text = self.to_string();
                serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(&text))
            }
        }
    }

    /// Parses recorded JSON. Unlike [`Data::of`], it keeps the value exactly as recorded.
    pub(crate) fn recorded(text: &str) -> Result<Data, Error> {
        let value = json::parse(text).map_err(|error| {
            Error::new(ErrorKind::Input, format!("it is not valid JSON: {error}"))
        })?;
        // Only `of` checks the depth.
        Data::of(&value).map(|_| Data(value))
    }

    pub(crate) fn of_program(value: &Value) -> Result<Data, json::NotJson> {
        json::plain(value).map(Data)
    }

    /// Wraps a value that contains only JSON types.
    pub(crate) fn made(value: Value) -> Data {
        Data(value)
    }

    pub(crate) fn into_value(self) -> Value {
        self.0
    }
}

impl FromStr for Data {
    type Err = Error;

    fn from_str(text: &str) -> Result<Data, Error> {
        Data::of(&Data::recorded(text)?.0)
    }
}

impl Display for Data {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = if f.alternate() { json::write_pretty(&self.0) } else { json::write(&self.0) };
        f.write_str(&text.map_err(|_| fmt::Error)?)
    }
}

/// Writes every digit if the serializer of `serde_json` produces text. A `serde_json::Value` made from it has floats
/// for integers beyond 64 bits; [`Data::to_json`] fails for those.
impl Serialize for Data {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = json::write(&self.0).map_err(serde::ser::Error::custom)?;
        RawValue::from_string(text).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

/// Reads every digit if the deserializer is one of `serde_json`.
impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Data, D::Error> {
        let text = Box::<RawValue>::deserialize(from)?;
        Data::recorded(text.get()).map_err(serde::de::Error::custom)
    }
}

impl From<&serde_json::Value> for Data {
    fn from(value: &serde_json::Value) -> Data {
        Data(json::from_serde(value))
    }
}

impl From<serde_json::Value> for Data {
    fn from(value: serde_json::Value) -> Data {
        Data::from(&value)
    }
}

/// No part of JSON differs from itself.
impl Eq for Data {}

impl PartialEq for Data {
    fn eq(&self, other: &Data) -> bool {
        is_same(&self.0, &other.0)
    }
}

/// Returns whether two values are the same JSON. Programs treat an integer and an equal float as equal; a record does
/// not.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Map(one), Value::Map(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, value)| other.get(key).is_some_and(|it| is_same(value, it)))
        }
        (Value::Vector(one), Value::Vector(other)) => {
            one.len() == other.len()
                && one.iter().zip(other.iter()).all(|(one, other)| is_same(one, other))
        }
        (Value::Float(one), Value::Float(other)) => one == other,
        (Value::Float(_), _) | (_, Value::Float(_)) => false,
        _ => one == other,
    }
}

impl PartialEq<serde_json::Value> for Data {
    fn eq(&self, other: &serde_json::Value) -> bool {
        self.0 == json::from_serde(other)
    }
}
