//! What happens in a run, in order, as data. Progress and the record both read this.

use std::time::Duration;

use ptc_lisp::Repair;
use serde_json::Value;

use super::id::RunId;
use super::report::{RunError, RunReport};
use crate::provider::Reply;

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
        args: Value,
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
    },
    /// The run is over.
    RunEnded(Box<RunReport>),
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
    pub input: Value,
    /// The system prompt.
    pub system: String,
    /// The limits.
    pub limits: Value,
    /// The most turns.
    pub max_turns: u32,
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

/// What a turn came to, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TurnOutcome {
    /// The program has a value; the model sees it.
    Value,
    /// `(return v)` with a value that matches.
    Returned,
    /// `(return v)` with a value that does not match.
    WrongReturn,
    /// `(fail …)`.
    Failed,
    /// The reply holds no program, several, or one that was cut off.
    NoProgram,
    /// The reply holds no answer: it is no JSON, or was cut off.
    NoAnswer,
    /// Admission refused the program.
    Rejected,
    /// The program ended in an error.
    Error,
    /// The program ended at a limit.
    Limit,
    /// The model did not answer.
    Provider,
    /// The time of the run was up.
    Time,
    /// The run was cancelled.
    Cancelled,
}

impl TurnOutcome {
    /// Returns the stable kebab-case word.
    pub fn as_str(self) -> &'static str {
        match self {
            TurnOutcome::Value => "value",
            TurnOutcome::Returned => "returned",
            TurnOutcome::WrongReturn => "wrong-return",
            TurnOutcome::Failed => "failed",
            TurnOutcome::NoProgram => "no-program",
            TurnOutcome::NoAnswer => "no-answer",
            TurnOutcome::Rejected => "rejected",
            TurnOutcome::Error => "error",
            TurnOutcome::Limit => "limit",
            TurnOutcome::Provider => "provider",
            TurnOutcome::Time => "time",
            TurnOutcome::Cancelled => "cancelled",
        }
    }
}
