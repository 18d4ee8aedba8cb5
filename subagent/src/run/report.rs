//! How a run ended.

use std::fmt;

use ptc_signatures::{Datum, Signature, Warning};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::code::{ErrorCode, ProblemKind, RunCode};
use super::id::RunId;
use crate::error::{Error, ErrorKind};
use crate::provider::{ProviderError, Usage};
use crate::words::words;

/// How a run ended, and what it took.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunReport {
    /// The name of the run.
    pub run: RunId,
    /// Whether there is a value, a failure the program gave, or neither.
    pub status: Status,
    /// The value that matches the signature, if the run returned.
    pub value: Value,
    /// What the program said, if it failed.
    pub fail: Option<Fail>,
    /// Why there is neither, if the run was stopped.
    pub stop: Option<Stop>,
    /// How many turns there were.
    pub turns: u32,
    /// How many tool calls all programs made.
    pub tool_calls: u64,
    /// How much work all programs did.
    pub fuel: u64,
    /// What its programs drew random numbers from.
    pub seed: u64,
    /// The tokens of all replies, and what they cost.
    pub usage: Usage,
    /// What its sub-agents took besides, all levels of them; `None` if it had none.
    pub below: Option<Below>,
    /// What stopped the run, or what was wrong with its last program.
    pub error: Option<RunError>,
    /// What was changed to match a signature, or let through although it does not match: in the
    /// input, in arguments and results of tools, in the answer; and keys of the input that the signature does not
    /// name. The first hundred.
    pub warnings: Vec<RunError>,
}

impl RunReport {
    /// Reads the value as a Rust type.
    ///
    /// An agent whose signature was derived from the type (`Agent::with_signature_of`, with the feature `schemars`) returns
    /// no value of another form.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Value`] if the run did not return, with the reason, or if the value is not of that type, with the path.
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
        serde_path_to_error::deserialize(&self.value).or_else(|error| {
            let place = error.path().to_string();
            let place = if place == "." { String::new() } else { format!(" at `{place}`") };
            wrong(format!("the value is of another type{place}: {}", error.inner()))
        })
    }

    /// Returns the object that `ptc run --json` prints; `warnings` is there if there are any.
    pub fn to_json(&self) -> Value {
        let mut json = json!({
            "run": self.run,
            "status": self.status,
            "value": self.value,
            "fail": self.fail,
            "stop": self.stop,
            "turns": self.turns,
            "tool_calls": self.tool_calls,
            "fuel": self.fuel,
            "seed": self.seed,
            // A cost that nobody knows is null: zero would be a lie.
            "usage": {
                "input_tokens": self.usage.input_tokens,
                "output_tokens": self.usage.output_tokens,
                "cost": self.usage.cost,
            },
            "error": self.error,
        });
        if let Some(below) = &self.below {
            json["sub_agents"] = json!(below);
        }
        if !self.warnings.is_empty() {
            json["warnings"] = json!(self.warnings);
        }
        json
    }

    /// Returns the exit code of a command that ran it: 0 returned, 1 failed, 3 no acceptable
    /// program within the turns, 4 a limit, 5 the provider.
    pub fn exit_code(&self) -> u8 {
        match (self.status, self.stop) {
            (Status::Returned, _) => 0,
            (Status::Failed, _) => 1,
            (_, stop) => stop.map_or(3, Stop::exit_code),
        }
    }
}

/// What the sub-agents of a run took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Below {
    /// How many runs there were.
    pub runs: u64,
    /// Their turns.
    pub turns: u64,
    /// Their tool calls.
    pub tool_calls: u64,
    /// The work of their programs.
    pub fuel: u64,
    /// The tokens of their replies, and what they cost.
    pub usage: Usage,
}

words! {
    /// How a run ended, in one word.
    pub enum Status {
        /// It has not ended.
        Running = "running",
        /// With a value that matches the signature.
        Returned = "returned",
        /// With `(fail …)`.
        Failed = "failed",
        /// Otherwise; there is a stop code.
        Stopped = "stopped",
    }
}

words! {
    /// What ended a run that has neither a value nor a failure of its own. Codes are stable.
    pub enum Stop {
        /// The last turn brought no acceptable program, or all turns that it may take with its sub-agents are used
        /// up.
        Turns = "turns",
        /// The tokens of its budget are used up.
        Tokens = "tokens",
        /// The money of its budget is used up.
        Cost = "cost",
        /// The last program was not allowed to run.
        Policy = "policy",
        /// The last program ran out of fuel, its own or that of the run's budget.
        Fuel = "fuel",
        /// The last program kept too much, or wanted to keep too much for later.
        Memory = "memory",
        /// The last program went too deep: calls, values or sub-agents.
        Depth = "depth",
        /// The last program made too many tool calls, for itself or for the run's budget.
        ToolCalls = "tool-calls",
        /// The last program was too long or nested too deeply to be read.
        Source = "source",
        /// The last program's result was too large.
        Result = "result",
        /// The time of the run, or of its last program, was up.
        Time = "time",
        /// The model did not answer.
        Provider = "provider",
        /// Whoever started the run cancelled it.
        Cancelled = "cancelled",
        /// It was resumed, and nobody knows what came of a call that may not be made again.
        InDoubt = "in-doubt",
        /// A mistake of ours.
        Internal = "internal",
    }
}

impl Stop {
    /// Whether the run can go on as if it had not ended.
    pub(crate) fn passes(self) -> bool {
        matches!(self, Stop::Cancelled | Stop::InDoubt | Stop::Provider | Stop::Time)
    }

    /// Returns the exit code: 3 for the turns and the policy, 5 for the provider, 70 for a mistake of ours, 4 for a
    /// limit or when cancelled.
    pub fn exit_code(self) -> u8 {
        match self {
            Stop::Turns | Stop::Policy => 3,
            Stop::Provider => 5,
            Stop::Internal => 70,
            _ => 4,
        }
    }
}

/// What a program said with `(fail …)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fail {
    /// The keyword it gave, without the colon.
    pub reason: String,
    /// The message it gave.
    pub message: String,
    /// What else it gave: the value under `:details`, or the other entries of the map; null if there is nothing else.
    #[serde(default)]
    pub details: Value,
}

/// One problem as data: a diagnostic of the language, or what a provider or tool said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunError {
    /// The stable code.
    pub code: ErrorCode,
    /// What sort of problem it is: `type`, `tool`, `limit`, `provider` …
    pub kind: ProblemKind,
    /// What happened.
    pub message: String,
    /// The line in the program, counted from 1.
    pub line: Option<u32>,
    /// The column in the program, counted from 1.
    pub column: Option<u32>,
    /// What to do about it.
    pub help: Option<String>,
    /// What the author of the agent can do about it, which a model is not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
    /// The code of the ceiling that was reached, if the budget of the run stopped a program, and not a limit of the
    /// program itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<ErrorCode>,
    /// The calls in doubt, of the run and of its sub-agents, if it stopped for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub in_doubt: Vec<CallInDoubt>,
}

/// A call that was made and of which nobody knows what came; its tool writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CallInDoubt {
    /// Its key: the run that made it, the turn, and the place in the program.
    /// [`Resume`](crate::replay::Resume) takes it.
    pub call: String,
    /// The tool's name.
    pub tool: String,
}

impl RunError {
    /// Makes an error that has no place in a program.
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
            help: None,
            advice: None,
            budget: None,
            in_doubt: Vec::new(),
        }
    }

    /// Changes each of its texts.
    pub(crate) fn each_text(&mut self, change: impl Fn(&str) -> String) {
        let texts = [Some(&mut self.message), self.help.as_mut(), self.advice.as_mut()];
        texts.into_iter().flatten().for_each(|text| *text = change(text));
    }

    /// Returns the help and the advice as one text: what a person reads.
    pub fn help_and_advice(&self) -> Option<String> {
        match (&self.help, &self.advice) {
            (Some(help), Some(advice)) => Some(format!("{help}; or {advice}")),
            (help, advice) => help.clone().or_else(|| advice.clone()),
        }
    }
}

/// How many warnings of one value are told.
const MAX_WARNINGS: usize = 20;

/// Returns the warnings of one value for events, records and models, without what is in hidden
/// fields: whoever may know that reads it in the value itself.
pub(crate) fn warnings(what: impl fmt::Display, found: &[Warning]) -> Vec<RunError> {
    let told = found.iter().take(MAX_WARNINGS).map(|warning| {
        let message = format!("{what}: {}", warning.redacted());
        RunError::new(warning, message)
    });
    let mut told: Vec<RunError> = told.collect();
    if let Some(next) = found.get(MAX_WARNINGS) {
        let message = format!("{what}: and {} more", found.len() - MAX_WARNINGS);
        told.push(RunError::new(next, message));
    }
    told
}

/// Returns a warning for each key of an input that the signature does not name. A record may have more fields than
/// its type names; there, only a key that looks like a slip is told.
pub(crate) fn unknown_keys(signature: &Signature, input: &impl Datum) -> Vec<RunError> {
    let mut found = signature.unknown_keys(input);
    found.retain(|it| it.is_input() || it.near.is_some());
    let mut told: Vec<RunError> = found
        .iter()
        .take(MAX_WARNINGS)
        .map(|it| RunError::new(RunCode::UnknownKey, format!("input: {it}; {}", it.help())))
        .collect();
    if found.len() > MAX_WARNINGS {
        let message = format!("input: and {} more unknown keys", found.len() - MAX_WARNINGS);
        told.push(RunError::new(RunCode::UnknownKey, message));
    }
    told
}

impl From<&ProviderError> for RunError {
    fn from(error: &ProviderError) -> RunError {
        let help = error.help.clone();
        RunError { help, ..RunError::new(error.kind, &error.message) }
    }
}
