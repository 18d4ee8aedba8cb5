//! `ptc work`: resumes the waiting runs whose wait is over.

use ptc_subagent::host::DueRuns;
use ptc_subagent::replay::Resume;
use ptc_subagent::store::{DueRun, Store};
use ptc_subagent::{RunReport, Status, Stop};
use tokio::sync::watch;

use crate::agents::{agent_of, with_tools};
use crate::args::WorkArgs;
use crate::ask;
use crate::mission::PATIENCE;
use crate::model::model_on_record;
use crate::process::runtime;
use crate::records;
use crate::report::{self, Result};
use crate::signals::interrupted;
use crate::telemetry::Telemetry;

/// Runs `ptc work`.
pub(crate) fn command(args: &WorkArgs) -> Result<u8> {
    let store = records::open_for_writing(args.store.file())?;
    let runtime = runtime()?;
    // One listener for the whole command: a signal between two runs is not lost.
    let signal = runtime.block_on(async { listen() });
    let mut all = DueRuns::default();
    loop {
        for due in all.now(&store)? {
            let line = match runtime.block_on(resume(&store, &due, args, &signal)) {
                Ok(report) if report.stop == Some(Stop::Cancelled) => return Ok(report::DONE),
                Ok(report) => outcome(&report),
                Err(fault) => {
                    all.leave_out(due.run.clone());
                    [Some(fault.message()), fault.help()]
                        .into_iter()
                        .flatten()
                        .collect::<Vec<_>>()
                        .join("; ")
                }
            };
            report::print(&format!("{} {}\n", due.run, report::clean(&line)))?;
        }
        if args.once {
            return Ok(report::DONE);
        }
        let rest = all.rest(&store)?;
        let is_over = runtime.block_on(async {
            tokio::select! {
                () = tokio::time::sleep(rest) => false,
                () = received(&signal) => true,
            }
        });
        if is_over {
            return Ok(report::DONE);
        }
    }
}

/// Listens for the signal to end from now on. The value becomes true with the signal.
fn listen() -> watch::Receiver<bool> {
    let (sender, receiver) = watch::channel(false);
    tokio::spawn(async move {
        interrupted().await;
        sender.send_replace(true);
    });
    receiver
}

/// Waits for the signal to end; returns at once if it came before.
fn received(signal: &watch::Receiver<bool>) -> impl Future<Output = ()> + Send + use<> {
    let mut signal = signal.clone();
    async move {
        if signal.wait_for(|came| *came).await.is_err() {
            // Without a listener, the signal ends the process by itself.
            std::future::pending::<()>().await;
        }
    }
}

/// Resumes a run until it ends or waits again.
async fn resume(
    store: &Store,
    due: &DueRun,
    args: &WorkArgs,
    signal: &watch::Receiver<bool>,
) -> Result<RunReport> {
    let resume = with_tools(Resume::of(store, due.run.as_str())?)?;
    let help = format!("`ptc resume {} --agent AGENT.toml` names another", due.run);
    let agent = agent_of(resume.record(), None, &help)?;
    let provider =
        model_on_record(&args.model, &agent, resume.record())?.open_for(&resume, &agent)?;
    let resume = resume.with_keys(args.model.variables());
    let mission = resume.mission(&agent)?.wait_at_most(PATIENCE).cancel_on(received(signal));
    let telemetry = Telemetry::from_env();
    let mission = ask::allow(mission, &args.yes.yes);
    let spans = telemetry.observer(mission.runs_on_record());
    let report = mission.observe(spans).run(&*provider).await;
    if let Some(warning) = telemetry.finish().await {
        report::say(&warning);
    }
    Ok(report?)
}

/// Returns the outcome of a resumed run in one line.
fn outcome(report: &RunReport) -> String {
    match (report.status, report.due, &report.error) {
        (Status::Returned, ..) => format!("returned {}", report.value.value()),
        (Status::Waiting, ..) if !report.questions.is_empty() => "waits for an answer".to_owned(),
        (Status::Waiting, Some(due), _) => format!("waits until {}", records::local_time(due)),
        (status, _, Some(error)) => format!("{status}: {}", error.message),
        (status, ..) => status.to_string(),
    }
}
