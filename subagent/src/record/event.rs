//! The events of a run, in order, as data. Progress output and the record both read them.

use std::time::Duration;

use ptc_lisp::Repair;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::artifact::Artifact;
use super::earlier::Earlier;
use super::event_fields::{Form, Key, Parts, Stored, Written, events, form, key, name_keys, parts};
use super::fields::{BadField, Fields};
use super::id::RunId;
use super::label_origin::LabelOrigin;
use super::progress::CallProgress;
use super::queued::RunQueued;
use super::report::{RunError, RunReport};
use super::source::SourceRecord;
use super::webhook::WebhookSent;
use crate::blob::Blob;
use crate::data::Data;
use crate::payload::{PayloadChange, PayloadCheck};
use crate::provider::{CallResult, Message, Reply};
use crate::transcript::TranscriptChange;
use crate::words::words;

events! {
    /// An event of a run.
    pub enum Event {
        /// The input was accepted and the prompt is ready; the model was not asked yet.
        RunStarted(start: RunStarted) = "run-started",
        /// A run that had ended, or whose process died, resumes. The recorded end of its last turn and of the run no
        /// longer counts if its cause may have passed. Such causes are a cancellation, a time limit, a provider error, and a
        /// call in doubt.
        RunResumed = "run-resumed",
        /// The run is to start, or to go on, as soon as its host has a place for it.
        RunQueued(queued: RunQueued) = "run-queued",
        /// A person acts on a run that another one may have started. Only hosts that know the person record it.
        Acted(act: Act) = "acted",
        /// A workflow continues with another program than before: its agent file changed while the run was open.
        ProgramChanged = "program-changed" {
            /// The first turn that runs the program.
            turn: u32,
            /// The program.
            program: String,
        },
        /// The model is about to be asked.
        TurnStarted = "turn-started" {
            /// The number of the turn, counted from 1.
            turn: u32,
            /// The new message of the conversation: the mission, an observation or feedback.
            prompt: String,
            /// The results of the calls that the reply before asked for natively.
            results: Vec<CallResult> as Sparse,
            /// The hashes of the images that the message shows.
            images: Vec<String> as Sparse,
        },
        /// A request is sent to the model.
        ModelAsked = "model-asked" {
            /// The turn.
            turn: u32,
            /// The purpose of the request.
            purpose: Purpose,
            /// The number of the request within the turn, counted from 1.
            number: u32,
            /// The messages of the request, if the prompts, replies and changes of the run so far do not determine them.
            messages: Option<Vec<Message>>,
            /// The fallback that is asked; `None` for the model that the run started with.
            fallback: Option<FallbackModel> as Sparse,
            /// The changes of what is sent of the conversation, from this request on.
            changes: Vec<TranscriptChange> as Sparse,
        },
        /// A further part of a reply that is arriving, only if the mission is [streamed](crate::Mission::stream). The
        /// record keeps the reply instead of its parts. An attempt that failed may have sent parts before its retry.
        ReplyText = "reply-text" {
            /// The turn.
            turn: u32,
            /// The text of the part.
            text: String,
        },
        /// The model replied.
        ModelReplied = "model-replied" {
            /// The turn.
            turn: u32,
            /// The purpose of the request.
            purpose: Purpose as Late,
            /// The number of the request, as in [`Event::ModelAsked`]; 0 in records of earlier versions.
            number: u32 as Late,
            /// The reply.
            reply: Reply as Flat,
        },
        /// The reply has a program that may run.
        Admitted = "program-admitted" {
            /// The turn.
            turn: u32,
            /// The source as the model wrote it.
            program: String,
            /// The repair of the source before it was admitted; the repaired source runs.
            repair: Option<Repair> as Repaired,
            /// The report of admission: the tools and data that the program can touch.
            report: Value,
            /// The remaining budget of the run when the program starts, as `(budget)` shows it.
            budget: Value,
            /// The findings of admission that may be mistakes.
            warnings: Vec<RunError> as Late,
            /// Notes about parts of the reply that were ignored or repaired to find the program.
            notes: Vec<String> as Late,
            /// The calls of the reply that are not in the program.
            refused: Vec<RefusedCall> as Sparse,
        },
        /// The reply has no program, or one that may not run; nothing ran.
        Rejected = "program-rejected" {
            /// The turn.
            turn: u32,
            /// The source, if there is exactly one.
            program: Option<String>,
            /// The errors, most useful first.
            errors: Vec<RunError> as Late,
            /// Notes about parts of the reply that were ignored or repaired to find the program.
            notes: Vec<String> as Late,
            /// The refused calls of the reply.
            refused: Vec<RefusedCall> as Sparse,
        },
        /// A tool is about to be called, a wait begins (the call of [`WAIT`](crate::WAIT)), or a question is asked (the call
        /// of [`ASK`](crate::ASK)).
        CallStarted = "call-started" {
            /// The turn.
            turn: u32,
            /// The id of the call: its place in the program and branch, unique within the turn.
            call: String as Call,
            /// The name of the tool.
            tool: String,
            /// The arguments.
            args: Data,
            /// The names of the steps around the call, joined by `/`; `None` outside `flow/step`.
            step: Option<String> as Sparse,
            /// The labels of its arguments, if the policy of the agent has rules for labels.
            labels: Vec<LabelOrigin> as Sparse,
        },
        /// The tool of a call reports its progress. Only the observer receives it; the record has none.
        CallProgress = "call-progress" {
            /// The turn.
            turn: u32,
            /// The id of the call, as in [`Event::CallStarted`].
            call: String as Call,
            /// The name of the tool.
            tool: String,
            /// The progress.
            progress: CallProgress as Flat,
        },
        /// A call ended with a result or an error.
        CallFinished = "call-finished" {
            /// The turn.
            turn: u32,
            /// The id of the call, as in [`Event::CallStarted`].
            call: String as Call,
            /// The name of the tool.
            tool: String,
            /// The result, or the error.
            result: Result<Data, RunError> as Outcome,
            /// The run of the sub-agent, if the tool is an agent.
            run: Option<RunId> = "sub_run",
            /// Whether the result comes from an earlier call with the same arguments.
            cached: bool as Late,
            /// The position of the call among the ended calls of the turn, in the order of their ends, counted from 1.
            ended: u32,
            /// The duration of the call.
            elapsed: Duration as Micros,
            /// The binary content of the result.
            blobs: Vec<Blob> as Sparse,
        },
        /// A warning, for example about a value that was coerced to match a signature or let through without a match.
        Warned = "warned" {
            /// The turn; 0 for the input.
            turn: u32,
            /// The id of the call, as in [`Event::CallStarted`], if the warning is about one.
            call: Option<String> as OptionalCall,
            /// The warning. Its code is, for example, `coerced` or `mismatch`.
            warning: RunError,
        },
        /// A program printed a line. The event follows when the program has ended.
        Printed = "printed" {
            /// The turn.
            turn: u32,
            /// The line.
            line: String,
        },
        /// A change of the payload was committed.
        PayloadChanged = "payload-changed" {
            /// The turn.
            turn: u32,
            /// The change.
            change: PayloadChange as Flat,
        },
        /// The payload was checked against its signature.
        PayloadChecked = "payload-checked" {
            /// The turn; 0 for the check at the start of the run.
            turn: u32,
            /// The outcome.
            check: PayloadCheck,
        },
        /// The turn ended.
        TurnEnded = "turn-ended" {
            /// The turn.
            turn: u32,
            /// The outcome in one word.
            outcome: TurnOutcome,
            /// The program's value as readable text, if it has one.
            value: Option<String>,
            /// The error, if there was one.
            error: Option<RunError>,
            /// The fuel that the program used.
            fuel: u64 as Late,
            /// The number of calls that the program made.
            tool_calls: u32 as Late,
            /// The points where the budget of the run lowered the budget of the program.
            bounds: Vec<Bound> as Late,
        },
        /// A snapshot of the run after a turn, if its agent [takes snapshots](crate::Agent::snapshots). With it on record,
        /// the run resumes without running its earlier programs.
        Snapshot = "snapshot" {
            /// The turn.
            turn: u32,
            /// The state: the memory, values and definitions of programs as text ([`ptc_lisp::snapshot::Snapshot`]), the next message
            /// to the model, and the resources used.
            state: Data,
        },
        /// A host told another server that the run had ended or waited, or gave up. It follows the end of the run.
        WebhookSent(sent: WebhookSent) = "webhook-sent",
        /// A version of an artifact was made: by the run, before its end, or by a person, after it.
        ArtifactMade(artifact: Artifact) = "artifact-made",
        /// The run ended.
        RunEnded(report: RunReport) = "run-ended",
    }
}

parts! {
    WebhookSent { id, to, attempts, error as Sparse }
    Artifact { name, version, media_type = "type", value, hidden as Sparse, by as Sparse }
    RunQueued { by as Sparse, key as Sparse, request as Sparse, reserves as Sparse, decisions as Sparse }
    RunStarted {
        run as NamedRun, parent, agent, model, setup as Flat, origin, payload as Sparse,
        payload_from as Sparse, after as Link, sources as Sparse, by as Sparse, named as Sparse,
    }
    Act { by, action, question as Sparse }
    RunSetup {
        signature, input, system, limits, max_turns, seed, semantics as Late, definition,
        settings as Sparse, file,
    }
    Reply { text, usage, finish as Late, calls as Sparse, opaque as Sparse }
    CallProgress { done, total, message }
    PayloadChange { call as OptionalCall, patch, hash, suspicious as Sparse }
    RunReport {
        run as Run, status, value, fail, stop, turns, tool_calls, fuel, seed as Late, usage,
        below = "sub_agents", error, feedback as Absent, warnings as Late, partial as Sparse, chat as Sparse,
        remarks as Sparse, sources as Absent, artifacts as Sparse, conversation as Sparse, exits_loop as Sparse, due as Sparse, questions as Sparse, payload as Sparse,
    }
}

impl Event {
    /// Returns the id of the call that the event belongs to.
    pub fn call(&self) -> Option<&str> {
        match self {
            Event::CallStarted { call, .. }
            | Event::CallProgress { call, .. }
            | Event::CallFinished { call, .. } => Some(call),
            Event::Warned { call, .. } | Event::Other { call, .. } => call.as_deref(),
            Event::PayloadChanged { change, .. } => change.call.as_deref(),
            _ => None,
        }
    }

    /// Returns the event as an object. It has the name as `event`, the run, the turn, the call, and the fields of the
    /// event. Measured times are in microseconds.
    pub fn to_json(&self, run: &RunId) -> Data {
        let mut data = Data::from(serde_json::json!({"event": self.name(), "run": run}));
        if let Some(turn) = self.turn() {
            data = data.with("turn", serde_json::json!(turn));
        }
        // A warning keeps the key `call` even if it does not belong to one.
        if self.call().is_some() || matches!(self, Event::Warned { .. }) {
            data = data.with("call", serde_json::json!(self.call()));
        }
        if let Event::RunEnded(report) = self {
            return data.with("report", report.to_json());
        }
        for (name, json) in self.fields() {
            data = data.with(name, Data::recorded(&json).unwrap_or_default());
        }
        data
    }
}

/// The facts that are known when a run starts.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunStarted {
    /// The id of the run.
    pub run: RunId,
    /// The call that the run answers, if it is the run of a sub-agent.
    pub parent: Option<Parent>,
    /// The name of the agent.
    pub agent: String,
    /// The name of the provider.
    pub model: String,
    /// The input, the prompt and the limits.
    pub setup: RunSetup,
    /// The run that this one branches off from, if it is a branch.
    pub origin: Option<Origin>,
    /// The payload at the start; `None` if the agent has none.
    pub payload: Option<Data>,
    /// The run whose payload at its end is the payload of this run, or would be if the mission had none.
    pub payload_from: Option<RunId>,
    /// The earlier run of the conversation; `None` if the run begins one.
    pub after: Option<Earlier>,
    /// The sources of its agent, in the order in which they were loaded.
    pub sources: Vec<SourceRecord>,
    /// The person who started the run, its owner; `None` if the host knows none.
    pub by: Option<String>,
    /// The name of the conversation that the run begins, if it has one.
    pub named: Option<String>,
}

/// An act of a person on a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Act {
    /// The person.
    pub by: String,
    /// The act.
    pub action: Action,
    /// The id of the question that the person answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
}

words! {
    /// The act of a person on a run.
    pub enum Action {
        /// The person answered a question.
        Answered = "answered",
        /// The person had the run resume, without an answer.
        Resumed = "resumed",
        /// The person cancelled the run.
        Cancelled = "cancelled",
    }
}

impl Act {
    /// Creates an act.
    pub fn new(by: impl Into<String>, action: Action) -> Act {
        Act { by: by.into(), action, question: None }
    }
}

/// The input, the prompt and the limits that a run starts with, as its record keeps them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RunSetup {
    /// The signature in its canonical form.
    pub signature: Option<String>,
    /// The input.
    pub input: Data,
    /// The system prompt.
    pub system: String,
    /// The limits, with times in seconds.
    pub limits: Value,
    /// The maximum number of turns.
    pub max_turns: u32,
    /// The seed of the random numbers that its programs draw. Records of the first versions have none.
    pub seed: Option<u64>,
    /// The version of the meaning of programs, prompts and limits, [`SEMANTICS`](crate::SEMANTICS) when the run was
    /// recorded. It is 0 in records that do not name one.
    #[serde(skip_serializing_if = "is_unknown")]
    pub semantics: u32,
    /// The parts of the agent's definition that a replay needs, sub-agents included. `None` for the run of a sub-agent,
    /// for a run that is not recorded, and in records of earlier versions.
    pub definition: Option<Value>,
    /// The [settings of the run](crate::RunSettings), keys by the names of their variables. `None` for a run without any
    /// and for the run of a sub-agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settings: Option<Value>,
    /// The path of the agent file, if there is one.
    pub file: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_unknown(semantics: &u32) -> bool {
    *semantics == 0
}

/// A model that a run asks instead of the one that it started with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FallbackModel {
    /// Its number among the fallbacks, counted from 1.
    pub number: usize,
    /// Its name.
    pub model: String,
}

/// The purpose of a request to the model.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Purpose {
    /// A request for the reply of a turn.
    #[default]
    Turn,
    /// A request for a partial answer, after the last turn.
    Summary,
    /// A request for a summary of a result that has expired, before a request for the reply of a turn.
    Transcript,
}

/// The origin of a branch: the run that it branched off from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Origin {
    /// The run.
    pub run: RunId,
    /// The number of its turns that were kept.
    pub turns: u32,
}

/// A point in a program at which the budget of its run lowered the program's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Bound {
    /// The number of pauses of the program before this point. It pauses after each slice of work, and for calls.
    pub pause: u32,
    /// The remaining fuel.
    pub fuel: u64,
    /// The number of remaining tool calls.
    pub tool_calls: u32,
}

/// A call that a reply asks for and that was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RefusedCall {
    /// Its place among the calls of the reply that do not end the run, from 0.
    pub place: u32,
    /// The reason.
    pub message: String,
}

/// The call that the run of a sub-agent answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Parent {
    /// The run that made the call.
    pub run: RunId,
    /// The turn of that run.
    pub turn: u32,
    /// The id of the call, as in [`Event::CallStarted`].
    pub call: String,
}

words! {
    /// The outcome of a turn, in one word.
    pub enum TurnOutcome {
        /// The program ended with a value, which the model sees.
        Value = "value",
        /// The program called `(return v)` with a value that matches.
        Returned = "returned",
        /// The program called `(return v)` with a value that does not match.
        WrongReturn = "wrong-return",
        /// The program called `(return v)`, and the value is held back once: a field that it reads is nowhere in the data.
        Held = "held",
        /// The program called `(return v)`, and the payload does not match its signature.
        WrongPayload = "wrong-payload",
        /// The program called `(fail …)`.
        Failed = "failed",
        /// The program called `(flow/continue state)`.
        Continued = "continued",
        /// The program called `exit_loop`.
        Exited = "exited",
        /// The reply has no program, several, or one that was cut off.
        NoProgram = "no-program",
        /// The reply has no answer: it is not JSON, or was cut off.
        NoAnswer = "no-answer",
        /// Admission refused the program.
        Rejected = "rejected",
        /// The program ended with an error.
        Error = "error",
        /// The program reached a limit.
        Limit = "limit",
        /// The model did not reply.
        Provider = "provider",
        /// The run reached its time limit.
        Time = "time",
        /// The run was cancelled.
        Cancelled = "cancelled",
        /// The program waits for a person, or for a time that no process waits for.
        Waiting = "waiting",
        /// The outcome of a call is unknown, and the call may not be repeated.
        InDoubt = "in-doubt",
        /// The program of the workflow changed before the turn ended, so nothing of the turn lasts.
        Abandoned = "abandoned",
    }
}

impl TurnOutcome {
    /// Returns whether the cause of this end may have passed when the run resumes.
    pub(crate) fn passes(self) -> bool {
        matches!(
            self,
            TurnOutcome::Cancelled
                | TurnOutcome::Waiting
                | TurnOutcome::InDoubt
                | TurnOutcome::Provider
                | TurnOutcome::Time
        )
    }
}
