//! New runs.

use std::sync::Arc;
use std::time::Duration;

use hyper::StatusCode;
use hyper::header::{HeaderName, HeaderValue, LOCATION};
use ptc_subagent::host::Start;
use ptc_subagent::store::RunSummary;
use ptc_subagent::{
    Agent, Data, Error, Reserved, RunId, RunQueued, RunReport, RunSettings, Status,
};
use tokio::runtime::Handle;
use tokio::sync::MutexGuard;

use super::settings;
use crate::access::{self, Action, Caller};
use crate::answer::Answer;
use crate::drive;
use crate::keys::Found;
use crate::problem::Problem;
use crate::request::Request;
use crate::shown::shown as run_json;
use crate::state::{State, blocking};

/// The longest time that a request waits for a run, in seconds.
pub(crate) const MAX_WAIT: u64 = 300;

/// The header with the key under which a caller starts a run only once.
const KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Starts a run.
pub(crate) async fn start(request: Request) -> Result<Answer, Problem> {
    let (state, caller) = (&request.state, &request.caller);
    let name = request.text("agent")?.ok_or_else(|| Problem::malformed("`agent` is missing"))?;
    let agent = Arc::clone(state.agent(caller, Action::Run, &name)?);
    let wait = wait(&request)?;
    let mut start = Start::default();
    start.input = request.key("input");
    start.payload = request.key("payload");
    start.payload_from = known(&request, "payload_from").await?;
    start.after = known(&request, "after").await?;
    start.conversation = request.text("conversation")?;
    if start.after.is_some() && start.conversation.is_some() {
        return Err(Problem::malformed("`after` and `conversation` exclude each other"));
    }
    start.seed = request.whole("seed")?;
    start.by.clone_from(&caller.name);
    start.settings = match request.key("settings") {
        Some(given) => settings::read(&given)?,
        None => RunSettings::new(),
    };
    let limited = limit(state, caller, &agent, &mut start.settings).await?;
    let mut queued = RunQueued::new();
    queued.by.clone_from(&caller.name);
    queued.reserves = limited.reserves;
    let mut held = None;
    if let Some(key) = request.header(&KEY) {
        let hash = blake3::hash(request.body.to_string().as_bytes()).to_hex().to_string();
        match state.keys.find(caller.name.clone(), key, hash).await? {
            Found::Known(run) => return shown(&request, &run, wait, StatusCode::OK).await,
            Found::New(new) => {
                (queued.key, queued.request) = (Some(new.key.clone()), Some(new.hash.clone()));
                held = Some(new);
            }
        }
    }
    let promise = state.queue.promise()?;
    let report = enqueue(state, agent, start, queued).await?;
    drop(limited);
    let run = report.run;
    if let Some(held) = held {
        held.started(run.clone());
    }
    if report.status == Status::Queued {
        drive::enter(state, run.clone(), caller.name.clone());
    }
    drop(promise);
    shown(&request, &run, wait, StatusCode::CREATED).await
}

/// What a new run takes of the budget of its caller.
#[derive(Default)]
pub(crate) struct Limited<'s> {
    pub(crate) reserves: Option<Reserved>,
    /// Until it is on record that the run has its part, no other run looks at what is left.
    _turn: Option<MutexGuard<'s, ()>>,
}

/// Lowers the ceilings of a run to what its caller may still use.
///
/// # Errors
///
/// The problem of a caller who has nothing left for the day.
pub(crate) async fn limit<'s>(
    state: &'s Arc<State>,
    caller: &Caller,
    agent: &Agent,
    settings: &mut RunSettings,
) -> Result<Limited<'s>, Problem> {
    let (Some(budget), Some(name)) = (caller.budget(), caller.name.clone()) else {
        return Ok(Limited::default());
    };
    let turn = if budget.has_day() { Some(state.budgets.lock().await) } else { None };
    let spent = state.ask(move |snapshot| snapshot.spent(&name, access::today(), None)).await?;
    Ok(Limited { reserves: budget.lower(agent, settings, &spent)?, _turn: turn })
}

/// Checks that the budget of the one who started a run has room for it to go on. A run that waits has kept what it reserved.
///
/// # Errors
///
/// The problem of a day that has too little left.
pub(crate) async fn limit_resumed<'s>(
    state: &'s Arc<State>,
    summary: &RunSummary,
) -> Result<Limited<'s>, Problem> {
    let is_settled = summary.ended_at.is_some() && summary.status != Status::Waiting;
    let Some(name) = summary.by.clone().filter(|_| is_settled) else {
        return Ok(Limited::default());
    };
    let caller = state.access.caller(&name)?;
    let Some(budget) = caller.budget().filter(|it| it.has_day()) else {
        return Ok(Limited::default());
    };
    let turn = state.budgets.lock().await;
    let run = summary.run.clone();
    let spent =
        state.ask(move |snapshot| snapshot.spent(&name, access::today(), Some(&run))).await?;
    budget.check(&spent)?;
    Ok(Limited { reserves: None, _turn: Some(turn) })
}

/// Records a new run as queued.
async fn enqueue(
    state: &Arc<State>,
    agent: Arc<Agent>,
    start: Start,
    queued: RunQueued,
) -> Result<RunReport, Problem> {
    let (state, handle) = (Arc::clone(state), Handle::current());
    let enqueued = blocking(move || {
        let provider = state.models.provider(&state.options, &agent, &start.settings)?;
        handle.block_on(start.enqueue(agent, state.store(), &*provider, queued))
    });
    enqueued.await?.map_err(|error: Error| Problem::from(error))
}

/// Returns the id of a run that a key of the body names, if the caller may see it.
async fn known(request: &Request, key: &str) -> Result<Option<String>, Problem> {
    let Some(run) = request.text(key)? else { return Ok(None) };
    let summary = request.state.run(&request.caller, Action::View, &run).await?;
    Ok(Some(summary.run.to_string()))
}

/// Returns how long the caller waits for the end of the run.
pub(crate) fn wait(request: &Request) -> Result<Duration, Problem> {
    Ok(Duration::from_secs(request.number("wait", MAX_WAIT)?.unwrap_or_default()))
}

/// Waits until a run has settled or the time is over, and shows it.
pub(crate) async fn shown(
    request: &Request,
    run: &RunId,
    wait: Duration,
    status: StatusCode,
) -> Result<Answer, Problem> {
    let state = &request.state;
    if let Some(mut settled) = state.queue.settled(run).filter(|_| !wait.is_zero()) {
        let gone = async { while settled.changed().await.is_ok() {} };
        drop(tokio::time::timeout(wait, gone).await);
    }
    let id = run.clone();
    let data: Data =
        state.ask(move |snapshot| run_json(snapshot, &snapshot.summary(id.as_str())?)).await?;
    let answer = Answer::json(status, data);
    Ok(match HeaderValue::try_from(format!("/v1/runs/{run}")) {
        Ok(place) => answer.with_header(LOCATION, place),
        Err(_) => answer,
    })
}
