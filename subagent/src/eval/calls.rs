//! The calls of a program outside of a run.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use ptc_lisp::{CallId, Limits, ToolCall, ToolFailure, Value};
use tokio::time::sleep;

use super::tools::{EvalTools, plain_arguments};
use crate::driver::{CallHost, CallOutcome, Next, never_made};
use crate::error::Error;
use crate::in_flight::InFlight;
use crate::record::{RunId, ToolError, ToolErrorKind};

/// A call that a program made.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalCall {
    /// The name of the tool.
    pub name: String,
    /// The arguments as JSON has them.
    pub args: Value,
    /// The result, or the message of the failure.
    pub outcome: Result<Value, String>,
}

/// Makes the calls of one program.
pub(super) struct EvalCalls<'a> {
    tools: &'a EvalTools,
    limits: &'a Limits,
    /// Part of each idempotency key, so that calls of different programs have different keys.
    program: RunId,
    queue: VecDeque<ToolCall>,
    /// The waits in flight. They take no place among the calls in flight.
    waits: BTreeSet<CallId>,
    in_flight: InFlight<'a, CallId, CallOutcome>,
    calls: BTreeMap<CallId, EvalCall>,
}

impl<'a> EvalCalls<'a> {
    pub(super) fn new(tools: &'a EvalTools, limits: &'a Limits) -> EvalCalls<'a> {
        EvalCalls {
            tools,
            limits,
            program: RunId::generate(),
            queue: VecDeque::new(),
            waits: BTreeSet::new(),
            in_flight: InFlight::default(),
            calls: BTreeMap::new(),
        }
    }

    /// Returns the calls so far. Calls in flight are cancelled.
    pub(super) fn into_calls(self) -> BTreeMap<CallId, EvalCall> {
        self.calls
    }

    /// Starts a call. Returns its outcome if it waits for nothing.
    fn start(&mut self, call: ToolCall) -> Option<(CallId, CallOutcome)> {
        let ToolCall { id, name, args, .. } = call;
        let tools = self.tools;
        let (args, outcome) = match plain_arguments(&args, self.limits.result_bytes as usize) {
            Err(failure) => (Value::Nil, Some(Err(failure))),
            Ok(args) => {
                let outcome = tools.answer_at_once(&name, &args);
                (args, outcome)
            }
        };
        let pending = || Err("had not ended when the program ended".to_owned());
        let shown = outcome.as_ref().map_or_else(pending, message_of);
        let call = EvalCall { name: name.to_string(), args, outcome: shown };
        if outcome.is_none() {
            let (args, key) = (call.args.clone(), format!("{}.{id}", self.program));
            let future = async move { tools.answer(&name, &args, key).await };
            self.in_flight.push(id.clone(), Box::pin(future));
        }
        self.calls.insert(id.clone(), call);
        outcome.map(|outcome| (id, outcome))
    }
}

/// Returns the outcome for the list of calls.
fn message_of(outcome: &CallOutcome) -> Result<Value, String> {
    outcome.clone().map_err(|failure| failure.message)
}

impl CallHost for EvalCalls<'_> {
    fn queue(&mut self, calls: Vec<ToolCall>) -> Vec<(CallId, ToolFailure)> {
        let mut refused = Vec::new();
        for call in calls {
            if call.expansion().is_some() {
                let message = "there is no conversation outside of a run";
                let error = ToolError::new(ToolErrorKind::Unanswered, message);
                refused.push((call.id, ToolFailure::from(&error)));
                continue;
            }
            if call.is_question() || self.tools.confirms(&call.name) {
                let error =
                    ToolError::new(ToolErrorKind::Unanswered, "nobody can answer outside of a run");
                refused.push((call.id, ToolFailure::from(&error)));
                continue;
            }
            match call.wait() {
                Some(ms) => {
                    self.waits.insert(call.id.clone());
                    let wait = async move {
                        sleep(Duration::from_millis(ms)).await;
                        Ok(Value::Nil)
                    };
                    self.in_flight.push(call.id, Box::pin(wait));
                }
                None => self.queue.push_back(call),
            }
        }
        refused
    }

    async fn next(&mut self) -> Result<Next, Error> {
        while self.in_flight.len() - self.waits.len() < self.limits.calls_in_flight as usize
            && let Some(call) = self.queue.pop_front()
        {
            if let Some((id, outcome)) = self.start(call) {
                return Ok(Next::Answer(id, outcome));
            }
        }
        if self.in_flight.is_empty() {
            return Ok(Next::Halt(never_made()));
        }
        let (id, outcome) = self.in_flight.next().await;
        self.waits.remove(&id);
        let outcome = outcome.unwrap_or_else(|_| Err(ToolFailure::new("broke down")));
        if let Some(call) = self.calls.get_mut(&id) {
            call.outcome = message_of(&outcome);
        }
        Ok(Next::Answer(id, outcome))
    }

    fn give_up(&mut self, id: &CallId) {
        self.queue.retain(|call| call.id != *id);
        self.in_flight.remove(|known| known == id);
        self.waits.remove(id);
    }
}
