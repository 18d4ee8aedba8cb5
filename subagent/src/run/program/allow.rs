//! Whether a program may run: the policy, and the person whom it asks.

use ptc_lisp::{Admitted, Diagnostic, Effect};

use super::Programs;
use crate::driver::Halt;
use crate::error::Error;
use crate::record::{DeniedCall, RunError};
use crate::run::approval::{Approval, Approved};
use crate::run::context::RunContext;
use crate::run::journal::Journal;

impl Programs<'_> {
    /// Returns the reasons that the policy refuses a program. Asks a person if the policy demands it; the inner error is
    /// the reason that the run stops before there is an answer.
    ///
    /// # Errors
    ///
    /// The reason that the run cannot continue.
    pub(super) async fn allow(
        &self,
        program: &str,
        admitted: &Admitted,
        turn: u32,
        journal: &mut Journal<'_>,
        context: &RunContext<'_>,
    ) -> Result<Result<Vec<Diagnostic>, Halt>, Error> {
        let report = admitted.report();
        let (agent, policy) = (self.agent, &self.agent.policy);
        let outside = context.outside.program(turn);
        let recorded = outside.refusals();
        let needs_approval = self.rules.acts && policy.asks(report);
        let refusals = match recorded.clone() {
            Some(recorded) => recorded,
            None => {
                let mut refusals = policy.refusals(report);
                refusals.extend(self.denied(admitted).iter().map(DeniedCall::diagnostic));
                refusals
            }
        };
        if !needs_approval {
            return Ok(Ok(refusals));
        }
        let mission = self.mission();
        let approval = Approval { agent, turn, program, report, mission };
        // Records of earlier versions have the outcome without the question.
        let is_over = recorded.is_some() || !refusals.is_empty();
        if is_over && !outside.was_asked() {
            return Ok(Ok(refusals));
        }
        Ok(match approval.ask_approval(journal, context).await? {
            Approved::Halted(halt) => Err(halt),
            _ if recorded.is_some() => Ok(refusals),
            Approved::Yes => Ok(Vec::new()),
            Approved::No(diagnostic) => Ok(vec![diagnostic]),
        })
    }

    /// Returns the reasons that refuse a program as errors, with the calls that the rules for labels deny.
    pub(super) fn errors_of(
        &self,
        refusals: &[Diagnostic],
        admitted: &Admitted,
        program: &str,
    ) -> Vec<RunError> {
        let mut errors: Vec<RunError> = refusals.iter().map(RunError::from).collect();
        for mut call in self.denied(admitted) {
            let problem = call.diagnostic();
            let place = Some((call.span.start, call.span.end));
            let written = problem.clone().in_source(&program.into()).line_column();
            (call.line, call.column) = (written.map(|it| it.0), written.map(|it| it.1));
            let is_its_error = |it: &&mut RunError| {
                it.denied.is_none() && it.span == place && it.message == problem.message()
            };
            if let Some(error) = errors.iter_mut().find(is_its_error) {
                error.denied = Some(Box::new(call));
            }
        }
        errors
    }

    /// Returns the calls of a program that the rules for labels deny for certain.
    fn denied(&self, admitted: &Admitted) -> Vec<DeniedCall> {
        let Some(flows) = admitted.flows() else { return Vec::new() };
        let effect_of = |name: &str| {
            let tool = self.tools.iter().find(|it| it.name == name);
            tool.map_or(Effect::Write, |it| it.effect())
        };
        self.agent.policy.denied_calls(flows, effect_of)
    }
}
