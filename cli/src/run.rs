//! `ptc run`: runs a mission, from the agent file to its result.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ptc_subagent::provider::{ModelSpec, Provider, ProviderOptions, Recorder};
use ptc_subagent::{Agent, Data, Earlier, ErrorKind, Mission, RunReport, Status, Stop};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::agents;
use crate::args::{ModelArgs, RunArgs, Yes};
use crate::ask;
use crate::events::EventLog;
use crate::figures::plural;
use crate::input;
use crate::many;
use crate::output;
use crate::progress::{LastTurn, Progress};
use crate::report::{self, Fault, Result};
use crate::runs;
use crate::set;
use crate::signals::interrupted;
use crate::telemetry::Telemetry;

/// The longest wait of a run that the command waits for itself.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// Runs `ptc run`.
pub(crate) fn command(args: &RunArgs) -> Result<u8> {
    let mut agent = agents::read(&args.agent)?;
    let chosen = || chosen_model(&args.model, &agent);
    if let Some(source) = &args.inputs {
        let model = chosen()?;
        check_files(args, &agent, &model.0)?;
        return many::command(args, agent, model, source);
    }
    if args.input.as_deref() == Some("-") && args.payload.as_deref() == Some("-") {
        let message = "both `--input` and `--payload` read standard input";
        return Err(Fault::new("usage", message).with_help("give one of them as `@FILE`"));
    }
    let input = mission_input(&agent, args.input.as_deref(), &args.set)?;
    // An invalid input fails here, before any file is opened or overwritten.
    Mission::new(&agent, input.clone()).system_prompt()?;
    let (model, options) = chosen()?;
    check_files(args, &agent, &model)?;
    let provider = model.open(&options)?;
    let store = runs::open_for_writing(args.store.as_deref())?;
    agent.learn(&store)?;
    let events = args.events.as_deref().map(EventLog::open).transpose()?;
    let provider: Box<dyn Provider> = match &args.record {
        Some(path) => Box::new(Recorder::create(provider, path)?),
        None => provider,
    };
    if !args.quiet {
        report::say_about_tools(&agent);
    }
    let progress = Progress::new(args.quiet, args.store.as_deref());
    let mission = Mission::new(&agent, input).record_in(&store).wait_at_most(PATIENCE);
    let mission = match &args.payload {
        Some(payload) => mission.with_payload(Data::of(&json_input("--payload", payload)?)?),
        None => mission,
    };
    let mission = match &args.payload_from {
        Some(run) => mission.continue_payload(store.payload_of(run)?),
        None => mission,
    };
    let mission = match &args.after {
        Some(run) => mission.after(runtime()?.block_on(Earlier::of(&store, run, &agent))?),
        None => mission,
    };
    let mission = match args.seed.seed {
        Some(seed) => mission.with_seed(seed),
        None => mission,
    };
    run_to_end(mission, &*provider, progress, events, &args.yes.yes, args.json, args.quiet)
}

/// Fails if the command would write over another of its files.
fn check_files(args: &RunArgs, agent: &Agent, model: &ModelSpec) -> Result<()> {
    let (store, _) = runs::place(args.store.as_deref())?;
    let written = [
        ("`--events`", args.events.as_deref()),
        ("`--record`", args.record.as_deref()),
        ("`--out`", args.out.as_deref()),
        ("the record of runs", Some(&*store)),
    ];
    let recorded = match model {
        ModelSpec::Recorded(path) => Some(&**path),
        _ => None,
    };
    let read = [
        ("the agent file", Some(&*args.agent)),
        ("`--input`", args.input.as_deref().and_then(|it| it.strip_prefix('@')).map(Path::new)),
        ("`--payload`", args.payload.as_deref().and_then(|it| it.strip_prefix('@')).map(Path::new)),
        ("the input of the agent", agent.input.as_deref()),
        ("`--inputs`", args.inputs.as_deref().filter(|it| *it != "-").map(Path::new)),
        ("the recording that answers", recorded),
    ];
    output::check_distinct(&written, &read)?;
    if let Some(path) = &args.record
        && let Some((name, _)) = output::standard_stream(path)
    {
        return Err(output::overwrite_fault("`--record`", name, path));
    }
    Ok(())
}

/// Runs a mission until it ends or the user cancels it, and reports its end. Returns the exit code.
pub(crate) fn run_to_end<'a>(
    mission: Mission<'a>,
    provider: &dyn Provider,
    progress: Progress,
    mut events: Option<EventLog>,
    yes: &'a [Yes],
    json: bool,
    quiet: bool,
) -> Result<u8> {
    if let Some(events) = &mut events {
        events.start()?;
    }
    let runtime = runtime()?;
    let is_over = Arc::new(AtomicBool::new(false));
    runtime.spawn(exit_on_signals(Arc::clone(&is_over)));
    let observers = Arc::new(Mutex::new(Observers { progress, events }));
    let (report, unsent) = run_observed(&runtime, mission, provider, yes, &observers);
    is_over.store(true, Ordering::Relaxed);
    // Progress and events are written before the result is printed, unless their readers are stuck.
    let mut observers = observers.lock().unwrap_or_else(PoisonError::into_inner);
    let last_turn = observers.progress.finish();
    if let Some(events) = &observers.events {
        events.finish();
    }
    if let Some(warning) = unsent {
        report::say(&warning);
    }
    // The result comes first, so that a fault of a file never hides it.
    let mut code = report.and_then(|report| report_end(&report, &last_turn, json, quiet));
    if let Some(Err(fault)) = observers.events.as_ref().map(EventLog::outcome) {
        fault.show();
        code = code.map(|code| if code == report::DONE { fault.exit_code() } else { code });
    }
    // A thread may still be waiting for the answer to a question.
    runtime.shutdown_background();
    code
}

/// Reports how a run ended; returns the exit code.
pub(crate) fn report_end(
    report: &RunReport,
    last_turn: &LastTurn,
    json: bool,
    quiet: bool,
) -> Result<u8> {
    if json {
        report::print_json(&report.to_json())?;
    }
    if !(json && quiet) {
        show_result(report, last_turn, json)?;
    }
    Ok(report.exit_code())
}

/// The receivers of the events of a run.
struct Observers {
    progress: Progress,
    events: Option<EventLog>,
}

/// Runs a mission. Also returns a warning if spans were lost.
fn run_observed<'a>(
    runtime: &Runtime,
    mission: Mission<'a>,
    provider: &dyn Provider,
    yes: &'a [Yes],
    observers: &Arc<Mutex<Observers>>,
) -> (Result<RunReport>, Option<String>) {
    let telemetry = runtime.block_on(async { Telemetry::from_env() });
    let mut spans = telemetry.observer();
    let (is_live, ask) = {
        let progress = &observers.lock().unwrap_or_else(PoisonError::into_inner).progress;
        (progress.is_live(), ask::can_ask().then(|| progress.question_presenter()))
    };
    let observers = Arc::clone(observers);
    let mission = mission
        .stream(is_live)
        .observe(move |run, event| {
            let mut observers = observers.lock().unwrap_or_else(PoisonError::into_inner);
            observers.progress.handle(run, event);
            spans(run, event);
            if let Some(events) = &mut observers.events {
                events.write(run, event);
            }
        })
        .cancel_on(interrupted());
    let mission = ask::with_answers(mission, yes, ask);
    let report = runtime.block_on(mission.run(provider));
    let unsent = runtime.block_on(telemetry.finish());
    (report.map_err(Fault::from), unsent)
}

/// Starts the runtime that waits for models and tools.
pub(crate) fn runtime() -> Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Fault::new("threads", format!("cannot start threads: {error}")))
}

/// Ends the process at the second signal. After the run, the first signal ends it: nobody may be reading the remaining
/// output.
pub(crate) async fn exit_on_signals(is_over: Arc<AtomicBool>) {
    interrupted().await;
    if !is_over.load(Ordering::Relaxed) {
        interrupted().await;
    }
    std::process::exit(i32::from(report::LIMIT));
}

/// Returns the input of a mission: the given one, else the agent's own, else an empty one. The
/// settings of `--set` are applied to it.
pub(crate) fn mission_input(
    agent: &Agent,
    option: Option<&str>,
    settings: &[String],
) -> Result<Data> {
    let input = given_input(agent, option)
        .and_then(|input| set::apply(input, settings, agent.signature.as_ref()));
    input.map_err(Fault::of_input)
}

fn given_input(agent: &Agent, option: Option<&str>) -> Result<Data> {
    let value = match option {
        None => return Ok(agent.default_input()?.unwrap_or(json!({}).into())),
        Some(text) => json_input("--input", text)?,
    };
    Ok(Data::of(&value).map_err(|error| error.within("--input"))?)
}

/// Reads an option that is JSON, `@` and a file of JSON, or `-` for standard input.
fn json_input(option: &str, text: &str) -> Result<ptc_lisp::Value> {
    if text == "-" { input::json_stdin(option) } else { input::json_option(option, text) }
}

/// Returns the chosen model and the options of its provider.
pub(crate) fn chosen_model(
    args: &ModelArgs,
    agent: &Agent,
) -> Result<(ModelSpec, ProviderOptions)> {
    let ModelArgs { model, base_url } = args;
    let spec = match model {
        Some(text) => text.parse()?,
        None if agent.workflow.is_some() => agent.model.clone().unwrap_or(ModelSpec::None),
        None => agent.model.clone().ok_or_else(|| {
            Fault::new("unusable-model", format!("agent `{}` names no model", agent.name))
                .with_help("give one with `--model openai:NAME` or `--model recorded:FILE`")
        })?,
    };
    if base_url.is_some() && matches!(spec, ModelSpec::Recorded(_)) {
        let message = format!("`--base-url` is for models of a server, and this is `{spec}`");
        return Err(Fault::new("usage", message));
    }
    let mut options = agent.provider_options();
    if let Some(url) = base_url {
        options.base_url = Some(url.clone());
    }
    Ok((spec, options))
}

/// Describes what a run waits for.
fn waiting(report: &RunReport) -> String {
    let mut text = String::new();
    if !report.questions.is_empty() {
        let run = &report.run;
        let _ = writeln!(text, "waiting for an answer: `ptc answer {run}` gives it");
        text.push_str(&runs::questions(run, &report.questions));
    }
    if let Some(due) = report.due {
        let due = runs::local_time(due);
        let _ = writeln!(text, "waiting until {due}: `ptc work` resumes it then");
    }
    text
}

/// Shows the value on stdout, or on stderr the reason there is none.
pub(crate) fn show_result(report: &RunReport, last_turn: &LastTurn, json: bool) -> Result<()> {
    if report.status == Status::Waiting {
        report::say(&waiting(report));
    } else if let Some(fail) = &report.fail {
        report::say_failed(&fail.reason, &fail.message);
    } else if let Some(stop) = report.stop {
        let mut fault = Fault::new(stop.as_str(), format!("stopped: {stop}"));
        if let Some(error) = &report.error {
            let message = &error.message;
            fault = match stop {
                Stop::Turns => {
                    let turns = plural(u64::from(report.turns), "turn");
                    Fault::new(
                        error.code.as_str(),
                        format!("no acceptable program in {turns}: {message}"),
                    )
                }
                _ => Fault::new(error.code.as_str(), message),
            };
            if let Some(help) = error.help_and_advice() {
                fault = fault.with_help(help);
            }
            if let (Some(line), Some(column), Some(program)) =
                (error.line, error.column, &last_turn.program)
            {
                let name = match &error.file {
                    Some(file) => shown(file),
                    None => format!("program of turn {}", last_turn.turn),
                };
                fault = fault.at(&name, program, line as usize, column as usize);
            }
        }
        fault.show();
    } else if !json {
        let text = format!("{:#}", report.value);
        report::print(&format!("{}\n", report::clean(&text)))?;
    }
    Ok(())
}

impl From<ptc_subagent::Error> for Fault {
    fn from(error: ptc_subagent::Error) -> Fault {
        let mut fault = Fault::new(error.code(), error.to_string());
        if matches!(error.kind(), ErrorKind::Input | ErrorKind::Prompt) {
            fault = fault.of_input();
        }
        if let Some(help) = error.help() {
            fault = fault.with_help(help);
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
