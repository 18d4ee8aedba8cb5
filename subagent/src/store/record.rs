//! What a store knows of runs, as data.

use ptc_lisp::Repair;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::data::Data;
use crate::provider::{Finish, Message, Usage};
use crate::run::{
    Bound, ErrorCode, Fail, Origin, Parent, Purpose, RunError, RunId, Status, Stop, TurnOutcome,
};
use crate::words::words;

/// One run in a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RunSummary {
    /// The name of the run.
    pub run: RunId,
    /// The call that it is the answer to, if it is a sub-agent's.
    pub parent: Option<Parent>,
    /// The run that it goes on from, if it is a branch of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The agent's name.
    pub agent: String,
    /// The provider's name.
    pub model: String,
    /// `running` (or its process died), `returned`, `failed`, `stopped`.
    pub status: Status,
    /// Whether its process is gone although it has not ended.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub died: bool,
    /// The stop code of a stopped run.
    pub stop: Option<Stop>,
    /// How many turns there were.
    pub turns: u32,
    /// How many tool calls there were.
    pub tool_calls: u64,
    /// How much work the programs did.
    pub fuel: u64,
    /// The tokens of all replies, and what they cost.
    pub usage: Usage,
    /// Milliseconds since 1970.
    pub started_at: u64,
    /// Milliseconds since 1970; `None` while it runs.
    pub ended_at: Option<u64>,
}

/// Everything a store knows of one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RunRecord {
    /// What a list shows of it.
    #[serde(flatten)]
    pub summary: RunSummary,
    /// The signature in its canonical form.
    pub signature: Option<String>,
    /// The input.
    pub input: Data,
    /// The system prompt.
    pub system: String,
    /// The limits.
    pub limits: Value,
    /// The most turns.
    pub max_turns: u32,
    /// What its programs draw random numbers from; records of earlier versions have none.
    pub seed: Option<u64>,
    /// The version of what programs, prompts and limits mean; 0 if the record does not say.
    #[serde(skip_serializing_if = "is_unknown")]
    pub semantics: u32,
    /// What of the agent decides how its runs go. Runs of sub-agents have none of their own, nor have those of
    /// earlier versions.
    pub definition: Option<Value>,
    /// The agent file.
    pub file: Option<String>,
    /// The process that runs it, if it has not ended: its number, and a name that no other one has.
    pub process: Option<String>,
    /// The value; null if there is none.
    pub value: Value,
    /// What the program said with `(fail …)`.
    pub fail: Option<Fail>,
    /// What stopped the run.
    pub error: Option<RunError>,
    /// What was changed to match a signature, or let through although it does not match.
    pub warnings: Vec<WarningRecord>,
    /// The newest snapshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<SnapshotRecord>,
    /// The turns in order.
    pub turn_records: Vec<TurnRecord>,
}

/// What a run goes on from behind a turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SnapshotRecord {
    /// The turn.
    pub turn: u32,
    /// As in [`Event::Snapshot`](crate::Event::Snapshot).
    pub state: Value,
}

impl SnapshotRecord {
    /// Whether a state is the same, but for what the run has taken: calls that were given up take what they take.
    pub(crate) fn is_same(&self, state: &Value) -> bool {
        let parts = |it: &Value| {
            let parts = ["prompt", "fallback", "programs"];
            parts.map(|part| it.get(part).cloned().unwrap_or_default())
        };
        parts(&self.state) == parts(state)
    }
}

/// One thing that was changed to match a signature, or let through although it does not match.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WarningRecord {
    /// The turn; 0 for the input.
    pub turn: u32,
    /// The call it is about, if it is about one.
    pub call: Option<String>,
    /// `coerced`, `mismatch`, or what was said of a request.
    pub code: ErrorCode,
    /// What it is about, where in it, and what happened.
    pub message: String,
}

/// Everything a store knows of one turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TurnRecord {
    /// Counted from 1.
    pub turn: u32,
    /// What the model was told in this turn.
    pub prompt: String,
    /// The requests to the model. JSON leaves them out where there was one, with the prompts and replies of the run.
    #[serde(skip_serializing_if = "is_plain")]
    pub requests: Vec<RequestRecord>,
    /// What it answered.
    pub reply: Option<String>,
    /// Why the reply ended.
    pub finish: Option<Finish>,
    /// The tokens of the reply.
    pub usage: Option<Usage>,
    /// The program as the model wrote it.
    pub program: Option<String>,
    /// What was changed in it before it ran.
    #[serde(serialize_with = "repaired")]
    pub repair: Option<Repair>,
    /// What the program can touch.
    pub report: Option<Value>,
    /// What was left of the run when the program started.
    pub budget: Option<Value>,
    /// What looked wrong in it and was not certain to be.
    pub warnings: Option<Vec<RunError>>,
    /// Why nothing ran.
    pub rejection: Option<Vec<RunError>>,
    /// What was overlooked or mended in the reply.
    pub notes: Option<Vec<String>>,
    /// What the turn came to, in one word; `None` if it never ended.
    pub outcome: Option<TurnOutcome>,
    /// The program's value as readable text.
    pub value: Option<String>,
    /// What went wrong.
    pub error: Option<RunError>,
    /// The fuel used.
    pub fuel: u64,
    /// Where the budget of the run left the program less than it had.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Bound>,
    /// The tool calls, in the order they were made.
    pub calls: Vec<CallRecord>,
    /// What was printed, in lines.
    pub prints: Vec<String>,
    /// Milliseconds since 1970.
    pub started_at: u64,
    /// Milliseconds since 1970; `None` if it never ended.
    pub ended_at: Option<u64>,
}

/// Everything a store knows of one tool call.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CallRecord {
    /// The place of the call in the program and branch.
    pub call: String,
    /// The tool's name.
    pub tool: String,
    /// The arguments.
    pub args: Data,
    /// Whether it is over, and how.
    pub status: CallStatus,
    /// The result of a finished call.
    pub result: Option<Value>,
    /// What went wrong with a failed one. A run may have 100,000 calls, of which few fail.
    pub error: Option<Box<RunError>>,
    /// The run of the sub-agent that was called.
    pub run: Option<RunId>,
    /// Whether an earlier call with the same arguments had the result.
    pub cached: bool,
    /// Its place among the calls of the turn that are over, in the order in which they were over.
    pub ended: Option<u32>,
    /// Milliseconds since 1970.
    pub started_at: u64,
    /// Milliseconds since 1970.
    pub ended_at: Option<u64>,
}

words! {
    /// Whether a call is over, and how.
    pub enum CallStatus {
        /// It was made; nobody knows what came of it.
        Started = "started",
        /// It has a result.
        Finished = "finished",
        /// It has an error.
        Failed = "failed",
    }
}

/// Writes a repair as programs have it.
#[expect(clippy::ref_option, reason = "serde asks for a reference")]
fn repaired<S: Serializer>(repair: &Option<Repair>, to: S) -> Result<S::Ok, S::Error> {
    repair.as_ref().map(Repair::to_json).serialize(to)
}

/// A request to a model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RequestRecord {
    /// What for.
    pub purpose: Purpose,
    /// Its number among the requests of the turn, counted from 1.
    pub number: u32,
    /// The messages that were sent, if they were not the prompts and replies of the run so far.
    pub messages: Option<Vec<Message>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_unknown(semantics: &u32) -> bool {
    *semantics == 0
}

/// Whether requests say nothing that the turn does not say.
fn is_plain(requests: &[RequestRecord]) -> bool {
    requests.len() <= 1 && requests.iter().all(|it| it.messages.is_none())
}
