//! What happens in a run, in order, as data. Progress and the record both read this.

use std::path::PathBuf;
use std::time::Duration;

use ptc_lisp::Repair;
use serde_json::{Value, json};

use super::id::RunId;
use super::report::{RunError, RunReport};
use crate::data::Data;
use crate::provider::Reply;
use crate::words::words;

/// One thing that happened in a run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// The input fits and the prompt is made; nothing was asked yet.
    RunStarted(Box<RunStarted>),
    /// The model is about to be asked.
    TurnStarted {
        /// Counted from 1.
        turn: u32,
        /// What is new in the conversation: the mission, an observation, feedback.
        prompt: String,
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
    /// The run is over.
    RunEnded(Box<RunReport>),
}

impl Event {
    /// Returns the stable kebab-case name.
    pub fn name(&self) -> &'static str {
        match self {
            Event::RunStarted(_) => "run-started",
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
            Event::RunEnded(_) => "run-ended",
        }
    }

    /// Returns the event as an object: its name as `event`, the run, and what the event has. Times that were
    /// measured are in microseconds.
    pub fn to_json(&self, run: &RunId) -> Data {
        let has = match self {
            Event::RunStarted(it) => json!({
                "parent": it.parent,
                "agent": it.agent,
                "model": it.model,
                "signature": it.signature,
                "input": null,
                "system": it.system,
                "limits": it.limits,
                "max_turns": it.max_turns,
                "seed": it.seed,
                "definition": it.definition,
                "file": it.file,
                "origin": it.origin,
            }),
            Event::TurnStarted { turn, prompt } => json!({"turn": turn, "prompt": prompt}),
            Event::ReplyText { turn, text } => json!({"turn": turn, "text": text}),
            Event::ModelReplied { turn, reply } => json!({
                "turn": turn,
                "text": reply.text,
                "usage": reply.usage,
                "finish": reply.finish,
            }),
            Event::Admitted { turn, program, repair, report, budget, warnings, notes } => json!({
                "turn": turn,
                "program": program,
                "repair": repair.as_ref().map(Repair::to_json),
                "report": report,
                "budget": budget,
                "warnings": warnings,
                "notes": notes,
            }),
            Event::Rejected { turn, program, errors, notes } => {
                json!({"turn": turn, "program": program, "errors": errors, "notes": notes})
            }
            Event::CallStarted { turn, call, tool, .. } => {
                json!({"turn": turn, "call": call, "tool": tool})
            }
            Event::CallFinished { turn, call, tool, result, run, cached, ended, elapsed } => {
                json!({
                    "turn": turn,
                    "call": call,
                    "tool": tool,
                    "result": result.as_ref().ok(),
                    "error": result.as_ref().err(),
                    "sub_run": run,
                    "cached": cached,
                    "ended": ended,
                    "elapsed": elapsed.as_micros() as u64,
                })
            }
            Event::Warned { turn, call, warning } => {
                json!({"turn": turn, "call": call, "warning": warning})
            }
            Event::Printed { turn, line } => json!({"turn": turn, "line": line}),
            Event::TurnEnded { turn, outcome, value, error, fuel, tool_calls, bounds } => json!({
                "turn": turn,
                "outcome": outcome,
                "value": value,
                "error": error,
                "fuel": fuel,
                "tool_calls": tool_calls,
                "bounds": bounds,
            }),
            Event::RunEnded(report) => json!({"report": report.to_json()}),
        };
        let mut json = json!({"event": self.name(), "run": run});
        if let (Some(json), Value::Object(has)) = (json.as_object_mut(), has) {
            json.extend(has);
        }
        match self {
            Event::RunStarted(it) => Data::from(json).with("input", it.input.clone()),
            Event::CallStarted { args, .. } => Data::from(json).with("args", args.clone()),
            _ => json.into(),
        }
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
    /// What its programs draw random numbers from.
    pub seed: u64,
    /// What of the agent decides how its runs go, with its sub-agents: what a replay makes it of. The runs of
    /// sub-agents have none of their own, and so has a run that nobody records.
    pub definition: Option<Value>,
    /// The agent file, if there is one.
    pub file: Option<PathBuf>,
    /// The run that this one goes on from, if it is a branch of one.
    pub origin: Option<Origin>,
}

/// The run that another one branched off from.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Origin {
    /// The run.
    pub run: RunId,
    /// How many of its turns were kept.
    pub turns: u32,
}

/// A moment of a program when the budget of its run left it less than it had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
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
