//! The sandbox that the command line names: the data, tools and limits of an agent or of options.

use std::path::Path;

use ptc_lisp::Value;
use ptc_subagent::eval::{EvalTools, Sandbox};
use ptc_subagent::{Agent, fresh_seed};

use crate::input;
use crate::report::{self, Fault, Result};
use crate::run::mission_input;
use crate::tools_file;

/// The options that define a sandbox.
#[derive(Debug, Default)]
pub(crate) struct SandboxArgs<'a> {
    /// An agent file.
    pub(crate) agent: Option<&'a Path>,
    /// `--ctx`.
    pub(crate) ctx: Option<&'a str>,
    /// `--tools`.
    pub(crate) tools: Option<&'a Path>,
    /// `--limits`.
    pub(crate) limits: Option<&'a str>,
    /// Whether tools of the agent that reach outside are called.
    pub(crate) live: bool,
    /// `--seed`.
    pub(crate) seed: Option<u64>,
}

/// Makes the sandbox that the command line names.
pub(crate) fn sandbox(args: &SandboxArgs<'_>) -> Result<Sandbox> {
    let usage = |message: String| Fault::new("usage", message);
    let agent = args.agent.map(Agent::read).transpose()?;
    let ctx = match (args.ctx, &agent) {
        (Some(text), _) => input::json_option("--ctx", text)?,
        (None, Some(agent)) => mission_input(agent, None, &[])?.value().clone(),
        (None, None) => Value::Nil,
    };
    let ctx = input::object("--ctx", ctx).map_err(usage)?;
    let mut sandbox = match &agent {
        Some(agent) => {
            let (sandbox, warnings) = Sandbox::of_agent(agent, ctx, args.live);
            warnings.iter().for_each(|it| warn(it));
            sandbox
        }
        None => Sandbox { ctx, ..Sandbox::default() },
    };
    let seed = args.seed.or(agent.as_ref().and_then(|agent| agent.seed));
    sandbox.seed = seed.unwrap_or_else(fresh_seed);
    if let Some(path) = args.tools {
        let tools = tools_file::tools(&input::json_file("--tools", path)?);
        sandbox.tools =
            EvalTools::constants(tools.map_err(|why| {
                Fault::new("malformed-tools", format!("{}: {why}", path.display()))
            })?);
    }
    if let Some(text) = args.limits {
        let changes = input::json_option("--limits", text)?;
        sandbox.limits = input::limits(&sandbox.limits, &changes).map_err(usage)?;
    }
    Ok(sandbox)
}

fn warn(message: &str) {
    report::say(&format!("warning: {}\n", report::clean(message)));
}
