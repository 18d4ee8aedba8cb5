//! Converts Rust types to signatures, through the schemas of `schemars`.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

use super::Note;
use crate::types::{Signature, Type};

impl Type {
    /// Returns the type of the JSON that a Rust type deserializes from.
    ///
    /// Where the type language cannot express the Rust type, the result is wider.
    /// [`Type::from_schema`] of the Rust type's schema returns notes on that.
    pub fn of<T: JsonSchema>() -> Type {
        Type::from_schema(&input_schema::<T>()).0
    }
}

impl Signature {
    /// Returns the signature of a function that deserializes its arguments as `Args` and serializes
    /// its result as `Output`.
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

    /// Returns the signature of [`Signature::of`], and notes on the constraints that it cannot
    /// express.
    pub fn of_with_notes<Args: JsonSchema, Output: JsonSchema>() -> (Signature, Vec<Note>) {
        let output = SchemaSettings::draft2020_12().for_serialize().into_generator();
        let output = output.into_root_schema_for::<Output>();
        Signature::from_schemas(&input_schema::<Args>(), Some(output.as_value()))
    }
}

fn input_schema<T: JsonSchema>() -> serde_json::Value {
    let generator = SchemaSettings::draft2020_12().for_deserialize().into_generator();
    generator.into_root_schema_for::<T>().into()
}
