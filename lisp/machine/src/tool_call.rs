//! Calls of tools that a machine waits for.

use std::fmt;

use arcstr::ArcStr;
use ptc_facts::payload::PayloadOp;
use ptc_values::code::Span;
use ptc_values::{Map, Value};

/// The name of the function that waits. A [`ToolCall`] of this name is a wait.
pub(super) const WAIT: &str = "flow/wait";

/// The name under which a program's question to a person is made. A [`ToolCall`] of this name is a question.
pub(super) const ASK: &str = "flow/ask";

/// The name of calls that ask for a message of the transcript. The host answers them.
pub(super) const EXPAND: &str = "transcript/expand";

/// The identity of a tool call within its program: its number in order of evaluation, behind the
/// path of its parallel branches. It does not depend on when calls are answered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CallId {
    /// The branch; empty for the main task.
    pub(super) path: Vec<u32>,
    pub(super) number: u32,
}

impl CallId {
    /// Returns the outermost branch that made the call: the number of its fork in the main task,
    /// and its place there. A call of the main task has zeros.
    pub fn branch(&self) -> (u32, u32) {
        if let [fork, place, ..] = self.path[..] { (fork, place) } else { (0, 0) }
    }

    fn parts(&self) -> impl Iterator<Item = u32> {
        self.path.iter().copied().chain([self.number])
    }
}

impl Ord for CallId {
    fn cmp(&self, other: &CallId) -> std::cmp::Ordering {
        self.parts().cmp(other.parts())
    }
}

impl PartialOrd for CallId {
    fn partial_cmp(&self, other: &CallId) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.path {
            write!(f, "{part}.")?;
        }
        write!(f, "{}", self.number)
    }
}

/// A tool call that the machine waits for.
#[derive(Debug, Clone)]
pub struct ToolCall {
    /// Its identity.
    pub id: CallId,
    /// The tool.
    pub name: ArcStr,
    /// The arguments: a map.
    pub args: Value,
    /// The position of the call in the source.
    pub span: Span,
    /// The names of the steps around it, outermost first, joined by `/`; none outside `flow/step`.
    pub step: Option<ArcStr>,
    /// Whether it is made inside `flow/loop`. An agent that it calls may then end the loop: see
    /// [`AnswerEffects::exits_loop`].
    pub in_loop: bool,
}

/// The effects of an answer, besides its value.
#[derive(Debug, Clone, Default)]
pub struct AnswerEffects {
    /// The operations of a sub-agent on the payload. The task that made the call sees them from then on.
    pub payload: Vec<PayloadOp>,
    /// Whether the called agent ends the innermost loop of agents.
    pub exits_loop: bool,
}

impl AnswerEffects {
    /// Returns whether there is no effect.
    pub fn is_none(&self) -> bool {
        self.payload.is_empty() && !self.exits_loop
    }
}

/// Returns the number of calls of tools among calls.
pub(super) fn tool_calls(calls: &[ToolCall]) -> u32 {
    calls.iter().filter(|call| call.is_of_tool()).count() as u32
}

impl ToolCall {
    /// Returns the number of milliseconds to wait, if this is a wait: the call of `flow/wait`, not of a tool.
    pub fn wait(&self) -> Option<u64> {
        if self.name != WAIT {
            return None;
        }
        self.args.get("ms").and_then(Value::as_int).and_then(|ms| u64::try_from(ms).ok())
    }

    /// Returns whether this is a question to a person, which `ask` makes. Its arguments are the form.
    pub fn is_question(&self) -> bool {
        self.name == ASK
    }

    /// Returns the turn whose message is to be sent whole again, if this is the call of `transcript/expand`.
    pub fn expansion(&self) -> Option<u32> {
        if self.name != EXPAND {
            return None;
        }
        self.args.get("turn").and_then(Value::as_int).and_then(|it| u32::try_from(it).ok())
    }

    /// Returns whether this is the call of a tool.
    pub(super) fn is_of_tool(&self) -> bool {
        self.wait().is_none() && !self.is_question() && self.expansion().is_none()
    }
}

impl ToolCall {
    /// Drops the arguments of an answered call, except for a map that the next call can reuse.
    #[inline]
    pub(super) fn drop_args(&mut self) {
        if let Value::Map(args) = &mut self.args
            && !Map::drop_values(args)
        {
            self.args = Value::Nil;
        }
    }
}
