//! Runs one machine to its end: computes, makes the calls it asks for, waits, resumes.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use ptc_lisp::print::{Preview, preview};
use ptc_lisp::{Budget, CallId, Effect, Machine, Step, ToolCall, ToolFailure, Value, json};
use tokio::task::{AbortHandle, Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep_until};

use super::event::{Event, Parent};
use super::journal::Journal;
use super::mission::Place;
use super::report::RunError;
use super::sub_agent::{Children, call};
use super::tool_use::{Answer, ToolUse};
use crate::agent::Agent;
use crate::error::Error;
use crate::tool::{CallContext, ToolDef, ToolError, ToolErrorKind};

/// Why a machine is not run any further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// It is done.
    Done,
    /// It computed for too long.
    ProgramTime,
    /// The time of the run is up.
    RunTime,
    /// It waits, and nothing is in flight.
    Stuck,
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
}

/// A call that can be made.
struct Ready {
    id: CallId,
    tool: Arc<ToolDef>,
    args: Value,
    json: serde_json::Value,
}

struct Flying {
    id: CallId,
    tool: String,
    since: Instant,
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
        Calls { caller, journal, tool_use, queue, made, in_flight, tasks, children }
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
        let most: Duration = self.caller.agent.program_time;
        let mut computed = Duration::ZERO;
        loop {
            let started = Instant::now();
            account.bound(budget);
            let (fuel, calls) = (budget.fuel, budget.tool_calls);
            let step = machine.run(budget);
            account.take_work(fuel - budget.fuel, u64::from(calls - budget.tool_calls));
            computed += started.elapsed();
            match step {
                Step::Done => return Ok(Halt::Done),
                _ if computed >= most => return Ok(Halt::ProgramTime),
                _ if Instant::now() >= account.deadline() => return Ok(Halt::RunTime),
                Step::Yield => tokio::task::yield_now().await,
                Step::Calls(calls) => {
                    let refused = self.take(calls);
                    if !refused.is_empty() {
                        for (id, failure) in refused {
                            machine.resume(&id, Err(failure));
                        }
                        continue;
                    }
                    self.start().await?;
                    if self.in_flight.is_empty() && self.children.is_empty() {
                        return Ok(Halt::Stuck);
                    }
                    let landed = tokio::select! {
                        biased;
                        Some(it) = self.tasks.join_next_with_id() => Landed::Task(it),
                        it = self.children.next(), if !self.children.is_empty() => Landed::Child(it),
                        () = sleep_until(account.deadline()) => return Ok(Halt::RunTime),
                    };
                    self.land(machine, landed);
                    while let Some(landed) = self.tasks.try_join_next_with_id() {
                        self.land(machine, Landed::Task(landed));
                    }
                }
            }
        }
    }

    /// Returns the calls made, in the order of the program.
    pub(super) fn into_made(self) -> Vec<Made> {
        self.made.into_values().map(|made| *made).collect()
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
                        self.queue.push_back(Ready { id, tool, args, json });
                    }
                },
            }
        }
        refused
    }

    /// Starts the next calls, as many as there is room for, once they are on record.
    async fn start(&mut self) -> Result<(), Error> {
        let Caller { agent, place, turn, .. } = self.caller;
        let in_flight = self.in_flight.len() + self.children.len();
        let room = (agent.limits.calls_in_flight as usize).saturating_sub(in_flight);
        let ready: Vec<Ready> = self.queue.drain(..room.min(self.queue.len())).collect();
        if ready.is_empty() {
            return Ok(());
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
        self.journal.flush().await?;
        for Ready { id, tool, json, .. } in ready {
            let cell = self.tool_use.cell(&tool, &json);
            let since = Instant::now();
            let mut flying = Flying { id, tool: tool.name.clone(), since, task: None };
            let id = flying.id.to_string();
            if tool.as_agent().is_some() {
                let parent = Parent { run: self.journal.run.clone(), turn, call: id };
                let made = cell.answer(call(tool, agent, place, parent, json));
                let id = flying.id.clone();
                self.children.push(id, async move { (flying, made.await) });
                continue;
            }
            let key = format!("{}.{turn}.{id}", self.journal.run);
            // A task of its own: a tool that panics takes down only its call.
            let made = cell.answer(Box::pin(async move {
                let (result, warnings) =
                    tool.call_with_warnings(json, &CallContext::new(key)).await;
                Answer { result, warnings, run: None, cached: false }
            }));
            let handle = self.tasks.spawn(made);
            let task = handle.id();
            flying.task = Some(handle);
            self.in_flight.push((task, flying));
        }
        Ok(())
    }

    fn land(&mut self, machine: &mut Machine, landed: Landed) {
        let (flying, answer) = match landed {
            Landed::Child((flying, answer)) => (Some(flying), answer),
            Landed::Task(Ok((task, answer))) => (self.landed(task), answer),
            Landed::Task(Err(error)) => {
                let broken = ToolError::new(ToolErrorKind::Panicked, "broke down");
                let answer =
                    Answer { result: Err(broken), warnings: Vec::new(), run: None, cached: false };
                (self.landed(error.id()), answer)
            }
        };
        // One that was given up is not there any more.
        let Some(Flying { id, tool, since, .. }) = flying else { return };
        let Answer { result, warnings, run, cached } = answer;
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
            elapsed: Duration::ZERO,
        });
    }
}

/// What is said of a call that was given up.
const GIVEN_UP: &str = "was cancelled, since a call before it failed";

impl From<&ToolError> for RunError {
    fn from(error: &ToolError) -> RunError {
        let kind = match error.kind {
            ToolErrorKind::Arguments | ToolErrorKind::Result => "signature",
            ToolErrorKind::Depth => "limit",
            _ => "tool",
        };
        RunError::new(kind, error.kind.code(), &error.message)
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
