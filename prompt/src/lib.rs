//! Renders the messages to a model, and extracts the program from its reply.
//!
//! The crate owns these parts:
//!
//! - the seven sections of the system prompt: the inventory of the data, the tools, the language
//!   reference and the others;
//! - the answer styles: how a reply is read, and how its outcome is told;
//! - observations and feedback;
//! - the extraction of the program from a reply;
//! - the grammar of a mission's programs.
//!
//! All of it is pure: the same inputs give the same bytes. There is no IO, no network, no store, no
//! clock and no randomness here, and never will be.

mod answer;
mod call_form;
mod calls;
mod catalogue;
mod conversation;
mod earlier;
mod error;
mod example_value;
mod examples;
pub mod expressions;
mod extract;
mod feedback;
mod grammar;
mod handle;
mod infer;
mod instruction;
mod inventory;
mod kinds;
mod memo;
mod mended;
mod mission;
mod observation;
mod problem;
mod program_tool;
mod reference;
mod sample;
mod sections;
mod spec;
mod style;
mod system;
mod telling;
mod templates;
mod text;
mod tokens;
mod tools;
mod turn;

// The parts of a prompt: what an agent says about itself, and the texts that are made of it.
pub use instruction::Instruction;
pub use mission::{check_placeholders, expand as mission, placeholders};
pub use sections::{PromptPart, Sections};
pub use spec::{
    AgentSpec, MissionMode, PayloadSpec, PromptLimits, PromptSpec, Reference, TurnInfo,
};
pub use system::{Section, SystemPrompt, opening, system};

// Answer styles: the reading of replies, and the outcomes that a model is told.
pub use style::{
    CallOutcome, DecisionSwitches, DecisionsStyle, JsonStyle, Outcome, OutcomeEnd, Plan, PlanEnd,
    PlannedCall, ProgramStyle, ReactStyle, Reading, ReplyParts, ReplyProblem, ShownChange, Style,
    StyleRules, Switch, Told, ToolsStyle, answer_opening, read_answer, read_summary, stages,
    summary_request, text_without_key_rules, without_key_rules,
};

// Calls in replies and in observations.
pub use calls::{CallCollector, CallMade, CallsMade};
pub use conversation::{CallResult, ModelCall, ToolOffer};

// The program of a reply, and the grammar of the programs that a mission allows.
pub use extract::{ExtractError, Extracted, Note, extract};
pub use grammar::{Chars, Functions, Grammar, GrammarOptions, Part, ReplyFormat, Rule, grammar};

// Feedback and observations.
pub use feedback::{feedback, feedback_again, feedback_of_one, repaired};
pub use handle::handle;
pub use observation::observation;
pub use problem::Problem;

// Earlier messages of a conversation.
pub use earlier::{EarlierMessages, earlier_messages, message_text};

// Texts about tools.
pub use call_form::call_form;
pub use infer::type_of_all;
pub use program_tool::{ToolLookup, program_tool};

// Faults, caching, and the size of texts.
pub use error::{Error, ErrorKind};
pub use memo::Memo;
pub use tokens::{CHARS_PER_TOKEN, Tokens, tokens};
