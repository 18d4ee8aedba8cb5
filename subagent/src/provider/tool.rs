//! The function tool that takes a program. Some models are better at calling a tool than at writing a code block.

use serde_json::{Value, json};

/// The name of the tool.
pub(super) const NAME: &str = "run_program";

/// The description that the model reads.
pub(super) const DESCRIPTION: &str = "Runs one PTC-Lisp program. Answer by calling this once, with the program as \
    it would stand in the block of code.";

/// Returns the schema of the tool's arguments.
pub(super) fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {"program": {"type": "string", "description": "The source of the program."}},
        "required": ["program"],
        "additionalProperties": false,
    })
}

/// Returns the definition of the tool for Chat Completions and Ollama.
pub(super) fn function() -> Value {
    json!({
        "type": "function",
        "function": {"name": NAME, "description": DESCRIPTION, "parameters": parameters()},
    })
}
