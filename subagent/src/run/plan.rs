//! The check of a plan: each call alone, then all that are left as one program.

use std::collections::BTreeMap;

use ptc_lisp::{Diagnostic, Effect, Session, Value};
use ptc_prompt::{CallMade, CallOutcome, Plan, stages};

use crate::policy::Policy;
use crate::record::RefusedCall;

/// A plan whose calls are checked.
pub(super) struct CheckedPlan {
    pub(super) plan: Plan,
    /// The effect of each call, or the reason that it is refused.
    checks: Vec<Result<Effect, String>>,
    /// The expressions that precede the calls.
    setup: Vec<String>,
    /// The source of the calls that are left, and the end of the mission.
    pub(super) source: String,
}

impl CheckedPlan {
    /// Takes the refusals of a plan from its record, which also has the program.
    pub(super) fn recorded(
        plan: Plan,
        setup: Vec<String>,
        refused: &[RefusedCall],
        program: Option<&str>,
        session: &Session,
    ) -> CheckedPlan {
        // The policy has allowed the calls that the record does not name.
        let policy = Policy::default();
        let check = |source: &Result<String, String>| {
            let effect = source.as_ref().ok().map(|source| check(source, session, &policy));
            Ok(effect.and_then(Result::ok).unwrap_or(Effect::Write))
        };
        let mut checks: Vec<_> = plan.calls.iter().map(|it| check(&it.source)).collect();
        for refused in refused {
            if let Some(check) = checks.get_mut(refused.place as usize) {
                *check = Err(refused.message.clone());
            }
        }
        let mut checked = CheckedPlan { plan, checks, setup, source: String::new() };
        checked.write();
        if program.is_some_and(|it| it != checked.source) {
            // In older records, writes run beside the other calls.
            let ordered = (checked.checks.clone(), checked.source.clone());
            for check in checked.checks.iter_mut().flatten() {
                *check = Effect::Read;
            }
            checked.write();
            if program != Some(&checked.source) {
                (checked.checks, checked.source) = ordered;
            }
        }
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
        let mut checks = Vec::with_capacity(plan.calls.len());
        let mut left = 0;
        for call in &plan.calls {
            let check = match &call.source {
                Err(message) => Err(message.clone()),
                Ok(_) if left >= calls => {
                    let are = if calls == 1 { "call is" } else { "calls are" };
                    Err(format!("{calls} {are} left to this program"))
                }
                Ok(source) => check(source, session, policy),
            };
            left += u64::from(check.is_ok());
            checks.push(check);
        }
        let mut checked = CheckedPlan { plan, checks, setup, source: String::new() };
        checked.write();
        if policy.bounds_calls() && left > 1 {
            checked.refuse_together(session, policy);
        }
        checked
    }

    /// Returns whether no call is left, although the plan has some, and nothing else is to be done.
    pub(super) fn is_refused(&self) -> bool {
        let is_empty = self.checks.iter().all(Result::is_err);
        !self.checks.is_empty() && is_empty && self.source == NOTHING
    }

    /// Refuses all calls that are left, such as for a lacking approval.
    pub(super) fn refuse_all(&mut self, diagnostics: &[Diagnostic]) {
        let Some(message) = message(diagnostics) else { return };
        for check in self.checks.iter_mut().filter(|it| it.is_ok()) {
            *check = Err(message.clone());
        }
    }

    /// Returns the refused calls.
    pub(super) fn refused(&self) -> Vec<RefusedCall> {
        let refused = self.checks.iter().zip(0..).filter_map(|(check, place)| {
            Some(RefusedCall { place, message: check.clone().err()? })
        });
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

    /// Returns the outcome of each call. `made` has the calls of the program by their outermost branch. A call without
    /// one has its part of the program's value, or else it was not made, for the reason `why`.
    pub(super) fn outcomes(
        &self,
        mut made: BTreeMap<(u32, u32), Vec<CallMade>>,
        value: Option<&Value>,
        why: &str,
    ) -> Vec<CallOutcome> {
        let effects: Vec<Effect> = self.checks.iter().flatten().copied().collect();
        let is_alone = effects.len() == 1;
        let mut values = value.filter(|_| !is_alone).and_then(Value::items);
        if is_alone {
            // A plan with one call has no branch for it, so all branches belong to that call.
            let all: Vec<CallMade> = std::mem::take(&mut made).into_values().flatten().collect();
            if !all.is_empty() {
                made.insert((0, 0), all);
            }
        }
        let mut branches = stages(effects);
        let outcomes = self.checks.iter().map(|check| {
            if let Err(message) = check {
                return CallOutcome::Refused(message.clone());
            }
            let calls = branches.next().and_then(|branch| made.remove(&branch));
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
        let program = self.plan.program(|at| self.effect(at));
        self.source = match self.setup.as_slice() {
            [] => program,
            setup => format!("(do\n  {}\n  {program})", setup.join("\n  ")),
        };
    }

    /// Returns the effect of a call that is left.
    fn effect(&self, at: usize) -> Option<Effect> {
        self.checks.get(at)?.as_ref().ok().copied()
    }

    /// Refuses the calls that the policy allows alone, but not with the others before them.
    fn refuse_together(&mut self, session: &Session, policy: &Policy) {
        if check(&self.source, session, policy).is_ok() {
            return;
        }
        let waiting = (0..self.checks.len()).filter(|at| self.effect(*at).is_some());
        let waiting: Vec<usize> = waiting.collect();
        let calls = Plan { end: None, ..self.plan.clone() };
        let mut kept = Vec::new();
        for at in waiting {
            kept.push(at);
            let source = calls.program(|at| self.effect(at).filter(|_| kept.contains(&at)));
            if let Err(message) = check(&source, session, policy) {
                kept.pop();
                if let Some(check) = self.checks.get_mut(at) {
                    *check = Err(message);
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

/// Returns the effect of a source, or the reason that it may not run.
fn check(source: &str, session: &Session, policy: &Policy) -> Result<Effect, String> {
    let admitted = session.admit(source);
    let refused = match &admitted {
        Ok(admitted) => message(&policy.refusals(admitted.report())),
        Err(rejection) => message(&rejection.diagnostics),
    };
    // A change of the payload keeps its place among the calls, as a call that writes does.
    let writes = admitted.is_ok_and(|admitted| {
        let report = admitted.report();
        report.can_write() || !report.payload_writes.is_empty()
    });
    refused.map_or(Ok(if writes { Effect::Write } else { Effect::Read }), Err)
}

/// Returns the first diagnostic as a sentence.
fn message(diagnostics: &[Diagnostic]) -> Option<String> {
    diagnostics.first().map(|it| it.message().to_string())
}
