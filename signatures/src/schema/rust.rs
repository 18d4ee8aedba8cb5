//! Rust types as types: through the schemas that `schemars` makes of them.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

use super::Note;
use crate::types::{Signature, Type};

impl Type {
    /// Returns the type of the JSON that a Rust type reads.
    ///
    /// What it cannot say is wider; [`Type::from_schema`] of the type's schema has the notes.
    pub fn of<T: JsonSchema>() -> Type {
        Type::from_schema(&reads::<T>()).0
    }
}

impl Signature {
    /// Returns the signature of a function that reads its arguments as `Args` and writes what it
    /// gives as `Output`.
    ///
    /// ```
    /// use ptc_signatures::Signature;
    /// use schemars::JsonSchema;
    ///
    /// #[derive(JsonSchema)]
    /// #[expect(dead_code)]
    /// struct Search {
    ///     /// What to look for
    ///     query: String,
    ///     limit: Option<u8>,
    ///     order: Order,
    /// }
    ///
    /// #[derive(JsonSchema)]
    /// #[serde(rename_all = "kebab-case")]
    /// #[expect(dead_code)]
    /// enum Order {
    ///     NewestFirst,
    ///     OldestFirst,
    /// }
    ///
    /// assert_eq!(
    ///     Signature::of::<Search, Vec<String>>().to_string(),
    ///     "(query :string \"What to look for\", limit :int[0..255]?, \
    ///      order :enum[newest-first oldest-first]) -> [:string]",
    /// );
    /// ```
    pub fn of<Args: JsonSchema, Output: JsonSchema>() -> Signature {
        Signature::of_with_notes::<Args, Output>().0
    }

    /// Returns what [`Signature::of`] does, and what it cannot say.
    pub fn of_with_notes<Args: JsonSchema, Output: JsonSchema>() -> (Signature, Vec<Note>) {
        let output = SchemaSettings::draft2020_12().for_serialize().into_generator();
        let output = output.into_root_schema_for::<Output>();
        Signature::from_schemas(&reads::<Args>(), Some(output.as_value()))
    }
}

fn reads<T: JsonSchema>() -> serde_json::Value {
    let generator = SchemaSettings::draft2020_12().for_deserialize().into_generator();
    generator.into_root_schema_for::<T>().into()
}
