//! Runs one machine to its end: computes, makes the calls it asks for, waits, resumes.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;
use std::panic::resume_unwind;
use std::pin::Pin;
use std::time::Duration;

use ptc_lisp::{Budget, CallId, Machine, ToolCall, ToolFailure, Value, json};
use ptc_prompt::{CallCollector, CallMade, CallsMade};
use tokio::time::{Instant, Sleep, sleep_until};

use super::code::RunCode;
use super::event::{Bound, Event, Parent, TurnOutcome};
use super::journal::Journal;
use super::mission::{RunContext, end_of_record};
use super::recorded::{RecordedCall, RecordedProgram, RunMode};
use super::report::{CallInDoubt, RunError};
use super::sub_agent::call;
use super::tool_use::{Answer, ToolUse};
use crate::agent::Agent;
use crate::data::Data;
use crate::driver::{CallHost, Halt, Next, drive, never_made};
use crate::error::{Error, ErrorKind};
use crate::in_flight::InFlight;
use crate::provider::BoxFuture;
use crate::tool::{CallContext, ToolDef, ToolError, ToolErrorKind, ToolOf};

/// A call that was started and is not over.
struct Open<'t> {
    tool: ToolOf<'t>,
    args: Value,
}

impl Open<'_> {
    /// The call with what came of it.
    fn made(self, outcome: Result<Value, String>, warnings: Vec<String>) -> CallMade {
        let Open { tool, args } = self;
        CallMade { name: tool.name.clone(), args, outcome, effect: tool.effect(), warnings }
    }
}

/// Who makes the calls of one turn, and what for.
#[derive(Clone, Copy)]
pub(super) struct Caller<'a, 't> {
    pub(super) agent: &'a Agent,
    pub(super) context: &'a RunContext<'a>,
    pub(super) tools: &'a [ToolOf<'t>],
    pub(super) turn: u32,
}

/// Runs machines for one turn.
pub(super) struct Calls<'a, 'j, 't> {
    caller: Caller<'a, 't>,
    journal: &'a mut Journal<'j>,
    tool_use: &'a mut ToolUse,
    /// Calls that wait for room, in the order of the program.
    queue: VecDeque<Ready<'t>>,
    /// The number of calls that were started.
    started: u32,
    open: BTreeMap<CallId, Open<'t>>,
    made: CallCollector<CallId>,
    in_flight: InFlight<'a, Flying, Answer>,
    /// What is on record of the program.
    past: Option<RecordedProgram<'a>>,
    /// Calls that are on record as over, by their place among those. They land in that order, since the order in
    /// which the program makes further calls depends on it.
    recorded: BTreeMap<(u32, CallId), (Flying, Answer)>,
    /// The places of calls whose sub-agents go through their records.
    awaited: BTreeSet<u32>,
    /// The stretches of computing before which the budget of the run lowered that of the program.
    bounds: Vec<Bound>,
    /// The number of stretches of computing so far.
    pauses: u32,
    /// The fuel used so far.
    used: u64,
    /// Wakes when the time of the run is up.
    clock: Pin<Box<Sleep>>,
}

/// A call that can be made.
struct Ready<'t> {
    id: CallId,
    tool: ToolOf<'t>,
    args: Value,
    given: Given,
    /// The place of its run among the calls that are over, if that is on record.
    ended: Option<u32>,
    /// Its result, if it was in doubt and somebody said that it is done.
    done: Option<serde_json::Value>,
}

/// The arguments of a call as they go out.
enum Given {
    /// To a tool.
    Tool(serde_json::Value),
    /// To an agent, whose input has every digit.
    Agent(Data),
}

impl Given {
    fn of(tool: &ToolDef, args: &Value) -> Result<Given, json::NotJson> {
        match tool.as_agent() {
            Some(_) => Data::of_program(args).map(Given::Agent),
            None => json::to_serde(args).map(Given::Tool),
        }
    }

    /// The arguments as the record has them.
    fn data(&self) -> Data {
        match self {
            Given::Tool(json) => json.into(),
            Given::Agent(data) => data.clone(),
        }
    }
}

/// A call that is on its way.
struct Flying {
    id: CallId,
    /// When it was started, if anybody hears of that.
    since: Option<Instant>,
    /// Its place among the calls that are over, if that is on record.
    ended: Option<u32>,
}

impl<'a, 'j, 't: 'a> Calls<'a, 'j, 't> {
    pub(super) fn new(
        caller: Caller<'a, 't>,
        journal: &'a mut Journal<'j>,
        tool_use: &'a mut ToolUse,
    ) -> Calls<'a, 'j, 't> {
        Calls {
            caller,
            journal,
            tool_use,
            queue: VecDeque::new(),
            started: 0,
            open: BTreeMap::new(),
            made: CallCollector::new(),
            in_flight: InFlight::default(),
            past: caller.context.program(caller.turn),
            recorded: BTreeMap::new(),
            awaited: BTreeSet::new(),
            bounds: Vec::new(),
            pauses: 0,
            used: 0,
            clock: Box::pin(sleep_until(caller.context.ledger.deadline())),
        }
    }

    /// Runs the machine until it is done or must stop. Calls still in flight then are cancelled, and the record keeps
    /// them as started.
    pub(super) async fn drive(
        &mut self,
        machine: &mut Machine,
        budget: &mut Budget,
    ) -> Result<Halt, Error> {
        // A program that is on record to its end takes its time from there.
        let is_timed = self.past.is_none_or(|past| past.outcome().is_none());
        let most = self.caller.agent.limits.program_time;
        let most = if is_timed { most } else { Duration::MAX };
        let halt = drive(machine, budget, most, self).await;
        self.in_flight.clear();
        halt
    }

    /// Waits for the next call that is over, or for a reason to stop.
    async fn wait(&mut self) -> Result<Next, Error> {
        loop {
            if let Some((flying, answer)) = self.next_recorded() {
                return Ok(self.land(flying, answer));
            }
            if self.in_flight.is_empty() {
                return self.nothing_left().map(Next::Halt);
            }
            let (flying, answer) = tokio::select! {
                biased;
                it = self.in_flight.next() => it,
                () = self.clock.as_mut() => return Ok(Next::Halt(Halt::RunTime)),
            };
            let mut answer = match answer {
                Ok(answer) => answer,
                // A panic in a sub-agent comes from an observer or from a bug of ours, not from a tool.
                Err(panic) if self.is_agent(&flying) => resume_unwind(panic),
                Err(_) => Answer::new(Err(ToolError::new(ToolErrorKind::Panicked, "broke down"))),
            };
            if let Some(error) = answer.broken.take() {
                return Err(error);
            }
            if let Some(halt) = answer.halt.take() {
                return Ok(Next::Halt(halt));
            }
            if let Some(ended) = flying.ended {
                self.awaited.remove(&ended);
                self.recorded.insert((ended, flying.id.clone()), (flying, answer));
                continue;
            }
            return Ok(self.land(flying, answer));
        }
    }

    fn is_agent(&self, flying: &Flying) -> bool {
        self.open.get(&flying.id).is_some_and(|call| call.tool.as_agent().is_some())
    }

    /// Whether calls that are on record as over have not landed yet.
    fn is_going_back(&self) -> bool {
        !self.recorded.is_empty() || !self.awaited.is_empty()
    }

    /// The next call that is on record as over, unless one that was over before it is still on its way.
    fn next_recorded(&mut self) -> Option<(Flying, Answer)> {
        let next = self.recorded.first_entry()?;
        let is_first = self.awaited.first().is_none_or(|awaited| next.key().0 < *awaited);
        is_first.then(|| next.remove())
    }

    /// Returns the halt of a program that waits while nothing is in flight.
    fn nothing_left(&self) -> Result<Halt, Error> {
        if let Some(halt) = self.recorded_halt() {
            return Ok(halt);
        }
        if self.caller.context.shared.mode.is_closed() {
            return Err(end_of_record(&format!("the calls of turn {}", self.caller.turn)));
        }
        Ok(never_made())
    }

    /// Whether the clock stopped the program here, on record.
    fn was_stopped(&self) -> bool {
        self.past.is_some_and(|past| {
            past.stopped_at().is_some_and(|at| self.used >= at)
                && self.started as usize >= past.calls()
                && !self.is_going_back()
        })
    }

    /// How the program was stopped on record.
    fn recorded_halt(&self) -> Option<Halt> {
        match self.past.and_then(|past| past.outcome()) {
            Some(TurnOutcome::Time) => Some(Halt::RunTime),
            Some(TurnOutcome::Cancelled) => Some(Halt::Cancelled),
            Some(TurnOutcome::InDoubt) => Some(Halt::InDoubt(Vec::new())),
            Some(TurnOutcome::Limit) => Some(Halt::ProgramTime),
            _ => None,
        }
    }

    /// Lowers the budget of a program to the remaining budget of its run.
    fn bound(&mut self, budget: &mut Budget) {
        let pause = self.pauses;
        let before = (budget.fuel, budget.tool_calls);
        match self.past.and_then(|past| past.bounds()) {
            Some(bounds) => {
                let first = bounds.partition_point(|it| it.pause < pause);
                let at_pause = bounds.iter().skip(first).take_while(|it| it.pause == pause);
                for bound in at_pause {
                    budget.fuel = budget.fuel.min(bound.fuel);
                    budget.tool_calls = budget.tool_calls.min(bound.tool_calls);
                }
            }
            None => self.caller.context.ledger.bound(budget),
        }
        let (fuel, tool_calls) = (budget.fuel, budget.tool_calls);
        if (fuel, tool_calls) != before {
            // While it waited, others took more and more.
            self.bounds.pop_if(|last| last.pause == pause);
            self.bounds.push(Bound { pause, fuel, tool_calls });
        }
    }

    /// Returns what the model is told of the calls, their number, and where the budget of the run bound the program.
    pub(super) fn into_made(self) -> (CallsMade, u32, Vec<Bound>) {
        let mut made = self.made;
        for (id, call) in self.open {
            made.add(id, call.made(Err("was cancelled".to_string()), Vec::new()));
        }
        (made.finish(), self.started, self.bounds)
    }

    /// Checks that a call can start.
    fn ready(&mut self, call: ToolCall) -> Result<Ready<'t>, (CallId, ToolFailure)> {
        let ToolCall { id, name, args, .. } = call;
        let tool = self.caller.tools.iter().find(|it| it.name == name.as_str());
        let Some(tool) = tool else { return Err((id, ToolFailure::new("is not there"))) };
        let given = Given::of(tool, &args).map_err(|error| {
            let message = format!("the arguments have no JSON form: {error}");
            ToolError::new(ToolErrorKind::Arguments, message)
                .with_help("send less, and what has no JSON form as text: `(str x)`")
        });
        let given = given.and_then(|given| self.tool_use.take(tool).map(|()| given));
        match given {
            Ok(given) => Ok(Ready { id, tool: tool.clone(), args, given, ended: None, done: None }),
            Err(error) => Err((id, ToolFailure::from(&error))),
        }
    }

    /// Starts the next calls, as many as there is room for, once they are on record. Returns those of which nobody
    /// knows what came; then nothing was started.
    async fn start(&mut self) -> Result<Vec<CallInDoubt>, Error> {
        let turn = self.caller.turn;
        let ready = self.next_ready();
        for call in &ready {
            self.journal.start_call(|| Event::CallStarted {
                turn,
                call: call.id.to_string(),
                tool: call.tool.name.clone(),
                args: call.given.data(),
            });
            self.started += 1;
            let (tool, args) = (call.tool.clone(), call.args.clone());
            self.open.insert(call.id.clone(), Open { tool, args });
        }
        let (ready, in_doubt) = self.answer_from_record(ready)?;
        if ready.is_empty() || !in_doubt.is_empty() {
            return Ok(in_doubt);
        }
        self.journal.flush().await?;
        for call in ready {
            self.set_off(call);
        }
        Ok(Vec::new())
    }

    /// Has a call made by whoever drives this run. Its tool may panic: that takes down only the call.
    fn set_off(&mut self, ready: Ready<'t>) {
        let Caller { agent, context, turn, .. } = self.caller;
        let Ready { id, tool, given, ended, done, .. } = ready;
        let cell = self.tool_use.cell(&tool, || given.data());
        let made: BoxFuture<'a, Answer> = match given {
            _ if let Some(result) = done => Box::pin(std::future::ready(Answer::new(Ok(result)))),
            Given::Agent(args) => {
                self.awaited.extend(ended);
                let parent = Parent { run: self.journal.run.clone(), turn, call: id.to_string() };
                call(tool, agent, context, parent, args)
            }
            Given::Tool(args) => {
                let cx = CallContext::new(self.key(&id));
                let cx = CallContext { max_output: tool.max_output, ..cx };
                Box::pin(async move {
                    let (result, warnings) = tool.call_with_warnings(args, &cx).await;
                    Answer { warnings, ..Answer::new(result) }
                })
            }
        };
        // On record it was made, whoever else had the result.
        let made = if ended.is_some() { cell.filled_by(made) } else { cell.answer(made) };
        let since = self.journal.is_heard().then(Instant::now);
        self.in_flight.push(Flying { id, since, ended }, made);
    }

    /// The idempotency key of a call: the same whenever it is made again.
    fn key(&self, id: &CallId) -> String {
        let mut key = String::with_capacity(KEY);
        // A string takes everything that is written to it.
        let _ = write!(key, "{}.{}.{id}", self.journal.run, self.caller.turn);
        key
    }

    /// Takes as many calls out of the line as there is room for. While calls that are on record as over are on their
    /// way, those that are not on record wait: they may never have been made.
    fn next_ready(&mut self) -> VecDeque<Ready<'t>> {
        let most = self.caller.agent.limits.calls_in_flight as usize;
        let in_flight = self.in_flight.len() + self.recorded.len();
        let room = most.saturating_sub(in_flight).min(self.queue.len());
        let Some(past) = self.past else {
            return self.queue.drain(..room).collect();
        };
        let is_known = |call: &Ready| {
            !matches!(
                past.call(&call.id.to_string(), &call.tool.name, &call.given.data()),
                RecordedCall::Unknown
            )
        };
        let known: Vec<bool> = self.queue.iter().take(room).map(is_known).collect();
        let waits = self.is_going_back() || known.contains(&true);
        let (mut ready, mut left) = (VecDeque::new(), Vec::new());
        for (call, is_known) in self.queue.drain(..room).zip(known) {
            if is_known || !waits {
                ready.push_back(call);
            } else {
                left.push(call);
            }
        }
        left.into_iter().rev().for_each(|call| self.queue.push_front(call));
        ready
    }

    /// Answers the calls that are on record; returns those that are to be made, and the names of those of which
    /// nobody knows what came.
    fn answer_from_record(
        &mut self,
        ready: VecDeque<Ready<'t>>,
    ) -> Result<(VecDeque<Ready<'t>>, Vec<CallInDoubt>), Error> {
        let (Some(past), turn) = (self.past, self.caller.turn) else {
            return Ok((ready, Vec::new()));
        };
        let shared = self.caller.context.shared;
        let (mut to_make, mut in_doubt) = (VecDeque::new(), Vec::new());
        for mut call in ready {
            let (id, tool) = (call.id.to_string(), &call.tool);
            let key = self.key(&call.id);
            let args = call.given.data();
            match past.call(&id, &tool.name, &args) {
                RecordedCall::Over(ended, answer) => {
                    self.tool_use.cell(tool, || args).fill(&answer.result);
                    let Ready { id, .. } = call;
                    let place = (ended, id.clone());
                    let since = Some(Instant::now());
                    let flying = Flying { id, since, ended: Some(ended) };
                    self.recorded.insert(place, (flying, answer));
                }
                RecordedCall::Run(ended) => {
                    call.ended = Some(ended);
                    to_make.push_back(call);
                }
                RecordedCall::Other if shared.mode == RunMode::Resume => {
                    let message = format!(
                        "call {id} of turn {turn} is not the one on record: the run diverges from its record"
                    );
                    return Err(Error::new(ErrorKind::Replay, message));
                }
                // Whoever compares the records finds what is different.
                RecordedCall::Other | RecordedCall::Started | RecordedCall::Unknown
                    if shared.mode.is_closed() => {}
                RecordedCall::Started if shared.doubts.done.contains_key(&key) => {
                    call.done = shared.doubts.done.get(&key).cloned();
                    to_make.push_back(call);
                }
                RecordedCall::Started
                    if tool.as_agent().is_none()
                        && !tool.may_repeat()
                        && !shared.doubts.retry.contains(&key) =>
                {
                    in_doubt.push(CallInDoubt { call: key, tool: tool.name.clone() });
                }
                RecordedCall::Started | RecordedCall::Other | RecordedCall::Unknown => {
                    to_make.push_back(call);
                }
            }
        }
        Ok((to_make, in_doubt))
    }

    /// Records the outcome of a call and returns it for the machine.
    fn land(&mut self, flying: Flying, answer: Answer) -> Next {
        let Flying { id, since, .. } = flying;
        let Some(call) = self.open.remove(&id) else { return Next::Halt(never_made()) };
        let Answer { result, warnings, run, cached, .. } = answer;
        let turn = self.caller.turn;
        let outcome = result.as_ref().map(json::from_serde);
        let answer = match &outcome {
            Ok(value) => Ok(value.clone()),
            Err(error) => Err(ToolFailure::from(*error)),
        };
        let warnings = if warnings.is_empty() {
            Vec::new()
        } else {
            self.journal.warn(turn, Some(&id.to_string()), warnings)
        };
        let tool = call.tool.clone();
        let outcome = outcome.map_err(ToString::to_string);
        self.made.add(id.clone(), call.made(outcome, warnings));
        self.journal.end_call(|ended| Event::CallFinished {
            turn,
            call: id.to_string(),
            tool: tool.name.clone(),
            result: result.map_err(|error| RunError::from(&error)),
            run,
            cached,
            ended,
            elapsed: since.map(|since| since.elapsed()).unwrap_or_default(),
        });
        Next::Answer(id, answer)
    }
}

impl CallHost for Calls<'_, '_, '_> {
    fn before(&mut self, budget: &mut Budget) {
        self.bound(budget);
        self.pauses += 1;
    }

    fn after(&mut self, fuel: u64, calls: u32) -> Option<Halt> {
        let ledger = &self.caller.context.ledger;
        ledger.take_work(fuel, calls.into());
        self.used += fuel;
        if Instant::now() >= ledger.deadline() {
            return Some(Halt::RunTime);
        }
        if self.was_stopped() { self.recorded_halt() } else { None }
    }

    fn queue(&mut self, calls: Vec<ToolCall>) -> Vec<(CallId, ToolFailure)> {
        let mut refused = Vec::new();
        // Thousands of runs may wait here at once: no room for more.
        self.queue.reserve_exact(calls.len());
        for call in calls {
            match self.ready(call) {
                Ok(ready) => self.queue.push_back(ready),
                Err(failure) => refused.push(failure),
            }
        }
        refused
    }

    async fn next(&mut self) -> Result<Next, Error> {
        let in_doubt = self.start().await?;
        if in_doubt.is_empty() {
            self.wait().await
        } else {
            Ok(Next::Halt(Halt::InDoubt(in_doubt)))
        }
    }

    fn give_up(&mut self, id: &CallId) {
        // One that still waits in line was never made.
        self.queue.retain(|call| call.id != *id);
        let recorded = self.recorded.extract_if(.., |(_, call), _| call == id).next();
        let flying = self.in_flight.remove(|flying| flying.id == *id);
        let flying = flying.or(recorded.map(|(_, (flying, _))| flying));
        if let Some(ended) = flying.as_ref().and_then(|flying| flying.ended) {
            self.awaited.remove(&ended);
        }
        let Some(call) = flying.and_then(|flying| self.open.remove(&flying.id)) else { return };
        let (turn, tool) = (self.caller.turn, call.tool.clone());
        self.made.add(id.clone(), call.made(Err(GIVEN_UP.to_string()), Vec::new()));
        self.journal.end_call(|ended| Event::CallFinished {
            turn,
            call: id.to_string(),
            tool: tool.name.clone(),
            result: Err(RunError::from(&ToolError::new(ToolErrorKind::Cancelled, GIVEN_UP))),
            run: None,
            cached: false,
            ended,
            elapsed: Duration::ZERO,
        });
    }
}

/// How long most idempotency keys are at most.
const KEY: usize = 40;

/// What is said of a call that was given up.
const GIVEN_UP: &str = "was cancelled, since the program no longer waits for it";

/// What is said of a run that stops since nobody knows what came of calls.
pub(super) fn in_doubt(calls: Vec<CallInDoubt>) -> RunError {
    let names: Vec<String> =
        calls.iter().map(|it| format!("`{}` ({})", it.tool, it.call)).collect();
    let message = match names.as_slice() {
        [] => "the outcome of a call of a sub-agent is unknown".to_string(),
        names => format!("the outcome of {} is unknown, and the tool writes", names.join(", ")),
    };
    let mut error = RunError::new(RunCode::InDoubt, message);
    error.in_doubt = calls;
    error.help = Some(
        "check what the tool did, then resume with `--assume-done CALL JSON` or with `--retry CALL`"
            .to_string(),
    );
    error
}

impl From<&ToolError> for RunError {
    fn from(error: &ToolError) -> RunError {
        let ToolFailure { help, advice, .. } = ToolFailure::from(error);
        RunError { help, advice, ..RunError::new(error.kind, &error.message) }
    }
}
