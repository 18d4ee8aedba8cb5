//! The type language of missions and tools: parse, render, check, coerce, JSON Schema both ways.
//!
//! A [`Signature`] types the inputs and the output. It is parsed from text, printed in one
//! canonical form, and used to check data: JSON, or any other data that implements [`Datum`].
//!
//! ```
//! use ptc_signatures::{Signature, check};
//! use serde_json::json;
//!
//! let signature: Signature = "(region :string) -> [{customer :string, total :float}]".parse()?;
//! assert!(signature.check_input(&json!({"region": "north"})).is_empty());
//!
//! let mismatches = check(&signature.output, &json!([{"customer": 7, "total": 1.5}]));
//! assert_eq!(mismatches[0].to_string(), "[0].customer: expected string, found int 7");
//! # Ok::<(), ptc_signatures::Error>(())
//! ```
//!
//! # Grammar
//!
//! ```text
//! signature = "(" field* ")" "->" type     inputs and output
//!           | "->" type | type             no inputs
//! field     = (":"? name | ":" literal) type description?  also a parameter
//! type      = atom "?"* ("|" atom "?"*)*
//! atom      = ":any" | ":bool" | ":keyword" | ":datetime" | ":map"
//!           | ":int" range? | ":float" range? | ":string" range?
//!           | ":enum" "[" (name | literal)+ "]"
//!           | "[" type "]" range?
//!           | "{" field* "}"
//! range     = "[" number? ".." number? "]" at least one of the two numbers
//! name      = [A-Za-z_][A-Za-z0-9_-]*
//! ```
//!
//! A description and a literal are text in double quotes with the escapes `\"`, `\\`, `\n`, `\r`
//! and `\t`. Commas count as white space between fields and between enum values. Types nest at most
//! [`MAX_NESTING`] levels deep, and a text has at most [`MAX_SOURCE`] bytes.
//!
//! ```
//! # use ptc_signatures::Signature;
//! // The text on the left is printed as the text on the right.
//! for (written, printed) in [
//!     (":int", "() -> :int"),
//!     ("-> [:string]", "() -> [:string]"),
//!     ("(a :int b :string?) -> {}", "(a :int, b :string?) -> {}"),
//!     ("{:reason :keyword, :op :string?}", "() -> {reason :keyword, op :string?}"),
//!     (":enum[low, mid, high]", "() -> :enum[low mid high]"),
//!     (":int? | :string", "() -> :int|:string?"),
//!     ("(n :int[1..100] \"how many\") -> [:any][..10]", "(n :int[1..100] \"how many\") -> [:any][..10]"),
//! ] {
//!     assert_eq!(written.parse::<Signature>()?.to_string(), printed);
//! }
//! # Ok::<(), ptc_signatures::Error>(())
//! ```
//!
//! # Meaning
//!
//! | type | accepts |
//! |---|---|
//! | `:any` | everything, nil too |
//! | `:bool` | true, false |
//! | `:int` `:int[1..100]` | an integer of any size, in the range; no float |
//! | `:float` `:float[0..1]` | a float or an integer, in the range |
//! | `:string` `:string[1..80]` | a string; the range counts Unicode code points |
//! | `:keyword` | a keyword; in data without keywords (JSON) a string |
//! | `:datetime` | a datetime, or a string in ISO 8601: a date, or a date and a time |
//! | `:enum[a b]` | a string or a keyword that is one of the words |
//! | `:map`, `{}` | any map |
//! | `[T]` `[T][3..]` | a list of `T`; the range counts items |
//! | `{name T}` | a map with these fields; others are allowed |
//! | `T?` | `T` or nil; a field of this type may be absent |
//! | `{name? T}` | the field may be absent; nil says that it is |
//! | `A\|B` | `A` or `B`; a `?` on one of them makes the whole union optional |
//!
//! Ranges include both ends.
//!
//! # Errors
//!
//! Parsing a text that is not a signature returns one [`Error`] with a stable code, a span in bytes
//! and, where it is known, what to write instead.
//!
//! ```
//! # use ptc_signatures::Signature;
//! let error = "(n :integer) -> :bool".parse::<Signature>().unwrap_err();
//! assert_eq!((error.code(), error.span()), ("unknown-type", 3..11));
//! assert_eq!(error.to_string(), "unknown type `:integer`");
//! assert_eq!(error.help(), Some("use `:int`"));
//! ```
//!
//! Checks return data, not errors: every [`Mismatch`] of a value, up to [`MAX_MISMATCHES`].
//! [`coerce`](mod@coerce) changes the data where that loses nothing, and reports each change. A
//! [`SignatureMode`] selects whether data is coerced, refused, only warned about, or not checked.
//! [`schema`] converts to and from JSON Schema. [`shown`] has the characters that no text shows raw. With the feature `schemars`, Rust types have
//! signatures.

mod absent;
mod check;
pub mod coerce;
mod cursor;
pub mod datetime;
mod datum;
mod error;
mod example;
pub mod key_rules;
mod mismatch;
mod mode;
mod parse;
mod render;
pub mod schema;
pub mod shown;
pub mod spelling;
mod suggest;
mod types;
mod unknown;
mod words;

#[cfg(feature = "schemars")]
pub use schemars;

pub use check::{MAX_MISMATCHES, check, check_strict};
pub use datum::{Coercible, Datum, Kinds, View};
pub use error::{Error, ErrorKind};
pub use mismatch::{HIDDEN, Mismatch, MismatchKind, Path, Segment};
pub use mode::{Enforced, SignatureMode, UnknownMode, Warning};
pub use parse::{MAX_NESTING, MAX_SOURCE};
pub use types::{Bounds, Field, Length, Record, Signature, Type};
pub use unknown::UnknownKey;

/// The guide, whose examples are compiled and run.
///
/// It is a page of the folder `docs/` of the repository; its links lead to files there.
#[cfg(any(doc, doctest))]
pub mod guide {
    #[cfg_attr(any(not(doctest), feature = "schemars"), doc = include_str!("../docs/signatures.md"))]
    pub mod signatures {}
}
