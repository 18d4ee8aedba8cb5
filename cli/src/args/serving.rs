//! The arguments of the command that serves agents.

use std::path::PathBuf;

use clap::Args;

use super::{ModelArgs, StoreArgs};

/// The arguments of `ptc mcp`.
#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    /// The agent files, in TOML or JSON; each agent is a tool.
    #[arg(value_name = "AGENT.toml", required = true)]
    pub(crate) agents: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}
