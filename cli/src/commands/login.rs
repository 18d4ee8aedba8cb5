//! `ptc mcp login` and `ptc mcp logout`: the access of a person to MCP servers.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use ptc_mcp::LoginOptions;
use ptc_subagent::Agent;
use ptc_subagent::tool::{Constant, ServerDef, ServerLink, Tool, ToolDef, ToolError, ToolServers};
use serde_json::Value;

use crate::agents;
use crate::args::{LoginArgs, LogoutArgs};
use crate::process::runtime;
use crate::report::{self, Fault, Result};
use crate::signals::interrupted;

/// Runs `ptc mcp login`.
pub(crate) fn login(args: &LoginArgs) -> Result<u8> {
    let server = server(&args.file, args.name.as_deref())?;
    let logins = agents::logins()?;
    let options = LoginOptions { port: args.port, scopes: args.scopes.clone() };
    let show = |address: &str| {
        report::say(&report::clean(&format!("open this address in a browser:\n  {address}\n")));
    };
    runtime()?.block_on(async {
        tokio::select! {
            done = ptc_mcp::login(&server, &logins, &options, show) => Ok(done?),
            () = interrupted() => Err(Fault::new("cancelled", "the login was interrupted")),
        }
    })?;
    report::say(&report::clean(&format!("logged in to `{}`\n", server.name)));
    Ok(report::DONE)
}

/// Runs `ptc mcp logout`.
pub(crate) fn logout(args: &LogoutArgs) -> Result<u8> {
    let server = server(&args.file, args.name.as_deref())?;
    let logins = agents::logins()?;
    let was_known = runtime()?.block_on(ptc_mcp::logout(&server, &logins))?;
    let what = if was_known { "logged out of" } else { "there was no login to" };
    report::say(&report::clean(&format!("{what} `{}`\n", server.name)));
    Ok(report::DONE)
}

/// Finds the server of a file that a command line names. Without a name, it is the only one at an address.
fn server(file: &Path, name: Option<&str>) -> Result<ServerDef> {
    let mut servers = servers(file)?;
    servers.retain(|it| matches!(it.link, ServerLink::Url { .. }));
    let names: Vec<String> = servers.iter().map(|it| format!("`{}`", it.name)).collect();
    let file = file.display();
    let known = format!("the servers at an address are {}", names.join(", "));
    let found = match name {
        Some(name) => servers.into_iter().find(|it| it.name == name),
        None if servers.len() > 1 => {
            let message = format!("`{file}` names several MCP servers");
            return Err(Fault::new("usage", message).with_help(format!("name one: {known}")));
        }
        None => servers.pop(),
    };
    found.ok_or_else(|| {
        let what = name.map_or_else(String::new, |name| format!(" `{name}`"));
        let fault = Fault::new("usage", format!("`{file}` names no MCP server{what} with a `url`"));
        if names.is_empty() { fault } else { fault.with_help(known) }
    })
}

/// Reads the servers that an agent file or a file with `mcpServers` names. It connects to none of them.
fn servers(file: &Path) -> Result<Vec<ServerDef>> {
    let named = Named::default();
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let is_of_clients =
        serde_json::from_str(&text).is_ok_and(|it: Value| it["mcpServers"].is_object());
    if is_of_clients {
        Agent::new("").with_servers(file, &named)?;
    } else {
        Agent::read_with(file, &named, None)?;
    }
    let mut all = named.0.into_inner().unwrap_or_else(PoisonError::into_inner);
    // Agents below the agent may name the same server.
    let mut seen: Vec<String> = Vec::new();
    all.retain(|it| {
        let is_new = !seen.contains(&it.name);
        seen.push(it.name.clone());
        is_new
    });
    Ok(all)
}

/// Keeps the servers that a file names, instead of asking them.
#[derive(Default)]
struct Named(Mutex<Vec<ServerDef>>);

impl ToolServers for Named {
    fn list(&self, server: &ServerDef) -> std::result::Result<Vec<ToolDef>, ToolError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(server.clone());
        Ok(Vec::new())
    }

    fn recall(&self, _: &ServerDef, _: &str) -> Box<dyn Tool> {
        Box::new(Constant::returns(Value::Null))
    }
}
