//! The one function tool that takes a program, for models that are better at calling one than at writing a
//! block of code.

use serde_json::{Value, json};

/// Its name.
pub(super) const NAME: &str = "run_program";

/// What the model is told of it.
pub(super) const DESCRIPTION: &str = "Runs one PTC-Lisp program. Answer by calling this once, with the program as \
    it would stand in the block of code.";

/// The schema of its arguments.
pub(super) fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {"program": {"type": "string", "description": "The source of the program."}},
        "required": ["program"],
        "additionalProperties": false,
    })
}

/// The tool as chat completions and Ollama want it.
pub(super) fn function() -> Value {
    json!({
        "type": "function",
        "function": {"name": NAME, "description": DESCRIPTION, "parameters": parameters()},
    })
}
