//! The sandbox that the command line names: the data, tools and limits of an agent or of options.

use ptc_lisp::Value;
use ptc_subagent::eval::{EvalTools, Sandbox};
use ptc_subagent::{Agent, fresh_seed};

use crate::agents;
use crate::args::{DataArgs, SeedArgs};
use crate::input::{self, mission_input};
use crate::report::{self, Fault, Result};
use crate::tools_file;

/// The purpose of a sandbox.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Purpose {
    /// Programs are checked and do not run, so an agent needs no input.
    Check,
    /// Programs run. Tools of an agent reach outside only with `live`.
    Run { live: bool },
}

/// Makes the sandbox that the options define.
pub(crate) fn sandbox(args: &DataArgs, purpose: Purpose, seed: &SeedArgs) -> Result<Sandbox> {
    let agent = args.agent.as_deref().map(agents::read).transpose()?;
    sandbox_of(agent.as_ref(), args, purpose, seed)
}

/// Makes the sandbox of an agent, or of none, that the options change.
pub(crate) fn sandbox_of(
    agent: Option<&Agent>,
    args: &DataArgs,
    purpose: Purpose,
    seed: &SeedArgs,
) -> Result<Sandbox> {
    let usage = |message: String| Fault::new("usage", message);
    let ctx = match (&args.ctx, agent) {
        (Some(text), _) => Some(input::json_option("--ctx", text)?),
        (None, Some(agent)) if purpose == Purpose::Check => {
            agent.default_input()?.map(|input| input.value().clone())
        }
        (None, Some(agent)) => Some(mission_input(agent, None, &[])?.value().clone()),
        (None, None) => Some(Value::Nil),
    };
    let ctx = ctx.map(|ctx| input::object("--ctx", ctx)).transpose().map_err(usage)?;
    let mut sandbox = match agent {
        Some(agent) => {
            let live = purpose == Purpose::Run { live: true };
            let (sandbox, warnings) = Sandbox::of_agent(agent, ctx, live);
            for warning in &warnings {
                warn(warning);
            }
            sandbox
        }
        None => Sandbox { ctx: ctx.unwrap_or_default(), ..Sandbox::default() },
    };
    let seed = seed.seed.or(agent.and_then(|agent| agent.seed));
    sandbox.seed = seed.unwrap_or_else(fresh_seed);
    if let Some(path) = &args.tools {
        let tools = tools_file::tools(&input::json_file("--tools", path)?);
        sandbox.tools =
            EvalTools::constants(tools.map_err(|why| {
                Fault::new("malformed-tools", format!("{}: {why}", path.display()))
            })?);
    }
    if let Some(text) = &args.limits {
        let changes = input::json_option("--limits", text)?;
        sandbox.limits = input::limits(&sandbox.limits, &changes).map_err(usage)?;
    }
    Ok(sandbox)
}

fn warn(message: &str) {
    report::say(&format!("warning: {}\n", report::clean(message)));
}
