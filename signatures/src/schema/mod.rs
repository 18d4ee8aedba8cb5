//! Converts types to JSON Schema (2020-12), and JSON Schema to types.
//!
//! [`Type::to_schema`](crate::Type::to_schema) writes a schema that accepts the values that the
//! type accepts. [`Type::from_schema`](crate::Type::from_schema) reads any schema. Where the type
//! language cannot express a part, the type becomes the nearest wider one, at worst `:any`, and a
//! [`Note`] says so. Reading never fails, uses nothing but the given document, and does bounded
//! work, whatever a server sends.
//!
//! ```
//! use ptc_signatures::{Signature, Type};
//! use serde_json::json;
//!
//! let ty: Type = "{id :int[1..], state :enum[open closed]?}".parse()?;
//! assert_eq!(ty.to_schema(), json!({
//!     "type": "object",
//!     "properties": {
//!         "id": {"type": "integer", "minimum": 1},
//!         "state": {"type": ["string", "null"], "enum": ["open", "closed", null]},
//!     },
//!     "required": ["id"],
//! }));
//! assert_eq!(Type::from_schema(&ty.to_schema()), (ty, vec![]));
//!
//! let input = json!({
//!     "type": "object",
//!     "properties": {
//!         "query": {"type": "string", "minLength": 1, "description": "What to look for"},
//!         "limit": {"type": "integer", "maximum": 50},
//!         "site": {"type": "string", "format": "uri"},
//!     },
//!     "required": ["query"],
//! });
//! let (signature, notes) = Signature::from_schemas(&input, None);
//! assert_eq!(
//!     signature.to_string(),
//!     r#"(query :string[1..] "What to look for", limit? :int[..50], site? :string) -> :any"#,
//! );
//! assert_eq!(notes[0].to_string(), "#/properties/site: `format` `uri` is not checked");
//! # Ok::<(), ptc_signatures::Error>(())
//! ```
//!
//! `docs/signatures.md` lists the mapping and the losses.

mod draft;
mod read;
mod refs;
#[cfg(feature = "schemars")]
mod rust;
mod write;

use std::fmt::{self, Display, Formatter};

pub use refs::resolve;

/// A constraint of a schema that its type does not express.
///
/// Prints as `#/properties/site: …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The place in the schema, as a JSON pointer after `#`. It passes through `$ref`s.
    pub at: String,
    /// The loss, as a sentence without a dot.
    pub message: String,
}

impl Display for Note {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.message)
    }
}

/// The maximum nesting of schemas, in levels: the same as of types. Schemas below it become `:any`.
pub const MAX_DEPTH: usize = crate::MAX_NESTING;

/// The maximum number of schemas that are read. A schema counts once for each `$ref` that leads to
/// it. The rest become `:any`.
pub const MAX_VISITS: usize = 20_000;

/// The maximum number of notes. If there are more, the last note says so.
pub const MAX_NOTES: usize = 100;
