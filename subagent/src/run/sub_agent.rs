//! Tools that are agents: a call runs a mission of the agent.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::answer::{Answer, Returned};
use super::context::RunContext;
use super::elsewhere::{AgentCall, AgentStep, Elsewhere};
use super::ledger::{Consumed, Ledger};
use super::payload::GivenPayload;
use super::program::labels_of;
use crate::agent::{Agent, OwnModels, ToolOf};
use crate::data::Data;
use crate::driver::Halt;
use crate::error::{Error, ErrorKind};
use crate::payload::View;
use crate::provider::{BoxFuture, Chain, Provider};
use crate::record::{Parent, RunReport, Status, Stop, ToolError, ToolErrorKind, seed_of_part};
use crate::tool::ToolDef;

/// Runs a tool that is an agent. `own` is the calling agent, and `context` the context of its run.
pub(super) fn call<'a>(
    tool: ToolOf<'a>,
    own: &'a Agent,
    context: &'a RunContext<'a>,
    parent: Parent,
    args: Data,
    view: Option<View>,
    in_loop: bool,
) -> BoxFuture<'a, Answer> {
    Box::pin(async move {
        let mut answer = Answer::new(Err(not_an_agent()));
        let args = match tool.enforce_arguments(args.into_value(), &mut answer.warnings) {
            Ok(args) => Data::made(args),
            Err(error) => return Answer { result: Err(error), ..answer },
        };
        let payload = view.as_ref().map(|view| view.payload().clone());
        let report = match start(&tool, own, context, parent, args, payload, in_loop).await {
            Ok(Ok(report)) => report,
            Ok(Err(error)) => return Answer { result: Err(error), ..answer },
            Err(error) => return Answer { broken: Some(error), ..answer },
        };
        answer.run = Some(report.run.clone());
        answer.exits_loop = report.exits_loop;
        let error = report.error.as_ref();
        answer.halt = match report.stop {
            _ if report.status == Status::Waiting => Some(Halt::Waiting),
            Some(Stop::InDoubt) => {
                Some(Halt::InDoubt(error.map(|it| it.in_doubt.clone()).unwrap_or_default()))
            }
            // A bug of the runtime stops the caller too, because its model cannot fix it.
            Some(Stop::Internal) => {
                let why = error.map_or("", |it| &it.message);
                Some(Halt::Internal(format!("sub-agent `{}`: {why}", tool.name)))
            }
            _ => None,
        };
        // A sub-agent that did not return leaves the payload of its caller as it is.
        let end = report.payload.clone().filter(|_| report.status == Status::Returned);
        answer.payload = view.zip(end).map(|(view, end)| Box::new(Returned { view, end }));
        answer.result = result_of(report);
        answer
    })
}

/// Runs the mission of a call. The outer error stops the calling run; the inner one is the result of the call.
async fn start(
    tool: &ToolDef,
    own: &Agent,
    context: &RunContext<'_>,
    parent: Parent,
    args: Data,
    payload: Option<Data>,
    in_loop: bool,
) -> Result<Result<RunReport, ToolError>, Error> {
    let Some(sub_agent) = tool.as_agent() else { return Ok(Err(not_an_agent())) };
    let agent = sub_agent.agent(own);
    let ledger = match context.ledger.below(agent) {
        Ok(ledger) => ledger,
        Err(why) => return Ok(Err(ToolError::new(ToolErrorKind::Depth, why))),
    };
    let (shared, run_agent, host) = (context.shared, context.run_agent, context.host.clone());
    let outside = context.outside.of_call(&parent);
    if let Some(permit) = shared.permit.filter(|_| outside.is_new())
        && let Err(why) = permit(&agent.name)
    {
        return Ok(Err(ToolError::new(ToolErrorKind::Denied, why)));
    }
    if let Some((elsewhere, above)) = shared.elsewhere
        && !(outside.is_closed() || outside.is_over() || context.ledger.is_undivided())
    {
        let seed = outside.seed().unwrap_or_else(|| seed_of_call(context.seed, &parent));
        let fallback = context.fallback.load(Ordering::Relaxed);
        let tool = tool.name.clone();
        let step = AgentStep { parent, tool, in_loop, fallback };
        let call = Given { step, above, args, payload, seed };
        return Ok(run_elsewhere(elsewhere, agent, context, &ledger, call).await);
    }
    let own_models =
        if outside.is_closed() { Ok(OwnModels::default()) } else { sub_agent.models() };
    let models = match own_models {
        Ok(own) => models(own, context.provider, context.fallback.load(Ordering::Relaxed)),
        Err(error) => return Ok(Err(start_failure(&error))),
    };
    let (provider, effort) = (&models as &dyn Provider, context.parameters(own).effort);
    let seed = outside.seed().unwrap_or_else(|| seed_of_call(context.seed, &parent));
    let labels = payload_labels(own, &context.payload);
    let payload = GivenPayload { start: payload, labels, ..GivenPayload::default() };
    let (parent, caller, after) = (Some(parent), Some(own.name.as_str()), None);
    let context = RunContext {
        shared,
        provider,
        ledger,
        parent,
        outside,
        seed,
        payload,
        host,
        read: context.read.clone(),
        after,
        in_loop,
        fallback: Arc::default(),
        effort,
        caller,
        origin: None,
        run_agent,
    };
    match run_agent(agent, args, &context).await {
        Ok(report) => Ok(Ok(report)),
        // A divergence from the record stops the runs above too.
        Err(error) if matches!(error.kind(), ErrorKind::Replay) => Err(error),
        Err(error) => Ok(Err(start_failure(&error))),
    }
}

/// The call of a run in another process, without its share.
struct Given<'a> {
    step: AgentStep,
    above: &'a [AgentStep],
    args: Data,
    payload: Option<Data>,
    seed: u64,
}

/// Runs an agent in another process, and charges what it used. `ledger` is that of its run.
async fn run_elsewhere(
    elsewhere: &dyn Elsewhere,
    agent: &Agent,
    context: &RunContext<'_>,
    ledger: &Arc<Ledger>,
    given: Given<'_>,
) -> Result<RunReport, ToolError> {
    let work = ledger.work();
    let begun = elsewhere.begun(&given.step.parent).map(|it| it.share);
    let loan = context.ledger.lend(agent, begun).await;
    let Given { step, above, args, payload, seed } = given;
    let path = above.iter().cloned().chain([step]).collect();
    let call = AgentCall { path, args, payload, seed, share: loan.share.clone() };
    let report = elsewhere.run(call).await.map_err(|error| start_failure(&error))?;
    drop(loan);
    let (own, below) = Consumed::reported(&report);
    ledger.take_recorded(own, below);
    if report.status == Status::Waiting {
        ledger.waits().add_elsewhere(report.due, &report.questions);
        drop(work);
        ledger.leave_if_quiet();
        ledger.waits().left().await;
    }
    Ok(report)
}

/// Runs the agent of a call that another process has made. `own` is the agent of the first run, and `context` its context.
pub(super) fn run_called<'a>(
    call: &'a AgentCall,
    path: &'a [AgentStep],
    own: &'a Agent,
    context: &'a RunContext<'a>,
) -> BoxFuture<'a, Result<RunReport, Error>> {
    Box::pin(async move {
        let unknown = |tool: &str| {
            let message = format!("agent `{}` has no sub-agent `{tool}`", own.name);
            Err(Error::new(ErrorKind::Replay, message))
        };
        let Some((step, below)) = path.split_first() else { return unknown("") };
        let AgentStep { parent, tool, in_loop, fallback } = step;
        let found = own.tools.iter().find(|it| it.name == *tool).and_then(|it| it.as_agent());
        let Some(sub_agent) = found else { return unknown(tool) };
        let agent = sub_agent.agent(own);
        let models = models(sub_agent.models()?, context.provider, *fallback);
        let outside = context.outside.of_call(parent);
        let is_last = below.is_empty();
        let ledger = if is_last {
            let opened = context.ledger.below(agent);
            opened.map_err(|why| Error::new(ErrorKind::Agent, why))?
        } else {
            Arc::clone(&context.ledger)
        };
        let start = call.payload.clone().filter(|_| is_last);
        let context = RunContext {
            provider: &models as &dyn Provider,
            ledger,
            parent: Some(parent.clone()),
            outside,
            seed: call.seed,
            payload: GivenPayload {
                start,
                labels: payload_labels(own, &context.payload),
                ..GivenPayload::default()
            },
            after: None,
            in_loop: *in_loop,
            fallback: Arc::default(),
            effort: context.parameters(own).effort,
            caller: Some(own.name.as_str()),
            origin: None,
            ..context.clone()
        };
        if is_last {
            (context.run_agent)(agent, call.args.clone(), &context).await
        } else {
            run_called(call, below, agent, &context).await
        }
    })
}

/// Returns the labels that the payload may have which an agent shares with its sub-agents.
fn payload_labels(own: &Agent, given: &GivenPayload) -> Vec<String> {
    let all = labels_of(own).everything();
    let names = all.iter().map(|mark| mark.name.to_string());
    let mut labels: Vec<String> = names.chain(given.labels.iter().cloned()).collect();
    labels.sort();
    labels.dedup();
    labels
}

/// Returns the models of a sub-agent. Without a model of its own it has the one that its caller asks now, and without
/// fallbacks of its own those that its caller has not tried.
fn models<'a>(
    own: OwnModels<'a>,
    caller: &'a dyn Provider,
    asked: usize,
) -> Chain<&'a dyn Provider> {
    let first = own.model.map_or((caller, asked), |model| (model, 0));
    let all = |provider: &'a dyn Provider, from: usize| {
        let count = provider.fallbacks().len();
        (from..=count).map(move |number| (provider, number))
    };
    let mut rest: Vec<(&dyn Provider, usize)> = Vec::new();
    // A provider that a host gives may have fallbacks.
    rest.extend(own.model.into_iter().flat_map(|it| all(it, 1)));
    match own.fallbacks {
        Some(fallbacks) => rest.extend(fallbacks.iter().map(|it| (&**it as &dyn Provider, 0))),
        None if !rest.is_empty() => {}
        None if own.model.is_some() => rest.extend(all(caller, asked.max(1))),
        None => rest.extend(all(caller, asked + 1)),
    }
    Chain { first, rest }
}

/// Returns the seed of the run that answers a call. It derives from the caller's seed, the turn and the id of the call.
fn seed_of_call(seed: u64, parent: &Parent) -> u64 {
    let place = parent.call.split('.').filter_map(|part| part.parse().ok());
    let path: Vec<u64> = std::iter::once(parent.turn.into()).chain(place).collect();
    seed_of_part(seed, &path)
}

/// Returns the error of a call whose run did not start.
fn start_failure(error: &Error) -> ToolError {
    let kind = match error.kind() {
        ErrorKind::Input => ToolErrorKind::Arguments,
        _ => ToolErrorKind::AgentStopped,
    };
    ToolError::new(kind, error.message())
}

fn not_an_agent() -> ToolError {
    ToolError::new(ToolErrorKind::NotCallable, "is not an agent")
}

/// Returns the result of a call from the report of its run.
fn result_of(report: RunReport) -> Result<Data, ToolError> {
    match (report.status, report.fail, report.error) {
        (Status::Returned, ..) => Ok(report.value),
        (_, Some(fail), _) => Err(ToolError::of_agent(fail)),
        (_, None, error) => {
            let stop = report.stop.as_ref().map_or("stopped", Stop::as_str);
            let why = error.map(|it| format!(": {}", it.message)).unwrap_or_default();
            let message = format!("was stopped ({stop}){why}");
            Err(ToolError::new(ToolErrorKind::AgentStopped, message))
        }
    }
}
