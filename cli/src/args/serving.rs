//! The arguments of the command that serves agents.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::Args;

use super::{ModelArgs, StoreArgs};

/// The arguments of `ptc mcp`.
#[derive(Debug, Args)]
pub(crate) struct McpArgs {
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

/// Reads a port of 127.0.0.1, or an address with a port.
fn address(text: &str) -> Result<SocketAddr, String> {
    let port = text.parse().ok().map(|port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    port.or_else(|| text.parse().ok()).ok_or_else(|| {
        "expected a port, or an address with a port such as 127.0.0.1:8080".to_owned()
    })
}
