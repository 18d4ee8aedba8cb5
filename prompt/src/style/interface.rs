//! The interface of answer styles.

use std::fmt::Debug;

use ptc_lisp::Value;

use super::plan::{CallOutcome, Plan};
use crate::calls::CallsMade;
use crate::conversation::{CallResult, ModelCall, ToolOffer};
use crate::error::Error;
use crate::extract::ExtractError;
use crate::memo::Memo;
use crate::problem::Problem;
use crate::{PromptLimits, PromptPart, PromptSpec, SystemPrompt, TurnInfo};

/// The form in which a model replies.
///
/// All methods are pure: equal inputs give equal bytes.
pub trait Style: Debug + Send + Sync {
    /// Returns the name in agent files and records.
    fn name(&self) -> &str;

    /// Returns the sections of its system prompt, in their order. An author can replace each of them.
    fn sections(&self) -> &'static [PromptPart] {
        &PromptPart::ALL
    }

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

    /// Returns the sentence that tells a model how it gets a shortened message back, with `{n}` for the turn; empty if it
    /// cannot.
    fn expansion_hint(&self) -> &'static str {
        ""
    }

    /// Returns the rules by which a run treats the replies.
    fn rules(&self) -> StyleRules {
        StyleRules::default()
    }
}

/// The rules by which a run treats the replies of a style. A run knows nothing else of its style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a rule of its own")]
pub struct StyleRules {
    /// Whether the model writes programs itself. Then the returned values of programs are checked before they run, and
    /// replies can be restricted to a grammar.
    pub writes_programs: bool,
    /// Whether the model can call tools and change a payload.
    pub acts: bool,
    /// Whether a call that equals an earlier one of the run gets the earlier result.
    pub remembers_calls: bool,
    /// Whether a retry turn may follow every problem. Otherwise it follows only a returned value of the wrong form.
    pub retries_every_problem: bool,
    /// Whether messages to the model show the payload.
    pub shows_payload: bool,
    /// The number of malformed replies in a row that stop a run; `None` if only the turns do.
    pub max_malformed: Option<u32>,
}

impl Default for StyleRules {
    /// Returns the rules of a style whose model acts by other means than programs.
    fn default() -> StyleRules {
        StyleRules {
            writes_programs: false,
            acts: true,
            remembers_calls: false,
            retries_every_problem: false,
            shows_payload: true,
            max_malformed: None,
        }
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
