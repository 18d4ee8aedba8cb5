//! Agent files, with the tools of the MCP servers that they name.

use std::path::Path;

use ptc_mcp::Servers;
use ptc_subagent::store::RunRecord;
use ptc_subagent::{Agent, Error};

/// Reads an agent file. Its servers are asked for their tools.
pub(crate) fn read(path: &Path) -> Result<Agent, Error> {
    Agent::read_with(path, &Servers::new(), None)
}

/// Reads the agent file of a run on record. The tools of servers are those on record.
pub(crate) fn read_for(record: &RunRecord, path: &Path) -> Result<Agent, Error> {
    Agent::read_with(path, &Servers::new(), Some(record))
}
