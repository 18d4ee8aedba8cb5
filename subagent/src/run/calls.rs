//! The calls of a run's program: checks them, makes them or answers them from the record, and records their outcomes.

mod cover;
mod flights;
mod made;
mod metering;
mod queue;

use std::fmt::{Display, Write};
use std::panic::resume_unwind;
use std::time::Duration;

use ptc_lisp::labels::{Flows, Sources};
use ptc_lisp::{
    AnswerEffects, Budget, CallId, Diagnostic, Effect, Machine, PayloadOp, Session, ToolCall,
    ToolFailure,
};
use tokio::time::{Instant, sleep};

use super::answer::{Answer, Returned};
use super::asking::ask_person;
use super::call_state::{
    Asking, Flight, OpenCall, Ready, Work, confirmation_of, expansion_of, question_of, wait_of,
};
use super::context::RunContext;
use super::journal::Journal;
use super::outside::{CallSource, Making, ProgramOutside};
use super::payload::RunPayload;
use super::question::refusal;
use super::sub_agent::call;
use super::tool_use::ToolUse;
use super::workflow::EXIT_LOOP;
use crate::agent::{Agent, ToolOf};
use crate::data::Data;
use crate::driver::{CallHost, CallOutcome, Halt, Next, drive, never_made};
use crate::error::Error;
use crate::label_rules;
use crate::labels::OnLabel;
use crate::payload::{ScopeError, View};
use crate::provider::BoxFuture;
use crate::record::{
    CallInDoubt, CallProgress, EXPAND, Event, Parent, Refused, RunCode, RunError, ToolError,
    ToolErrorKind,
};
use crate::tool::{CallContext, ToolDef};
use crate::transcript::Expansions;
use cover::Cover;
use flights::{Arrival, Flights};
pub(super) use made::FinishedCalls;
use made::MadeCalls;
use metering::Metering;
use queue::CallQueue;

/// The agent, tools and turn whose program makes calls, and the context of its run.
#[derive(Clone, Copy)]
pub(super) struct Caller<'a, 't> {
    pub(super) agent: &'a Agent,
    pub(super) context: &'a RunContext<'a>,
    pub(super) tools: &'a [ToolOf<'t>],
    pub(super) turn: u32,
    /// The mission of the run, if a question may show it.
    pub(super) mission: &'a str,
    /// The messages that can be sent whole again.
    pub(super) expansions: &'a Expansions,
    /// The labels of the program, if the policy has rules for them.
    pub(super) flows: Option<&'a Flows>,
    /// The labels of tools, if the policy has rules for them.
    pub(super) sources: Option<&'a Sources>,
}

/// The calls to make, and those whose outcome is unknown.
type Found<'t> = (Vec<(Ready<'t>, Making)>, Vec<CallInDoubt>);

/// Makes the calls of one turn.
pub(super) struct Calls<'a, 'j, 't> {
    caller: Caller<'a, 't>,
    journal: &'a mut Journal<'j>,
    tool_use: &'a mut ToolUse,
    /// The payload of the run, if its agent has one.
    payload: Option<&'a mut RunPayload<'t>>,
    cover: Cover<'a>,
    queue: CallQueue<'t>,
    flights: Flights<'a>,
    made: MadeCalls<'t>,
    metering: Metering,
    /// Whether the program has called `exit_loop`.
    exits_loop: bool,
    outside: ProgramOutside<'a>,
}

impl<'a, 'j, 't: 'a> Calls<'a, 'j, 't> {
    /// Prepares the calls of a program. `is_plan` keeps each call, not only those that a summary has.
    pub(super) fn new(
        caller: Caller<'a, 't>,
        journal: &'a mut Journal<'j>,
        tool_use: &'a mut ToolUse,
        payload: Option<&'a mut RunPayload<'t>>,
        session: &'a Session,
        is_plan: bool,
    ) -> Calls<'a, 'j, 't> {
        Calls {
            cover: Cover::new(session),
            payload,
            caller,
            journal,
            tool_use,
            queue: CallQueue::new(caller.agent.limits.calls_in_flight as usize),
            flights: Flights::default(),
            made: MadeCalls::new(is_plan),
            metering: Metering::new(&caller.context.ledger),
            exits_loop: false,
            outside: caller.context.outside.program(caller.turn),
        }
    }

    /// Runs the machine until its program ends or must stop. Then calls still in flight are cancelled, and remain
    /// started in the record.
    ///
    /// # Errors
    ///
    /// The reason that the run or a run above it cannot continue.
    pub(super) async fn drive(
        &mut self,
        machine: &mut Machine,
        budget: &mut Budget,
    ) -> Result<Halt, Error> {
        let most = self.outside.time_limit(self.caller.agent.limits.program_time);
        let halt = drive(machine, budget, most, self).await;
        self.flights.clear();
        halt
    }

    /// Waits for the next outcome of a call, or for a reason to stop.
    ///
    /// Returns `None` if a person has allowed a call, which can start now.
    async fn wait(&mut self) -> Result<Option<Next>, Error> {
        loop {
            if let Some((flight, answer)) = self.flights.next_recorded() {
                return Ok(self.record_outcome(flight, answer));
            }
            if self.flights.is_idle() {
                return self.outside.halt().map(|halt| Some(Next::Halt(halt)));
            }
            let ledger = &self.caller.context.ledger;
            // While nothing works, the clock of the run stands.
            let is_quiet = self.flights.making().all(|flight| flight.is_quiet);
            let is_agent = |flight: &Flight| !self.queue.is_open_wait(&flight.id);
            let has_agents = self.flights.making().any(is_agent);
            let rest = is_quiet.then(|| ledger.rest());
            let next = tokio::select! {
                biased;
                next = self.flights.next() => next,
                () = self.metering.time_up(ledger) => {
                    return Ok(Some(Next::Halt(Halt::RunTime)));
                }
                // Agents in flight leave their own waits first.
                () = ledger.waits().left(), if is_quiet && !has_agents => {
                    return Ok(Some(Next::Halt(Halt::Waiting)));
                }
            };
            drop(rest);
            let (flight, answer) = match next {
                Arrival::Report(id, progress) => {
                    self.tell_progress(&id, progress);
                    continue;
                }
                Arrival::Answer(flight, answer) => (flight, *answer),
            };
            while let Some((id, progress)) = self.flights.report() {
                self.tell_progress(&id, progress);
            }
            let mut answer = match answer {
                Ok(answer) => answer,
                // A panic in a sub-agent comes from a bug of ours, not from a tool.
                Err(panic) if self.is_agent(&flight) => resume_unwind(panic),
                Err(_) => Answer::new(Err(ToolError::new(ToolErrorKind::Panicked, "broke down"))),
            };
            if let Some(error) = answer.broken.take() {
                return Err(error);
            }
            if let Some(halt) = answer.halt.take() {
                // The call stays open on record.
                if matches!(halt, Halt::Waiting) && !self.flights.is_idle() {
                    continue;
                }
                return Ok(Some(Next::Halt(halt)));
            }
            if let Some(ended) = flight.ended {
                self.flights.push_recorded(ended, flight, answer);
                continue;
            }
            return Ok(self.record_outcome(flight, answer));
        }
    }

    /// Passes the progress of a call to the observer.
    fn tell_progress(&self, id: &CallId, progress: CallProgress) {
        let Some(OpenCall { name, id: call, .. }) = self.made.open(id) else { return };
        let (turn, call, tool) = (self.caller.turn, call.clone(), name.clone());
        let event = Event::CallProgress { turn, call, tool, progress };
        self.caller.context.shared.tell(&self.journal.run, &event);
    }

    fn is_agent(&self, flight: &Flight) -> bool {
        let tool = self.made.open(&flight.id).and_then(|call| call.tool.as_ref());
        tool.is_some_and(|tool| tool.as_agent().is_some())
    }

    /// Returns the calls for the next message to the model, the number of started calls, and the bounds that the budget
    /// of the run set.
    pub(super) fn finish(self) -> FinishedCalls {
        self.made.finish(self.metering.into_bounds())
    }

    /// Checks that a call can start, and counts it towards the `max_calls` of its tool.
    ///
    /// # Errors
    ///
    /// The failure that answers the call.
    fn ready(&mut self, call: ToolCall) -> Result<Ready<'t>, (CallId, ToolFailure)> {
        let ToolCall { id, name, args, step, in_loop, span, .. } = call;
        let tool = self.caller.tools.iter().find(|it| it.name == name.as_str());
        let Some(tool) = tool else { return Err((id, ToolFailure::new("is not there"))) };
        let arguments = Data::of_program(&args).map_err(|error| {
            let message = format!("the arguments have no JSON form: {error}");
            ToolError::new(ToolErrorKind::Arguments, message)
                .with_help("send less, and what has no JSON form as text: `(str x)`")
        });
        let arguments =
            arguments.and_then(|arguments| self.tool_use.take(tool).map(|()| arguments));
        let step = step.map(|step| step.to_string());
        let limit = step.as_deref().and_then(|it| self.caller.agent.time_of_step(it));
        match arguments {
            Ok(arguments) => Ok(Ready {
                id,
                work: Work::Tool(
                    limit.map_or_else(|| tool.clone(), |it| tool.within(it, self.caller.agent)),
                ),
                labels: self.caller.flows.map_or_else(Vec::new, |flows| {
                    label_rules::origins(&flows.call(&name, span), &args)
                }),
                step,
                in_loop,
                args,
                arguments,
            }),
            Err(error) => Err((id, ToolFailure::from(&error))),
        }
    }

    /// Records the next calls as started, then makes them, as many as there is room for. Returns the calls with an
    /// unknown outcome; if there are any, no call was made.
    async fn start(&mut self) -> Result<Vec<CallInDoubt>, Error> {
        let turn = self.caller.turn;
        let mut ready = self.next_ready();
        for call in &mut ready {
            self.queue.begin(call);
            let started = || Event::CallStarted {
                turn,
                call: call.record_id(),
                tool: call.name().to_string(),
                args: call.arguments.clone(),
                step: call.step.clone(),
                labels: call.labels.clone(),
            };
            if call.tool().is_some() {
                self.journal.start_call(started);
            } else {
                self.journal.tell(|_| started());
            }
            let (tool, args) = (call.tool().cloned(), call.args.clone());
            let repeats = match &tool {
                Some(tool) => self.tool_use.see(tool, || call.arguments.clone()),
                None => 0,
            };
            let (name, id) = (call.name().to_string(), call.record_id());
            let is_trusted = call.labels.is_empty();
            let open = OpenCall { name, id, tool, args, repeats, is_trusted };
            self.made.start(call.id.clone(), open);
        }
        let (to_make, in_doubt) = self.find_outcomes(ready)?;
        if to_make.is_empty() || !in_doubt.is_empty() {
            return Ok(in_doubt);
        }
        if to_make.iter().any(|(_, making)| making.is_again) {
            self.journal.go_on();
        }
        self.journal.flush().await?;
        for (call, making) in to_make {
            self.make(call, making);
        }
        Ok(Vec::new())
    }

    /// Adds a call to the calls in flight. If its tool panics, only the call fails.
    fn make(&mut self, ready: Ready<'t>, making: Making) {
        let context = self.caller.context;
        let Ready { id, work, arguments, in_loop, .. } = ready;
        let Making { ended, stated, passed, .. } = making;
        let since = self.journal.is_heard().then(Instant::now);
        let made: BoxFuture<'a, Answer> = match work {
            Work::Tool(tool) => {
                let flight = Flight { id, since, ended, is_quiet: false };
                return self.call(tool, flight, arguments, stated, in_loop);
            }
            Work::Wait(rest) => {
                let rest = rest.saturating_sub(passed);
                let wait = context.ledger.waits().add(rest);
                Box::pin(async move {
                    sleep(rest).await;
                    wait.end();
                    Answer::new(Ok(Data::default()))
                })
            }
            Work::Expansion(turn) => {
                let text = format!("What you were told after turn {turn} is whole again.");
                Box::pin(std::future::ready(Answer::new(Ok(Data::from(serde_json::json!(text))))))
            }
            Work::Denied(_, error) => Box::pin(std::future::ready(Answer::new(Err(*error)))),
            Work::Question(_) if let Some(answer) = stated => {
                Box::pin(std::future::ready(Answer::new(Ok(answer))))
            }
            Work::Question(asking) => ask_person(context, Asking { since: passed, ..*asking }),
        };
        self.flights.push(Flight { id, since, ended, is_quiet: true }, made);
    }

    /// Calls a tool.
    fn call(
        &mut self,
        tool: ToolOf<'t>,
        flight: Flight,
        arguments: Data,
        stated: Option<Data>,
        in_loop: bool,
    ) {
        let Caller { agent, context, turn, .. } = self.caller;
        let Flight { id, since, ended, .. } = flight;
        let is_quiet = tool.as_agent().is_some();
        let cell = self.tool_use.result_cell(&tool, || arguments.clone());
        let made: BoxFuture<'a, Answer> = match stated {
            Some(result) => Box::pin(std::future::ready(Answer::new(Ok(result)))),
            None if is_quiet => {
                let parent = Parent { run: self.journal.run.clone(), turn, call: id.to_string() };
                match self.view_of(&tool) {
                    Ok(view) => call(tool, agent, context, parent, arguments, view, in_loop),
                    Err(error) => {
                        let error = ToolError::new(ToolErrorKind::AgentStopped, error.to_string());
                        Box::pin(std::future::ready(Answer::new(Err(error))))
                    }
                }
            }
            None => {
                let mut cx = CallContext::new(self.idempotency_key(&id));
                cx.max_output = tool.max_output;
                cx.contents = self.tool_use.contents();
                cx.reporter = context.shared.observer.map(|_| self.flights.reporter(id.clone()));
                let cx = cx.with_context(context.host.clone());
                Box::pin(async move {
                    let (result, warnings) = tool.call_with_warnings(arguments, &cx).await;
                    // A failed attempt may have kept some.
                    let blobs = if result.is_ok() { cx.take_blobs() } else { Vec::new() };
                    Answer { warnings, blobs, ..Answer::new(result) }
                })
            }
        };
        // The record has a run for this call, so the call does not share the result of an equal one.
        let made =
            if ended.is_some() { cell.store_result_of(made) } else { cell.get_or_make(made) };
        self.flights.push(Flight { id, since, ended, is_quiet }, made);
    }

    /// Returns the part of the payload that a sub-agent gets, if it shares the payload of this run.
    fn view_of(&self, tool: &ToolDef) -> Result<Option<View>, ScopeError> {
        let sub_agent = tool.as_agent().map(|it| it.agent(self.caller.agent));
        let shared = self.payload.as_deref().zip(sub_agent);
        shared.map_or(Ok(None), |(payload, agent)| payload.view_of(agent))
    }

    /// Commits the changes of a sub-agent that has returned. Returns its operations for the program.
    fn adopt(
        &mut self,
        id: &CallId,
        tool: &ToolDef,
        returned: Option<Box<Returned>>,
    ) -> Result<Vec<PayloadOp>, ToolFailure> {
        let agent = tool.as_agent().map(|it| it.agent(self.caller.agent));
        let (Some(returned), Some(agent), Some(payload)) = (returned, agent, &mut self.payload)
        else {
            return Ok(Vec::new());
        };
        let turn = self.caller.turn;
        let adopted = payload.adopt(turn, id, agent, *returned, self.journal);
        let (ops, blocked) = adopted.map_err(|why| {
            ToolFailure::new(format!("its changes do not fit the payload any more: {why}"))
        })?;
        let blocked = blocked.into_iter().map(|it| RunError::new(RunCode::PayloadBlocked, it));
        self.journal.warn(turn, Some(&id.to_string()), blocked.collect());
        Ok(ops)
    }

    /// Returns the idempotency key of a call. A repeated call has the same key.
    fn idempotency_key(&self, id: &impl Display) -> String {
        let mut key = String::with_capacity(KEY_CAPACITY);
        // Writing to a string cannot fail.
        let _ = write!(key, "{}.{}.{id}", self.journal.run, self.caller.turn);
        key
    }

    /// Removes as many calls from the queue as there is room for. While recorded outcomes are pending, calls that are
    /// not on record wait, because the recorded run may never have made them.
    fn next_ready(&mut self) -> Vec<Ready<'t>> {
        let next = self.queue.take(self.flights.len());
        let outside = self.outside;
        let (known, new): (Vec<_>, Vec<_>) = next.into_iter().partition(|it| outside.knows(it));
        if known.is_empty() && !self.flights.is_replaying() {
            return new;
        }
        self.queue.put_back(new);
        known
    }

    /// Finds the sources of the outcomes of started calls. Returns the calls to make, and those with an unknown outcome.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`](crate::ErrorKind::Replay) if a resumed run makes another call than the recorded one.
    fn find_outcomes(&mut self, ready: Vec<Ready<'t>>) -> Result<Found<'t>, Error> {
        let (mut to_make, mut in_doubt) = (Vec::with_capacity(ready.len()), Vec::new());
        for call in ready {
            let (id, tool) = (call.record_id(), call.tool().map(|it| &**it));
            let key = || self.idempotency_key(&id);
            match self.outside.call((&id, call.name()), &call.arguments, tool, key)? {
                CallSource::Record(ended, answer) => {
                    if let Some(tool) = call.tool() {
                        let args = || call.arguments.clone();
                        self.tool_use.result_cell(tool, args).store(&answer.result);
                    }
                    let (id, since) = (call.id, Some(Instant::now()));
                    let flight = Flight { id, since, ended: Some(ended), is_quiet: false };
                    self.flights.push_recorded(ended, flight, *answer);
                }
                CallSource::Make(making) => to_make.push((call, making)),
                CallSource::InDoubt => {
                    in_doubt.push(CallInDoubt { call: key(), tool: call.name().to_string() });
                }
                CallSource::Nothing => {}
            }
        }
        Ok((to_make, in_doubt))
    }

    /// Queues a call, or the question whether it may be made.
    fn admit(&mut self, mut call: Ready<'t>) {
        let Caller { agent, turn, mission, .. } = self.caller;
        let Some(tool) = call.tool().cloned() else { return self.queue.push(call) };
        let policy = &agent.policy;
        let verdict = policy.verdict(&tool.name, tool.effect(), &mut call.labels);
        if verdict.action == OnLabel::Deny {
            let mut because = verdict.because;
            if !policy.quarantine.is_empty() {
                // A program may have made the name of an argument out of a value that its author does not read.
                let declared = tool.signature.as_ref().map_or(&[][..], |it| &it.params);
                for name in because.iter_mut().filter_map(|it| it.argument.as_mut()) {
                    if declared.iter().all(|it| it.name != *name) {
                        "an argument".clone_into(name);
                    }
                }
            }
            let message = format!("was denied: {}", label_rules::denied(&tool.name, &because));
            let error = ToolError::new(ToolErrorKind::Denied, message).with_help(label_rules::HELP);
            let work = Work::Denied(tool.name.clone(), Box::new(error));
            return self.queue.push(Ready { work, ..call });
        }
        let asks = verdict.action == OnLabel::Ask
            || tool.confirm && !policy.says_yes(&tool.name, &call.args);
        if !asks {
            return self.queue.push(call);
        }
        let (run, refused) = (&self.journal.run, self.tool_use.refused(&tool));
        let labels = match verdict.action {
            OnLabel::Ask => verdict.because,
            _ => Vec::new(),
        };
        let about = (refused, mission, labels);
        let question = confirmation_of(call, &tool, run, &agent.name, turn, about);
        self.queue.push(question);
    }

    /// Queues a call that a person allows. Otherwise returns its failure.
    fn confirm(&mut self, call: Ready<'t>, answer: &CallOutcome) -> Option<Next> {
        let Some(tool) = call.tool().cloned() else { return Some(Next::Halt(never_made())) };
        let failure = match answer.as_ref().map(refusal) {
            Ok(None) => {
                self.queue.push(call);
                return None;
            }
            Ok(Some(reason)) => {
                let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
                let message = format!("a person refused the call{why}");
                self.tool_use.refuse(&tool, Refused { args: call.arguments.clone(), reason });
                ToolFailure::from(&ToolError::new(ToolErrorKind::Denied, message))
            }
            Err(failure) => failure.clone(),
        };
        let (name, id) = (tool.name.clone(), call.record_id());
        let tool = Some(tool);
        let open = OpenCall { name, id, tool, args: call.args, repeats: 0, is_trusted: false };
        self.made.add(call.id.clone(), open, Err(failure.message.clone()), Vec::new());
        Some(Next::Answer(call.id, Err(failure)))
    }

    /// Records the call of `exit_loop`, behind which the program does not go on.
    fn exit_loop(&mut self, call: &ToolCall) {
        let (turn, id) = (self.caller.turn, call.id.to_string());
        let started = Event::CallStarted {
            turn,
            call: id.clone(),
            tool: EXIT_LOOP.to_string(),
            args: Data::of_program(&call.args).unwrap_or_default(),
            step: call.step.as_ref().map(ToString::to_string),
            labels: Vec::new(),
        };
        self.journal.start_call(|| started);
        self.made.count_one();
        self.journal.end_call(|ended| Event::CallFinished {
            turn,
            call: id,
            tool: EXIT_LOOP.to_string(),
            result: Ok(Data::default()),
            blobs: Vec::new(),
            run: None,
            cached: false,
            ended,
            elapsed: Duration::ZERO,
        });
        self.exits_loop = true;
    }

    /// Records the outcome of a call and returns it for the machine.
    fn record_outcome(&mut self, flight: Flight, answer: Answer) -> Option<Next> {
        let Flight { id, since, .. } = flight;
        let Some(call) = self.made.close(&id) else { return Some(Next::Halt(never_made())) };
        let unconfirmed = self.queue.end(&id);
        let Answer { result, warnings, blobs, run, cached, payload, exits_loop, .. } = answer;
        self.tool_use.keep_content(&blobs);
        let turn = self.caller.turn;
        let result = result.map_err(|error| self.cover.error(error));
        let outcome = result.as_ref().map(|it| it.value().clone());
        if let Ok(value) = &outcome {
            self.cover.see(value);
        }
        let answer = match &outcome {
            Ok(value) => Ok(value.clone()),
            Err(error) => Err(ToolFailure::from(*error)),
        };
        let mut warnings = if warnings.is_empty() {
            Vec::new()
        } else {
            self.journal.warn(turn, Some(&call.id), self.cover.warnings(warnings))
        };
        let tool = call.tool.clone();
        if let Some(tool) = tool.as_ref().filter(|_| !cached) {
            warnings.extend(self.tool_use.end(&tool.name, result.is_err()));
        }
        if let Some(tool) = tool.as_ref().filter(|it| it.effect() == Effect::Write && !cached) {
            let args = Data::of_program(&call.args);
            self.tool_use.wrote(tool, || args.unwrap_or_default());
        }
        let repeats = if cached { call.repeats } else { 0 };
        let (name, on_record) = (call.name.clone(), call.id.clone());
        if name == EXPAND && result.is_ok() {
            let turn = call.args.get("turn").and_then(ptc_lisp::Value::as_int);
            self.made.expand(turn.and_then(|it| u32::try_from(it).ok()));
        }
        if let (Some(tool), Ok(result), Some(sources)) = (&tool, &result, self.caller.sources)
            && call.is_trusted
            && sources.tool(&tool.name).is_empty()
        {
            self.made.trust(result.to_string());
        }
        let call = OpenCall { repeats, ..call };
        let outcome = outcome.map_err(ToString::to_string);
        self.made.add(id.clone(), call, outcome, warnings);
        self.journal.end_call(|ended| Event::CallFinished {
            turn,
            call: on_record,
            tool: name,
            result: result.map_err(|error| RunError::from(&error)),
            blobs,
            run,
            cached,
            ended,
            elapsed: since.map(|since| since.elapsed()).unwrap_or_default(),
        });
        if let Some(call) = unconfirmed {
            return self.confirm(call, &answer);
        }
        let Some(tool) = tool else { return Some(Next::Answer(id, answer)) };
        Some(match self.adopt(&id, &tool, payload) {
            Ok(ops) if ops.is_empty() && !exits_loop => Next::Answer(id, answer),
            Ok(payload) => Next::AnswerWith(id, answer, AnswerEffects { payload, exits_loop }),
            Err(failure) => Next::Answer(id, Err(failure)),
        })
    }
}

impl CallHost for Calls<'_, '_, '_> {
    fn before(&mut self, budget: &mut Budget) {
        let (outside, ledger) = (self.outside, &self.caller.context.ledger);
        self.metering.begin(budget, |pause, budget| outside.bound(pause, budget, ledger));
    }

    fn after(&mut self, fuel: u64, calls: u32) -> Option<Halt> {
        let ledger = &self.caller.context.ledger;
        ledger.take_work(fuel, calls.into());
        self.metering.end(fuel);
        if Instant::now() >= ledger.deadline() {
            return Some(Halt::RunTime);
        }
        // Until the program has its recorded outcomes, it is not where the clock stopped it.
        let is_behind = self.flights.is_replaying();
        let stop = || self.outside.stop(self.metering.fuel(), self.made.count());
        if is_behind { None } else { stop() }
    }

    fn queue(&mut self, calls: Vec<ToolCall>) -> Vec<(CallId, ToolFailure)> {
        let mut refused = Vec::new();
        self.queue.reserve(calls.len());
        for call in calls {
            if let Some(ms) = call.wait() {
                self.queue.push(wait_of(call, ms));
                continue;
            }
            if let Some(turn) = call.expansion() {
                match self.caller.expansions.check(turn) {
                    Ok(()) => self.queue.push(expansion_of(call, turn)),
                    Err(message) => refused.push((call.id, ToolFailure::new(message))),
                }
                continue;
            }
            if call.is_question() {
                let Caller { agent, turn, .. } = self.caller;
                match question_of(call, &self.journal.run, &agent.name, turn) {
                    Ok(question) => self.queue.push(question),
                    Err(failed) => refused.push(failed),
                }
                continue;
            }
            if self.caller.context.in_loop && call.name == EXIT_LOOP {
                self.exit_loop(&call);
                break;
            }
            let (name, args) = (call.name.to_string(), call.args.clone());
            match self.ready(call) {
                Ok(ready) => self.admit(ready),
                Err((id, failure)) => {
                    self.made.refuse(&id, name, args, &failure.message);
                    refused.push((id, failure));
                }
            }
        }
        refused
    }

    fn pause(&mut self, machine: &mut Machine) -> Result<(), Diagnostic> {
        let Some(payload) = self.payload.as_mut() else { return Ok(()) };
        // The calls of a plan see the change that its reply asks for.
        if self.caller.agent.workflow.is_none() && !self.made.is_plan() {
            return Ok(());
        }
        if let Some(end) = machine.take_payload() {
            let merged = payload.merged_with(&end)?;
            payload.commit(self.caller.turn, merged, self.journal);
        }
        Ok(())
    }

    async fn next(&mut self) -> Result<Next, Error> {
        if self.exits_loop {
            return Ok(Next::Halt(Halt::ExitLoop));
        }
        loop {
            let in_doubt = self.start().await?;
            if !in_doubt.is_empty() {
                return Ok(Next::Halt(Halt::InDoubt(in_doubt)));
            }
            if let Some(next) = self.wait().await? {
                return Ok(next);
            }
        }
    }

    fn give_up(&mut self, id: &CallId) {
        self.queue.remove(id);
        // A call that was never made needs no outcome.
        let is_made = self.flights.give_up(id);
        let Some(call) = is_made.then(|| self.made.close(id)).flatten() else { return };
        let (turn, tool, on_record) = (self.caller.turn, call.name.clone(), call.id.clone());
        self.made.add(id.clone(), call, Err(GIVEN_UP.to_string()), Vec::new());
        self.journal.end_call(|ended| Event::CallFinished {
            turn,
            call: on_record,
            tool,
            result: Err(RunError::from(&ToolError::new(ToolErrorKind::Cancelled, GIVEN_UP))),
            blobs: Vec::new(),
            run: None,
            cached: false,
            ended,
            elapsed: Duration::ZERO,
        });
    }
}

/// The capacity of a new idempotency key, in bytes. Most keys fit.
const KEY_CAPACITY: usize = 40;

/// The error of a call that was given up.
const GIVEN_UP: &str = "was cancelled, since the program no longer waits for it";
