//! The states of a call of a run's program: ready, in flight, and open on record.

use std::time::Duration;

use ptc_lisp::{CallId, ToolCall, Value, json};
use ptc_prompt::CallMade;
use tokio::time::Instant;

use super::workflow::WAIT;
use crate::data::Data;
use crate::tool::{ToolDef, ToolOf};

/// A started call or wait without an outcome.
pub(super) struct OpenCall<'t> {
    /// The tool; `None` for a wait.
    pub(super) tool: Option<ToolOf<'t>>,
    pub(super) args: Value,
    /// The number of equal calls before it, if it gets the result of one of them.
    pub(super) repeats: u32,
}

impl OpenCall<'_> {
    /// Returns the call with its outcome; `None` for a wait, which no model is told of.
    pub(super) fn with_outcome(
        self,
        outcome: Result<Value, String>,
        warnings: Vec<String>,
    ) -> Option<CallMade> {
        let OpenCall { tool, args, repeats } = self;
        let tool = tool?;
        let (name, effect) = (tool.name.clone(), tool.effect());
        Some(CallMade { name, args, outcome, effect, warnings, repeats })
    }
}

/// A call that passed the checks and can start, or a wait.
pub(super) struct Ready<'t> {
    pub(super) id: CallId,
    /// The tool; `None` for a wait.
    pub(super) tool: Option<ToolOf<'t>>,
    pub(super) step: Option<String>,
    pub(super) in_loop: bool,
    /// The rest of a wait.
    pub(super) wait: Duration,
    pub(super) args: Value,
    pub(super) arguments: Arguments,
    /// Its recorded position among the finished calls, if it is a finished run of a sub-agent.
    pub(super) ended: Option<u32>,
    /// The result that the user stated for a call in doubt.
    pub(super) assumed_result: Option<serde_json::Value>,
}

impl Ready<'_> {
    /// Returns the name on record.
    pub(super) fn name(&self) -> &str {
        self.tool.as_ref().map_or(WAIT, |tool| &tool.name)
    }
}

/// The arguments of a call as its tool receives them.
pub(super) enum Arguments {
    /// Arguments for a tool.
    Tool(serde_json::Value),
    /// Arguments for an agent. Its input keeps every digit of a number.
    Agent(Data),
}

impl Arguments {
    pub(super) fn of(tool: &ToolDef, args: &Value) -> Result<Arguments, json::NotJson> {
        match tool.as_agent() {
            Some(_) => Data::of_program(args).map(Arguments::Agent),
            None => json::to_serde(args).map(Arguments::Tool),
        }
    }

    /// Returns the arguments as the record has them.
    pub(super) fn data(&self) -> Data {
        match self {
            Arguments::Tool(json) => json.into(),
            Arguments::Agent(data) => data.clone(),
        }
    }
}

/// A call in flight.
pub(super) struct Flight {
    pub(super) id: CallId,
    /// The time of its start, if the run has an observer or a store.
    pub(super) since: Option<Instant>,
    /// Its recorded position among the finished calls.
    pub(super) ended: Option<u32>,
    /// Whether it does not count as work of the run: a wait, or an agent, whose own run counts.
    pub(super) is_quiet: bool,
}

/// Returns a wait as work that can start.
pub(super) fn wait_of(call: ToolCall, ms: u64) -> Ready<'static> {
    let ToolCall { id, args, step, in_loop, .. } = call;
    Ready {
        id,
        tool: None,
        step: step.map(|step| step.to_string()),
        in_loop,
        wait: Duration::from_millis(ms),
        args,
        arguments: Arguments::Tool(serde_json::json!({"ms": ms})),
        ended: None,
        assumed_result: None,
    }
}
