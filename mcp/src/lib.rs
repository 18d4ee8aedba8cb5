//! MCP both ways: tools of MCP servers for agents, and agents as tools of an MCP server.
//!
//! [`Servers`] connects to the servers that agent files name:
//!
//! ```no_run
//! use std::path::Path;
//!
//! use ptc_mcp::Servers;
//! use ptc_subagent::Agent;
//!
//! # fn main() -> Result<(), ptc_subagent::Error> {
//! let servers = Servers::new();
//! let agent = Agent::read_with(Path::new("agent.toml"), &servers, None)?;
//! # Ok(())
//! # }
//! ```
//!
//! [`AgentServer`] serves agents to the clients of others.
//!
//! The connections work in a runtime and a thread of their own. So the tools can be called from any runtime, also from
//! several. A server ends when the last tool of its agents is dropped.

mod client;
mod connection;
mod oauth;
mod offered;
mod outcome;
mod runtime;
mod serve;
mod wire;

use std::sync::{Arc, Mutex, PoisonError, Weak};

use ptc_subagent::tool::{ServerDef, Tool, ToolDef, ToolError, ToolServers};

use connection::Connection;
pub use oauth::{LoginOptions, Logins, login, logout};
use offered::McpTool;
use runtime::Background;
pub use serve::{AgentServer, Served};

/// The connections to MCP servers. Agents whose files name the same program share one process.
#[derive(Debug, Default)]
pub struct Servers {
    background: Arc<Background>,
    connections: Mutex<Vec<Weak<Connection>>>,
    logins: Option<Logins>,
}

impl Servers {
    /// Creates a host of servers. It starts nothing.
    pub fn new() -> Servers {
        Servers::default()
    }

    /// Uses the logins of a person, which [`login`] makes.
    #[must_use]
    pub fn with_logins(mut self, logins: Logins) -> Servers {
        self.logins = Some(logins);
        self
    }

    /// Returns the connection to a server. It is made when it is first used.
    fn connection(&self, server: &ServerDef) -> Arc<Connection> {
        let mut all = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|it| it.strong_count() > 0);
        let known = all.iter().filter_map(Weak::upgrade).find(|it| it.is_to(server));
        known.unwrap_or_else(|| {
            let (server, logins) = (server.clone(), self.logins.clone());
            let made = Connection::new(server, Arc::clone(&self.background), logins);
            let made = Arc::new(made);
            all.push(Arc::downgrade(&made));
            made
        })
    }
}

impl ToolServers for Servers {
    fn list(&self, server: &ServerDef) -> Result<Vec<ToolDef>, ToolError> {
        let connection = self.connection(server);
        let asked = Arc::clone(&connection);
        let offered = self.background.block_on(async move { asked.tools().await })?;
        offered::select(server, &offered, &connection)
    }

    fn recall(&self, server: &ServerDef, name: &str) -> Box<dyn Tool> {
        Box::new(McpTool::recalled(self.connection(server), server, name))
    }
}
