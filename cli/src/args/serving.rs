//! The arguments of the command that serves agents.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::groups::{ModelArgs, StoreArgs};
use super::tokens::TokensArgs;
use crate::help;

/// The arguments of `ptc mcp`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(disable_help_subcommand = true)]
pub(crate) struct McpArgs {
    #[command(subcommand)]
    pub(crate) access: Option<Access>,
    /// The agent files, in TOML or JSON; each agent is a tool.
    #[arg(value_name = "AGENT.toml", required_unless_present = "mcp")]
    pub(crate) agents: Vec<PathBuf>,
    /// Serve two tools instead: `search` finds the tools of an agent, and `run` runs a program over them.
    #[arg(long)]
    pub(crate) code: bool,
    /// The file with `mcpServers` whose tools programs call, instead of the tools of an agent.
    #[arg(long, value_name = "FILE", requires = "code", conflicts_with = "agents")]
    pub(crate) mcp: Option<PathBuf>,
    /// Let programs call the tools of these servers that write, without a question.
    #[arg(long, requires = "mcp")]
    pub(crate) yes: bool,
    /// Serve HTTP at this port of 127.0.0.1, or at this address with a port, instead of stdin and stdout.
    #[arg(long, value_name = "ADDR", value_parser = address)]
    pub(crate) http: Option<SocketAddr>,
    /// The environment variable with the token that clients of HTTP must send.
    #[arg(long, value_name = "NAME", requires = "http")]
    pub(crate) token_env: Option<String>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// The arguments of `ptc serve`.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// The agent files, in TOML or JSON, and folders of them.
    #[arg(value_name = "FOLDER|AGENT.toml", required = true)]
    pub(crate) agents: Vec<PathBuf>,
    /// Serve at this port of 127.0.0.1, or at this address with a port.
    #[arg(long, value_name = "ADDR", value_parser = address, default_value = "127.0.0.1:8080")]
    pub(crate) http: SocketAddr,
    /// Run at most this many runs at the same time.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) max_runs: u32,
    /// Let at most this many new runs wait for a place.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) max_queue: u32,
    /// Write a line about each request and each run to stderr.
    #[arg(long, value_name = "FORM")]
    pub(crate) log: Option<LogForm>,
    /// Tell a server about runs that end or wait: it gets a signed POST.
    #[arg(long, value_name = "URL", requires = "webhook_secret_env")]
    pub(crate) webhook: Option<String>,
    /// The environment variable with the secret that signs messages to the webhook.
    #[arg(long, value_name = "NAME", requires = "webhook")]
    pub(crate) webhook_secret_env: Option<String>,
    /// Delete runs that have ended and began longer ago than this, such as `90d`; at least `1d`.
    #[arg(long, value_name = "TIME")]
    pub(crate) keep: Option<String>,
    /// At the end, wait this many seconds for runs that run; the others go on at the next start.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub(crate) grace: u64,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) tokens: TokensArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// The commands for runs on a Restate server.
#[cfg(feature = "restate")]
#[derive(Debug, Subcommand)]
pub(crate) enum RestateCommand {
    /// Serve agents to a Restate server, as one of its workers.
    #[command(after_help = help::RESTATE)]
    Serve(WorkerArgs),
}

/// The arguments of `ptc restate serve`.
#[cfg(feature = "restate")]
#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// The agent files, in TOML or JSON, and folders of them.
    #[arg(value_name = "FOLDER|AGENT.toml", required = true)]
    pub(crate) agents: Vec<PathBuf>,
    /// Take requests of the server at this port of 127.0.0.1, or at this address with a port.
    #[arg(long, value_name = "ADDR", value_parser = address, default_value = "127.0.0.1:9080")]
    pub(crate) listen: SocketAddr,
    /// Refuse requests that are not signed by the server with this public key, `publickeyv1_…`; may be given several times.
    #[arg(id = "identity-key", long, value_name = "KEY")]
    pub(crate) identity_keys: Vec<String>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
}

/// The form of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogForm {
    /// Lines of words.
    Text,
    /// JSON lines.
    Json,
}

/// The access of a person to MCP servers.
#[derive(Debug, Subcommand)]
pub(crate) enum Access {
    /// Log in to an MCP server that an agent file names: allow the access in a browser.
    #[command(after_help = help::MCP_LOGIN)]
    Login(LoginArgs),
    /// Forget a login to an MCP server.
    #[command(after_help = help::MCP_LOGOUT)]
    Logout(LogoutArgs),
}

/// The arguments of `ptc mcp login`.
#[derive(Debug, Args)]
pub(crate) struct LoginArgs {
    /// The agent file, or a file with `mcpServers`, that names the server.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The name of the server; needed if the file names several at an address.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The port of 127.0.0.1 to which the browser comes back; 0 is a free one.
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub(crate) port: u16,
    /// A scope to ask for, besides those that the server or the file names.
    #[arg(long = "scope", value_name = "SCOPE")]
    pub(crate) scopes: Vec<String>,
}

/// The arguments of `ptc mcp logout`.
#[derive(Debug, Args)]
pub(crate) struct LogoutArgs {
    /// The agent file, or a file with `mcpServers`, that names the server.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The name of the server; needed if the file names several at an address.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
}

/// Reads a port of 127.0.0.1, or an address with a port.
fn address(text: &str) -> Result<SocketAddr, String> {
    let port = text.parse().ok().map(|port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    port.or_else(|| text.parse().ok()).ok_or_else(|| {
        "expected a port, or an address with a port such as 127.0.0.1:8080".to_owned()
    })
}
