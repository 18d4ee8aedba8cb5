//! OpenAPI documents of versions 3.0 and 3.1 as operations that programs call.
//!
//! A [`Document`] is read from JSON or YAML. Each [`Operation`] has a signature, and makes a [`Request`] from arguments.
//! Nothing here sends a request: the caller has the server, the headers with secrets and the HTTP client.
//!
//! ```
//! use ptc_openapi::{Document, Given};
//! use serde_json::json;
//!
//! let document = Document::parse(
//!     "
//! openapi: 3.1.0
//! paths:
//!   /pets/{id}:
//!     get:
//!       operationId: get-pet
//!       summary: Returns a pet
//!       parameters:
//!         - {name: id, in: path, required: true, schema: {type: integer}}
//!         - {name: fields, in: query, schema: {type: array, items: {type: string}}}
//!       responses:
//!         200:
//!           content:
//!             application/json: {schema: {type: object, properties: {name: {type: string}}}}
//! ",
//! )?;
//! let endpoint = &document.endpoints()?[0];
//! assert_eq!(endpoint.name(), "get-pet");
//! let operation = document.operation(endpoint, &Given::default())?;
//! assert_eq!(operation.signature.to_string(), "(id :int, fields? [:string]) -> {name? :string}");
//! let args = json!({"id": 7, "fields": ["name", "age"]});
//! let request = operation.request(&args, serde_json::Value::to_string)?;
//! assert_eq!(request.target, "/pets/7?fields=name&fields=age");
//! # Ok::<(), ptc_openapi::Error>(())
//! ```

mod body;
mod document;
mod error;
mod media_type;
mod method;
mod multipart;
mod operation;
mod outline;
mod parameter;
mod place;
mod request;
mod style;
mod types;
mod yaml;

pub use document::{Document, Endpoint, Given};
pub use error::Error;
pub use method::Method;
pub use multipart::{Load, Loaded, MAX_MULTIPART, Source};
pub use operation::Operation;
pub use request::{Content, Request};
pub use style::percent_encoded;
pub use types::Types;
