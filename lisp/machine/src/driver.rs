//! The data that a session and a driver give to a machine, and get from it.

use std::sync::Arc;

use super::failure::ToolFailure;
use super::flow_place::FlowPlace;
use super::outcome::Outcome;
use super::own_payload::PayloadEnd;
use super::tool_call::ToolCall;
use super::world::World;
use ptc_facts::field_watch::WatchedField;
use ptc_facts::seen::SeenFields;
use ptc_values::code::Span;
use ptc_values::limits::Limits;
use ptc_values::{Diagnostic, Program, Value};

/// A program, and the state that a session lends to the machine that runs it.
pub struct Start {
    pub program: Arc<Program>,
    /// The fields that are watched.
    pub watched: Arc<[WatchedField]>,
    pub limits: Limits,
    pub world: World,
}

/// A function that answers a tool call at once or not at all: see [`Machine::run_with`](crate::Machine::run_with).
pub type Host<'h> = dyn FnMut(&ToolCall) -> Option<Result<Value, ToolFailure>> + 'h;

/// The reason [`Machine::run`](crate::Machine::run) returned.
#[derive(Debug)]
pub enum Yielded {
    /// The program is over: call [`Machine::finish`](crate::Machine::finish).
    Done,
    /// New tool calls. The machine continues when one of these, or of those in flight, is answered.
    Calls(Vec<ToolCall>),
    /// The slice of fuel is used up: run the machine again.
    SliceUsed,
}

/// The end of a program: its outcome and what it leaves behind.
#[derive(Debug)]
pub struct Ended {
    /// The outcome.
    pub outcome: Outcome,
    /// The lines it printed.
    pub prints: Vec<String>,
    /// The fuel it used.
    pub fuel: u64,
    /// The number of tool calls it made.
    pub tool_calls: u32,
    /// The state that the machine gives back, as the program left it.
    pub world: World,
    /// The payload with the operations that made it.
    pub payload: Option<PayloadEnd>,
    /// The steps that it entered, and what it told for the report of its run.
    pub flow: FlowPlace,
    /// Undeclared fields that results of tools had.
    pub seen: SeenFields,
    /// The reads of fields that no map had.
    pub unseen: Vec<Diagnostic>,
    pub(super) left_at: Option<Place>,
}

/// A form, and the source that it is in.
pub(super) type Place = (Span, Arc<str>);

impl Ended {
    /// Returns a problem of the value with the place of the form that gave it, if that is known. No form in a branch is.
    #[must_use]
    pub fn locate(&self, problem: Diagnostic) -> Diagnostic {
        match &self.left_at {
            Some((span, source)) => problem.at(*span).in_source(source),
            None => problem,
        }
    }

    /// Returns the values that the program keeps for later turns.
    pub fn memory(&self) -> Value {
        Value::Map(self.world.memory.clone())
    }

    /// Returns the payload that the program leaves; none if the mission has no payload.
    pub fn payload(&self) -> Option<&PayloadEnd> {
        self.payload.as_ref()
    }
}
