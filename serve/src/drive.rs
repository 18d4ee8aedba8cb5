//! Drives runs: starts those that have a place, ends their waits, and resumes those that an earlier process left.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ptc_subagent::host::{Decisions, DueRuns, Model, Permit, Running, Task, Watch};
use ptc_subagent::replay::Resume;
use ptc_subagent::store::{DueRun, RunRecord};
use ptc_subagent::{
    Agent, Error, ErrorKind, Event, RunId, RunQueued, RunReport, RunSettings, Stop,
};
use serde_json::json;
use tokio::runtime::Handle;
use tokio::sync::Notify;

use crate::access::{self, Action};
use crate::problem::Problem;
use crate::state::{State, blocking, now};
use crate::webhooks;

/// The longest wait of a run that keeps its place.
const PATIENCE: Duration = Duration::from_secs(5);

/// Adds a run on record to the queue, and starts what has a place.
pub(crate) fn enter(state: &Arc<State>, run: RunId, caller: Option<String>) {
    state.queue.add(run, caller);
    state.hub.tick();
    start(state);
}

/// Starts the runs that have a place.
pub(crate) fn start(state: &Arc<State>) {
    while let Some(run) = state.queue.next() {
        let state = Arc::clone(state);
        tokio::spawn(async move {
            drive(&state, &run).await;
            start(&state);
        });
    }
}

/// Runs a run of the queue until it ends or waits.
async fn drive(state: &Arc<State>, run: &RunId) {
    let started = Instant::now();
    let outcome = run_to_end(state, run).await;
    let is_cancelled = state.queue.is_cancelled(run);
    log(state, run, started, &outcome);
    let report = match outcome {
        Ok(report) => Some(report),
        Err(why) => {
            let (store, run) = (Arc::clone(state.store()), run.clone());
            // A store that cannot be written tells so at the next request.
            drop(blocking(move || store.end_stuck(&run, &why)).await);
            None
        }
    };
    let is_interrupted = report.is_some_and(|it| it.stop == Some(Stop::Cancelled));
    if is_interrupted && !is_cancelled && state.queue.is_closed() {
        // It goes on at the next start. If it cannot, its record says that it was cancelled.
        drop(put_back(state, run).await);
    } else {
        webhooks::tell(state, run.clone());
    }
    state.queue.settle(run);
    state.hub.tick();
}

/// Tells the log how a run ended.
fn log(state: &State, run: &RunId, started: Instant, outcome: &Result<RunReport, String>) {
    let Some(log) = &state.options.log else { return };
    let ms = started.elapsed().as_millis() as u64;
    log(&match outcome {
        Ok(report) => json!({
            "event": "run", "at": now(), "run": run, "status": report.status,
            "ended_by": report.ended_by(), "turns": report.turns, "tool_calls": report.tool_calls,
            "ms": ms,
        }),
        Err(why) => json!({
            "event": "run", "at": now(), "run": run, "status": "stuck", "why": why, "ms": ms,
        }),
    });
}

async fn run_to_end(state: &Arc<State>, run: &RunId) -> Result<RunReport, String> {
    let shown = |error: Error| match error.help() {
        Some(help) => format!("{}; {help}", error.message()),
        None => error.message().to_string(),
    };
    let (of, id) = (Arc::clone(state), run.clone());
    let prepared = blocking(move || {
        let record = of.store().show(id.as_str())?;
        let agent = of.agent_of(&record)?;
        let model = of.model_of(&record, &agent)?;
        if let Some(observer) = &of.options.observer {
            // Every run of the server is one to resume, and its spans need to know what it is.
            observer(&id, &Event::RunStarted(Box::new(record.started())));
        }
        Ok((agent, model, record.summary.by))
    });
    let (agent, model, by) = prepared.await.map_err(|it| it.detail)?.map_err(shown)?;
    let news = Arc::new(Notify::new());
    let told = Arc::clone(&news);
    let mut watch = Watch::default();
    watch.keeps_events = true;
    watch.streams = state.hub.is_watched();
    watch.wait_at_most = Some(PATIENCE);
    watch.permit = by.map(|by| permit(state, by));
    watch.wake = Some(Box::new(move || told.notify_one()));
    let task = Task::Resume(run.to_string(), Decisions::default());
    let store = Some(Arc::clone(state.store()));
    let (running, work) = Running::new(agent, model, store, task, watch);
    state.queue.begin(run, &running);
    // A panic of a tool in code ends its run, not the server.
    let mut work = tokio::spawn(work);
    let ended = loop {
        tokio::select! {
            ended = &mut work => break ended,
            () = news.notified() => tell(state, &running),
        }
    };
    tell(state, &running);
    match running.take_report() {
        Some(report) => report.map_err(shown),
        None => Err(match ended {
            Ok(()) => "the run has no report".to_string(),
            Err(_) => "the run has panicked".to_string(),
        }),
    }
}

/// Says which agents the one who started a run may run, also as parts of it. The tokens may change while it runs.
fn permit(state: &Arc<State>, by: String) -> Permit {
    let state = Arc::clone(state);
    Box::new(move |agent| {
        let caller = state.access.caller(&by);
        let allowed = caller.and_then(|caller| access::allow(&caller, Action::Run, agent));
        allowed.map_err(|problem| problem.detail)
    })
}

fn tell(state: &State, running: &Running) {
    for (run, event) in running.take_events() {
        state.metrics.count(&run, &event);
        if let Some(observer) = &state.options.observer {
            observer(&run, &event);
        }
        state.hub.tell(run, event);
    }
}

/// Puts a run that the end of the server has interrupted back into the queue on record.
async fn put_back(state: &Arc<State>, run: &RunId) -> Result<(), Problem> {
    enqueue(state, run, RunQueued::new(), |resume| Ok(resume)).await
}

/// Records a run to resume as queued, with what a caller decides about it.
///
/// # Errors
///
/// The problem to answer with.
pub(crate) async fn enqueue(
    state: &Arc<State>,
    run: &RunId,
    queued: RunQueued,
    decide: impl for<'s> FnOnce(Resume<'s>) -> Result<Resume<'s>, Error> + Send + 'static,
) -> Result<(), Problem> {
    let (state, run, handle) = (Arc::clone(state), run.clone(), Handle::current());
    let enqueued = blocking(move || {
        let resume = decide(Resume::of(state.store(), run.as_str())?)?;
        let agent = state.agent_of(resume.record())?;
        handle.block_on(resume.enqueue(&agent, queued))
    });
    enqueued.await?.map(drop).map_err(Problem::from)
}

/// Resumes the runs that an earlier process left queued or running.
///
/// # Errors
///
/// [`ErrorKind::Store`] if the store cannot be read.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a path to the method holds for one lifetime alone"
)]
pub(crate) async fn recover(state: &Arc<State>) -> Result<(), Error> {
    let left = state.ask(|snapshot| snapshot.queued()).await;
    let left = left.map_err(|problem| Error::new(ErrorKind::Store, problem.detail))?;
    for it in left {
        if state.host.agent(&it.agent).is_some() {
            state.queue.add(it.run, it.queued.by);
        }
    }
    start(state);
    Ok(())
}

/// Resumes the waiting runs of served agents when their wait is over, for ever.
pub(crate) async fn end_waits(state: Arc<State>) {
    let mut all = DueRuns::default();
    loop {
        let looking = Arc::clone(&state);
        let looked = blocking(move || {
            let due = all.now(looking.store());
            let rest = all.rest(looking.store());
            (all, due, rest)
        });
        // A store that cannot be read now may be readable later.
        let (due, rest);
        (all, due, rest) = match looked.await {
            Ok(looked) => looked,
            Err(_) => (DueRuns::default(), Ok(Vec::new()), Ok(PATIENCE)),
        };
        for DueRun { run, .. } in due.unwrap_or_default() {
            if state.queue.is_closed() {
                return;
            }
            match enqueue(&state, &run, RunQueued::new(), |resume| Ok(resume)).await {
                Ok(()) => enter(&state, run, None),
                Err(_) => all.leave_out(run),
            }
        }
        // What was resumed above is no longer due.
        tokio::time::sleep(rest.unwrap_or(PATIENCE).max(Duration::from_millis(20))).await;
    }
}

impl State {
    /// Returns the agent of a recorded run. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if the server has no such agent, and the errors of reading it again.
    pub(crate) fn agent_of(&self, record: &RunRecord) -> Result<Arc<Agent>, Error> {
        let name = &record.summary.agent;
        let agent = self.host.agent(name).ok_or_else(|| {
            Error::new(ErrorKind::Agent, format!("this server has no agent `{name}`"))
        })?;
        // Its record has the tools that the servers had, and what earlier results taught about them.
        match &self.options.recall {
            Some(recall) if agent.tools.iter().any(|it| it.server.is_some()) => {
                recall(record).map(Arc::new)
            }
            _ => Ok(Arc::clone(agent)),
        }
    }

    /// Returns the model of a recorded run. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// Those of [`Agent::choose_model`].
    pub(crate) fn model_of(&self, record: &RunRecord, agent: &Agent) -> Result<Model, Error> {
        self.models.model(&self.options, agent, &RunSettings::of_record(record)?)
    }
}
