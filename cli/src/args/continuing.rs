//! The arguments of the commands that continue runs.

use std::path::PathBuf;

use clap::Args;

use super::groups::{
    ContextArgs, ModelArgs, OutcomeArgs, QuietArgs, RecordArgs, RunAgentArgs, StoreArgs, YesArgs,
};

/// The arguments of `ptc resume`.
#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The run: an id, or the start of an id; by default the newest run.
    #[arg(value_name = "RUN")]
    pub(crate) run: Option<String>,
    #[command(flatten)]
    pub(crate) agent: RunAgentArgs,
    /// Take this as the result of a call in doubt, without making the call.
    #[arg(long, num_args = 2, value_names = ["CALL", "JSON"])]
    pub(crate) assume_done: Vec<String>,
    /// Repeat a call in doubt.
    #[arg(long, value_name = "CALL")]
    pub(crate) retry: Vec<String>,
    /// Let a workflow continue from its newest snapshot although its program changed.
    #[arg(long)]
    pub(crate) accept_change: bool,
    /// Take the run from the process that owns it; if that process is alive, both continue.
    #[arg(long)]
    pub(crate) take_over: bool,
    #[command(flatten)]
    pub(crate) context: ContextArgs,
    #[command(flatten)]
    pub(crate) yes: YesArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) store: RecordArgs,
    /// Write events to a file as they happen, as JSON lines.
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutcomeArgs,
}

/// The arguments of `ptc answer`.
#[derive(Debug, Args)]
pub(crate) struct AnswerArgs {
    /// The run: an id, or the start of an id.
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// The id of the question, if there are several; then the answer: JSON, text, or `@FILE`.
    #[arg(value_names = ["QUESTION", "VALUE"], num_args = 0..=2)]
    pub(crate) answer: Vec<String>,
    /// Answer a question of yes or no with yes.
    #[arg(long, conflicts_with = "no")]
    pub(crate) yes: bool,
    /// Answer a question of yes or no with no, and say why.
    #[arg(long, value_name = "REASON", num_args = 0..=1, default_missing_value = "")]
    pub(crate) no: Option<String>,
    /// Answer nothing, and end the run as cancelled.
    #[arg(long, conflicts_with_all = ["answer", "yes", "no"])]
    pub(crate) cancel: bool,
    #[command(flatten)]
    pub(crate) agent: RunAgentArgs,
    #[command(flatten)]
    pub(crate) context: ContextArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) store: RecordArgs,
    /// Print one JSON object with the outcome of the run, or without an answer a list of the open questions.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) progress: QuietArgs,
}

/// The arguments of `ptc work`.
#[derive(Debug, Args)]
pub(crate) struct WorkArgs {
    /// Resume what is due now, and end.
    #[arg(long)]
    pub(crate) once: bool,
    #[command(flatten)]
    pub(crate) yes: YesArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}
