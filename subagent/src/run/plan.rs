//! The check of a plan: each call alone, then all that are left as one program.

use std::collections::BTreeMap;

use ptc_lisp::{Diagnostic, Session, Value};
use ptc_prompt::{CallMade, CallOutcome, Plan};

use super::event::RefusedCall;
use crate::policy::Policy;

/// A plan whose calls are checked.
pub(super) struct CheckedPlan {
    pub(super) plan: Plan,
    /// The reason that each call is refused.
    refusals: Vec<Option<String>>,
    /// The expressions that precede the calls.
    setup: Vec<String>,
    /// The source of the calls that are left, and the end of the mission.
    pub(super) source: String,
}

impl CheckedPlan {
    /// Takes the refusals of a plan from its record.
    pub(super) fn recorded(
        plan: Plan,
        setup: Vec<String>,
        recorded: &[RefusedCall],
    ) -> CheckedPlan {
        let mut refusals = vec![None; plan.calls.len()];
        for refused in recorded {
            if let Some(refusal) = refusals.get_mut(refused.place as usize) {
                *refusal = Some(refused.message.clone());
            }
        }
        let mut checked = CheckedPlan { plan, refusals, setup, source: String::new() };
        checked.write();
        checked
    }

    /// Checks a plan. At most `calls` calls are left.
    pub(super) fn new(
        plan: Plan,
        setup: Vec<String>,
        calls: u64,
        session: &Session,
        policy: &Policy,
    ) -> CheckedPlan {
        let mut refusals: Vec<Option<String>> = Vec::with_capacity(plan.calls.len());
        let mut left = 0;
        for call in &plan.calls {
            let refusal = match &call.source {
                Err(message) => Some(message.clone()),
                Ok(_) if left >= calls => {
                    let are = if calls == 1 { "call is" } else { "calls are" };
                    Some(format!("{calls} {are} left to this program"))
                }
                Ok(source) => refusal(source, session, policy),
            };
            left += u64::from(refusal.is_none());
            refusals.push(refusal);
        }
        let mut checked = CheckedPlan { plan, refusals, setup, source: String::new() };
        checked.write();
        if policy.bounds_calls() && left > 1 {
            checked.refuse_together(session, policy);
        }
        checked
    }

    /// Returns whether no call is left, although the plan has some, and nothing else is to be done.
    pub(super) fn is_refused(&self) -> bool {
        let is_empty = self.refusals.iter().all(Option::is_some);
        !self.refusals.is_empty() && is_empty && self.source == NOTHING
    }

    /// Refuses all calls that are left, such as for a lacking approval.
    pub(super) fn refuse_all(&mut self, diagnostics: &[Diagnostic]) {
        let message = message(diagnostics);
        for refusal in self.refusals.iter_mut().filter(|it| it.is_none()) {
            refusal.clone_from(&message);
        }
    }

    /// Returns the refused calls.
    pub(super) fn refused(&self) -> Vec<RefusedCall> {
        let refusals = self.refusals.iter().zip(0..);
        let refused = refusals
            .filter_map(|(refusal, place)| Some(RefusedCall { place, message: refusal.clone()? }));
        refused.collect()
    }

    /// Returns the result of the last call that succeeded, as a call of a tool.
    pub(super) fn last_result(outcomes: &[CallOutcome]) -> Option<&Value> {
        let mut made = outcomes.iter().filter_map(|it| match it {
            CallOutcome::Made(calls) => calls.last()?.outcome.as_ref().ok(),
            _ => None,
        });
        made.next_back()
    }

    /// Returns the outcome of each call. `made` has the calls of the program by their place in it. A call without one
    /// has its part of the program's value, or else it was not made, for the reason `why`.
    pub(super) fn outcomes(
        &self,
        mut made: BTreeMap<u32, Vec<CallMade>>,
        value: Option<&Value>,
        why: &str,
    ) -> Vec<CallOutcome> {
        let mut place = 0;
        let is_alone = self.refusals.iter().filter(|it| it.is_none()).count() == 1;
        let mut values = value.filter(|_| !is_alone).and_then(Value::items);
        if is_alone {
            // A plan with one call has no branch for it, so all branches belong to that call.
            let all: Vec<CallMade> = std::mem::take(&mut made).into_values().flatten().collect();
            if !all.is_empty() {
                made.insert(0, all);
            }
        }
        let outcomes = self.refusals.iter().map(|refusal| {
            if let Some(message) = refusal {
                return CallOutcome::Refused(message.clone());
            }
            let calls = made.remove(&place);
            place += 1;
            let next = values.as_mut().and_then(Iterator::next);
            let value = if is_alone { value } else { next };
            match (calls, value.and_then(given)) {
                (Some(calls), _) => CallOutcome::Made(calls),
                (None, Some(given)) => CallOutcome::Gave(given),
                (None, None) => CallOutcome::NotMade(why.to_string()),
            }
        });
        outcomes.collect()
    }

    fn write(&mut self) {
        let refusals = &self.refusals;
        let program = self.plan.program(|at| refusals.get(at).is_none_or(Option::is_some));
        self.source = match self.setup.as_slice() {
            [] => program,
            setup => format!("(do\n  {}\n  {program})", setup.join("\n  ")),
        };
    }

    /// Refuses the calls that the policy allows alone, but not with the others before them.
    fn refuse_together(&mut self, session: &Session, policy: &Policy) {
        if refusal(&self.source, session, policy).is_none() {
            return;
        }
        let waiting: Vec<usize> = (0..self.refusals.len())
            .filter(|at| self.refusals.get(*at).is_some_and(Option::is_none))
            .collect();
        let mut kept = Vec::new();
        for at in waiting {
            kept.push(at);
            let calls = Plan { end: None, ..self.plan.clone() };
            let source = calls.program(|at| !kept.contains(&at));
            if let Some(message) = refusal(&source, session, policy) {
                kept.pop();
                if let Some(refusal) = self.refusals.get_mut(at) {
                    *refusal = Some(message);
                }
            }
        }
        self.write();
    }
}

/// The source of a plan without calls and end.
const NOTHING: &str = "nil";

/// Returns the value of a call, or the message of its error, from what the program made of it.
fn given(value: &Value) -> Option<Result<Value, String>> {
    match (value.get("ok"), value.get("error")) {
        (Some(value), _) => Some(Ok(value.clone())),
        (None, Some(message)) => Some(Err(message.as_str()?.to_string())),
        (None, None) => None,
    }
}

/// Returns the reason that a source may not run.
fn refusal(source: &str, session: &Session, policy: &Policy) -> Option<String> {
    match session.admit(source) {
        Ok(admitted) => message(&policy.refusals(admitted.report())),
        Err(rejection) => message(&rejection.diagnostics),
    }
}

/// Returns the first diagnostic as a sentence.
fn message(diagnostics: &[Diagnostic]) -> Option<String> {
    diagnostics.first().map(|it| it.message().to_string())
}
