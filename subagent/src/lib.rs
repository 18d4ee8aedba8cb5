//! Agents that answer with programs.
//!
//! A model gets a mission, data and tools, and replies with one small PTC-Lisp program. The runtime checks the program,
//! runs it in a sandbox and makes its tool calls. It checks the returned value against the mission's signature. If
//! anything is wrong, it tells the model precisely, and the model tries again.
//!
//! ```
//! use ptc_subagent::provider::Scripted;
//! use ptc_subagent::tool::{Effect, FnTool, ToolDef, ToolError};
//! use ptc_subagent::{Agent, Mission};
//! use serde_json::{Value, json};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), ptc_subagent::Error> {
//! let rate = FnTool::new(async |args: Value, _| match args["currency"].as_str() {
//!     Some("USD") => Ok(json!(0.5)),
//!     _ => Err(ToolError::failed("no such currency")),
//! });
//! let rate = ToolDef::new("rate", rate)
//!     .with_signature("(currency :string) -> :float")?
//!     .with_effect(Effect::Read);
//! let agent = Agent::new("What is {{amount}} {{currency}} in EUR?")
//!     .with_signature("(amount :float, currency :string) -> :float")?
//!     .with_tool(rate);
//!
//! // A model would answer like this.
//! let provider = Scripted::new([
//!     "```clojure\n(return (* ctx/amount (tool/rate {:currency ctx/currency})))\n```",
//! ]);
//! let input = json!({"amount": 12.0, "currency": "USD"});
//! let report = Mission::new(&agent, input).run(&provider).await?;
//! assert_eq!(report.value, json!(6.0));
//! assert_eq!((report.turns, report.tool_calls), (1, 1));
//! # Ok(())
//! # }
//! ```
//!
//! - An [`Agent`] is a definition, made in code or read from a file with [`Agent::read`].
//! - A [`Mission`] is one task for an agent. [`Mission::run`] needs a tokio runtime with time and IO.
//! - A [`provider`] completes a conversation: a model behind a server, a recording, or a script.
//! - A [`tool`] is an operation that programs may call, such as an async closure or a command.
//! - [`eval`] runs a program without a model and without a record.
//! - A [`host`] starts, watches, answers, resumes and cancels runs for a front end.
//! - A [`trial`] runs missions with known answers, and judges a model.
//! - A [`replay`] repeats a recorded run, or resumes it.
//! - [`sources`] are data that is loaded before a run.
//! - A [`payload`] is state that runs share: patches, grants, views, merging, diffs.
//! - A [`form`] is a question to a person, as data.
//! - A [`store`] keeps the records of runs. [`Mission::observe`] receives the same events as they happen. With the
//!   features `tracing` and `otlp`, `telemetry` turns them into spans.
//!
//! The crate prints nothing and parses no arguments. Only [`provider::Keys::from_env`], `telemetry::Otlp`, their callers
//! and tools read the environment. A tool reads the variables that its command inherits or that its headers name.
//!
//! # Exit codes
//!
//! A command that runs a mission should exit with these codes. An [`Error`] is 2 ([`ErrorKind::exit_code`]). A
//! [`RunReport`] has the others ([`RunReport::exit_code`]): 0 returned, 1 failed, 3 no acceptable program in time, 4 a
//! limit, 5 the provider, 6 waiting, 70 a bug in this crate.

mod agent;
mod blob;
mod call_pattern;
mod data;
mod driver;
mod error;
pub mod eval;
mod files;
mod flow;
pub mod form;
mod hidden;
pub mod host;
mod http;
mod in_flight;
mod label_rules;
mod labels;
pub mod payload;
mod policy;
pub mod provider;
mod record;
pub mod replay;
mod run;
mod secrets;
mod semantics;
mod setters;
pub mod sources;
pub mod store;
#[cfg(feature = "tracing")]
pub mod telemetry;
pub mod tool;
mod transcript;
pub mod trial;
mod words;

// Agents and their settings.
pub use agent::{
    Agent, Answers, OnLimit, PayloadDef, RunBudget, StrictFields, ToolSchema, Workflow,
};
pub use agent::{
    Artifacts, RunChange, RunSettings, Scope, SourceSwitches, TakenArtifact, ToolChange,
};
pub use call_pattern::{BadCallPattern, CallPattern};
pub use flow::{FlowGraph, FlowPath, FlowStep, PathOn, StepStatus};
pub use labels::{OnLabel, Takes, ToolArgument};
pub use policy::{Ask, Policy};
pub use ptc_prompt::{
    DecisionSwitches, DecisionsStyle, Instruction, PromptLimits, PromptPart, Reference, Sections,
    SystemPrompt,
};
pub use ptc_signatures::SignatureMode;
#[cfg(feature = "schemars")]
pub use ptc_signatures::schemars;
pub use transcript::{AfterExpiry, ResultRule, Transcript, TranscriptChange, TranscriptDeed};

// Missions, and the questions that they ask.
pub use record::{Earlier, MAX_SEED, fresh_seed, seed_of_part};
pub use run::{AgentCall, Elsewhere, Mission, Question};

// The end of a run.
pub use record::{
    Bound, CallInDoubt, ErrorCode, Fail, ProblemKind, RunCode, RunError, RunReport, Status, Stop,
};

// The events of a run, as they happen and on record.
pub use record::{
    APPROVE, ASK, Act, Action, Artifact, ArtifactLink, Below, CONFIRM, DeniedCall, EXPAND, Event,
    FallbackModel, Fields, InvalidRunId, LabelOrigin, OpenQuestion, Origin, Parent, Purpose,
    QuestionKind, QueuedDecisions, RefusedCall, Reserved, RunId, RunQueued, RunSetup, RunStarted,
    TurnOutcome, WAIT, WebhookSent,
};
pub use semantics::SEMANTICS;

// Data, faults, and stable words.
pub use blob::Blob;
pub use data::Data;
pub use error::{Error, ErrorKind};
pub use words::{NotAWord, Word};

/// The interface of answer styles, for a host that [registers](Answers::register) its own.
pub mod style {
    pub use ptc_prompt::{
        AgentSpec, CallMade, CallOutcome, CallResult, CallsMade, Error, Memo, ModelCall, Outcome,
        OutcomeEnd, Plan, PlanEnd, PlannedCall, Problem, PromptSpec, Reading, ReplyParts,
        ReplyProblem, ShownChange, Style, StyleRules, Told, ToolOffer, TurnInfo,
        mission as mission_text,
    };
}

/// The guides, whose examples are compiled and run.
///
/// They are pages of the folder `docs/` of the repository; links between them lead to its files.
#[cfg(any(doc, doctest))]
pub mod guide {
    #[doc = include_str!("../docs/embedding.md")]
    pub mod embedding {}

    #[doc = include_str!("../docs/agents.md")]
    pub mod agents {}

    #[cfg_attr(any(not(doctest), feature = "schemars"), doc = include_str!("../docs/tools.md"))]
    pub mod tools {}

    #[doc = include_str!("../docs/people.md")]
    pub mod people {}

    #[doc = include_str!("../docs/conversations.md")]
    pub mod conversations {}

    #[doc = include_str!("../docs/sub-agents.md")]
    pub mod sub_agents {}

    #[doc = include_str!("../docs/admission.md")]
    pub mod admission {}

    #[doc = include_str!("../docs/limits.md")]
    pub mod limits {}

    #[doc = include_str!("../docs/providers.md")]
    pub mod providers {}

    #[doc = include_str!("../docs/replay.md")]
    pub mod replay {}

    #[doc = include_str!("../docs/runs.md")]
    pub mod runs {}

    #[doc = include_str!("../docs/store.md")]
    pub mod store {}

    #[cfg_attr(any(not(doctest), feature = "otlp"), doc = include_str!("../docs/observability.md"))]
    pub mod observability {}
}
