//! Runs one machine to its end: computes, makes the calls it asks for, waits, resumes.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use ptc_lisp::print::{Preview, preview};
use ptc_lisp::{Budget, CallId, Effect, Machine, Step, ToolCall, ToolFailure, Value, json};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, timeout_at};

use super::event::Event;
use super::journal::Journal;
use super::report::RunError;
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

/// What a tool answered, and what is to be told about it.
type Answer = (Result<serde_json::Value, ToolError>, Vec<RunError>);

/// Runs machines for one turn.
pub(super) struct Calls<'a, 'j> {
    pub(super) tools: &'a [Arc<ToolDef>],
    pub(super) journal: &'a mut Journal<'j>,
    pub(super) turn: u32,
    pub(super) deadline: Instant,
    pub(super) program_time: Duration,
    /// How many calls may be in flight.
    pub(super) most: usize,
    /// Calls that wait for room, in the order of the program.
    queue: VecDeque<Ready>,
    /// By place in the program, so that what the model is told does not depend on who was faster.
    made: BTreeMap<CallId, Made>,
    in_flight: BTreeMap<Id, Flying>,
    tasks: JoinSet<Answer>,
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
}

impl<'a, 'j> Calls<'a, 'j> {
    pub(super) fn new(
        tools: &'a [Arc<ToolDef>],
        journal: &'a mut Journal<'j>,
        turn: u32,
        deadline: Instant,
        program_time: Duration,
        most: usize,
    ) -> Calls<'a, 'j> {
        let (made, in_flight, tasks) = (BTreeMap::new(), BTreeMap::new(), JoinSet::new());
        let queue = VecDeque::new();
        Calls { tools, journal, turn, deadline, program_time, most, queue, made, in_flight, tasks }
    }

    /// Runs the machine until it is done or must be stopped. Calls still in flight then are
    /// cancelled, and over when this returns; the record keeps them as started.
    pub(super) async fn drive(
        &mut self,
        machine: &mut Machine,
        budget: &mut Budget,
    ) -> Result<Halt, Error> {
        let halt = self.drive_on(machine, budget).await;
        self.tasks.shutdown().await;
        halt
    }

    async fn drive_on(
        &mut self,
        machine: &mut Machine,
        budget: &mut Budget,
    ) -> Result<Halt, Error> {
        let mut computed = Duration::ZERO;
        loop {
            let started = Instant::now();
            let step = machine.run(budget);
            computed += started.elapsed();
            match step {
                Step::Done => return Ok(Halt::Done),
                _ if computed >= self.program_time => return Ok(Halt::ProgramTime),
                _ if Instant::now() >= self.deadline => return Ok(Halt::RunTime),
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
                    let Ok(finished) =
                        timeout_at(self.deadline, self.tasks.join_next_with_id()).await
                    else {
                        return Ok(Halt::RunTime);
                    };
                    let Some(finished) = finished else { return Ok(Halt::Stuck) };
                    self.finish(machine, finished);
                    while let Some(finished) = self.tasks.try_join_next_with_id() {
                        self.finish(machine, finished);
                    }
                }
            }
        }
    }

    /// Returns the calls made, in the order of the program.
    pub(super) fn into_made(self) -> Vec<Made> {
        self.made.into_values().collect()
    }

    /// Puts calls in line; returns those that cannot even start.
    fn take(&mut self, calls: Vec<ToolCall>) -> Vec<(CallId, ToolFailure)> {
        let mut refused = Vec::new();
        for call in calls {
            let tool = self.tools.iter().find(|it| it.name == call.name.as_str());
            match (tool, arguments(&call.args)) {
                (None, _) => {
                    refused.push((call.id, ToolFailure::new("is not there")));
                }
                (_, Err(message)) => {
                    let error = ToolError::new(ToolErrorKind::Arguments, message);
                    refused.push((call.id, ToolFailure::from(&error)));
                }
                (Some(tool), Ok(json)) => {
                    let (id, tool, args) = (call.id, Arc::clone(tool), call.args);
                    self.queue.push_back(Ready { id, tool, args, json });
                }
            }
        }
        refused
    }

    /// Starts the next calls, as many as there is room for, once they are on record.
    async fn start(&mut self) -> Result<(), Error> {
        let room = self.most.saturating_sub(self.in_flight.len()).min(self.queue.len());
        let ready: Vec<Ready> = self.queue.drain(..room).collect();
        if ready.is_empty() {
            return Ok(());
        }
        for call in &ready {
            let (tool, effect) = (call.tool.name.clone(), call.tool.effect);
            self.journal.emit(Event::CallStarted {
                turn: self.turn,
                call: call.id.to_string(),
                tool: tool.clone(),
                args: call.json.clone(),
            });
            let outcome = Err("was cancelled".to_string());
            let (args, warnings) = (call.args.clone(), Vec::new());
            let made = Made { tool, args, effect, outcome, warnings };
            self.made.insert(call.id.clone(), made);
        }
        self.journal.flush().await?;
        for Ready { id, tool, json, .. } in ready {
            let key = format!("{}.{}.{id}", self.journal.run, self.turn);
            let name = tool.name.clone();
            // A task of its own: a tool that panics takes down only its call.
            let task = async move { tool.call_with_warnings(json, &CallContext::new(key)).await };
            let handle = self.tasks.spawn(task);
            let flying = Flying { id, tool: name, since: Instant::now() };
            self.in_flight.insert(handle.id(), flying);
        }
        Ok(())
    }

    fn finish(&mut self, machine: &mut Machine, finished: Result<(Id, Answer), JoinError>) {
        let (task, (result, warnings)) = match finished {
            Ok((task, answer)) => (task, answer),
            Err(error) => {
                let error_of = ToolError::new(ToolErrorKind::Panicked, "broke down");
                (error.id(), (Err(error_of), Vec::new()))
            }
        };
        let Some(Flying { id, tool, since }) = self.in_flight.remove(&task) else { return };
        let outcome = result.as_ref().map(json::from_serde).map_err(ToString::to_string);
        let warnings = self.journal.warn(self.turn, Some(&id.to_string()), warnings);
        if let Some(made) = self.made.get_mut(&id) {
            made.outcome.clone_from(&outcome);
            made.warnings = warnings;
        }
        let failure = result.as_ref().err().map(ToolFailure::from);
        self.journal.emit(Event::CallFinished {
            turn: self.turn,
            call: id.to_string(),
            tool,
            result: result.map_err(|error| RunError::from(&error)),
            elapsed: since.elapsed(),
        });
        match (outcome, failure) {
            (Ok(value), _) => machine.resume(&id, Ok(value)),
            (Err(_), Some(failure)) => machine.resume(&id, Err(failure)),
            (Err(message), None) => machine.resume(&id, Err(ToolFailure::new(message))),
        }
    }
}

impl From<&ToolError> for RunError {
    fn from(error: &ToolError) -> RunError {
        let kind = match error.kind {
            ToolErrorKind::Arguments | ToolErrorKind::Result => "signature",
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
