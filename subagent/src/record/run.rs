//! The record of a run: the data that a store has about it.

use std::collections::BTreeMap;

use ptc_lisp::Repair;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::artifact::Artifact;
use super::code::ErrorCode;
use super::earlier::{ConversationPlace, Earlier};
use super::event::{
    Act, Bound, FallbackModel, Origin, Parent, Purpose, RefusedCall, RunSetup, TurnOutcome,
};
use super::id::RunId;
use super::label_origin::LabelOrigin;
use super::names::{APPROVE, ASK, CONFIRM, EXPAND, WAIT};
use super::question::OpenQuestion;
use super::queued::RunQueued;
use super::report::{Fail, RunError, Status, Stop};
use super::source::SourceRecord;
use crate::blob::Blob;
use crate::data::Data;
use crate::payload::{Diff, PatchError, PayloadChange, PayloadCheck};
use crate::provider::{CallResult, Finish, Message, ModelCall, Opaque, Reply, Usage};
use crate::transcript::TranscriptChange;
use crate::words::words;

/// The summary of a run, as a list shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RunSummary {
    /// The id of the run.
    pub run: RunId,
    /// The call that started the run, if it is the run of a sub-agent.
    pub parent: Option<Parent>,
    /// The run that this run branched from, if it is a branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The place of the run in its conversation; `None` if it begins one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversation: Option<ConversationPlace>,
    /// The person who started the run, its owner; `None` if the host knew none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The name of the agent.
    pub agent: String,
    /// The name of the provider.
    pub model: String,
    /// The status: `queued`, `running` (also if its process is dead), `returned`, `failed`, `stopped` or `waiting`.
    pub status: Status,
    /// Whether the process of the run is dead although the run has not ended.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub died: bool,
    /// The stop code, if the run was stopped.
    pub stop: Option<Stop>,
    /// The number of turns.
    pub turns: u32,
    /// The number of tool calls.
    pub tool_calls: u64,
    /// The fuel that the programs used.
    pub fuel: u64,
    /// The tokens of all replies, and their cost.
    pub usage: Usage,
    /// The start, in milliseconds since 1970.
    pub started_at: u64,
    /// The end, in milliseconds since 1970; `None` if the run has not ended.
    pub ended_at: Option<u64>,
}

/// The complete record of one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RunRecord {
    /// The summary of the run.
    #[serde(flatten)]
    pub summary: RunSummary,
    /// The input, the prompt and the limits of the run.
    #[serde(flatten)]
    pub setup: RunSetup,
    /// The process that owns the run, if the run has not ended: its number and a unique name.
    pub process: Option<String>,
    /// The returned value; null if there is none.
    pub value: Data,
    /// The failure that the program reported with `(fail …)`.
    pub fail: Option<Fail>,
    /// The error that stopped the run.
    pub error: Option<RunError>,
    /// Whether the value is a partial answer.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// Whether the value is a question of the model to a person, whom its agent cannot ask.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub chat: bool,
    /// The remarks of the model beside the decision that ended the run, or the report of its last program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remarks: Option<Value>,
    /// The changes and mismatches that signature modes allowed.
    pub warnings: Vec<WarningRecord>,
    /// The payload; `None` if the agent has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload: Option<PayloadRecord>,
    /// The sources of its agent, in the order in which they were loaded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceRecord>,
    /// The earlier run of the conversation, with the messages and the state that the run begins with; `None` if it
    /// begins a conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Earlier>,
    /// The name of the conversation that the run begins, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named: Option<String>,
    /// The time at which a waiting run is to be resumed, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<u64>,
    /// The open questions of a waiting run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<OpenQuestion>,
    /// The newest request that a host should run it, unless it has ended since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queued: Option<RunQueued>,
    /// The newest snapshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<SnapshotRecord>,
    /// The programs with which a workflow continued after its agent file changed, in the order of their turns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<ProgramRecord>,
    /// The acts of persons on the run after its start.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub acts: Vec<ActRecord>,
    /// The versions of artifacts that the run made, or that a person made after it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<Artifact>,
    /// The turns in order.
    pub turn_records: Vec<TurnRecord>,
}

/// An act of a person on a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ActRecord {
    /// The time, in milliseconds since 1970.
    pub at: u64,
    /// The act.
    #[serde(flatten)]
    pub act: Act,
}

/// A program with which a workflow continued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ProgramRecord {
    /// The first turn that ran it.
    pub turn: u32,
    /// The program.
    pub program: String,
}

/// The payload of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PayloadRecord {
    /// The payload at the start.
    pub start: Data,
    /// The run that it comes from, if the run continues from another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<RunId>,
    /// The check at the start, if the payload has a signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<PayloadCheck>,
    /// The payload at the end; `None` if the run has not ended.
    pub end: Option<Data>,
}

/// A snapshot, from which a run can continue after a turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SnapshotRecord {
    /// The turn that precedes the snapshot.
    pub turn: u32,
    /// The state, as in [`Event::Snapshot`](crate::Event::Snapshot).
    pub state: Data,
}

impl RunRecord {
    /// Makes the record of a run that has just started.
    pub(crate) fn new(summary: RunSummary, setup: RunSetup) -> RunRecord {
        RunRecord {
            summary,
            setup,
            process: None,
            value: Data::default(),
            fail: None,
            error: None,
            partial: false,
            chat: false,
            remarks: None,
            warnings: Vec::new(),
            payload: None,
            after: None,
            named: None,
            sources: Vec::new(),
            due: None,
            questions: Vec::new(),
            queued: None,
            snapshot: None,
            programs: Vec::new(),
            acts: Vec::new(),
            artifacts: Vec::new(),
            turn_records: Vec::new(),
        }
    }

    /// Returns the turns whose calls and questions may be open: all that a change of the program has not ended.
    pub(crate) fn open_turns(&self) -> impl Iterator<Item = &TurnRecord> {
        let is_abandoned = |it: &&TurnRecord| it.outcome == Some(TurnOutcome::Abandoned);
        self.turn_records.iter().filter(move |it| !is_abandoned(it))
    }

    /// Returns the differences that each turn made in the payload. Turns without a change are left out.
    ///
    /// # Errors
    ///
    /// [`PatchError`] if the recorded changes do not fit.
    pub fn payload_diffs(&self) -> Result<BTreeMap<u32, Diff>, PatchError> {
        let mut diffs = BTreeMap::new();
        let Some(payload) = &self.payload else { return Ok(diffs) };
        let mut before = payload.start.clone();
        for turn in self.turn_records.iter().filter(|it| !it.payload_changes.is_empty()) {
            let after = PayloadChange::apply_all(&before, &turn.payload_changes)?;
            diffs.insert(turn.turn, Diff::between(&before, &after));
            before = after;
        }
        Ok(diffs)
    }
}

impl SnapshotRecord {
    /// Returns whether a state equals this one, apart from the used budget. The usage of abandoned calls can vary.
    pub(crate) fn is_same(&self, state: &Data) -> bool {
        let parts = |it: &Data| {
            let parts =
                ["prompt", "results", "images", "called", "expanded", "fallback", "programs"];
            parts.map(|part| it.get(part).unwrap_or_default())
        };
        parts(&self.state) == parts(state)
    }
}

/// A change or a mismatch that a signature mode allowed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WarningRecord {
    /// The turn; 0 for the input.
    pub turn: u32,
    /// The call, if the warning is about one.
    pub call: Option<String>,
    /// The code: `coerced`, `mismatch`, or the code of a warning about a request.
    pub code: ErrorCode,
    /// The message: the subject, the place in it, and the event.
    pub message: String,
}

/// The complete record of one turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TurnRecord {
    /// The number of the turn, from 1.
    pub turn: u32,
    /// The prompt of this turn.
    pub prompt: String,
    /// The results of the calls that the reply before asked for natively.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<CallResult>,
    /// The hashes of the images that the message shows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<String>,
    /// The requests to the model. JSON leaves them out if there was only one, with the prompts and replies of the run.
    #[serde(skip_serializing_if = "is_plain")]
    pub requests: Vec<RequestRecord>,
    /// The reply of the model.
    pub reply: Option<String>,
    /// The calls that the reply asks for natively.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub model_calls: Vec<ModelCall>,
    /// The parts of the reply that only its provider understands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opaque: Vec<Opaque>,
    /// The reason that the reply ended.
    pub finish: Option<Finish>,
    /// The tokens of the reply.
    pub usage: Option<Usage>,
    /// The program as the model wrote it.
    pub program: Option<String>,
    /// The repair of the program before it ran.
    #[serde(serialize_with = "repaired")]
    pub repair: Option<Repair>,
    /// The admission report of the program.
    pub report: Option<Value>,
    /// The remaining budget of the run when the program started.
    pub budget: Option<Value>,
    /// The warnings about the program: suspicious parts that need not be errors.
    pub warnings: Option<Vec<RunError>>,
    /// The errors for which the reply was rejected.
    pub rejection: Option<Vec<RunError>>,
    /// The notes on parts of the reply that were ignored or corrected.
    pub notes: Option<Vec<String>>,
    /// The calls of the reply that were refused.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedCall>,
    /// The outcome of the turn; `None` if it never ended.
    pub outcome: Option<TurnOutcome>,
    /// The value of the program as readable text.
    pub value: Option<String>,
    /// The error that ended the turn.
    pub error: Option<RunError>,
    /// The fuel that the program used.
    pub fuel: u64,
    /// The limits that the remaining budget of the run lowered for the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Bound>,
    /// The committed changes of the payload.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub payload_changes: Vec<PayloadChange>,
    /// The check of the payload at the end of the run, if the program of this turn returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload_check: Option<PayloadCheck>,
    /// The tool calls, in the order in which they were made.
    pub calls: Vec<CallRecord>,
    /// The printed lines.
    pub prints: Vec<String>,
    /// The start, in milliseconds since 1970.
    pub started_at: u64,
    /// The end, in milliseconds since 1970; `None` if the turn never ended.
    pub ended_at: Option<u64>,
}

impl TurnRecord {
    /// Returns the message of this turn to the model as text: the results of native calls, then the prompt.
    pub fn told(&self) -> String {
        let results = self.results.iter().map(|it| format!("{} ({}): {}", it.name, it.id, it.text));
        let prompt = Some(self.prompt.clone()).filter(|it| !it.is_empty());
        results.chain(prompt).collect::<Vec<_>>().join("\n")
    }

    /// Returns the models that were asked in this turn, in their order, if the run went on with another one than it
    /// started with. `own` is the name of that one.
    pub fn models<'a>(&'a self, own: &'a str) -> Vec<&'a str> {
        if self.requests.iter().all(|it| it.fallback.is_none()) {
            return Vec::new();
        }
        let fallbacks = self.requests.iter().map(|it| it.fallback.as_ref());
        let mut models: Vec<&str> =
            fallbacks.map(|it| it.map_or(own, |it| it.model.as_str())).collect();
        models.dedup();
        models
    }

    /// Returns the reply as text: what the model wrote, then its native calls.
    pub fn said(&self) -> Option<String> {
        let calls =
            self.model_calls.iter().map(|it| format!("{} ({}): {}", it.name, it.id, it.arguments));
        let text = self.reply.clone()?;
        let text = (!text.is_empty()).then_some(text);
        Some(text.into_iter().chain(calls).collect::<Vec<_>>().join("\n"))
    }

    /// Returns whether the program was made from the reply, and is not a part of its text.
    pub fn is_read_as_program(&self) -> bool {
        let (program, reply) = (self.program.as_deref(), self.reply.as_deref());
        program.zip(reply).is_some_and(|(program, reply)| !reply.contains(program))
    }

    /// Returns the reply with this text.
    pub(crate) fn reply_with(&self, text: String) -> Reply {
        let (calls, opaque) = (self.model_calls.clone(), self.opaque.clone());
        Reply { text, calls, opaque, usage: self.usage, finish: self.finish.unwrap_or_default() }
    }
}

/// The complete record of one tool call.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CallRecord {
    /// The id of the call: its place in the program and its branches.
    pub call: String,
    /// The name of the tool.
    pub tool: String,
    /// The arguments.
    pub args: Data,
    /// The names of the steps around the call, joined by `/`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// The labels of the arguments, if the policy of the agent has rules for labels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<LabelOrigin>,
    /// The status of the call.
    pub status: CallStatus,
    /// The result, if the call succeeded.
    pub result: Option<Data>,
    /// The error, if the call failed. It is boxed, because a run may have 100,000 calls and few of them fail.
    pub error: Option<Box<RunError>>,
    /// The binary content of the result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blobs: Vec<Blob>,
    /// The run of the called sub-agent.
    pub run: Option<RunId>,
    /// Whether the result is that of an earlier call with the same arguments.
    pub cached: bool,
    /// The position of the call in the order in which the calls of the turn ended.
    pub ended: Option<u32>,
    /// The start, in milliseconds since 1970.
    pub started_at: u64,
    /// The end, in milliseconds since 1970.
    pub ended_at: Option<u64>,
}

impl CallRecord {
    /// Removes the binary content that the result does not name. The field that named it is covered.
    pub(crate) fn forget_unnamed_blobs(&mut self) {
        if !self.blobs.is_empty() {
            let result = self.result.as_ref().map(Data::to_string).unwrap_or_default();
            self.blobs.retain(|blob| result.contains(&blob.hash));
        }
    }
}

words! {
    /// The status of a call.
    #[derive(Default)]
    pub enum CallStatus {
        /// The call was made, and its outcome is unknown.
        #[default]
        Started = "started",
        /// The call has a result.
        Finished = "finished",
        /// The call has an error.
        Failed = "failed",
    }
}

/// Serializes a repair in its own JSON form.
#[expect(clippy::ref_option, reason = "serde asks for a reference")]
fn repaired<S: Serializer>(repair: &Option<Repair>, to: S) -> Result<S::Ok, S::Error> {
    repair.as_ref().map(Repair::to_json).serialize(to)
}

/// A request to a model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RequestRecord {
    /// The purpose of the request.
    pub purpose: Purpose,
    /// The number of the request in the turn, from 1.
    pub number: u32,
    /// The messages of the request, if its prompts, replies and changes do not determine them. Records of earlier versions
    /// have them.
    pub messages: Option<Vec<Message>>,
    /// The fallback that was asked; `None` for the model that the run started with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<FallbackModel>,
    /// The changes of what is sent of the conversation, from this request on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<TranscriptChange>,
    /// The summary, if that is what the request asks for. The turn has the replies to other requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The tokens of the summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

/// Returns whether the requests add nothing to the turn.
fn is_plain(requests: &[RequestRecord]) -> bool {
    let is_plain = |it: &RequestRecord| {
        it.messages.is_none() && it.fallback.is_none() && it.changes.is_empty()
    };
    requests.len() <= 1 && requests.iter().all(is_plain)
}

impl TurnRecord {
    /// Returns the number of its calls of tools, without waits, questions and expansions.
    pub(crate) fn tool_calls(&self) -> usize {
        self.calls.iter().filter(|call| call.is_of_tool()).count()
    }
}

impl CallRecord {
    /// Returns whether this is a wait of `flow/wait`, which calls no tool.
    pub fn is_wait(&self) -> bool {
        self.tool == WAIT
    }

    /// Returns whether this is an expansion of the transcript, which calls no tool.
    pub fn is_expansion(&self) -> bool {
        self.tool == EXPAND
    }

    /// Returns whether this is the call of a tool.
    pub(crate) fn is_of_tool(&self) -> bool {
        !self.is_wait() && !self.is_question() && !self.is_expansion()
    }

    /// Returns whether this is a question to a person, which calls no tool: that of `ask`, or whether a call may be made
    /// or a program may run.
    pub fn is_question(&self) -> bool {
        [ASK, CONFIRM, APPROVE].contains(&self.tool.as_str())
    }
}
