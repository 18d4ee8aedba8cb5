//! The outside of one program: its budget, whether it may run, the outcomes of its calls, and the reasons to stop it.

use std::collections::BTreeMap;
use std::time::Duration;

use ptc_lisp::{Budget, Code, Diagnostic, Value, json};

use crate::data::Data;
use crate::driver::{Halt, never_made, out_of_time};
use crate::error::{Error, ErrorKind};
use crate::record::{
    CallInDoubt, ErrorCode, RefusedCall, RunError, TurnOutcome, TurnRecord, now_ms,
};
use crate::run::answer::Answer;
use crate::run::call_state::Ready;
use crate::run::in_doubt::{Decisions, in_doubt_error};
use crate::run::ledger::Ledger;
use crate::run::question::QUESTION;
use crate::run::recorded::{RecordedCall, RecordedRun, end_of_record};
use crate::tool::ToolDef;

/// The outside of the program of one turn.
#[derive(Clone, Copy)]
pub(in crate::run) struct ProgramOutside<'a> {
    turn: u32,
    /// The record of the run.
    record: Option<&'a RecordedRun>,
    /// The record of the turn.
    row: Option<&'a TurnRecord>,
    /// Whether nothing outside the record is asked.
    is_closed: bool,
    decisions: Option<&'a Decisions>,
}

/// The source of the outcome of a call.
pub(in crate::run) enum CallSource {
    /// The record has the outcome, at this position among those of the turn.
    Record(u32, Box<Answer>),
    /// The call is made.
    Make(Making),
    /// The outcome is unknown, and a user must decide what to do.
    InDoubt,
    /// The record has no outcome, and nothing else is asked.
    Nothing,
}

/// The known facts about a call that is made.
#[derive(Default)]
pub(in crate::run) struct Making {
    /// Its recorded position among the finished calls, if it is a finished run of a sub-agent.
    pub(in crate::run) ended: Option<u32>,
    /// The result that the user stated for a call in doubt, or the answer to its question.
    pub(in crate::run) stated: Option<Data>,
    /// The time that has passed since it started.
    pub(in crate::run) passed: Duration,
    /// Whether a user decided that a call is made again: this one, or one below it.
    pub(in crate::run) is_again: bool,
}

impl<'a> ProgramOutside<'a> {
    pub(super) fn new(
        record: Option<&'a RecordedRun>,
        turn: u32,
        is_closed: bool,
        decisions: Option<&'a Decisions>,
    ) -> ProgramOutside<'a> {
        let row = record.and_then(|run| run.turn(turn));
        ProgramOutside { turn, record, row, is_closed, decisions }
    }

    /// Returns the recorded value of `(budget)`: what was left to the run when the program started.
    pub(in crate::run) fn budget(self) -> Option<Value> {
        let recorded = self.row?.budget.as_ref()?;
        let rows = recorded.as_object().into_iter().flatten();
        Some(Value::map(rows.map(|(name, it)| (Value::keyword(name), json::from_serde(it)))))
    }

    /// Returns whether the reply is another program than the recorded run had.
    pub(in crate::run) fn is_replaced(self) -> bool {
        self.record.is_some_and(|run| run.is_replaced(self.turn))
    }

    /// Returns the refused calls of the reply and the program that was left, if the record says.
    pub(in crate::run) fn refused_calls(self) -> Option<(&'a [RefusedCall], Option<&'a str>)> {
        let row = self.row.filter(|it| it.report.is_some() || it.rejection.is_some())?;
        Some((row.refused.as_slice(), row.program.as_deref()))
    }

    /// Returns the reasons that the policy refused the program: empty if it was allowed, `None` if the record does not
    /// say.
    pub(in crate::run) fn refusals(self) -> Option<Vec<Diagnostic>> {
        let row = self.row?;
        if row.report.is_some() {
            return Some(Vec::new());
        }
        let is_policy = |it: &&RunError| it.code == ErrorCode::Language(Code::Policy);
        let errors = row.rejection.as_ref()?.iter().filter(is_policy);
        let refusals: Vec<Diagnostic> = errors.filter_map(RunError::diagnostic).collect();
        (!refusals.is_empty()).then_some(refusals)
    }

    /// Returns whether the record has the question whether the program may run.
    pub(in crate::run) fn was_asked(self) -> bool {
        self.record.is_some_and(|run| run.call(self.turn, QUESTION).is_some())
    }

    /// Returns whether the record has a call, or an outcome that it may reuse.
    pub(in crate::run) fn knows(self, call: &Ready<'_>) -> bool {
        let found = self.find(&call.record_id(), call.name(), &call.arguments);
        !matches!(found, RecordedCall::Unknown)
    }

    /// Finds the outcome of a call of a tool, a wait or a question. `key` makes its idempotency key.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`] if a resumed run makes another call than the recorded one.
    pub(in crate::run) fn call(
        self,
        (id, name): (&str, &str),
        args: &Data,
        tool: Option<&ToolDef>,
        key: impl FnOnce() -> String,
    ) -> Result<CallSource, Error> {
        Ok(match self.find(id, name, args) {
            RecordedCall::Over(ended, answer) => CallSource::Record(ended, answer),
            RecordedCall::Run(ended) => {
                CallSource::Make(Making { ended: Some(ended), ..Making::default() })
            }
            // The comparison of the two records reports the difference.
            _ if self.is_closed => CallSource::Nothing,
            RecordedCall::Other if self.decisions.is_some() => {
                let turn = self.turn;
                let message = format!(
                    "call {id} of turn {turn} is not the one on record: the run diverges from its record"
                );
                return Err(Error::new(ErrorKind::Replay, message));
            }
            RecordedCall::Started => self.started_call(id, tool, &key()),
            RecordedCall::Other | RecordedCall::Unknown => CallSource::Make(Making::default()),
        })
    }

    /// Finds the outcome of a call that the record has as started.
    fn started_call(self, id: &str, tool: Option<&ToolDef>, key: &str) -> CallSource {
        let decided = |all: fn(&Decisions) -> &BTreeMap<String, Data>| {
            self.decisions.and_then(|it| all(it).get(key)).cloned()
        };
        let Some(tool) = tool else {
            let (stated, passed) = (decided(|it| &it.answers), self.since_start(id));
            return CallSource::Make(Making { stated, passed, ..Making::default() });
        };
        let may_repeat = tool.as_agent().is_some()
            || tool.may_repeat()
            || self.decisions.is_some_and(|it| it.retry.contains(key));
        match decided(|it| &it.done) {
            None if !may_repeat => CallSource::InDoubt,
            stated => {
                let retries = |it: &Decisions| !it.retry.is_empty();
                let is_again = stated.is_none() && self.decisions.is_some_and(retries);
                CallSource::Make(Making { stated, is_again, ..Making::default() })
            }
        }
    }

    /// Returns the limit of the program's time. If its end is on record, the record decides whether its time ran out.
    pub(in crate::run) fn time_limit(self, own: Duration) -> Duration {
        if self.outcome().is_none() { own } else { Duration::MAX }
    }

    /// Lowers the budget of the program, at a pause, to what is left to its run.
    pub(in crate::run) fn bound(self, pause: u32, budget: &mut Budget, ledger: &Ledger) {
        // Without the end of the turn, the record may lack later points.
        let Some(row) = self.row.filter(|it| it.outcome.is_some()) else {
            return ledger.bound(budget);
        };
        let first = row.bounds.partition_point(|it| it.pause < pause);
        for bound in row.bounds.iter().skip(first).take_while(|it| it.pause == pause) {
            budget.fuel = budget.fuel.min(bound.fuel);
            budget.tool_calls = budget.tool_calls.min(bound.tool_calls);
        }
    }

    /// Returns the reason that stopped the program on record, once it has used this fuel and started these calls.
    pub(in crate::run) fn stop(self, fuel: u64, calls: u32) -> Option<Halt> {
        let row = self.row?;
        let by_run = row.outcome == Some(TurnOutcome::Time);
        let is_timed = by_run || self.out_of_time().is_some();
        let is_here = is_timed && fuel >= row.fuel && calls as usize >= row.tool_calls();
        self.recorded_halt().filter(|_| is_here)
    }

    /// Returns the halt of a program that waits while no call is in flight.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`] if a replay reached the end of its record.
    pub(in crate::run) fn halt(self) -> Result<Halt, Error> {
        match self.recorded_halt() {
            Some(halt) => Ok(halt),
            None if self.is_closed => {
                Err(end_of_record(&format!("the calls of turn {}", self.turn)))
            }
            None => Ok(never_made()),
        }
    }

    /// Returns the halt of a program, as its run saw it: a recorded run may have been cancelled before it saw the end.
    pub(in crate::run) fn seen_halt(self, halt: Halt) -> Halt {
        match halt {
            Halt::Done if self.outcome() == Some(TurnOutcome::Cancelled) => Halt::Cancelled,
            halt => halt,
        }
    }

    /// Returns the error of a program that computed for longer than `most`.
    pub(in crate::run) fn timed_out(self, most: Duration) -> Diagnostic {
        let recorded = self.out_of_time().and_then(RunError::diagnostic);
        recorded.unwrap_or_else(|| out_of_time(most))
    }

    /// Returns the error of a program whose calls have an unknown outcome.
    pub(in crate::run) fn in_doubt(self, calls: Vec<CallInDoubt>) -> RunError {
        match self.error() {
            Some(error) if calls.is_empty() => error.clone(),
            _ => in_doubt_error(calls),
        }
    }

    /// Returns the problem of a program that the budget of its run stopped, and the ceiling that was reached: less was
    /// left of it than of the program's own limit. `code` is that of the limit.
    pub(in crate::run) fn out_of_budget(
        self,
        code: Code,
        ledger: &Ledger,
    ) -> Option<(Diagnostic, Option<ErrorCode>)> {
        let exhausted = match code {
            Code::FuelLimit => ledger.out_of_fuel(),
            Code::ToolCallLimit => ledger.out_of_calls(),
            _ => return None,
        };
        if self.outcome().is_some() {
            // The ledger has the usage of now. The other runs of the tree may have used less at the time. Records of
            // earlier versions have no ceiling, but the program's own limit has a place.
            let recorded = self.error().filter(|it| it.budget.is_some() || it.line.is_none())?;
            return Some((recorded.diagnostic()?, recorded.budget));
        }
        let RunError { code: ceiling, message, help, .. } = exhausted?.error;
        // The advice is for the author of the agent: a program cannot raise a budget.
        let advice = help.into_iter();
        let problem = advice.fold(Diagnostic::new(code, message), Diagnostic::with_advice);
        Some((problem, Some(ceiling)))
    }

    fn outcome(self) -> Option<TurnOutcome> {
        self.row?.outcome
    }

    fn error(self) -> Option<&'a RunError> {
        self.row?.error.as_ref()
    }

    /// Returns the recorded error of a program that reached its time limit.
    fn out_of_time(self) -> Option<&'a RunError> {
        self.error().filter(|it| it.code == ErrorCode::Language(Code::TimeLimit))
    }

    /// Returns the recorded reason that the program stopped before its end.
    fn recorded_halt(self) -> Option<Halt> {
        match self.outcome()? {
            TurnOutcome::Time => Some(Halt::RunTime),
            TurnOutcome::Cancelled => Some(Halt::Cancelled),
            TurnOutcome::InDoubt => Some(Halt::InDoubt(Vec::new())),
            TurnOutcome::Limit => Some(Halt::ProgramTime),
            TurnOutcome::Waiting => Some(Halt::Waiting),
            _ => None,
        }
    }

    fn find(self, id: &str, tool: &str, args: &Data) -> RecordedCall {
        self.record.map_or(RecordedCall::Unknown, |run| run.find_call(self.turn, id, tool, args))
    }

    /// Returns the time that has passed since the recorded start of a call.
    fn since_start(self, call: &str) -> Duration {
        let row = self.record.and_then(|run| run.call(self.turn, call));
        let started = row.map_or_else(now_ms, |it| it.started_at);
        Duration::from_millis(now_ms().saturating_sub(started))
    }
}
