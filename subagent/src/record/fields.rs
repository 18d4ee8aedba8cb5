//! The fields of an event, by name, each as JSON text.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// The fields of an event, each with its JSON as text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields(BTreeMap<String, String>);

/// The error of a recorded event: the field and its contents.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` holds {holds}")]
pub(crate) struct BadField {
    field: String,
    holds: String,
}

impl BadField {
    pub(crate) fn new(field: &str, json: Option<&str>) -> BadField {
        const MAX_SHOWN: usize = 40;
        let holds = json.map_or_else(
            || "nothing".to_string(),
            |json| json.chars().take(MAX_SHOWN).collect::<String>(),
        );
        BadField { field: field.to_string(), holds }
    }
}

impl Fields {
    /// Returns the JSON of a field.
    pub fn json(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Parses an object; `None` if the text is not a JSON object.
    pub(crate) fn parse(text: &str) -> Option<Fields> {
        let fields: BTreeMap<String, Box<RawValue>> = serde_json::from_str(text).ok()?;
        let fields = fields.into_iter();
        Some(Fields(
            fields.map(|(name, json)| (name, String::from(Box::<str>::from(json)))).collect(),
        ))
    }

    /// Removes and returns the JSON of a field.
    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        self.0.remove(name)
    }

    /// Sets a field to a JSON text.
    pub(crate) fn set(&mut self, name: impl Into<String>, json: String) {
        self.0.insert(name.into(), json);
    }

    /// Returns all fields with their JSON.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, json)| (name.as_str(), json.as_str()))
    }

    /// Reads a required field. It may be absent if its type accepts null.
    pub(super) fn get<T: DeserializeOwned>(&self, name: &str) -> Result<T, BadField> {
        let json = self.0.get(name);
        let text = json.map_or("null", String::as_str);
        serde_json::from_str(text).map_err(|_| BadField::new(name, json.map(String::as_str)))
    }

    /// Reads an optional field.
    pub(super) fn or_default<T: DeserializeOwned + Default>(
        &self,
        name: &str,
    ) -> Result<T, BadField> {
        Ok(self.get::<Option<T>>(name)?.unwrap_or_default())
    }
}
