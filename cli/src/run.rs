//! `ptc run`: a mission, from the agent file to its result.

use std::path::Path;

use ptc_lisp::json;
use ptc_subagent::provider::{ModelSpec, Provider, ProviderOptions, Recorder};
use ptc_subagent::{Agent, Mission, RunReport, Stop};
use serde_json::{Value, json};

use crate::args::RunArgs;
use crate::ask;
use crate::events::EventLog;
use crate::input;
use crate::many;
use crate::progress::{Progress, Seen, plural};
use crate::report::{self, Fault, Result};
use crate::runs;
use crate::set;
use crate::telemetry::Telemetry;

/// Runs `ptc run`.
pub(crate) fn command(args: &RunArgs) -> Result<u8> {
    let agent = Agent::read(&args.agent)?;
    let chosen = || chosen_model(args.model.as_deref(), args.base_url.as_deref(), &agent);
    if let Some(source) = &args.inputs {
        let model = chosen()?;
        return many::command(args, agent, model, source);
    }
    let input = mission_input(&agent, args.input.as_deref(), &args.set)?;
    // What is wrong with the input is found before anything is opened, let alone written over.
    Mission::new(&agent, input.clone()).system_prompt()?;
    let (model, options) = chosen()?;
    let provider = model.open(&options)?;
    let store = runs::open_for_writing(args.store.as_deref())?;
    let provider: Box<dyn Provider> = match &args.record {
        Some(path) => Box::new(Recorder::create(provider, path)?),
        None => provider,
    };

    let mut events = args.events.as_deref().map(EventLog::create).transpose()?;
    let mut progress = Progress::new(args.quiet);
    let mission = Mission::new(&agent, input).record_in(&store);
    let report = drive(mission, &*provider, &mut progress, events.as_mut());
    let seen = progress.finish();
    let report = report?.told();
    events.map_or(Ok(()), EventLog::finish)?;
    ended(&report, &seen, args.json, args.quiet)
}

/// Says how a run ended; returns the exit code.
pub(crate) fn ended(report: &RunReport, seen: &Seen, json: bool, quiet: bool) -> Result<u8> {
    if json {
        report::print(&format!("{}\n", report.to_json()))?;
    }
    if !(json && quiet) {
        tell(report, seen, json)?;
    }
    Ok(report.exit_code())
}

/// Runs a mission to its end, or until the user cancels it.
pub(crate) fn drive<'a>(
    mission: Mission<'a>,
    provider: &dyn Provider,
    progress: &'a mut Progress,
    mut events: Option<&'a mut EventLog>,
) -> Result<Driven> {
    let runtime = runtime()?;
    let telemetry = runtime.block_on(async { Telemetry::from_env() });
    let mut spans = telemetry.observer();
    let pause = progress.pause();
    let mission = mission
        .stream(progress.is_live())
        .observe(move |run, event| {
            progress.see(run, event);
            spans(run, event);
            if let Some(events) = &mut events {
                events.write(run, event);
            }
        })
        .cancel_on(interrupted());
    let mission = if ask::can_ask() {
        mission.ask_with(move |question| {
            pause();
            ask::on_terminal(&question)
        })
    } else {
        mission
    };
    let report = runtime.block_on(mission.run(provider));
    let unsent = runtime.block_on(telemetry.finish());
    runtime.shutdown_background();
    Ok(Driven { report: report?, unsent })
}

/// A run that was driven to its end.
pub(crate) struct Driven {
    report: RunReport,
    /// What there is to say of its spans.
    unsent: Option<String>,
}

impl Driven {
    /// Says of the spans what there is to say, once nothing else is on the screen.
    pub(crate) fn told(self) -> RunReport {
        if let Some(warning) = self.unsent {
            report::say(&warning);
        }
        self.report
    }
}

/// What waits for models and tools.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Fault::new("threads", format!("cannot start threads: {error}")))
}

/// Waits for Ctrl-C, or for being asked to end.
pub(crate) async fn interrupted() {
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

/// The input of a mission: the one given, else the agent's own, else an empty one; with what is set on
/// the command line over it.
pub(crate) fn mission_input(
    agent: &Agent,
    option: Option<&str>,
    settings: &[String],
) -> Result<Value> {
    let mut input = match option {
        None => agent.default_input()?.unwrap_or(json!({})),
        Some(text) => {
            let value = match text {
                "-" => input::json_stdin("--input")?,
                _ => input::json_option("--input", text)?,
            };
            json::to_serde(&value)
                .map_err(|error| Fault::new("invalid-input", format!("--input: {error}")))?
        }
    };
    set::apply(&mut input, settings, agent.signature.as_ref())?;
    Ok(input)
}

/// Which model is asked, and how it is reached.
pub(crate) fn chosen_model(
    model: Option<&str>,
    base_url: Option<&str>,
    agent: &Agent,
) -> Result<(ModelSpec, ProviderOptions)> {
    let spec = match model {
        Some(text) => text.parse()?,
        None => agent.model.clone().ok_or_else(|| {
            Fault::new("unusable-model", format!("agent `{}` names no model", agent.name))
                .with_help("give one with `--model openai:NAME` or `--model recorded:FILE`")
        })?,
    };
    if base_url.is_some() && matches!(spec, ModelSpec::Recorded(_)) {
        let message = format!("`--base-url` is for models behind a server, and this is `{spec}`");
        return Err(Fault::new("usage", message));
    }
    let mut options = agent.provider_options();
    if let Some(url) = base_url {
        options.base_url = Some(url.to_owned());
    }
    Ok((spec, options))
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
            if let Some(help) = error.help_and_advice() {
                fault = fault.with_help(report::clean(&help));
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
