//! What callers do with runs on record: cancel, answer, resume, replay, fork.

use std::sync::Arc;
use std::time::Duration;

use hyper::StatusCode;
use ptc_subagent::form::Form;
use ptc_subagent::host::Decisions;
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::Hidden;
use ptc_subagent::{
    Act, Action as Acted, Data, Error, ErrorKind, RunId, RunQueued, RunReport, RunSettings, Status,
};
use tokio::runtime::Handle;

use super::settings;
use super::start::{limit, limit_resumed, shown, wait};
use crate::access::Action;
use crate::answer::Answer;
use crate::drive;
use crate::problem::Problem;
use crate::queue::Cancelled;
use crate::request::{Request, wrong};
use crate::state::{State, blocking};
use crate::webhooks;

/// The time that a run which is about to wait has to do so.
const SETTLES: Duration = Duration::from_secs(5);

/// Cancels a run.
pub(crate) async fn cancel(request: Request) -> Result<Answer, Problem> {
    let (state, wait) = (&request.state, wait(&request)?);
    let summary = request.run(Action::Edit).await?;
    let run = &summary.run;
    let is_open = summary.ended_at.is_none() || summary.status == Status::Waiting;
    if let Some(by) = request.caller.name.as_deref().filter(|_| is_open) {
        state.store().act(run, Act::new(by, Acted::Cancelled)).await?;
    }
    match state.queue.cancel(run) {
        Cancelled::Running => {}
        Cancelled::Queued => {
            let (store, id) = (Arc::clone(state.store()), run.clone());
            blocking(move || store.end_stuck(&id, "the run was cancelled")).await??;
            told(state, run);
        }
        Cancelled::Absent if summary.status == Status::Waiting || summary.died => {
            cancel_waiting(state, run).await?;
            told(state, run);
        }
        Cancelled::Absent if summary.ended_at.is_some() => {
            return Err(Problem::new(StatusCode::CONFLICT, "has-ended", "the run has ended"));
        }
        Cancelled::Absent => {
            let detail = "another process runs the run, and can cancel it";
            return Err(Problem::new(StatusCode::CONFLICT, "other-process", detail));
        }
    }
    shown(&request, run, wait, StatusCode::OK).await
}

/// Tells that a run has ended without a place.
fn told(state: &Arc<State>, run: &RunId) {
    state.hub.tick();
    webhooks::tell(state, run.clone());
}

async fn cancel_waiting(state: &Arc<State>, run: &RunId) -> Result<RunReport, Problem> {
    let (state, run, handle) = (Arc::clone(state), run.clone(), Handle::current());
    let cancelled = blocking(move || {
        let resume = Resume::of(state.store(), run.as_str())?;
        let agent = state.agent_of(resume.record())?;
        handle.block_on(resume.cancel(&agent))
    });
    cancelled.await?.map_err(|error: Error| Problem::from(error))
}

/// Answers a question of a run.
pub(crate) async fn answer(request: Request) -> Result<Answer, Problem> {
    let question = request.text("question")?;
    let allow = request.flag("allow")?;
    let reason = request.text("reason")?;
    let given = request.body.get("answer");
    if allow.is_some() == given.is_some() {
        return Err(Problem::malformed("the body must have either `answer` or `allow`"));
    }
    go_on(request, move |resume| {
        let answer = match (given, allow) {
            (Some(given), _) => given,
            (None, is_yes) => {
                let open = resume.question(question.as_deref())?;
                let form = Form::read(&open.form).ok();
                let verdict =
                    form.and_then(|it| it.verdict(is_yes.unwrap_or_default(), reason.as_deref()));
                let verdict = verdict.ok_or_else(|| {
                    let message = format!("question {} does not ask for a yes or a no", open.id);
                    Error::new(ErrorKind::Input, message).with_help("give its answer as JSON")
                });
                Data::from(verdict?)
            }
        };
        resume.answer(question.as_deref(), answer)
    })
    .await
}

/// Resumes a run, with decisions about its calls.
pub(crate) async fn resume(request: Request) -> Result<Answer, Problem> {
    let mut decisions = Decisions::default();
    if let Some(done) = request.key("done") {
        if !done.is_object() {
            return Err(wrong("done", "an object", &done));
        }
        decisions.done = done.fields().collect();
    }
    if let Some(retry) = request.key("retry") {
        let calls = retry.items().ok_or_else(|| wrong("retry", "a list of strings", &retry))?;
        for call in calls {
            let text = call.as_str().ok_or_else(|| wrong("retry", "a list of strings", &retry))?;
            decisions.retry.push(text.to_string());
        }
    }
    decisions.accepts_change = request.flag("accept_change")?.unwrap_or_default();
    go_on(request, move |resume| resume.decide(decisions)).await
}

/// Queues a run to resume, with decisions.
async fn go_on(
    request: Request,
    decide: impl for<'s> FnOnce(Resume<'s>) -> Result<Resume<'s>, Error> + Send + 'static,
) -> Result<Answer, Problem> {
    let (state, wait) = (&request.state, wait(&request)?);
    let summary = request.run(Action::Edit).await?;
    state.queue.check_open()?;
    // A run that has just asked is about to wait.
    if let Some(mut settled) = state.queue.settled(&summary.run) {
        let gone = async { while settled.changed().await.is_ok() {} };
        drop(tokio::time::timeout(SETTLES, gone).await);
    }
    let mut queued = RunQueued::new();
    queued.by.clone_from(&request.caller.name);
    let limited = limit_resumed(state, &summary).await?;
    drive::enqueue(state, &summary.run, queued, decide).await?;
    drop(limited);
    drive::enter(state, summary.run.clone(), request.caller.name.clone());
    shown(&request, &summary.run, wait, StatusCode::ACCEPTED).await
}

/// Replays a run without model and tools, with another program of a turn if the body has one.
pub(crate) async fn replay(request: Request) -> Result<Answer, Problem> {
    let summary = request.run(Action::View).await?;
    let (turn, program) = (request.whole("turn")?, request.text("program")?);
    let change = match (turn, program) {
        (None, None) => None,
        (Some(turn), Some(program)) => {
            let turn = u32::try_from(turn)
                .map_err(|_| Problem::malformed("`turn` is not the number of a turn"))?;
            Some((turn, program))
        }
        _ => return Err(Problem::malformed("`turn` and `program` belong together")),
    };
    let (state, handle) = (Arc::clone(&request.state), Handle::current());
    // A program can take its whole fuel, so it has a thread of its own.
    let replayed = blocking(move || {
        let replay = Replay::of(state.store(), summary.run.as_str())?;
        let replay = match &change {
            Some((turn, program)) => replay.with_program(*turn, program)?,
            None => replay,
        };
        let replayed = handle.block_on(replay.run())?;
        let mut runs = replay.family();
        runs.push(replayed.record.clone());
        let hidden = Hidden::of(&runs)?;
        match &change {
            Some((turn, _)) => replayed.turn_to_json(replay.record(), *turn, &hidden),
            None => replayed.to_json(&hidden),
        }
    });
    Ok(Answer::json(StatusCode::OK, replayed.await?.map_err(Problem::from)?))
}

/// Begins a new run that keeps the first turns of another one.
pub(crate) async fn fork(request: Request) -> Result<Answer, Problem> {
    let (state, wait) = (&request.state, wait(&request)?);
    let summary = request.run(Action::Run).await?;
    let turns = request.whole("turns")?.ok_or_else(|| Problem::malformed("`turns` is missing"))?;
    let turns = u32::try_from(turns).unwrap_or(u32::MAX);
    let mut changed = match request.key("settings") {
        Some(given) => settings::read(&given)?,
        None => RunSettings::new(),
    };
    if let Some(model) = request.text("model")? {
        let change = Data::from(serde_json::json!({"model": model, "for": "root"}));
        changed.changes.extend(settings::read(&change)?.changes);
    }
    let promise = state.queue.promise()?;
    let mut queued = RunQueued::new();
    queued.by.clone_from(&request.caller.name);
    let (of, run) = (Arc::clone(state), summary.run.clone());
    let recorded = blocking(move || {
        let replay = Replay::of(of.store(), run.as_str())?;
        let agent = of.agent_of(replay.record())?;
        let mut settings = replay.settings().clone();
        settings.changes.extend(changed.changes);
        Ok::<_, Error>((replay, agent, settings))
    });
    let (replay, agent, mut settings) = recorded.await?.map_err(Problem::from)?;
    let limited = limit(state, &request.caller, &agent, &mut settings).await?;
    queued.reserves = limited.reserves;
    let (of, handle) = (Arc::clone(state), Handle::current());
    let forked = blocking(move || {
        let provider = of.models.provider(&of.options, &agent, &settings)?;
        let mission = replay.branch(&agent, turns).with_settings(settings).record_in(of.store());
        let mission = mission.by(queued.by.clone());
        handle.block_on(Box::pin(mission.enqueue(queued, &*provider)))
    });
    let report = forked.await?.map_err(|error: Error| Problem::from(error))?;
    drop(limited);
    if report.status == Status::Queued {
        drive::enter(state, report.run.clone(), request.caller.name.clone());
    }
    drop(promise);
    shown(&request, &report.run, wait, StatusCode::CREATED).await
}
