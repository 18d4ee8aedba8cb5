//! Answers that the client cannot use, as errors that end their call.

use ptc_subagent::tool::{ToolError, ToolErrorKind};
use rmcp::ErrorData;
use rmcp::model::{JsonRpcMessage, RequestId, ServerJsonRpcMessage};
use serde_json::{Value, json};

use super::{Outline, exact};

/// The maximum size of a message of a server, in bytes. The client of the SDK has the same for HTTP.
pub(super) const MAX_MESSAGE: usize = 16 << 20;

/// The key of the mark by which [`Unusable::of`] knows an error.
const MARK: &str = "ptc/unusable";

/// The fault of an answer.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Unusable {
    TooLarge,
    /// It is not a message of the protocol, and why.
    Malformed(String),
}

impl Unusable {
    /// Returns the error that a call gets instead of the answer.
    pub(crate) fn error(self) -> ErrorData {
        let (mark, why) = match self {
            Unusable::TooLarge => (true, "it is too large".to_string()),
            Unusable::Malformed(why) => (false, why),
        };
        ErrorData::internal_error(why, Some(json!({MARK: mark})))
    }

    /// Returns the message that ends a call instead of the answer.
    pub(super) fn message(self, call: RequestId) -> ServerJsonRpcMessage {
        JsonRpcMessage::error(self.error(), Some(call))
    }

    /// Reads an error of [`Unusable::error`]. A server that makes such an error says no more than that its answer is
    /// unusable.
    pub(crate) fn of(error: &ErrorData) -> Option<Unusable> {
        match error.data.as_ref()?.get(MARK)? {
            Value::Bool(true) => Some(Unusable::TooLarge),
            _ => Some(Unusable::Malformed(error.message.to_string())),
        }
    }

    /// Returns the error of a tool. `when` tells when the answer came, and `clean` makes a text safe.
    pub(crate) fn tool_error(self, when: &str, clean: impl FnOnce(&str) -> String) -> ToolError {
        match self {
            Unusable::TooLarge => {
                let limit = MAX_MESSAGE >> 20;
                let message = format!("gave an answer of more than {limit} MiB{when}");
                ToolError::new(ToolErrorKind::TooLarge, message)
            }
            Unusable::Malformed(why) => {
                let why = clean(&why);
                let message = format!("gave an answer of the wrong form{when}: {why}");
                ToolError::new(ToolErrorKind::Output, message)
            }
        }
    }
}

/// A message that the client can use.
pub(super) struct Usable {
    pub(super) message: ServerJsonRpcMessage,
    /// Its text with the marks of [`exact`], if it has some.
    pub(super) marked: Option<String>,
}

/// Reads a message. Marks keep its integers past 64 bits.
///
/// # Errors
///
/// The call that the message answers, and the fault of the answer; `None` if the message is not an answer.
pub(super) fn read(message: &[u8]) -> Result<Usable, Option<(RequestId, Unusable)>> {
    let outline = Outline::of(message);
    let (marked, inexact) = match exact::of_server(message) {
        Ok(marked) => (marked, None),
        Err(why) => (None, Some(why)),
    };
    let parsed = serde_json::from_slice(marked.as_ref().map_or(message, String::as_bytes));
    let why = match (&parsed, outline.has_result, outline.has_error) {
        (_, true, true) => "it has both `result` and `error`".to_string(),
        (Err(_), false, false) => "it has neither `result` nor `error`".to_string(),
        (Err(error), ..) => match std::str::from_utf8(message) {
            Err(error) => format!("byte {} is not UTF-8", error.valid_up_to()),
            Ok(_) => inexact.unwrap_or_else(|| error.to_string()),
        },
        (Ok(_), ..) => match inexact {
            Some(why) => why,
            None => return parsed.map(|message| Usable { message, marked }).map_err(|_| None),
        },
    };
    match answered(&outline) {
        Some(call) => Err(Some((call, Unusable::Malformed(why)))),
        None => parsed.map(|message| Usable { message, marked }).map_err(|_| None),
    }
}

/// Returns the call that a message answers.
pub(super) fn answered(outline: &Outline) -> Option<RequestId> {
    let id = outline.id.as_ref().filter(|_| !outline.has_method)?;
    serde_json::from_value(id.clone()).ok()
}
