//! Agents as tools: names, schemas and annotations.

use std::sync::Arc;

use ptc_signatures::shown::escape_owned;
use ptc_subagent::provider::Provider;
use ptc_subagent::tool::Effect;
use ptc_subagent::{Agent, SignatureMode};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

/// An agent that a server offers, with the provider of its model.
pub struct Served {
    /// The agent.
    pub agent: Agent,
    /// The provider of its model; `None` for the model of the client, which the client must offer.
    pub provider: Option<Box<dyn Provider>>,
}

/// An agent with its tool.
pub(super) struct Offer {
    pub(super) tool: Tool,
    /// Whether results are wrapped as `{"result": …}`.
    pub(super) wraps: bool,
    pub(super) agent: Arc<Agent>,
    /// The provider of its model, as [`Served`] has it.
    pub(super) provider: Option<Box<dyn Provider>>,
}

impl Offer {
    pub(super) fn new(agent: Arc<Agent>, provider: Option<Box<dyn Provider>>) -> Offer {
        let schema = agent.tool_schema();
        // Results are objects in all revisions of the protocol.
        let wraps = schema.output.get("type").and_then(Value::as_str) != Some("object");
        let output = match schema.output {
            output if wraps => {
                json!({"type": "object", "properties": {"result": output}, "required": ["result"]})
            }
            output => output,
        };
        let description = escape_owned(schema.description.unwrap_or_default());
        let writing = agent.tools.iter().filter(|it| it.effect() == Effect::Write);
        let is_idempotent = writing.clone().all(|it| it.idempotent);
        let annotations = match writing.count() {
            0 => ToolAnnotations::new().read_only(true),
            _ => ToolAnnotations::new().read_only(false).idempotent(is_idempotent),
        };
        let mut tool = Tool::new(usual_name(&agent.name), description, object(schema.input))
            .with_annotations(annotations);
        // The other modes let values through that do not match, and clients refuse them.
        let mode = agent.signature_mode;
        if matches!(mode, SignatureMode::Coerce | SignatureMode::Strict) {
            tool = tool.with_raw_output_schema(object(output));
        }
        Offer { tool, wraps, agent, provider }
    }
}

/// Returns the name of an agent as a name of the protocol: at most 128 letters, digits, `_`, `-` and `.` of ASCII.
fn usual_name(name: &str) -> String {
    let usual = |c: char| if c.is_ascii_alphanumeric() || "_-.".contains(c) { c } else { '_' };
    name.chars().take(128).map(usual).collect()
}

fn object(schema: Value) -> Arc<JsonObject> {
    match schema {
        Value::Object(schema) => Arc::new(schema),
        _ => Arc::new(JsonObject::new()),
    }
}
