//! The function tool that takes a program, and the tools that a request offers. Some models are better at calling a tool
//! than at writing a code block.

use ptc_prompt::ToolOffer;
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

/// Returns the tool.
pub(super) fn offer() -> ToolOffer {
    let (name, description) = (NAME.to_string(), DESCRIPTION.to_string());
    ToolOffer { name, description, parameters: parameters() }
}

/// Returns the definition of a tool for Chat Completions and Ollama.
pub(super) fn function(offer: &ToolOffer) -> Value {
    let ToolOffer { name, description, parameters } = offer;
    json!({
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    })
}
