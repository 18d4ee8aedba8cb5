//! Asks a person whether a program may run.

use std::time::Duration;

use ptc_lisp::{Diagnostic, Report};
use serde_json::json;
use tokio::time::{Instant, sleep_until};

use super::answer::Answer;
use super::asking::ask_person;
use super::call_state::{About, Asking};
use super::context::RunContext;
use super::journal::Journal;
use super::outside::{CallSource, Making};
use super::question::{QUESTION, refusal};
use crate::agent::Agent;
use crate::data::Data;
use crate::driver::Halt;
use crate::error::Error;
use crate::policy::Policy;
use crate::record::{APPROVE, Event, OpenQuestion, RunError, ToolErrorKind};

/// The outcome of the question.
pub(super) enum Approved {
    Yes,
    No(Diagnostic),
    /// The run stops before there is an answer.
    Halted(Halt),
}

/// A program that needs the approval of a person.
pub(super) struct Approval<'a> {
    pub(super) agent: &'a Agent,
    pub(super) turn: u32,
    pub(super) program: &'a str,
    pub(super) report: &'a Report,
    /// The mission of the run; empty for a workflow.
    pub(super) mission: String,
}

impl Approval<'_> {
    /// Asks, or takes the answer from the record. The question is on record before somebody is asked.
    ///
    /// # Errors
    ///
    /// The reason that the run cannot continue. [`ErrorKind::Replay`](crate::ErrorKind::Replay) if a replay reached the end
    /// of its record, or if the record has another program.
    pub(super) async fn ask_approval(
        self,
        journal: &mut Journal<'_>,
        context: &RunContext<'_>,
    ) -> Result<Approved, Error> {
        let (turn, outside) = (self.turn, context.outside.program(self.turn));
        let args = Data::from(json!({"program": self.program}));
        let key = || format!("{}.{turn}.{QUESTION}", journal.run);
        let source = outside.call((QUESTION, APPROVE), &args, None, key);
        journal.tell(|_| Event::CallStarted {
            turn,
            call: QUESTION.to_string(),
            tool: APPROVE.to_string(),
            args,
            step: None,
            labels: Vec::new(),
        });
        let since = Instant::now();
        let answer = match source? {
            CallSource::Record(_, answer) => *answer,
            CallSource::Make(Making { stated, passed, .. }) => {
                journal.flush().await?;
                let answer = match stated {
                    Some(answer) => Ok(Answer::new(Ok(answer))),
                    None => self.answer(journal, context, passed).await,
                };
                match answer {
                    Ok(answer) => answer,
                    Err(halt) => return Ok(Approved::Halted(halt)),
                }
            }
            CallSource::InDoubt | CallSource::Nothing => {
                return outside.halt().map(Approved::Halted);
            }
        };
        let outcome = outcome_of(&answer);
        journal.end_call(|ended| Event::CallFinished {
            turn,
            call: QUESTION.to_string(),
            tool: APPROVE.to_string(),
            result: answer.result.map_err(|error| RunError::from(&error)),
            blobs: Vec::new(),
            run: None,
            cached: false,
            ended,
            elapsed: since.elapsed(),
        });
        Ok(outcome)
    }

    /// Asks the host, and waits. The clock of the run stops meanwhile.
    ///
    /// # Errors
    ///
    /// The reason that the run stops before there is an answer.
    async fn answer(
        &self,
        journal: &Journal<'_>,
        context: &RunContext<'_>,
        since: Duration,
    ) -> Result<Answer, Halt> {
        let Approval { agent, turn, program, report, mission } = self;
        let (run, ledger) = (&journal.run, &context.ledger);
        let (open, form) =
            OpenQuestion::of_program(run, *turn, &agent.name, (program, report), mission);
        let about = About::Program(program, report);
        let asking = Asking { open, call: None, form, since, about };
        let mut answered = ask_person(context, asking);
        let _rest = ledger.rest();
        loop {
            let deadline = ledger.deadline();
            tokio::select! {
                biased;
                answer = &mut answered => return Ok(answer),
                () = sleep_until(deadline) => {
                    if Instant::now() >= ledger.deadline() {
                        return Err(Halt::RunTime);
                    }
                }
                () = ledger.waits().left() => return Err(Halt::Waiting),
            }
        }
    }
}

fn outcome_of(answer: &Answer) -> Approved {
    match &answer.result {
        Ok(answer) => match refusal(answer.value()) {
            None => Approved::Yes,
            Some(reason) => Approved::No(Policy::refused_by_person(&reason)),
        },
        Err(error) if error.kind == ToolErrorKind::Unanswered => {
            Approved::No(Policy::not_approved())
        }
        Err(error) => Approved::No(Policy::refused_by_person(&error.to_string())),
    }
}
