//! The request for a partial answer, and its reply.

use ptc_lisp::Value;
use ptc_signatures::Type;

use super::json::{is_text, read_answer};

/// Returns the message that asks for a partial answer, when no turn is left.
pub fn summary_request(output: Option<&Type>) -> String {
    let form = match output.filter(|output| !is_text(output)) {
        Some(output) => format!("as one JSON value of the type `{output}` and nothing else"),
        None => "as text, and say that it is not complete".to_owned(),
    };
    format!(
        "The mission stops here. Write the best answer from what you know so far, {form}. Call no tool and write no program."
    )
}

/// Reads the reply to a [`summary_request`].
pub fn read_summary(reply: &str, output: Option<&Type>) -> Option<Value> {
    match output.filter(|output| !is_text(output)) {
        Some(output) => read_answer(reply, Some(output)),
        None => read_answer(reply, Some(&Type::STRING)),
    }
}
