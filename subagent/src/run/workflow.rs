//! The names and tools that workflows and agents in a loop add to runs.

use std::sync::LazyLock;

use crate::record::{CallStatus, RunRecord};
use crate::tool::{Constant, Effect, ToolDef};

/// The name of the tool that ends a loop of agents.
pub(super) const EXIT_LOOP: &str = "exit_loop";

/// Returns the tool that ends the loop of agents around a run. The run handles its call itself.
pub(super) fn exit_loop() -> &'static ToolDef {
    static TOOL: LazyLock<ToolDef> = LazyLock::new(|| {
        let tool = ToolDef::new(EXIT_LOOP, Constant::returns(serde_json::Value::Null))
            .with_description("Ends the loop, and this task. Call it only when the task says so.")
            .with_effect(Effect::Read);
        tool.clone().with_signature("() -> :any").unwrap_or(tool)
    });
    &TOOL
}

/// Returns whether a recorded run ended the loop of agents around it: its last call is `exit_loop`.
pub(crate) fn ends_in_loop_exit(record: &RunRecord) -> bool {
    let last = record.turn_records.last().and_then(|turn| turn.calls.last());
    last.is_some_and(|call| call.tool == EXIT_LOOP && call.status == CallStatus::Finished)
}
