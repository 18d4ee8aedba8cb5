//! `ptc mcp`: serves agents as tools of an MCP server.

use std::path::Path;

use ptc_mcp::{AgentServer, Served};
use ptc_subagent::store::Store;

use crate::agents;
use crate::args::McpArgs;
use crate::report::{self, Result};
use crate::run::{chosen_model, interrupted, runtime};
use crate::runs;

/// Runs `ptc mcp`.
pub(crate) fn command(args: &McpArgs) -> Result<u8> {
    let store = runs::open_for_writing(args.store.file())?;
    let served = args.agents.iter().map(|path| served(path, args, &store));
    let served = served.collect::<Result<Vec<Served>>>()?;
    let server = AgentServer::new(served, store)?;
    let runtime = runtime()?;
    let outcome = runtime.block_on(async {
        let stops = async {
            interrupted().await;
            server.end().await;
        };
        tokio::select! {
            outcome = server.serve_stdio() => outcome,
            () = stops => Ok(()),
        }
    });
    // Only a further line would end the thread that reads stdin.
    runtime.shutdown_background();
    outcome?;
    Ok(report::DONE)
}

/// Reads an agent, and opens its model.
fn served(path: &Path, args: &McpArgs, store: &Store) -> Result<Served> {
    let mut agent = agents::read(path)?;
    agent.learn(store)?;
    report::say_assumed_effects(&agent);
    let (model, options) = chosen_model(&args.model, &agent)?;
    let provider = model.open(&options)?;
    Ok(Served { agent, provider })
}
