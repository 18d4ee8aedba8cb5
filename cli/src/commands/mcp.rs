//! `ptc mcp`: serves agents, or programs over tools, to MCP clients.

use std::net::SocketAddr;
use std::path::Path;

use ptc_mcp::{AgentServer, Served};
use ptc_subagent::store::Store;
use ptc_subagent::tool::Effect;
use ptc_subagent::{Agent, RunSettings};
use tokio::net::TcpListener;

use crate::agents;
use crate::args::McpArgs;
use crate::model::chosen_model;
use crate::process::runtime;
use crate::records;
use crate::report::{self, Fault, Result};
use crate::signals::interrupted;

/// The word for the model of the client.
const CLIENT: &str = "client";

/// Runs `ptc mcp`.
pub(crate) fn command(args: &McpArgs) -> Result<u8> {
    let token = args.token_env.as_deref().map(token).transpose()?;
    if let Some(address) = args.http {
        AgentServer::check_http(address, token.as_deref()).map_err(|error| {
            let help =
                "name the environment variable of a long random text with `--token-env NAME`";
            Fault::new("usage", error.message()).with_help(help)
        })?;
    }
    let store = records::open_for_writing(args.store.file())?;
    let server = if args.code {
        AgentServer::of_programs(agent_of_programs(args, &store)?, store)?
    } else {
        let served = args.agents.iter().map(|path| served(path, args, &store));
        let served = served.collect::<Result<Vec<Served>>>()?;
        AgentServer::new(served, store)?
    };
    let runtime = runtime()?;
    let outcome = runtime.block_on(async {
        let serves = async {
            match args.http {
                Some(address) => serve_http(&server, address, token.as_deref()).await,
                None => Ok(server.serve_stdio().await?),
            }
        };
        let stops = async {
            interrupted().await;
            server.end().await;
        };
        tokio::select! {
            outcome = serves => outcome,
            () = stops => Ok(()),
        }
    });
    // Only a further line would end the thread that reads stdin.
    runtime.shutdown_background();
    outcome?;
    Ok(report::DONE)
}

/// Reads the token of clients from the environment.
fn token(name: &str) -> Result<String> {
    let token = std::env::var(name).ok().filter(|it| !it.trim().is_empty());
    token.ok_or_else(|| {
        let message = format!("the environment variable `{name}` has no token");
        Fault::new("usage", message).with_help("set it to a long random text")
    })
}

async fn serve_http(server: &AgentServer, address: SocketAddr, token: Option<&str>) -> Result<()> {
    let failed = |error: std::io::Error| {
        Fault::new("unusable-server", format!("cannot listen at {address}: {error}"))
    };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    report::say(&format!("listening at http://{address}/mcp\n"));
    Ok(server.serve_http(listener, token).await?)
}

/// Reads an agent. Its tools have the types of earlier results.
fn read(path: &Path, store: &Store) -> Result<Agent> {
    let mut agent = agents::read(path)?;
    agent.learn(store)?;
    report::say_about_tools(&agent);
    Ok(agent)
}

/// Makes the agent whose tools programs call.
fn agent_of_programs(args: &McpArgs, store: &Store) -> Result<Agent> {
    let servers = match (&args.mcp, args.agents.as_slice()) {
        (Some(servers), _) => servers,
        (None, [path]) => return read(path, store),
        _ => {
            return Err(Fault::new("usage", "`--code` takes one agent file")
                .with_help("an agent file may name several MCP servers, as `ptc docs mcp` says"));
        }
    };
    let mut agent =
        Agent::new("Run programs.").with_name("code").with_servers(servers, &agents::servers())?;
    agent.learn(store)?;
    if !args.yes {
        for tool in agent.tools.iter_mut().filter(|it| it.effect() == Effect::Write) {
            tool.confirm = true;
        }
    }
    Ok(agent)
}

/// Reads an agent, and opens its model.
fn served(path: &Path, args: &McpArgs, store: &Store) -> Result<Served> {
    let agent = read(path, store)?;
    if args.model.model.as_deref() == Some(CLIENT) {
        return Ok(Served { agent, provider: None });
    }
    let provider = Some(chosen_model(&args.model, &agent, &RunSettings::new())?.open()?);
    Ok(Served { agent, provider })
}
