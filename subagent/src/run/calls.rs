//! Runs one machine to its end: computes, makes the calls it asks for, waits, resumes.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use ptc_lisp::print::{Preview, preview};
use ptc_lisp::{Budget, CallId, Effect, Machine, Step, ToolCall, ToolFailure, Value, json};
use tokio::task::{AbortHandle, Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep_until};

use super::event::{Bound, Event, Parent, TurnOutcome};
use super::journal::Journal;
use super::mission::{Place, end_of_record};
use super::past::{Mode, PastCall, PastProgram};
use super::report::RunError;
use super::sub_agent::{Children, call};
use super::tool_use::{Answer, ToolUse};
use crate::agent::Agent;
use crate::error::{Error, ErrorKind};
use crate::tool::{CallContext, ToolDef, ToolError, ToolErrorKind};

/// Why a machine is not run any further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// It is done.
    Done,
    /// It computed for too long.
    ProgramTime,
    /// The time of the run is up.
    RunTime,
    /// It waits, and nothing is in flight.
    Stuck,
    /// On record the run was cancelled here.
    Cancelled,
    /// It waits for calls of which nobody knows what came, by their names; none if they are of sub-agents.
    InDoubt(Vec<String>),
}

/// A call that a program made.
pub(super) struct Made {
    pub(super) tool: String,
    pub(super) args: Value,
    pub(super) effect: Effect,
    pub(super) outcome: Result<Value, String>,
    /// What was changed, or let through, in arguments and result.
    pub(super) warnings: Vec<String>,
}

/// Who makes the calls of one turn, and what for.
#[derive(Clone, Copy)]
pub(super) struct Caller<'a> {
    pub(super) agent: &'a Agent,
    pub(super) place: &'a Place<'a>,
    pub(super) tools: &'a [Arc<ToolDef>],
    pub(super) turn: u32,
}

/// Runs machines for one turn.
pub(super) struct Calls<'a, 'j> {
    caller: Caller<'a>,
    journal: &'a mut Journal<'j>,
    tool_use: &'a mut ToolUse,
    /// Calls that wait for room, in the order of the program.
    queue: VecDeque<Ready>,
    /// By place in the program, so that what the model is told does not depend on who was faster.
    made: BTreeMap<CallId, Box<Made>>,
    /// A few: as many as there may be calls in flight.
    in_flight: Vec<(Id, Flying)>,
    tasks: JoinSet<Answer>,
    children: Children<'a, CallId, (Flying, Answer)>,
    /// What is on record of the program.
    past: Option<PastProgram<'a>>,
    /// Calls that are on record as over, by their place among those. They land in that order, since which further
    /// calls of a round were made may hang on it.
    recorded: BTreeMap<(u32, CallId), (Flying, Answer)>,
    /// The places of calls whose sub-agents go through their records.
    awaited: BTreeSet<u32>,
    /// Where the budget of the run left the program less than it had.
    bounds: Vec<Bound>,
}

/// A call that can be made.
struct Ready {
    id: CallId,
    tool: Arc<ToolDef>,
    args: Value,
    json: serde_json::Value,
    /// The place of its run among the calls that are over, if that is on record.
    ended: Option<u32>,
}

struct Flying {
    id: CallId,
    tool: String,
    since: Instant,
    /// Its place among the calls that are over, if that is on record.
    ended: Option<u32>,
    /// Stops the task that makes the call, if one does.
    task: Option<AbortHandle>,
}

/// Something in flight that is over.
enum Landed {
    Task(Result<(Id, Answer), JoinError>),
    Child((Flying, Answer)),
}

impl<'a, 'j> Calls<'a, 'j> {
    pub(super) fn new(
        caller: Caller<'a>,
        journal: &'a mut Journal<'j>,
        tool_use: &'a mut ToolUse,
    ) -> Calls<'a, 'j> {
        let (queue, made, in_flight) = (VecDeque::new(), BTreeMap::new(), Vec::new());
        let (tasks, children) = (JoinSet::new(), Children::default());
        let past = caller.place.program(caller.turn);
        let (recorded, awaited, bounds) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
        Calls {
            caller,
            journal,
            tool_use,
            queue,
            made,
            in_flight,
            tasks,
            children,
            past,
            recorded,
            awaited,
            bounds,
        }
    }

    /// Runs the machine until it is done or must be stopped. Calls still in flight then are
    /// cancelled, and over when this returns; the record keeps them as started.
    pub(super) async fn drive(
        &mut self,
        machine: &mut Machine,
        budget: &mut Budget,
    ) -> Result<Halt, Error> {
        let halt = self.drive_on(machine, budget).await;
        self.children.clear();
        self.tasks.shutdown().await;
        halt
    }

    async fn drive_on(
        &mut self,
        machine: &mut Machine,
        budget: &mut Budget,
    ) -> Result<Halt, Error> {
        let account = &self.caller.place.account;
        // A program that is on record to its end takes its time from there.
        let is_timed = self.past.is_none_or(|past| past.outcome().is_none());
        let most = if is_timed { self.caller.agent.program_time } else { Duration::MAX };
        let (mut computed, mut used, mut pause) = (Duration::ZERO, 0, 0);
        loop {
            let started = Instant::now();
            self.bound(budget, pause);
            let (fuel, calls) = (budget.fuel, budget.tool_calls);
            let step = machine.run(budget);
            account.take_work(fuel - budget.fuel, u64::from(calls - budget.tool_calls));
            computed += started.elapsed();
            used += fuel - budget.fuel;
            // A program that still waits for calls of a round has not gone on.
            let waits = matches!(&step, Step::Calls(calls) if calls.is_empty());
            pause += u32::from(!waits);
            match step {
                Step::Done => return Ok(Halt::Done),
                _ if computed >= most => return Ok(Halt::ProgramTime),
                _ if Instant::now() >= account.deadline() => return Ok(Halt::RunTime),
                _ if self.was_stopped(used) => return Ok(self.recorded_halt()),
                Step::Yield => tokio::task::yield_now().await,
                Step::Calls(calls) => {
                    let refused = self.take(calls);
                    if !refused.is_empty() {
                        for (id, failure) in refused {
                            machine.resume(&id, Err(failure));
                        }
                        continue;
                    }
                    let in_doubt = self.start().await?;
                    if !in_doubt.is_empty() {
                        return Ok(Halt::InDoubt(in_doubt));
                    }
                    if let Some(halt) = self.wait(machine).await? {
                        return Ok(halt);
                    }
                }
            }
        }
    }

    /// Waits for the next call that is over; returns why there is none.
    async fn wait(&mut self, machine: &mut Machine) -> Result<Option<Halt>, Error> {
        let deadline = self.caller.place.account.deadline();
        loop {
            if let Some(landed) = self.next_recorded() {
                self.land(machine, Landed::Child(landed));
                return Ok(None);
            }
            if self.in_flight.is_empty() && self.children.is_empty() {
                return self.nothing_left().map(Some);
            }
            let landed = tokio::select! {
                biased;
                Some(it) = self.tasks.join_next_with_id() => Landed::Task(it),
                it = self.children.next(), if !self.children.is_empty() => Landed::Child(it),
                () = sleep_until(deadline) => return Ok(Some(Halt::RunTime)),
            };
            if let Landed::Child((flying, mut answer)) = landed {
                if let Some(error) = answer.broken.take() {
                    return Err(error);
                }
                if answer.in_doubt {
                    return Ok(Some(Halt::InDoubt(Vec::new())));
                }
                if let Some(ended) = flying.ended {
                    self.awaited.remove(&ended);
                    self.recorded.insert((ended, flying.id.clone()), (flying, answer));
                    continue;
                }
                self.land(machine, Landed::Child((flying, answer)));
            } else {
                self.land(machine, landed);
            }
            while let Some(landed) = self.tasks.try_join_next_with_id() {
                self.land(machine, Landed::Task(landed));
            }
            return Ok(None);
        }
    }

    /// The next call that is on record as over, unless one that was over before it is still on its way.
    fn next_recorded(&mut self) -> Option<(Flying, Answer)> {
        let next = self.recorded.first_entry()?;
        let is_first = self.awaited.first().is_none_or(|awaited| next.key().0 < *awaited);
        is_first.then(|| next.remove())
    }

    /// What it means that a program waits and nothing is in flight.
    fn nothing_left(&self) -> Result<Halt, Error> {
        let halt = self.recorded_halt();
        if halt != Halt::Stuck {
            return Ok(halt);
        }
        if self.caller.place.shared.mode.is_closed() {
            return Err(end_of_record(&format!("the calls of turn {}", self.caller.turn)));
        }
        Ok(Halt::Stuck)
    }

    /// Whether the clock stopped the program here, on record.
    fn was_stopped(&self, used: u64) -> bool {
        self.past.is_some_and(|past| {
            past.stopped_at().is_some_and(|at| used >= at) && self.made.len() >= past.calls()
        })
    }

    /// How the program was stopped on record.
    fn recorded_halt(&self) -> Halt {
        match self.past.and_then(|past| past.outcome()) {
            Some(it) if it == TurnOutcome::Time.as_str() => Halt::RunTime,
            Some(it) if it == TurnOutcome::Cancelled.as_str() => Halt::Cancelled,
            Some(it) if it == TurnOutcome::InDoubt.as_str() => Halt::InDoubt(Vec::new()),
            Some(it) if it == TurnOutcome::Limit.as_str() => Halt::ProgramTime,
            _ => Halt::Stuck,
        }
    }

    /// Holds a program to what the budget of its run has left.
    fn bound(&mut self, budget: &mut Budget, pause: u32) {
        let before = (budget.fuel, budget.tool_calls);
        match self.past.and_then(|past| past.bounds()) {
            Some(bounds) => {
                for bound in bounds.iter().filter(|it| it.pause == pause) {
                    budget.fuel = budget.fuel.min(bound.fuel);
                    budget.tool_calls = budget.tool_calls.min(bound.tool_calls);
                }
            }
            None => self.caller.place.account.bound(budget),
        }
        let (fuel, tool_calls) = (budget.fuel, budget.tool_calls);
        if (fuel, tool_calls) != before {
            // While it waited, others took more and more.
            self.bounds.pop_if(|last| last.pause == pause);
            self.bounds.push(Bound { pause, fuel, tool_calls });
        }
    }

    /// Returns the calls made, in the order of the program, and where the budget of the run bound the program.
    pub(super) fn into_made(self) -> (Vec<Made>, Vec<Bound>) {
        (self.made.into_values().map(|made| *made).collect(), self.bounds)
    }

    /// Puts calls in line; returns those that cannot even start.
    fn take(&mut self, calls: Vec<ToolCall>) -> Vec<(CallId, ToolFailure)> {
        let mut refused = Vec::new();
        for call in calls {
            let tool = self.caller.tools.iter().find(|it| it.name == call.name.as_str());
            match (tool, arguments(&call.args)) {
                (None, _) => {
                    refused.push((call.id, ToolFailure::new("is not there")));
                }
                (_, Err(message)) => {
                    let error = ToolError::new(ToolErrorKind::Arguments, message)
                        .with_help("send less, and what has no JSON form as text: `(str x)`");
                    refused.push((call.id, ToolFailure::from(&error)));
                }
                (Some(tool), Ok(json)) => match self.tool_use.take(tool) {
                    Err(error) => refused.push((call.id, ToolFailure::from(&error))),
                    Ok(()) => {
                        let (id, tool, args) = (call.id, Arc::clone(tool), call.args);
                        self.queue.push_back(Ready { id, tool, args, json, ended: None });
                    }
                },
            }
        }
        refused
    }

    /// Starts the next calls, as many as there is room for, once they are on record. Returns those of which nobody
    /// knows what came; then nothing was started.
    async fn start(&mut self) -> Result<Vec<String>, Error> {
        let Caller { agent, place, turn, .. } = self.caller;
        let ready = self.next_ready();
        if ready.is_empty() {
            return Ok(Vec::new());
        }
        if self.queue.is_empty() {
            // Thousands of runs may wait here at once.
            self.queue = VecDeque::new();
        }
        for call in &ready {
            let (tool, effect) = (call.tool.name.clone(), call.tool.effect);
            self.journal.emit(Event::CallStarted {
                turn,
                call: call.id.to_string(),
                tool: tool.clone(),
                args: call.json.clone(),
            });
            let outcome = Err("was cancelled".to_string());
            let (args, warnings) = (call.args.clone(), Vec::new());
            let made = Made { tool, args, effect, outcome, warnings };
            self.made.insert(call.id.clone(), Box::new(made));
        }
        let (ready, in_doubt) = self.answer_from_record(ready)?;
        if ready.is_empty() || !in_doubt.is_empty() {
            return Ok(in_doubt);
        }
        self.journal.flush().await?;
        for Ready { id, tool, json, ended, .. } in ready {
            let cell = self.tool_use.cell(&tool, &json);
            let since = Instant::now();
            let mut flying = Flying { id, tool: tool.name.clone(), since, ended, task: None };
            let id = flying.id.to_string();
            if tool.as_agent().is_some() {
                self.awaited.extend(ended);
                let parent = Parent { run: self.journal.run.clone(), turn, call: id };
                let made = call(tool, agent, place, parent, json);
                let id = flying.id.clone();
                self.children.push(id, async move {
                    if flying.ended.is_none() {
                        return (flying, cell.answer(made).await);
                    }
                    // On record it was made, whoever else had the result.
                    let answer = made.await;
                    cell.fill(&answer.result);
                    (flying, answer)
                });
                continue;
            }
            let key = format!("{}.{turn}.{id}", self.journal.run);
            // A task of its own: a tool that panics takes down only its call.
            let made = cell.answer(Box::pin(async move {
                let (result, warnings) =
                    tool.call_with_warnings(json, &CallContext::new(key)).await;
                Answer { warnings, ..Answer::new(result) }
            }));
            let handle = self.tasks.spawn(made);
            let task = handle.id();
            flying.task = Some(handle);
            self.in_flight.push((task, flying));
        }
        Ok(Vec::new())
    }

    /// Takes as many calls out of the line as there is room for. While calls that are on record as over are on their
    /// way, those that are not on record wait: they may never have been made.
    fn next_ready(&mut self) -> Vec<Ready> {
        let most = self.caller.agent.limits.calls_in_flight as usize;
        let in_flight = self.in_flight.len() + self.children.len() + self.recorded.len();
        let room = most.saturating_sub(in_flight).min(self.queue.len());
        let Some(past) = self.past else { return self.queue.drain(..room).collect() };
        let is_known = |call: &Ready| {
            !matches!(
                past.call(&call.id.to_string(), &call.tool.name, &call.json),
                PastCall::Unknown
            )
        };
        let known: Vec<bool> = self.queue.iter().take(room).map(is_known).collect();
        let is_going_back = !self.recorded.is_empty() || !self.awaited.is_empty();
        let waits = is_going_back || known.contains(&true);
        let mut ready = Vec::new();
        let mut left = VecDeque::new();
        for (at, call) in std::mem::take(&mut self.queue).into_iter().enumerate() {
            match known.get(at) {
                Some(is_known) if *is_known || !waits => ready.push(call),
                _ => left.push_back(call),
            }
        }
        self.queue = left;
        ready
    }

    /// Answers the calls that are on record; returns those that are to be made, and the names of those of which
    /// nobody knows what came.
    fn answer_from_record(
        &mut self,
        ready: Vec<Ready>,
    ) -> Result<(Vec<Ready>, Vec<String>), Error> {
        let (Some(past), turn) = (self.past, self.caller.turn) else {
            return Ok((ready, Vec::new()));
        };
        let shared = self.caller.place.shared;
        let (mut to_make, mut in_doubt) = (Vec::new(), Vec::new());
        for mut call in ready {
            let (id, tool) = (call.id.to_string(), &call.tool);
            let key = format!("{}.{turn}.{id}", self.journal.run);
            match past.call(&id, &tool.name, &call.json) {
                PastCall::Over(ended, answer) => {
                    self.tool_use.cell(tool, &call.json).fill(&answer.result);
                    let (name, since) = (tool.name.clone(), Instant::now());
                    let place = (ended, call.id.clone());
                    let ended = Some(ended);
                    let flying = Flying { id: call.id, tool: name, since, ended, task: None };
                    self.recorded.insert(place, (flying, answer));
                }
                PastCall::Run(ended) => {
                    call.ended = Some(ended);
                    to_make.push(call);
                }
                PastCall::Other if shared.mode == Mode::Resume => {
                    let message = format!(
                        "call {id} of turn {turn} is not the one on record: the run does not go the way it went"
                    );
                    return Err(Error::new(ErrorKind::Replay, message));
                }
                // Whoever compares the records finds what is different.
                PastCall::Other | PastCall::Started | PastCall::Unknown
                    if shared.mode.is_closed() => {}
                PastCall::Started
                    if tool.as_agent().is_none()
                        && !tool.may_repeat()
                        && !shared.retry.contains(&key) =>
                {
                    in_doubt.push(format!("`{}` ({key})", tool.name));
                }
                PastCall::Started | PastCall::Other | PastCall::Unknown => to_make.push(call),
            }
        }
        Ok((to_make, in_doubt))
    }

    fn land(&mut self, machine: &mut Machine, landed: Landed) {
        let (flying, answer) = match landed {
            Landed::Child((flying, answer)) => (Some(flying), answer),
            Landed::Task(Ok((task, answer))) => (self.landed(task), answer),
            Landed::Task(Err(error)) => {
                let broken = ToolError::new(ToolErrorKind::Panicked, "broke down");
                (self.landed(error.id()), Answer::new(Err(broken)))
            }
        };
        // One that was given up is not there any more.
        let Some(Flying { id, tool, since, .. }) = flying else { return };
        let Answer { result, warnings, run, cached, .. } = answer;
        let outcome = result.as_ref().map(json::from_serde).map_err(ToString::to_string);
        let warnings = self.journal.warn(self.caller.turn, Some(&id.to_string()), warnings);
        if let Some(made) = self.made.get_mut(&id) {
            made.outcome.clone_from(&outcome);
            made.warnings = warnings;
        }
        let failure = result.as_ref().err().map(ToolFailure::from);
        self.journal.emit(Event::CallFinished {
            turn: self.caller.turn,
            call: id.to_string(),
            tool,
            result: result.map_err(|error| RunError::from(&error)),
            run,
            cached,
            ended: 0,
            elapsed: since.elapsed(),
        });
        match (outcome, failure) {
            (Ok(value), _) => machine.resume(&id, Ok(value)),
            (Err(_), Some(failure)) => {
                for behind in machine.given_up_by(&id, &failure) {
                    self.give_up(&behind);
                    machine.resume(&behind, Err(ToolFailure::new(GIVEN_UP)));
                }
                machine.resume(&id, Err(failure));
            }
            (Err(message), None) => machine.resume(&id, Err(ToolFailure::new(message))),
        }
    }

    /// What was in flight with a task.
    fn landed(&mut self, task: Id) -> Option<Flying> {
        let at = self.in_flight.iter().position(|(it, _)| *it == task)?;
        Some(self.in_flight.swap_remove(at).1)
    }

    /// Cancels a call whose answer nobody will look at.
    fn give_up(&mut self, id: &CallId) {
        // One that still waits in line was never made.
        self.queue.retain(|call| call.id != *id);
        self.children.remove(id);
        self.recorded.retain(|(_, call), _| call != id);
        let task = self.in_flight.iter().position(|(_, flying)| flying.id == *id);
        if let Some((_, flying)) = task.map(|at| self.in_flight.swap_remove(at))
            && let Some(task) = flying.task
        {
            task.abort();
        }
        let Some(made) = self.made.get_mut(id) else { return };
        made.outcome = Err(GIVEN_UP.to_string());
        let error = ToolError::new(ToolErrorKind::Cancelled, GIVEN_UP);
        self.journal.emit(Event::CallFinished {
            turn: self.caller.turn,
            call: id.to_string(),
            tool: made.tool.clone(),
            result: Err(RunError::from(&error)),
            run: None,
            cached: false,
            ended: 0,
            elapsed: Duration::ZERO,
        });
    }
}

/// What is said of a call that was given up.
const GIVEN_UP: &str = "was cancelled, since a call before it failed";

/// What is said of a run that stops since nobody knows what came of calls.
pub(super) fn in_doubt(calls: &[String]) -> RunError {
    let message = match calls {
        [] => "nobody knows what came of a call of a sub-agent".to_string(),
        calls => format!("nobody knows what came of {}, and the tool writes", calls.join(", ")),
    };
    let mut error = RunError::new("tool", "in-doubt", message);
    error.help = Some(
        "look what the tool did, then resume with `--assume-done CALL JSON` or with `--retry CALL`"
            .to_string(),
    );
    error
}

impl From<&ToolError> for RunError {
    fn from(error: &ToolError) -> RunError {
        let kind = match error.kind {
            ToolErrorKind::Arguments | ToolErrorKind::Result => "signature",
            ToolErrorKind::Depth => "limit",
            _ => "tool",
        };
        let help = ToolFailure::from(error).help;
        RunError { help, ..RunError::new(kind, error.kind.code(), &error.message) }
    }
}

/// As much as a program may return: a tool is part of the outside too.
const MAX_ARGUMENTS: usize = 4 << 20;

/// Returns arguments as JSON. A value that shares its parts can be short in memory and longer than
/// any machine can hold as text, so that its length is looked at first.
fn arguments(args: &Value) -> Result<serde_json::Value, String> {
    let bounds = Preview {
        max_chars: MAX_ARGUMENTS,
        max_items: usize::MAX,
        max_depth: usize::MAX,
        hide_private: false,
    };
    if preview(args, &bounds).1 {
        return Err(format!("the arguments are longer than {MAX_ARGUMENTS} characters"));
    }
    json::to_serde(args).map_err(|error| format!("the arguments have no JSON form: {error}"))
}
