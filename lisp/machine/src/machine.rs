//! A machine from its start to its end, as a driver sees it.

use std::fmt;
use std::sync::Arc;

use super::action::Action;
use super::branches::Branches;
use super::budget::Budget;
use super::codes::{Codes, Quick};
use super::cx::Cx;
use super::driver::{Ended, Host, Start, Yielded};
use super::failure::ToolFailure;
use super::machine_core::Core;
use super::outcome::Outcome;
use super::task::Task;
use super::tool_call::{AnswerEffects, CallId, ToolCall, tool_calls};
use super::tracer::Tracer;
use ptc_facts::field_watch::FieldWatch;
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Program, Value};

/// A running program. A suspended one holds no thread and waits for nothing.
pub struct Machine(pub(super) Core<()>);

impl Machine {
    pub fn new(start: Start) -> Machine {
        Machine(Core::new(start, ()))
    }

    /// Runs until the program ends, needs a tool, or has used up its slice of fuel.
    pub fn run(&mut self, budget: &mut Budget) -> Yielded {
        self.run_with(budget, &mut |_| None)
    }

    /// Runs like [`Machine::run`], with a host function that may answer a tool call without
    /// waiting. A call that gets no answer is handed out as usual. The choice affects only the
    /// order of answers.
    pub fn run_with(&mut self, budget: &mut Budget, host: &mut Host<'_>) -> Yielded {
        self.0.run_with(budget, host)
    }

    /// Answers a tool call. The machine ignores answers that no task waits for.
    ///
    /// The branch that made the call continues at the next run, independently of other branches.
    /// Answers take effect in the order they were given. The program depends on that order at most,
    /// not on the runs between two answers.
    pub fn resume(&mut self, id: &CallId, outcome: Result<Value, ToolFailure>) {
        self.0.answer(id, outcome, AnswerEffects::default());
    }

    /// Answers a tool call like [`Machine::resume`], with further effects.
    pub fn resume_with(
        &mut self,
        id: &CallId,
        outcome: Result<Value, ToolFailure>,
        effects: AnswerEffects,
    ) {
        self.0.answer(id, outcome, effects);
    }

    /// Returns the calls in flight that the program gave up since the last query. They belong to
    /// branches behind one that failed or ended the program, or to all branches when a limit did.
    /// Answers to them are ignored, so the host may cancel them.
    pub fn given_up(&mut self) -> Vec<CallId> {
        std::mem::take(&mut self.0.given_up)
    }

    /// Returns the end of the program. A program that has not ended counts as stopped.
    pub fn finish(self) -> Ended {
        self.0.finish()
    }
}

impl<W> Core<W> {
    /// Returns the fuel and memory of builtins, for tests of them.
    pub fn cx(&mut self) -> &mut Cx {
        &mut self.cx
    }
}

impl<W: Tracer> Core<W> {
    pub fn new(start: Start, watch: W) -> Core<W> {
        let Start { program, watched, limits, mut world } = start;
        if program.lambdas.len() > 1 {
            program.tools.iter().chain(&program.named).for_each(|tool| world.keep_tool(tool));
        }
        world.globals.separate_ranges();
        let watch_of_fields = FieldWatch::of(watched, program.source.clone());
        let globals = world.globals.count();
        let cx = Cx::new(limits, world, watch_of_fields);
        let mut codes = Codes::default();
        codes.is_watched = W::ON;
        let action = match codes.link(&program, 0) {
            Ok(_) if !codes.list.is_empty() => Action::Go,
            _ => Action::Value(Value::Nil),
        };
        let made = vec![Value::Nil; codes.caches as usize];
        let quick = vec![Quick::NONE; globals];
        Core {
            watch,
            task: Task::of(0, action),
            codes: Arc::new(codes),
            quick,
            made,
            scratch: Vec::new(),
            exit: None,
            problem: None,
            leaving: None,
            fits: false,
            branches: Branches::default(),
            cx,
            call: None,
            signed: None,
            asked: false,
            pending: Vec::new(),
            offered: 0,
            given_up: Vec::new(),
            outcome: None,
            fuel_used: 0,
            calls_made: 0,
            own_hidden: None,
            left_at: None,
        }
    }

    pub fn run_with(&mut self, budget: &mut Budget, host: &mut Host<'_>) -> Yielded {
        self.cx.load(budget);
        let step = match self.walk(host) {
            Ok(step) => step,
            Err(problem) => {
                self.end(Outcome::Error(problem));
                Yielded::Done
            }
        };
        self.fuel_used += self.cx.store(budget);
        step
    }

    pub fn finish(mut self) -> Ended {
        let outcome = self.outcome.take().unwrap_or_else(|| {
            Outcome::Error(Diagnostic::new(
                Code::Unsupported,
                "the program was stopped before it ended",
            ))
        });
        self.join_all();
        let prints = std::mem::take(&mut self.cx.own.prints).finish(&self.cx.limits);
        let left_at = self.left_at.take().map(|(it, node)| (it.span(node), it.source.clone()));
        let tool_calls = self.calls_made - tool_calls(&self.pending);
        let seen = std::mem::take(&mut self.cx.own.seen);
        let unseen = self.cx.fields.take_problems();
        let flow = std::mem::take(&mut self.cx.own.flow);
        let (world, payload) = self.cx.finish();
        let fuel = self.fuel_used;
        Ended { outcome, prints, fuel, tool_calls, world, payload, flow, seen, unseen, left_at }
    }

    pub fn answer(
        &mut self,
        id: &CallId,
        outcome: Result<Value, ToolFailure>,
        effects: AnswerEffects,
    ) {
        // A call that was not handed out cannot have an answer.
        if self.pending.iter().all(|call| call.id != *id) {
            self.branches.answer(id, outcome, effects);
        }
    }

    /// Returns the program.
    pub(super) fn main(&self) -> Option<&Arc<Program>> {
        self.codes.list.first().map(|entry| &entry.program)
    }

    pub(super) fn end(&mut self, outcome: Outcome) {
        // Calls that were not handed out do not count.
        let asked = std::mem::take(&mut self.asked);
        let asked = asked && self.call.as_ref().is_none_or(ToolCall::is_of_tool);
        let pending = std::mem::take(&mut self.pending);
        let unmade = tool_calls(&pending) + u32::from(asked);
        self.calls_made -= unmade;
        self.cx.calls_left += unmade;
        if self.branches.are_used() {
            self.join_all();
            let in_flight = std::mem::take(&mut self.branches).into_in_flight();
            let is_made = |id: &CallId| pending.iter().all(|call| call.id != *id);
            self.given_up.extend(in_flight.filter(is_made));
        }
        self.task.action = Action::Over;
        self.outcome = Some(outcome);
    }
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine")
            .field("frames", &self.0.task.frames.len())
            .field("depth", &self.0.task.calls())
            .finish_non_exhaustive()
    }
}
