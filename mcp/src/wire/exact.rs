//! Integers past 64 bits in messages. The SDK holds values of `serde_json`, so marks keep them: see [`marks`].

use ptc_lisp::json::marks::{self, Place};
pub(crate) use ptc_lisp::json::marks::{number, written};
use ptc_subagent::Data;
use serde_json::Value;

/// The places in messages of a server.
const OF_SERVERS: [Place; 1] = [Place::of_any(&["result", "structuredContent"])];

/// The places in messages of a client: arguments, and answers to questions in both revisions of the protocol.
const OF_CLIENTS: [Place; 3] = [
    Place::of_parts(&["params", "arguments"]),
    Place::of_parts(&["params", "inputResponses"]),
    Place::of_parts(&["result", "content"]),
];

/// Returns data as a value with marks.
pub(crate) fn marked(data: &Data) -> Value {
    marks::marked(data.value())
}

/// Returns a value with marks as data.
///
/// # Errors
///
/// The reason that the value has no exact form, such as its depth.
pub(crate) fn data(value: &Value) -> Result<Data, String> {
    Data::of(&marks::unmarked(value)).map_err(|error| error.to_string())
}

/// Returns the message of a server with marks; `None` if it needs none.
///
/// # Errors
///
/// The reason that a part of the message has no exact form, with its path.
pub(super) fn of_server(message: &[u8]) -> Result<Option<String>, String> {
    marks::read(message, &OF_SERVERS)
}

/// Returns the message of a client with marks; `None` if it needs none.
pub(crate) fn of_client(message: &[u8]) -> Option<String> {
    // The SDK refuses an integer of so many digits.
    marks::read(message, &OF_CLIENTS).unwrap_or_default()
}
