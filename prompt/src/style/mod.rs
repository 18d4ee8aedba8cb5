//! Answer styles: the forms in which a model replies.
//!
//! A style renders the prompts of a mission, reads a reply into a program, and renders what came of
//! it. A run acts by programs only: [`Reading::Program`] is one that the model wrote, and
//! [`Reading::Plan`] is a reply that is read as one. A style has no state and runs nothing.

mod decisions;
mod json;
mod lookup;
mod observe;
mod payload;
mod plan;
mod program;
mod react;
mod switches;
mod tools;

use std::fmt::Debug;

use ptc_lisp::Value;
use ptc_signatures::Type;

use self::json::is_text;

use crate::calls::CallsMade;
use crate::conversation::{CallResult, ModelCall, ToolOffer};
use crate::error::Error;
use crate::extract::ExtractError;
use crate::memo::Memo;
use crate::problem::Problem;
use crate::{PromptLimits, PromptSpec, SystemPrompt, TurnInfo};

pub use decisions::DecisionsStyle;
pub use json::{JsonStyle, answer_opening, answer_system, read_answer};
pub(crate) use json::{plain, without_hidden};
pub use plan::{CallOutcome, Plan, PlanEnd, PlannedCall, stages};
pub use program::ProgramStyle;
pub use react::ReactStyle;
pub use switches::{DecisionSwitches, Switch};
pub use tools::ToolsStyle;

/// The form in which a model replies.
///
/// All methods are pure: equal inputs give equal bytes.
pub trait Style: Debug + Send + Sync {
    /// Returns the name in agent files and records.
    fn name(&self) -> &str;

    /// Renders the system prompt. Memo is a cache that changes no text.
    ///
    /// # Errors
    ///
    /// Returns the reason that the prompt cannot be rendered.
    fn system(&self, spec: &PromptSpec<'_>, memo: &Memo) -> Result<SystemPrompt, Error>;

    /// Renders the first message to the model.
    ///
    /// # Errors
    ///
    /// Returns the reason that the message cannot be rendered.
    fn opening(&self, spec: &PromptSpec<'_>, turn: TurnInfo, memo: &Memo) -> Result<String, Error>;

    /// Reads a reply.
    fn read(&self, reply: &ReplyParts<'_>, spec: &PromptSpec<'_>) -> Reading;

    /// Renders the outcome of a reply for the next request. `turn` is the requested turn.
    fn tell(&self, outcome: &Outcome<'_>, turn: TurnInfo) -> Told;

    /// Returns the tools that the model can call natively.
    fn offers(&self, _spec: &PromptSpec<'_>) -> Vec<ToolOffer> {
        Vec::new()
    }

    /// Returns the texts at which the model stops, where a server takes them.
    fn stop(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the sentence that tells a model how its replies read whole messages of the conversation; empty if they do
    /// not.
    fn conversation_note(&self) -> &'static str {
        ""
    }

    /// Returns the number of malformed replies in a row that stop a run; `None` if only the turns do.
    fn max_malformed(&self) -> Option<u32> {
        None
    }

    /// Returns whether a call that equals an earlier one of the run gets the earlier result.
    fn remembers_calls(&self) -> bool {
        false
    }

    /// Returns whether the model writes programs itself. Then the returned values of programs are
    /// checked before they run, and replies can be restricted to a grammar.
    fn writes_programs(&self) -> bool {
        false
    }

    /// Returns whether the model can call tools and change a payload.
    fn acts(&self) -> bool {
        true
    }

    /// Returns whether a retry turn may follow every problem. Otherwise it follows only a returned
    /// value of the wrong form.
    fn retries_every_problem(&self) -> bool {
        false
    }
}

/// A reply of a model, as a style reads it.
#[derive(Clone, Copy, Debug)]
pub struct ReplyParts<'a> {
    /// The text.
    pub text: &'a str,
    /// The native calls.
    pub calls: &'a [ModelCall],
    /// Whether the reply stops in the middle.
    pub is_cut_off: bool,
}

/// Returns the message that asks for a partial answer, when no turn is left.
pub fn summary_request(output: Option<&Type>) -> String {
    let form = match output.filter(|output| !is_text(output)) {
        Some(output) => format!("as one JSON value of the type `{output}` and nothing else"),
        None => "as text, and say that it is not complete".to_owned(),
    };
    format!(
        "The mission stops here. Write the best answer from what you know so far, {form}. Call no tool and write no program."
    )
}

/// Reads the reply to a [`summary_request`].
pub fn read_summary(reply: &str, output: Option<&Type>) -> Option<Value> {
    match output.filter(|output| !is_text(output)) {
        Some(output) => read_answer(reply, Some(output)),
        None => read_answer(reply, Some(&Type::STRING)),
    }
}

/// The contents of a reply.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// A program that the model wrote.
    Program {
        /// The source.
        source: String,
        /// Notes about the parts of the reply that were ignored.
        notes: Vec<String>,
    },
    /// A reply that is read as a program.
    Plan(Plan),
    /// A reply without anything to run.
    Problem(ReplyProblem),
}

/// The reason that there is nothing to run in a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReplyProblem {
    /// There is not exactly one program.
    Program(ExtractError),
    /// The reply stops in the middle.
    CutOff,
    /// There is no answer.
    NoAnswer,
    /// The reply has another form than the style asks for.
    Form {
        /// The problem, as a sentence without its full stop.
        message: String,
        /// The remedy, as a sentence.
        fix: String,
    },
}

/// The next message to the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// The text. It may be empty if there are results.
    pub text: String,
    /// The results of the native calls of the reply, one for each.
    pub results: Vec<CallResult>,
}

impl From<String> for Told {
    fn from(text: String) -> Told {
        Told { text, results: Vec::new() }
    }
}

/// The outcome of a reply.
#[derive(Clone, Copy)]
pub struct Outcome<'a> {
    /// The end of the turn.
    pub end: OutcomeEnd<'a>,
    /// The native calls of the reply.
    pub reply_calls: &'a [ModelCall],
    /// The plan that the reply was read as.
    pub plan: Option<&'a Plan>,
    /// The outcome of each call of the plan.
    pub outcomes: &'a [CallOutcome],
    /// The payload after the reply; `None` if the message does not need it, since an earlier one has it.
    pub payload: Option<&'a Value>,
    /// The changes of the payload by the reply.
    pub payload_changes: &'a [ShownChange],
    /// The limits on the message.
    pub limits: &'a PromptLimits,
    /// The repair of the program before it ran.
    pub repair: Option<&'a str>,
}

/// A change of the payload.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownChange {
    /// The path on one line, such as `orders[2].state`.
    pub path: String,
    /// The new value; `None` if the change has removed it.
    pub value: Option<Value>,
}

/// The end of the turn of a reply.
#[derive(Clone, Copy)]
pub enum OutcomeEnd<'a> {
    /// The program ended with a value that does not end the mission.
    Value {
        /// The value.
        value: &'a Value,
        /// The printed lines.
        prints: &'a [String],
        /// The tool calls.
        calls: &'a CallsMade,
        /// Whether the value matches the return type of the mission's signature.
        is_answer: bool,
    },
    /// The reply did not advance the mission.
    Problem {
        /// The problem.
        problem: &'a Problem<'a>,
        /// The number of equal replies before this one that had the same problem.
        times: u32,
    },
}

impl<'a> ReplyProblem {
    /// Returns the problem of the turn.
    pub fn as_problem(&'a self) -> Problem<'a> {
        match self {
            ReplyProblem::Program(error) => Problem::from(error),
            ReplyProblem::CutOff => Problem::CutOff,
            ReplyProblem::NoAnswer => Problem::NoAnswer,
            ReplyProblem::Form { message, fix } => Problem::Form { message, fix },
        }
    }
}
