//! The end of a turn: its event, its errors, and what of its values the record keeps.

use std::collections::{BTreeMap, BTreeSet};

use ptc_lisp::print::{Preview, display, preview};
use ptc_lisp::{Code, Diagnostic, Map, Value};
use ptc_prompt::{
    CallMade, CallOutcome, ModelCall, Outcome as StyleOutcome, OutcomeEnd, PromptLimits,
    ShownChange,
};

use super::journal::Journal;
use super::plan::CheckedPlan;
use super::turns::Decision;
use crate::data::Data;
use crate::driver::Halt;
use crate::payload::{Diff, Segment};
use crate::provider::Reply;
use crate::record::{Bound, ErrorCode, Event, RefusedCall, RunError, Stop, TurnOutcome};

/// The parts of the event that ends a turn, collected while its program runs.
pub(super) struct TurnEnd {
    pub(super) turn: u32,
    pub(super) outcome: TurnOutcome,
    pub(super) value: Option<String>,
    pub(super) fuel: u64,
    pub(super) calls: u32,
    /// The tools that its program called, if a rule of a tool decides how long the next message is sent.
    pub(super) tools: Vec<String>,
    /// The turns whose messages its program asked for.
    pub(super) expanded: Vec<u32>,
    /// The bounds that the budget of the run set to the program.
    pub(super) bounds: Vec<Bound>,
    /// The ceiling that was reached, if the budget of the run stopped the program.
    pub(super) budget: Option<ErrorCode>,
    /// The message about the repair of the program.
    pub(super) repair: Option<String>,
    /// The program, or the whole reply if it has no program.
    pub(super) program: String,
    /// The calls that the reply asks for natively.
    pub(super) reply_calls: Vec<ModelCall>,
    /// The plan that the reply was read as.
    pub(super) plan: Option<CheckedPlan>,
    /// The outcome of each call of the plan.
    pub(super) outcomes: Vec<CallOutcome>,
    /// Whether the run tells of fields that are nowhere. Runs of older versions did not.
    pub(super) is_strict: bool,
    /// The warnings about the program.
    pub(super) warnings: Vec<RunError>,
    /// The reads of fields that are nowhere in the data.
    pub(super) unseen: Vec<Diagnostic>,
    /// The place of the form that gave the value of a workflow, if that is known.
    pub(super) place: Option<Diagnostic>,
    /// The program that runs after a repair.
    pub(super) repaired: Option<String>,
}

/// The payload that a message to the model may show.
pub(super) struct ShownPayload {
    /// The payload, if no earlier message has it.
    newest: Option<Value>,
    /// The changes outside of hidden fields.
    changes: Vec<ShownChange>,
}

impl ShownPayload {
    /// Compares the payload before and after a turn. `always` tells that earlier messages may be gone, so that each
    /// message shows it.
    pub(super) fn of(before: Option<&Value>, now: &Value, always: bool) -> ShownPayload {
        let data = |value: &Value| Data::made(value.clone());
        let diff = before.map(|it| Diff::between(&data(it), &data(now))).unwrap_or_default();
        let is_shown = always || before.is_none() || !diff.is_empty();
        let is_hidden = |step: &Segment| matches!(step, Segment::Key(key) if key.starts_with('_'));
        let changes = diff.changes().iter().filter(|it| !it.path.segments().iter().any(is_hidden));
        let changes = changes.map(|it| ShownChange {
            path: it.path.to_string(),
            value: it.to.as_ref().map(|it| it.value().clone()),
        });
        ShownPayload { newest: is_shown.then(|| now.clone()), changes: changes.collect() }
    }
}

impl TurnEnd {
    /// Starts the end of a turn with its reply.
    pub(super) fn new(turn: u32, reply: &Reply) -> TurnEnd {
        TurnEnd {
            turn,
            outcome: TurnOutcome::Value,
            value: None,
            fuel: 0,
            calls: 0,
            tools: Vec::new(),
            expanded: Vec::new(),
            bounds: Vec::new(),
            budget: None,
            repair: None,
            program: reply.text.clone(),
            reply_calls: reply.calls.clone(),
            plan: None,
            outcomes: Vec::new(),
            is_strict: false,
            warnings: Vec::new(),
            unseen: Vec::new(),
            place: None,
            repaired: None,
        }
    }

    /// Sets the outcome of each call of the plan. A call that is not in `made` has its part of the program's value, or
    /// else it was not made, for the reason `why`.
    pub(super) fn set_outcomes(
        &mut self,
        made: BTreeMap<(u32, u32), Vec<CallMade>>,
        value: Option<&Value>,
        why: &str,
    ) {
        if let Some(plan) = &self.plan {
            self.outcomes = plan.outcomes(made, value, why);
        }
    }

    /// Returns the refused calls of the plan.
    pub(super) fn refused(&self) -> Vec<RefusedCall> {
        self.plan.as_ref().map(CheckedPlan::refused).unwrap_or_default()
    }

    /// Returns the outcome as the style renders it.
    pub(super) fn outcome<'e>(
        &'e self,
        end: OutcomeEnd<'e>,
        payload: Option<&'e ShownPayload>,
        limits: &'e PromptLimits,
    ) -> StyleOutcome<'e> {
        StyleOutcome {
            end,
            reply_calls: &self.reply_calls,
            plan: self.plan.as_ref().map(|it| &it.plan),
            outcomes: &self.outcomes,
            payload: payload.and_then(|it| it.newest.as_ref()),
            payload_changes: payload.map(|it| it.changes.as_slice()).unwrap_or_default(),
            limits,
            repair: self.repair.as_deref(),
        }
    }

    /// Records the end of the turn and returns its decision.
    pub(super) fn close(
        self,
        decision: Decision,
        error: Option<RunError>,
        journal: &mut Journal<'_>,
    ) -> Decision {
        let ends = matches!(decision, Decision::Return(_) | Decision::Fail(_));
        if let Some(checked) = self.plan.as_ref().filter(|_| ends) {
            journal.remark(&checked.plan);
        }
        let TurnEnd { turn, outcome, value, fuel, calls: tool_calls, bounds, .. } = self;
        journal.end_turn(Event::TurnEnded {
            turn,
            outcome,
            value,
            error,
            fuel,
            tool_calls,
            bounds,
        });
        decision
    }

    /// Records the end of a turn that stops before its program has ended: for a wait, a cancellation, or the time limit of
    /// the run.
    pub(super) fn close_halted(mut self, halt: &Halt, journal: &mut Journal<'_>) -> Decision {
        match halt {
            Halt::Cancelled => {
                journal.abort_turn(TurnOutcome::Cancelled, None);
                Decision::Cancelled
            }
            Halt::Waiting => {
                self.outcome = TurnOutcome::Waiting;
                self.close(Decision::Wait, None, journal)
            }
            _ => {
                self.outcome = TurnOutcome::Time;
                self.close(Decision::TimeUp, None, journal)
            }
        }
    }
}

/// Returns the stop of a run whose last program ended with this code.
pub(super) fn stop_for(code: Code) -> Stop {
    match code {
        Code::FuelLimit => Stop::Fuel,
        Code::MemoryLimit | Code::KeptMemoryLimit => Stop::Memory,
        Code::CallDepthLimit | Code::ValueDepthLimit | Code::NestingLimit => Stop::Depth,
        Code::ToolCallLimit => Stop::ToolCalls,
        Code::SourceSizeLimit | Code::SourceNestingLimit => Stop::Source,
        Code::ResultSizeLimit => Stop::Result,
        Code::TimeLimit => Stop::Time,
        Code::Policy => Stop::Policy,
        Code::InvariantViolated => Stop::Internal,
        _ => Stop::Turns,
    }
}

/// Returns the text of a value for the record, at most 65,536 characters. A value that shares its parts can be small in
/// memory and too long for any text.
pub(super) fn text_of(value: &Value) -> String {
    let bounds = Preview {
        max_chars: 64 << 10,
        max_items: usize::MAX,
        max_depth: usize::MAX,
        hide_private: false,
    };
    preview(value, &bounds).0
}

/// Returns the details in the argument of `fail`: its entries other than `:reason` and `:message`. Those of a map under
/// `:details` are among them, unless a name would be there twice. If there is only `:details`, it is that value. Returns
/// nil if there are none.
pub(super) fn failure_details(given: &Value) -> Value {
    let is_own = |key: &Value| {
        key.name().is_some_and(|name| ["reason", "message", "details"].contains(&name))
    };
    let entries = |of: &Value| -> Vec<(Value, Value)> {
        let entries = of.as_map().into_iter().flat_map(Map::iter);
        entries.map(|(key, value)| (key.clone(), value.clone())).collect()
    };
    let mut others = entries(given);
    others.retain(|(key, _)| !is_own(key));
    let details = given.get("details").filter(|it| !it.is_nil());
    match details {
        None if others.is_empty() => return Value::Nil,
        None => {}
        Some(details) if others.is_empty() => return details.clone(),
        Some(details) => {
            let inner = entries(details);
            // Keys of JSON are names, so `:a` and `"a"` are one.
            let named = |(key, _): &(Value, Value)| display(key).trim_start_matches(':').to_owned();
            let names: BTreeSet<String> = others.iter().map(named).collect();
            let is_apart = inner.iter().all(|it| !names.contains(&named(it)));
            if details.as_map().is_some() && is_apart {
                others.extend(inner);
            } else {
                others.push((Value::keyword("details"), details.clone()));
            }
        }
    }
    Value::map(others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_of_the_language_stops_the_run() {
        assert_eq!(stop_for(Code::InvariantViolated), Stop::Internal);
        assert_eq!(stop_for(Code::WrongType), Stop::Turns);
    }
}
