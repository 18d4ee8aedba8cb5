//! Runs a mission to its end, with its progress, events and questions, and reports the end.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ptc_subagent::provider::Provider;
use ptc_subagent::{Mission, RunReport, Status, Stop};
use tokio::runtime::Runtime;

use crate::args::Yes;
use crate::ask;
use crate::events::EventLog;
use crate::figures::plural;
use crate::process::{exit_on_signals, runtime};
use crate::progress::Progress;
use crate::records;
use crate::report::{self, Fault, Result};
use crate::signals::interrupted;
use crate::telemetry::Telemetry;

/// The longest wait of a run that the command waits for itself.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

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
    observers.progress.finish();
    if let Some(events) = &observers.events {
        events.finish();
    }
    if let Some(warning) = unsent {
        report::say(&warning);
    }
    // The result comes first, so that a fault of a file never hides it.
    let mut code = report.and_then(|report| report_end(&report, json, quiet));
    if let Some(Err(fault)) = observers.events.as_ref().map(EventLog::outcome) {
        fault.show();
        code = code.map(|code| if code == report::DONE { fault.exit_code() } else { code });
    }
    // A thread may still be waiting for the answer to a question.
    runtime.shutdown_background();
    code
}

/// Reports how a run ended; returns the exit code.
pub(crate) fn report_end(report: &RunReport, json: bool, quiet: bool) -> Result<u8> {
    if json {
        report::print_json(&report.to_json())?;
    }
    if !(json && quiet) {
        show_result(report, json)?;
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
    let mut spans = telemetry.observer(mission.runs_on_record());
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

/// Shows the value on stdout, or on stderr the reason there is none.
pub(crate) fn show_result(report: &RunReport, json: bool) -> Result<()> {
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
            if let Some(problem) = error.diagnostic() {
                let name = match &error.file {
                    Some(file) => shown(file),
                    None if error.is_earlier => "an earlier program".to_owned(),
                    None => format!("program of turn {}", report.turns),
                };
                fault = fault.of_program(&name, &problem);
            }
        }
        fault.show();
    } else if !json {
        let text = format!("{:#}", report.value);
        report::print(&format!("{}\n", report::clean(&text)))?;
    }
    Ok(())
}

/// Describes what a run waits for.
fn waiting(report: &RunReport) -> String {
    let mut text = String::new();
    if !report.questions.is_empty() {
        let run = &report.run;
        let _ = writeln!(text, "waiting for an answer: `ptc answer {run}` gives it");
        text.push_str(&records::questions(run, &report.questions));
    }
    if let Some(due) = report.due {
        let due = records::local_time(due);
        let _ = writeln!(text, "waiting until {due}: `ptc work` resumes it then");
    }
    text
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
