//! The report of a run.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use ptc_signatures::{Datum, Signature, Warning};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::artifact::ArtifactLink;
use super::code::{ErrorCode, ProblemKind, RunCode};
use super::earlier::ConversationPlace;
use super::id::RunId;
use super::label_origin::DeniedCall;
use super::question::OpenQuestion;
use super::source::SourceRecord;
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::provider::{ProviderError, Usage};
use crate::words::words;

/// The outcome of a run, and the resources it used.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunReport {
    /// The id of the run.
    pub run: RunId,
    /// Whether the run returned a value, failed by its own program, or was stopped.
    pub status: Status,
    /// The value that matches the signature, if the run returned.
    pub value: Data,
    /// The failure that the program declared, if it failed.
    pub fail: Option<Fail>,
    /// The reason the run was stopped, if it was.
    pub stop: Option<Stop>,
    /// The number of turns.
    pub turns: u32,
    /// The number of tool calls of all programs.
    pub tool_calls: u64,
    /// The fuel that all programs used.
    pub fuel: u64,
    /// The seed of the random numbers that its programs drew.
    pub seed: u64,
    /// The tokens of all replies, and their cost.
    pub usage: Usage,
    /// The usage of all levels of sub-agents, which the other fields do not include; `None` if the run had none.
    pub below: Option<Below>,
    /// The error that stopped the run, or the error of its last program.
    pub error: Option<RunError>,
    /// The feedback for the program of a workflow that was refused or ended in an error: what a model would read about it.
    /// A run that has just ended has it; its record does not.
    pub feedback: Option<String>,
    /// Whether the value is a partial answer, which the model gave when no turn was left; `error` has the reason.
    pub partial: bool,
    /// Whether the value is a question of the model to a person, whom its agent cannot ask.
    pub chat: bool,
    /// The remarks of the model beside the decision that ended the run: message, reasoning, confidence, form and
    /// commands, by their keys in the decision. A program gives a message, a reasoning and a confidence with
    /// `(flow/report {…})`, and `path` has the steps that its last turn entered.
    pub remarks: Option<Value>,
    /// The first 100 warnings. They are about values that were coerced to match a signature or let through without a
    /// match: in the input, in arguments and results of tools, and in the answer. Others are about keys of the input
    /// that the signature does not name. The last may be about the observer; records do not have that one.
    pub warnings: Vec<RunError>,
    /// The payload at the end of the run, which a run that failed keeps too; `None` if the agent has none.
    pub payload: Option<Data>,
    /// The sources of its agent, in the order in which they were loaded.
    pub sources: Vec<SourceRecord>,
    /// The versions of artifacts that it made.
    pub artifacts: Vec<ArtifactLink>,
    /// Its place in its conversation; `None` if it begins one.
    pub conversation: Option<ConversationPlace>,
    /// Whether it ended without a value by `exit_loop`, and ends the loop of agents around it.
    pub exits_loop: bool,
    /// The time at which a waiting run is to be resumed, in milliseconds since 1970; `None` for other runs.
    pub due: Option<u64>,
    /// The open questions of a waiting run and its sub-agents.
    pub questions: Vec<OpenQuestion>,
}

impl RunReport {
    /// Reads the value as a Rust type.
    ///
    /// If the signature of the agent was derived from the type (`Agent::with_signature_of`, with the feature
    /// `schemars`), every returned value has that type.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Value`], with the reason if the run did not return, or with the path if the value is not of that
    /// type.
    pub fn value<T: DeserializeOwned>(&self) -> Result<T, Error> {
        let wrong = |message: String| Err(Error::new(ErrorKind::Value, message));
        match (self.status, &self.fail, &self.error) {
            (Status::Returned, ..) => {}
            (_, Some(fail), _) => {
                return wrong(format!("the run failed: {}: {}", fail.reason, fail.message));
            }
            (_, None, error) => {
                let stop = self.stop.as_ref().map_or("stopped", Stop::as_str);
                let why = error.as_ref().map(|it| format!(": {}", it.message)).unwrap_or_default();
                return wrong(format!("the run was stopped: {stop}{why}"));
            }
        }
        self.value.read().or_else(|error| {
            let place = error.path().to_string();
            let place = if place == "." { String::new() } else { format!(" at `{place}`") };
            wrong(format!("the value is of another type{place}: {}", error.inner()))
        })
    }

    /// Returns how the run ended, in a word: `answer`, `chat`, `last-value`, `summary`, `fail`, or the stop code.
    pub fn ended_by(&self) -> &str {
        match (self.status, &self.error) {
            (Status::Returned, _) if self.partial => "summary",
            (Status::Returned, _) if self.chat => "chat",
            (Status::Returned, Some(_)) => "last-value",
            (Status::Returned, None) => "answer",
            (Status::Failed, _) => "fail",
            _ => self.stop.as_ref().map_or(self.status.as_str(), Stop::as_str),
        }
    }

    /// Returns the object that `ptc run --json` prints. The keys `due`, `questions`, `sub_agents`, `remarks`,
    /// `sources`, `artifacts`, `conversation` and `warnings` are present only if the run has them.
    pub fn to_json(&self) -> Data {
        let mut json = json!({
            "run": self.run,
            "status": self.status,
            "ended_by": self.ended_by(),
            "value": null,
            "payload": null,
            "fail": null,
            "stop": self.stop,
            "turns": self.turns,
            "tool_calls": self.tool_calls,
            "fuel": self.fuel,
            "seed": self.seed,
            // An unknown cost is null, because zero would be false.
            "usage": {
                "input_tokens": self.usage.input_tokens,
                "output_tokens": self.usage.output_tokens,
                "cost": self.usage.cost,
            },
            "error": null,
        });
        if let Some(due) = self.due {
            json["due"] = json!(due);
        }
        if !self.questions.is_empty() {
            json["questions"] = json!(self.questions);
        }
        if let Some(below) = &self.below {
            json["sub_agents"] = json!(below);
        }
        if let Some(remarks) = &self.remarks {
            json["remarks"] = remarks.clone();
        }
        if !self.sources.is_empty() {
            json["sources"] = json!(self.sources);
        }
        if !self.artifacts.is_empty() {
            json["artifacts"] = json!(self.artifacts);
        }
        if let Some(conversation) = &self.conversation {
            json["conversation"] = json!(conversation);
        }
        if !self.warnings.is_empty() {
            json["warnings"] = json!(self.warnings);
        }
        // These may have integers past 64 bits.
        let written = |it: &Option<Fail>| Data::written(it).unwrap_or_default();
        Data::from(json)
            .with("value", self.value.clone())
            .with("payload", self.payload.clone().unwrap_or_default())
            .with("fail", written(&self.fail))
            .with("error", Data::written(&self.error).unwrap_or_default())
    }

    /// Returns the exit code of a command that ran it. The codes are 0 for returned, 1 for failed, 3 for no acceptable
    /// program within the turns, 4 for a limit, 5 for the provider, and 6 for waiting.
    pub fn exit_code(&self) -> u8 {
        match (self.status, self.stop) {
            (Status::Returned, _) => 0,
            (Status::Failed, _) => 1,
            (Status::Waiting, _) => 6,
            (_, stop) => stop.map_or(3, Stop::exit_code),
        }
    }
}

/// The resources that the sub-agents of a run used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Below {
    /// The number of runs.
    pub runs: u64,
    /// The number of their turns.
    pub turns: u64,
    /// The number of their tool calls.
    pub tool_calls: u64,
    /// The fuel that their programs used.
    pub fuel: u64,
    /// The tokens of their replies, and their cost.
    pub usage: Usage,
}

words! {
    /// The status of a run.
    pub enum Status {
        /// The run has not ended.
        Running = "running",
        /// The run is to start, or to go on, as soon as its host has a place for it.
        Queued = "queued",
        /// The run returned a value that matches the signature.
        Returned = "returned",
        /// The run failed with `(fail …)`.
        Failed = "failed",
        /// The run was stopped, and has a stop code.
        Stopped = "stopped",
        /// The run waits for a person, or for a time that no process waits for.
        Waiting = "waiting",
    }
}

words! {
    /// The reason a run was stopped, so that it has neither a value nor a failure of its own. Codes are stable.
    pub enum Stop {
        /// The last turn gave no acceptable program, or the turns of its budget, shared with its sub-agents, are used
        /// up.
        Turns = "turns",
        /// Too many replies in a row had another form than the answer style asks for.
        Malformed = "malformed",
        /// The tokens of its budget are used up.
        Tokens = "tokens",
        /// The money of its budget is used up.
        Cost = "cost",
        /// The policy refused the last program.
        Policy = "policy",
        /// The program of a workflow ended in an error, or its value does not match the signature.
        Program = "program",
        /// The payload does not match its signature.
        Payload = "payload",
        /// The last program ran out of fuel, its own or that of the run's budget.
        Fuel = "fuel",
        /// The last program used too much memory, or tried to keep too much for later turns.
        Memory = "memory",
        /// The last program exceeded a limit on depth: of calls, of values or of sub-agents.
        Depth = "depth",
        /// The last program made too many tool calls, by its own limit or by the run's budget.
        ToolCalls = "tool-calls",
        /// The last program was too long or nested too deeply to be read.
        Source = "source",
        /// The last program's result was too large.
        Result = "result",
        /// The run, or its last program, reached its time limit.
        Time = "time",
        /// The model did not reply.
        Provider = "provider",
        /// The caller cancelled the run.
        Cancelled = "cancelled",
        /// The run was resumed, and the outcome of a call that may not be repeated is unknown.
        InDoubt = "in-doubt",
        /// A source could not be loaded.
        SourceFailed = "source-failed",
        /// A bug in this library stopped the run.
        Internal = "internal",
    }
}

impl Stop {
    /// Returns whether the run can resume as if it had not ended.
    pub(crate) fn passes(self) -> bool {
        matches!(self, Stop::Cancelled | Stop::InDoubt | Stop::Provider | Stop::Time)
    }

    /// Returns the exit code. It is 3 for turns, malformed replies, policy, program and payload, 4 for a limit or a cancellation, 5 for the
    /// provider, and 70 for a bug in this library.
    pub fn exit_code(self) -> u8 {
        match self {
            Stop::Turns
            | Stop::Malformed
            | Stop::Policy
            | Stop::Program
            | Stop::Payload
            | Stop::SourceFailed => 3,
            Stop::Provider => 5,
            Stop::Internal => 70,
            _ => 4,
        }
    }
}

/// The failure that a program declared with `(fail …)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fail {
    /// The keyword of the reason, without the colon.
    pub reason: String,
    /// The message.
    pub message: String,
    /// The other entries of the map. Those of a map under `:details` are among them. If there is only `:details`, it is
    /// that value. Null if there are none.
    #[serde(default)]
    pub details: Data,
}

/// One problem as data: a diagnostic of the language, or an error of a provider or tool.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunError {
    /// The stable code.
    pub code: ErrorCode,
    /// The kind of problem: `type`, `tool`, `limit`, `provider` …
    pub kind: ProblemKind,
    /// The description of the problem.
    pub message: String,
    /// The line in the program, counted from 1.
    pub line: Option<u32>,
    /// The column in the program, counted from 1.
    pub column: Option<u32>,
    /// The place in the program as bytes: start and end. Records of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<(u32, u32)>,
    /// The names of the functions being called, the innermost first. Records of earlier versions have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<String>,
    /// Whether the place is in the program of an earlier turn, whose functions the program called.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_earlier: bool,
    /// The program with the place, for an error that is not read from a record. Records have it in the turn.
    #[serde(skip)]
    pub program: Option<Arc<str>>,
    /// The file of the program, for the error that ended the workflow of a file. Records have none, since they have the
    /// program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Advice for solving the problem.
    pub help: Option<String>,
    /// Advice for the author of the agent. The model does not see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
    /// The code of the ceiling that was reached, if the budget of the run stopped a program. `None` if a limit of the
    /// program itself did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<ErrorCode>,
    /// The calls in doubt that stopped the run, its own and those of its sub-agents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub in_doubt: Vec<CallInDoubt>,
    /// The failure that the called agent declared, if the error is that of its call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fail: Option<Box<Fail>>,
    /// The call that the rules for labels denied, if they refused the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denied: Option<Box<DeniedCall>>,
}

/// A call that was made and whose outcome is unknown. Its tool writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CallInDoubt {
    /// The key of the call: the run that made it, the turn, and the id in the program.
    /// [`Resume`](crate::replay::Resume) takes it.
    pub call: String,
    /// The name of the tool.
    pub tool: String,
}

impl RunError {
    /// Creates an error without a location in a program.
    #[cold]
    pub fn new(code: impl Into<ErrorCode>, message: impl Into<String>) -> RunError {
        let (code, message) = (code.into(), message.into());
        let kind = code.kind();
        RunError {
            code,
            kind,
            message,
            line: None,
            column: None,
            span: None,
            trace: Vec::new(),
            is_earlier: false,
            program: None,
            file: None,
            help: None,
            advice: None,
            budget: None,
            in_doubt: Vec::new(),
            fail: None,
            denied: None,
        }
    }

    /// Replaces each text with its changed form, except for those of [`RunError::fail`].
    pub(crate) fn each_text(&mut self, change: impl Fn(&str) -> String) {
        let texts = [Some(&mut self.message), self.help.as_mut(), self.advice.as_mut()];
        let forms =
            self.denied.iter_mut().flat_map(|it| &mut it.labels).flat_map(|it| &mut it.path);
        texts.into_iter().flatten().chain(forms).for_each(|text| *text = change(text));
    }

    /// Returns the help and the advice as one text for a person.
    pub fn help_and_advice(&self) -> Option<String> {
        match (&self.help, &self.advice) {
            (Some(help), Some(advice)) => Some(format!("{help}; or {advice}")),
            (help, advice) => help.clone().or_else(|| advice.clone()),
        }
    }
}

/// The maximum number of warnings listed for one value.
const MAX_WARNINGS: usize = 20;

/// Returns the warnings of one value for events, records and models. They leave out the contents of hidden fields,
/// which a reader with access finds in the value itself.
pub(crate) fn warnings(what: impl fmt::Display, found: &[Warning]) -> Vec<RunError> {
    let listed = found.iter().take(MAX_WARNINGS).map(|warning| {
        let message = format!("{what}: {}", warning.redacted());
        RunError::new(warning, message)
    });
    let mut listed: Vec<RunError> = listed.collect();
    if let Some(next) = found.get(MAX_WARNINGS) {
        let message = format!("{what}: and {} more", found.len() - MAX_WARNINGS);
        listed.push(RunError::new(next, message));
    }
    listed
}

/// Returns a warning for each key of an input that the signature does not name. A record may have more fields than its
/// type names, so there only a key that looks like a misspelling gets one.
pub(crate) fn unknown_keys(signature: &Signature, input: &impl Datum) -> Vec<RunError> {
    let mut found = signature.unknown_keys(input);
    found.retain(|it| it.is_input() || it.near.is_some());
    let mut listed: Vec<RunError> = found
        .iter()
        .take(MAX_WARNINGS)
        .map(|it| RunError::new(RunCode::UnknownKey, format!("input: {it}; {}", it.help())))
        .collect();
    if found.len() > MAX_WARNINGS {
        let message = format!("input: and {} more unknown keys", found.len() - MAX_WARNINGS);
        listed.push(RunError::new(RunCode::UnknownKey, message));
    }
    listed
}

impl From<&ProviderError> for RunError {
    fn from(error: &ProviderError) -> RunError {
        let help = error.help.clone();
        RunError { help, ..RunError::new(error.kind, &error.message) }
    }
}
