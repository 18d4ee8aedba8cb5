//! The arguments of `ptc token`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::groups::JsonArgs;
use crate::help;

/// The tokens of a server.
#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Make a token and print it; the file keeps only its hash.
    #[command(after_help = help::TOKEN_NEW)]
    New(NewTokenArgs),
    /// List the tokens with their roles and agents.
    List(ListTokensArgs),
    /// Remove a token; a server that runs refuses it at once.
    Remove(RemoveTokenArgs),
}

/// The file of tokens.
#[derive(Clone, Debug, Args)]
pub(crate) struct TokensArgs {
    /// The file of tokens; by default `ptc/tokens.toml` in `$XDG_STATE_HOME`, or in `~/.local/state`.
    #[arg(id = "tokens", long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl TokensArgs {
    /// Returns the file, if the option is present.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }
}

/// The arguments of `ptc token new`.
#[derive(Debug, Args)]
pub(crate) struct NewTokenArgs {
    /// The name of the person or the program; records have it.
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// The level: view, run, edit or delete; or a role of the file.
    #[arg(long, value_name = "ROLE")]
    pub(crate) role: String,
    /// Only for this agent; repeat it for more. By default the level is for all agents.
    #[arg(long = "agent", value_name = "NAME")]
    pub(crate) agents: Vec<String>,
    #[command(flatten)]
    pub(crate) tokens: TokensArgs,
}

/// The arguments of `ptc token list`.
#[derive(Debug, Args)]
pub(crate) struct ListTokensArgs {
    #[command(flatten)]
    pub(crate) tokens: TokensArgs,
    #[command(flatten)]
    pub(crate) output: JsonArgs,
}

/// The arguments of `ptc token remove`.
#[derive(Debug, Args)]
pub(crate) struct RemoveTokenArgs {
    /// The name.
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) tokens: TokensArgs,
}
