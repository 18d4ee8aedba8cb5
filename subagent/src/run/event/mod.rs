//! What happens in a run, in order, as data. Progress and the record both read this.

mod fields;

use std::path::PathBuf;
use std::time::Duration;

use ptc_lisp::Repair;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::id::RunId;
use super::report::{RunError, RunReport};
use crate::data::Data;
use crate::provider::{Message, Reply};
use crate::words::words;

pub use fields::Fields;
pub(crate) use fields::{BadField, read};

/// One thing that happened in a run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// The input fits and the prompt is made; nothing was asked yet.
    RunStarted(Box<RunStarted>),
    /// A run that had ended, or whose process died, goes on. What came of its last turn and of the run does not count
    /// any more where it would not happen again: the run was cancelled, its time was up, its model did not answer, or a
    /// call was in doubt.
    RunResumed,
    /// The model is about to be asked.
    TurnStarted {
        /// Counted from 1.
        turn: u32,
        /// What is new in the conversation: the mission, an observation, feedback.
        prompt: String,
    },
    /// A request goes to the model.
    ModelAsked {
        /// The turn.
        turn: u32,
        /// What for.
        purpose: Purpose,
        /// Its number among the requests of the turn, counted from 1.
        number: u32,
        /// The messages that are sent, if they are not the prompts and replies of the run so far.
        messages: Option<Vec<Message>>,
    },
    /// A further part of the reply that is coming; only if the mission is [streamed](crate::Mission::stream). It is not
    /// on record: the reply is. What is told is how the reply begins, or how an attempt began that was made again.
    ReplyText {
        /// The turn.
        turn: u32,
        /// The part.
        text: String,
    },
    /// The model answered.
    ModelReplied {
        /// The turn.
        turn: u32,
        /// What it was asked for.
        purpose: Purpose,
        /// The number of the request, as in [`Event::ModelAsked`]; 0 in records of earlier versions.
        number: u32,
        /// What it said.
        reply: Reply,
    },
    /// The reply holds a program that may run.
    Admitted {
        /// The turn.
        turn: u32,
        /// The source as the model wrote it.
        program: String,
        /// What was changed in it before it was admitted; the changed source is what runs.
        repair: Option<Repair>,
        /// What it can touch.
        report: Value,
        /// What is left of the run when it starts, as `(budget)` shows it.
        budget: Value,
        /// What looks wrong in it and is not certain to be.
        warnings: Vec<RunError>,
        /// What was overlooked or mended in the reply to find it.
        notes: Vec<String>,
    },
    /// The reply holds no program, or one that may not run; nothing ran.
    Rejected {
        /// The turn.
        turn: u32,
        /// The source, if there is exactly one.
        program: Option<String>,
        /// What is wrong with it, most useful first.
        errors: Vec<RunError>,
        /// What was overlooked or mended in the reply to find it.
        notes: Vec<String>,
    },
    /// A tool is about to be called.
    CallStarted {
        /// The turn.
        turn: u32,
        /// The place of the call in the program and branch; unique within the turn.
        call: String,
        /// The tool's name.
        tool: String,
        /// The arguments.
        args: Data,
    },
    /// A tool answered, or a call failed.
    CallFinished {
        /// The turn.
        turn: u32,
        /// As in [`Event::CallStarted`].
        call: String,
        /// The tool's name.
        tool: String,
        /// The result, or what went wrong.
        result: Result<Value, RunError>,
        /// The run of the sub-agent that was called.
        run: Option<RunId>,
        /// Whether an earlier call with the same arguments had the result already.
        cached: bool,
        /// Its place among the calls of the turn that are over, in the order in which they were; counted from 1.
        ended: u32,
        /// How long it took.
        elapsed: Duration,
    },
    /// Something was changed to match a signature, or let through although it does not match.
    Warned {
        /// The turn; 0 for the input.
        turn: u32,
        /// The call it is about, as in [`Event::CallStarted`], if it is about one.
        call: Option<String>,
        /// The code is `coerced` or `mismatch`.
        warning: RunError,
    },
    /// A program printed a line. Told when the program has ended.
    Printed {
        /// The turn.
        turn: u32,
        /// The line.
        line: String,
    },
    /// What the turn came to.
    TurnEnded {
        /// The turn.
        turn: u32,
        /// In one word.
        outcome: TurnOutcome,
        /// The program's value as readable text, if it has one.
        value: Option<String>,
        /// What went wrong, if something did.
        error: Option<RunError>,
        /// The fuel the program used.
        fuel: u64,
        /// The calls the program made.
        tool_calls: u32,
        /// Where the budget of the run left the program less than it had.
        bounds: Vec<Bound>,
    },
    /// What the run goes on from behind a turn, if its agent [asks for that](crate::Agent::snapshots): with it on
    /// record, a run is resumed without its earlier programs.
    Snapshot {
        /// The turn.
        turn: u32,
        /// The memory, values and definitions of programs as text ([`ptc_lisp::Snapshot`]), what the model is told
        /// next, and what the run has taken.
        state: Value,
    },
    /// The run is over.
    RunEnded(Box<RunReport>),
    /// One of a kind that only a later version knows.
    Other {
        /// Its name.
        kind: String,
        /// The turn that it is of.
        turn: Option<u32>,
        /// The call that it is of.
        call: Option<String>,
        /// What it has besides.
        fields: Fields,
    },
}

impl Event {
    /// Returns the stable kebab-case name.
    pub fn name(&self) -> &str {
        match self {
            Event::RunStarted(_) => "run-started",
            Event::RunResumed => "run-resumed",
            Event::ModelAsked { .. } => "model-asked",
            Event::Other { kind, .. } => kind,
            Event::TurnStarted { .. } => "turn-started",
            Event::ReplyText { .. } => "reply-text",
            Event::ModelReplied { .. } => "model-replied",
            Event::Admitted { .. } => "program-admitted",
            Event::Rejected { .. } => "program-rejected",
            Event::CallStarted { .. } => "call-started",
            Event::CallFinished { .. } => "call-finished",
            Event::Warned { .. } => "warned",
            Event::Printed { .. } => "printed",
            Event::TurnEnded { .. } => "turn-ended",
            Event::Snapshot { .. } => "snapshot",
            Event::RunEnded(_) => "run-ended",
        }
    }

    /// The turn that it is of.
    pub fn turn(&self) -> Option<u32> {
        match self {
            Event::RunStarted(_) | Event::RunResumed | Event::RunEnded(_) => None,
            Event::TurnStarted { turn, .. }
            | Event::ModelAsked { turn, .. }
            | Event::ReplyText { turn, .. }
            | Event::ModelReplied { turn, .. }
            | Event::Admitted { turn, .. }
            | Event::Rejected { turn, .. }
            | Event::CallStarted { turn, .. }
            | Event::CallFinished { turn, .. }
            | Event::Warned { turn, .. }
            | Event::Printed { turn, .. }
            | Event::TurnEnded { turn, .. }
            | Event::Snapshot { turn, .. } => Some(*turn),
            Event::Other { turn, .. } => *turn,
        }
    }

    /// The call that it is of.
    pub fn call(&self) -> Option<&str> {
        match self {
            Event::CallStarted { call, .. } | Event::CallFinished { call, .. } => Some(call),
            Event::Warned { call, .. } | Event::Other { call, .. } => call.as_deref(),
            _ => None,
        }
    }

    /// What it has besides its name, its run, its turn and its call: names of fields, and their JSON.
    pub(crate) fn fields(&self) -> Vec<(&str, String)> {
        match self {
            Event::Other { fields, .. } => {
                fields.iter().map(|(name, json)| (name, json.to_string())).collect()
            }
            event => fields::write(event),
        }
    }

    /// Returns the event as an object: its name as `event`, the run, the turn, the call, and what the event has. Times
    /// that were measured are in microseconds.
    pub fn to_json(&self, run: &RunId) -> Data {
        let mut data = Data::from(json!({"event": self.name(), "run": run}));
        if let Some(turn) = self.turn() {
            data = data.with("turn", json!(turn));
        }
        // A warning may be of a call or not.
        if self.call().is_some() || matches!(self, Event::Warned { .. }) {
            data = data.with("call", json!(self.call()));
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

/// What is known when a run starts.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunStarted {
    /// The name of the run.
    pub run: RunId,
    /// The call that it is the answer to, if it is a sub-agent's.
    pub parent: Option<Parent>,
    /// The agent's name.
    pub agent: String,
    /// The provider's name.
    pub model: String,
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
    /// What its programs draw random numbers from; records of the first versions do not say.
    pub seed: Option<u64>,
    /// The version of what programs, prompts and limits mean, [`SEMANTICS`](crate::SEMANTICS) where it was recorded; 0 in
    /// records that do not say.
    pub semantics: u32,
    /// What of the agent decides how its runs go, with its sub-agents: what a replay makes it of. The runs of
    /// sub-agents have none of their own, and so has a run that nobody records.
    pub definition: Option<Value>,
    /// The agent file, if there is one.
    pub file: Option<PathBuf>,
    /// The run that this one goes on from, if it is a branch of one.
    pub origin: Option<Origin>,
}

/// What a model is asked for.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Purpose {
    /// The reply of a turn.
    #[default]
    Turn,
}

/// The run that another one branched off from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Origin {
    /// The run.
    pub run: RunId,
    /// How many of its turns were kept.
    pub turns: u32,
}

/// A moment of a program when the budget of its run left it less than it had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Bound {
    /// How often the program had paused: at the end of a slice of work, or to have calls made.
    pub pause: u32,
    /// The fuel that was left.
    pub fuel: u64,
    /// The tool calls that were left.
    pub tool_calls: u32,
}

/// The call that a run of a sub-agent is the answer to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Parent {
    /// The run that made it.
    pub run: RunId,
    /// The turn of that run.
    pub turn: u32,
    /// The call, as in [`Event::CallStarted`].
    pub call: String,
}

words! {
    /// What a turn came to, in one word.
    pub enum TurnOutcome {
        /// The program has a value; the model sees it.
        Value = "value",
        /// `(return v)` with a value that matches.
        Returned = "returned",
        /// `(return v)` with a value that does not match.
        WrongReturn = "wrong-return",
        /// `(fail …)`.
        Failed = "failed",
        /// The reply holds no program, several, or one that was cut off.
        NoProgram = "no-program",
        /// The reply holds no answer: it is no JSON, or was cut off.
        NoAnswer = "no-answer",
        /// Admission refused the program.
        Rejected = "rejected",
        /// The program ended in an error.
        Error = "error",
        /// The program ended at a limit.
        Limit = "limit",
        /// The model did not answer.
        Provider = "provider",
        /// The time of the run was up.
        Time = "time",
        /// The run was cancelled.
        Cancelled = "cancelled",
        /// Nobody knows what came of a call, and it may not be made again.
        InDoubt = "in-doubt",
    }
}

impl TurnOutcome {
    /// Whether the turn would not end in this way again if the run went on.
    pub(crate) fn passes(self) -> bool {
        matches!(
            self,
            TurnOutcome::Cancelled
                | TurnOutcome::InDoubt
                | TurnOutcome::Provider
                | TurnOutcome::Time
        )
    }
}
