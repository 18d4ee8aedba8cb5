//! Errors as the JavaScript half reads them: JSON, with the name of the class.

use napi::{Error, Result, Status};
use serde::Deserialize;
use serde_json::json;

/// Makes the exception for an error of the library: a run did not start, or a store failed.
pub(crate) fn raise(error: ptc_subagent::Error) -> Error {
    thrown(told(&error))
}

/// Makes a `TypeError`.
pub(crate) fn type_error(message: impl AsRef<str>) -> Error {
    thrown(json!({"class": "TypeError", "message": message.as_ref()}).to_string())
}

/// Makes an `Error` of JavaScript.
pub(crate) fn plain_error(message: impl AsRef<str>) -> Error {
    thrown(plain(message))
}

/// Describes an `Error` of JavaScript.
pub(crate) fn plain(message: impl AsRef<str>) -> String {
    json!({"class": "Error", "message": message.as_ref()}).to_string()
}

/// Describes an error of the library.
pub(crate) fn told(error: &ptc_subagent::Error) -> String {
    let (line, column) = error.line_column().unzip();
    json!({
        "class": "AgentError",
        "code": error.code(),
        "message": error.message(),
        "help": error.help(),
        "path": error.path().map(|it| it.display().to_string()),
        "line": line,
        "column": column,
    })
    .to_string()
}

/// Reads settings that the JavaScript half has written.
pub(crate) fn settings<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| type_error(format!("a wrong setting: {error}")))
}

/// Makes the exception that a text describes.
pub(crate) fn thrown(described: String) -> Error {
    Error::new(Status::GenericFailure, described)
}
