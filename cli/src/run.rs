//! `ptc run`: a mission, from the agent file to its result.

use std::path::Path;

use ptc_lisp::json;
use ptc_subagent::provider::{ModelSpec, Provider, Recorder};
use ptc_subagent::store::Store;
use ptc_subagent::{Agent, Mission, RunReport, Stop};
use serde_json::{Value, json};

use crate::args::RunArgs;
use crate::ask;
use crate::input;
use crate::progress::{Progress, Seen, plural};
use crate::report::{self, Fault, Result};
use crate::runs;

/// Runs `ptc run`.
pub(crate) fn command(args: &RunArgs) -> Result<u8> {
    let agent = Agent::read(&args.agent)?;
    let input = mission_input(&agent, args.input.as_deref())?;
    // What is wrong with the input is found before anything is opened, let alone written over.
    Mission::new(&agent, input.clone()).system_prompt()?;
    let provider = provider(args, &agent)?;
    let store = runs::open_for_writing(args.store.as_deref())?;
    let provider: Box<dyn Provider> = match &args.record {
        Some(path) => Box::new(Recorder::create(provider, path)?),
        None => provider,
    };

    let mut progress = Progress::new(args.quiet);
    let report = drive(&agent, input, &*provider, &store, &mut progress);
    let seen = progress.finish();
    let report = report?;
    if args.json {
        report::print(&format!("{}\n", report.to_json()))?;
    }
    if !(args.json && args.quiet) {
        tell(&report, &seen, args.json)?;
    }
    Ok(report.exit_code())
}

/// Runs the mission to its end, or until the user cancels it.
fn drive(
    agent: &Agent,
    input: Value,
    provider: &dyn Provider,
    store: &Store,
    progress: &mut Progress,
) -> Result<RunReport> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Fault::new("threads", format!("cannot start threads: {error}")))?;
    let mission = Mission::new(agent, input)
        .record_in(store)
        .observe(|_, event| progress.see(event))
        .cancel_on(interrupted());
    let mission = if ask::can_ask() {
        mission.ask_with(|program, report| ask::on_terminal(program, report))
    } else {
        mission
    };
    let report = runtime.block_on(mission.run(provider));
    runtime.shutdown_background();
    Ok(report?)
}

/// Waits for Ctrl-C, or for being asked to end.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    // Without a handler the signal ends the process by itself.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// The input of a mission: the one given, else the agent's own, else an empty one.
pub(crate) fn mission_input(agent: &Agent, option: Option<&str>) -> Result<Value> {
    let Some(text) = option else { return Ok(agent.default_input()?.unwrap_or(json!({}))) };
    json::to_serde(&input::json_option("--input", text)?)
        .map_err(|error| Fault::new("invalid-input", format!("--input: {error}")))
}

fn provider(args: &RunArgs, agent: &Agent) -> Result<Box<dyn Provider>> {
    let spec = match &args.model {
        Some(text) => text.parse()?,
        None => agent.model.clone().ok_or_else(|| {
            Fault::new("unusable-model", format!("agent `{}` names no model", agent.name))
                .with_help("give one with `--model openai:NAME` or `--model recorded:FILE`")
        })?,
    };
    if args.base_url.is_some() && matches!(spec, ModelSpec::Recorded(_)) {
        let message = format!("`--base-url` is for models behind a server, and this is `{spec}`");
        return Err(Fault::new("usage", message));
    }
    let mut options = agent.provider_options();
    if let Some(url) = &args.base_url {
        options.base_url = Some(url.clone());
    }
    Ok(spec.open(&options)?)
}

/// The value on stdout; why there is none on stderr.
fn tell(report: &RunReport, seen: &Seen, json: bool) -> Result<()> {
    if let Some(fail) = &report.fail {
        report::say_failed(&fail.reason, &fail.message);
    } else if let Some(stop) = report.stop {
        let mut fault = Fault::new(stop.code(), format!("stopped: {}", stop.code()));
        if let Some(error) = &report.error {
            let message = report::clean(&error.message);
            fault = match stop {
                Stop::Turns => {
                    let turns = plural(u64::from(report.turns), "turn");
                    Fault::new(&error.code, format!("no acceptable program in {turns}: {message}"))
                }
                _ => Fault::new(&error.code, message),
            };
            if let Some(help) = &error.help {
                fault = fault.with_help(report::clean(help));
            }
            if let (Some(line), Some(column), Some(program)) =
                (error.line, error.column, &seen.program)
            {
                let name = format!("program of turn {}", seen.turn);
                fault = fault.at(&name, program, line as usize, column as usize);
            }
        }
        fault.show();
    } else if !json {
        let text = serde_json::to_string_pretty(&report.value).unwrap_or_default();
        report::print(&format!("{}\n", report::clean(&text)))?;
    }
    Ok(())
}

impl From<ptc_subagent::Error> for Fault {
    fn from(error: ptc_subagent::Error) -> Fault {
        let mut fault = Fault::new(error.code(), report::clean(&error.to_string()));
        if let Some(help) = error.help() {
            fault = fault.with_help(report::clean(help));
        }
        if let (Some(path), Some((line, column))) = (error.path(), error.line_column())
            && let Ok(text) = input::read_file(path, "the file")
        {
            fault =
                Fault::at(fault.with_message(error.message()), &shown(path), &text, line, column);
        }
        fault
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
