//! Types as JSON Schema (2020-12), and JSON Schema as types.
//!
//! [`Type::to_schema`](crate::Type::to_schema) writes a schema that accepts what the type accepts.
//! [`Type::from_schema`](crate::Type::from_schema) reads any schema at all: what the type language
//! cannot say becomes the nearest wider type, in the end `:any`, and a [`Note`] says so. It never
//! fails, it reads nothing but the document it is given, and its work is bounded, whatever a server
//! sends.
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
//!     r#"(query :string[1..] "What to look for", limit :int[..50]?, site :string?) -> :any"#,
//! );
//! assert_eq!(notes[0].to_string(), "#/properties/site: `format` `uri` is not checked");
//! # Ok::<(), ptc_signatures::Error>(())
//! ```
//!
//! `docs/signatures.md` lists what is mapped to what, and what is lost.

mod draft;
mod read;
mod refs;
#[cfg(feature = "schemars")]
mod rust;
mod write;

use std::fmt::{self, Display, Formatter};

/// Something that a schema says and the type that was made of it does not.
///
/// Prints as `#/properties/site: …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where in the schema, as a JSON pointer with `#` before it; `$ref`s are followed in it.
    pub at: String,
    /// The loss, in a sentence without a dot.
    pub message: String,
}

impl Display for Note {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.message)
    }
}

/// How deep schemas may nest before the rest is `:any`; as deep as types may.
pub const MAX_DEPTH: usize = crate::MAX_NESTING;

/// How many schemas of a document are looked at, each as often as a `$ref` leads there, before the
/// rest is `:any`.
pub const MAX_VISITS: usize = 20_000;

/// How many notes there are at most; the last one then says that there is more.
pub const MAX_NOTES: usize = 100;
