//! `ptc doctor`: checks everything that a run needs. It calls no tool and asks no model for a reply.

mod check;
mod models;
mod prompts;
mod record;
mod settings;
mod sources;
mod tools;

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};

use ptc_subagent::{Agent, RunSettings};
use serde_json::{Value, json};

use self::check::{Check, State};
use crate::agents;
use crate::args::{DoctorArgs, ModelArgs};
use crate::figures::plural;
use crate::process::runtime;
use crate::report::{self, Fault, Result};

/// Runs `ptc doctor`.
pub(crate) fn command(args: &DoctorArgs) -> Result<u8> {
    let ModelArgs { model: spec, base_url, key_env } = &args.model;
    let has_options = spec.is_some() || base_url.is_some() || !key_env.is_empty();
    let usage = |message| Err(Fault::new("usage", message).with_help("give an agent file too"));
    if args.agent.is_none() && has_options {
        return usage("`--model`, `--base-url` and `--key-env` are for the model of an agent");
    }
    if args.agent.is_none() && !args.settings.is_empty() {
        return usage("settings are for the runs of an agent");
    }
    let version = format!("version {}", env!("CARGO_PKG_VERSION"));
    let mut checks = vec![Check::new("ptc", State::Ok, version), record::record(args.store.file())];
    match &args.agent {
        None => checks.push(models::key_without_agent()),
        Some(path) => match agents::read(path) {
            Err(error) => checks.push(Check::of_error("agent", &error)),
            Ok(agent) => {
                let tools = plural(agent.tools.len() as u64, "tool");
                let about = format!("{} reads: `{}` with {tools}", path.display(), agent.name);
                checks.push(Check::new("agent", State::Ok, about));
                let settings = match agents::settings(&args.settings, &args.model) {
                    Ok(settings) => settings,
                    Err(error) => {
                        checks.push(Check::of_error("settings", &error));
                        RunSettings::new()
                    }
                };
                checks.extend(self::settings::variables(&settings));
                let (agent, unused) = settings.agent_of(&agent);
                let unused = unused
                    .iter()
                    .map(|it| Check::new("settings", State::Warn, it.message.as_str()));
                checks.extend(unused);
                checks.push(prompts::input(&agent));
                let runtime = runtime()?;
                runtime.block_on(family(&args.model, &agent, &mut checks));
                runtime.shutdown_background();
            }
        },
    }
    let worst = checks.iter().map(|it| it.state).max().unwrap_or(State::Ok);
    if args.output.json {
        report::print_json(&as_json(&checks, worst))?;
    } else {
        report::print(&for_people(&checks))?;
    }
    Ok(if worst == State::Fail { report::USAGE } else { report::DONE })
}

/// Checks an agent and its sub-agents: models, prompts and tools. A tool of a sub-agent has the name of the sub-agent
/// before its own.
async fn family(args: &ModelArgs, agent: &Agent, checks: &mut Vec<Check>) {
    checks.extend(models::model("", args, agent).await);
    checks.extend(prompts::prompt("", agent));
    let mut work = vec![(String::new(), agent)];
    while let Some((prefix, agent)) = work.pop() {
        checks.extend(tools::left_out(&prefix, agent));
        checks.extend(sources::sources(&prefix, agent));
        for tool in &agent.tools {
            let name = format!("{prefix}{}", tool.name);
            let Some(sub_agent) = tool.sub_agent() else {
                checks.extend(tools::tool(&name, tool).await);
                continue;
            };
            if sub_agent.model.is_some() {
                checks.extend(models::model(&name, &ModelArgs::default(), sub_agent).await);
            } else {
                let what = format!("model {name}");
                checks.push(Check::new(&what, State::Ok, "the model of the agent that calls it"));
            }
            checks.extend(prompts::prompt(&name, sub_agent));
            work.push((format!("{name}/"), sub_agent));
        }
    }
}

fn as_json(checks: &[Check], worst: State) -> Value {
    let checks: Vec<Value> = checks
        .iter()
        .map(|it| {
            json!({
                "check": it.what,
                "state": it.state.as_str(),
                "message": it.message,
                "help": it.help,
            })
        })
        .collect();
    json!({ "state": worst.as_str(), "checks": checks })
}

fn for_people(checks: &[Check]) -> String {
    let coloured = io::stdout().is_terminal() && report::colour_is_wanted();
    let wide = checks.iter().map(|it| it.what.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for Check { what, state, message, help } in checks {
        let (on, off) = if coloured { (state.colour(), "\u{1b}[0m") } else { ("", "") };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{on}{:<4}{off}  {what:<wide$}  {message}", state.as_str());
        if let Some(help) = help {
            let _ = writeln!(text, "      {:<wide$}  help: {help}", "");
        }
    }
    text
}
