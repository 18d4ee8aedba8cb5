//! `ptc work`: resumes the waiting runs whose wait is over.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ptc_lisp::json;
use ptc_subagent::Status;
use ptc_subagent::provider::{ModelSpec, Provider, Recorded};
use ptc_subagent::replay::Resume;
use ptc_subagent::store::{DueRun, Store};

use crate::args::WorkArgs;
use crate::report::{self, Result};
use crate::resume::agent_of;
use crate::run::{PATIENCE, chosen_model, interrupted, runtime};
use crate::runs;

/// The longest time between two looks at the record: another process may add waiting runs.
const LOOK: Duration = Duration::from_secs(2);

/// Runs `ptc work`.
pub(crate) fn command(args: &WorkArgs) -> Result<u8> {
    let store = runs::open_for_writing(args.store.file())?;
    let runtime = runtime()?;
    loop {
        for due in store.due(now())? {
            let resumed = runtime.block_on(resume(&store, &due, args));
            // One run that cannot be resumed keeps no other one waiting.
            let line = resumed.unwrap_or_else(|fault| format!("{}: {}", due.run, fault.message()));
            report::print(&format!("{}\n", report::clean(&line)))?;
        }
        if args.once {
            return Ok(report::DONE);
        }
        let next = store.due(u64::MAX)?.first().map(|it| it.due);
        let rest = next.map_or(LOOK, |due| Duration::from_millis(due.saturating_sub(now())));
        let is_over = runtime.block_on(async {
            tokio::select! {
                () = tokio::time::sleep(rest.min(LOOK)) => false,
                () = interrupted() => true,
            }
        });
        if is_over {
            return Ok(report::DONE);
        }
    }
}

/// Resumes a run, and tells in one line what came of it.
async fn resume(store: &Store, due: &DueRun, args: &WorkArgs) -> Result<String> {
    let resume = Resume::of(store, due.run.as_str())?;
    let agent = agent_of(resume.record(), None)?;
    let (model, options) = chosen_model(&args.model, &agent)?;
    let provider: Box<dyn Provider> = match &model {
        ModelSpec::Recorded(path) => Box::new(Recorded::open(path)?.without(resume.replies())),
        model => model.open(&options)?,
    };
    let mission = resume.mission(&agent)?.wait_at_most(PATIENCE).cancel_on(interrupted());
    let report = mission.run(&*provider).await?;
    let name = format!("{} {}", due.run, agent.name);
    Ok(match (report.status, report.due, &report.error) {
        (Status::Returned, ..) => {
            format!("{name}: returned {}", json::from_serde(&report.value))
        }
        (Status::Waiting, Some(due), _) => {
            format!("{name}: waiting until {}", runs::local_time(due))
        }
        (status, _, Some(error)) => format!("{name}: {status}: {}", error.message),
        (status, ..) => format!("{name}: {status}"),
    })
}

/// Returns the time in milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
