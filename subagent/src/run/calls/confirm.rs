//! Calls that a person must allow, and the call that ends a loop.

use std::time::Duration;

use ptc_lisp::{ToolCall, ToolFailure};

use super::{Caller, Calls};
use crate::agent::ToolOf;
use crate::data::Data;
use crate::driver::{CallOutcome, Next, never_made};
use crate::record::{Event, Refused, ToolError, ToolErrorKind};
use crate::run::call_state::{OpenCall, Ready, confirmation_of};
use crate::run::question::refusal;
use crate::run::workflow::EXIT_LOOP;

impl<'a, 't: 'a> Calls<'a, '_, 't> {
    /// Queues a call, or the question whether it may be made.
    pub(super) fn admit(&mut self, call: Ready<'t>) {
        let Caller { agent, turn, mission, .. } = self.caller;
        let asks = |tool: &&ToolOf| tool.confirm && !agent.policy.says_yes(&tool.name, &call.args);
        match call.tool().filter(asks).cloned() {
            None => self.queue.push_back(call),
            Some(tool) => {
                let (run, refused) = (&self.journal.run, self.tool_use.refused(&tool));
                let about = (refused, mission);
                let question = confirmation_of(call, &tool, run, &agent.name, turn, about);
                self.new_waits.push(question);
            }
        }
    }

    /// Queues a call that a person allows. Otherwise returns its failure.
    pub(super) fn confirm(&mut self, call: Ready<'t>, answer: &CallOutcome) -> Option<Next> {
        let Some(tool) = call.tool().cloned() else { return Some(Next::Halt(never_made())) };
        let failure = match answer.as_ref().map(refusal) {
            Ok(None) => {
                self.queue.push_back(call);
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
        let open = OpenCall { name, id, tool: Some(tool), args: call.args, repeats: 0 };
        self.add(call.id.clone(), open.with_outcome(Err(failure.message.clone()), Vec::new()));
        Some(Next::Answer(call.id, Err(failure)))
    }

    /// Records the call of `exit_loop`, behind which the program does not go on.
    pub(super) fn exit_loop(&mut self, call: &ToolCall) {
        let (turn, id) = (self.caller.turn, call.id.to_string());
        let started = Event::CallStarted {
            turn,
            call: id.clone(),
            tool: EXIT_LOOP.to_string(),
            args: Data::of_program(&call.args).unwrap_or_default(),
            step: call.step.as_ref().map(ToString::to_string),
        };
        self.journal.start_call(|| started);
        self.start_count += 1;
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
}
