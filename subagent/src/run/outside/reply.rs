//! Asks for the reply of a turn: the record, the model, or the program of a workflow.

use std::sync::atomic::Ordering;

use tokio::time::timeout_at;

use super::estimate::estimated_usage;
use super::summaries::{repeat_summary, summarize};
use super::workflow::begin_turn;
use crate::agent::Agent;
use crate::error::Error;
use crate::provider::{Partial, ProviderError, ProviderErrorKind, Reply, Usage};
use crate::record::{ErrorCode, Event, FallbackModel, Purpose, RunCode, RunError, TurnOutcome};
use crate::run::context::RunContext;
use crate::run::journal::Journal;
use crate::run::ledger::Reservation;
use crate::run::recorded::RecordedReply;
use crate::run::turns::{Signal, Turns};
use crate::transcript::TranscriptChange;

/// The outcome of asking for a reply.
struct Asked<'a> {
    outcome: RecordedReply,
    /// The number of the last request of the turn.
    number: u32,
    /// The warnings about the requests.
    notes: Vec<RunError>,
    /// The estimate that the ledger holds for the reply; none for a reply on record.
    reserved: Option<Reservation<'a>>,
}

impl Asked<'_> {
    /// Makes an outcome without a request.
    fn nothing(outcome: RecordedReply) -> Self {
        Asked { outcome, number: 0, notes: Vec::new(), reserved: None }
    }
}

/// Asks for the reply of the next turn, and records the turn's beginning and its requests.
///
/// # Errors
///
/// The reason that the run cannot continue. [`ErrorKind::Replay`](crate::ErrorKind::Replay) if a replay reached the end of
/// its record.
pub(in crate::run) async fn request_reply(
    agent: &Agent,
    context: &RunContext<'_>,
    turns: &mut Turns,
    journal: &mut Journal<'_>,
) -> Result<Signal, Error> {
    if let Some(workflow) = &agent.workflow {
        return begin_turn(workflow, context, turns, journal);
    }
    let turn = turns.turn();
    let is_on_record = context.outside.record().is_some_and(|run| run.turn(turn).is_some());
    let Asked { outcome, number, notes, reserved } = match context.outside.reply(turn) {
        Ok(None) => {
            forget_foreign_parts(context, turns);
            ask_model(context, turns, journal).await?
        }
        Ok(Some(outcome)) if !is_on_record => Asked::nothing(outcome),
        Ok(Some(outcome)) => {
            journal.start_turn(turn, turns.newest());
            repeat_requests(outcome, context, turns, journal)
        }
        Err(error) => {
            if is_on_record {
                journal.start_turn(turn, turns.newest());
            }
            return Err(error);
        }
    };
    journal.warn(turn, None, notes);
    Ok(match outcome {
        RecordedReply::Reply(reply) => {
            let usage = reply.usage.unwrap_or_default();
            match reserved {
                Some(reserved) => reserved.settle(usage),
                None => context.ledger.take_reply(usage),
            }
            journal.end_request(turn, number, &reply);
            Signal::Replied(reply)
        }
        RecordedReply::NoReply(error) => {
            journal.abort_turn(TurnOutcome::Provider, Some(error.clone()));
            Signal::NoReply(error)
        }
        RecordedReply::Exhausted(spent) => Signal::Exhausted(spent),
        RecordedReply::Cancelled => {
            journal.abort_turn(TurnOutcome::Cancelled, None);
            Signal::Cancelled
        }
        RecordedReply::TimeUp => {
            journal.abort_turn(TurnOutcome::Time, None);
            Signal::TimeUp
        }
    })
}

/// Records the requests of a recorded turn again.
fn repeat_requests<'a>(
    outcome: RecordedReply,
    context: &RunContext<'_>,
    turns: &mut Turns,
    journal: &mut Journal<'_>,
) -> Asked<'a> {
    let (turn, record) = (turns.turn(), context.outside.record());
    let row = record.and_then(|run| run.turn(turn));
    let requests = row.map(|row| row.requests.as_slice()).unwrap_or_default();
    for it in requests {
        if it.purpose == Purpose::Transcript {
            repeat_summary(it, turn, context, journal);
            continue;
        }
        journal.start_request(
            turn,
            it.number,
            it.messages.clone(),
            it.fallback.clone(),
            it.changes.clone(),
        );
        turns.repeat(it);
    }
    go_on_with(fallback_of(turn, context), context, turns);
    let notes = record.map(|run| run.notes(turn)).unwrap_or_default();
    let number = requests.last().map_or(0, |it| it.number);
    // Versions that recorded no requests have a warning if the conversation was too long.
    let code = ErrorCode::from(ProviderErrorKind::Context);
    if requests.is_empty() && notes.iter().any(|it| it.code == code) && turns.recover(0).is_none() {
        let _ = turns.recover(1);
    }
    Asked { outcome, number, notes, reserved: None }
}

/// Returns the number that the model of a recorded turn has among the fallbacks now. A run that is given another model
/// than it started with goes on with that one.
pub(in crate::run) fn fallback_of(turn: u32, context: &RunContext<'_>) -> usize {
    let known = context.outside.record().and_then(|run| run.fallback(turn));
    let Some(known) = known else { return 0 };
    if context.outside.is_closed() {
        return known.number;
    }
    let started_with = context.outside.record().map(|it| it.record.summary.model.as_str());
    if started_with != Some(&context.provider.name()) {
        return 0;
    }
    let names = context.provider.fallbacks();
    let is_there = known.number.checked_sub(1).and_then(|at| names.get(at)) == Some(&known.model);
    let place = || names.iter().position(|it| *it == known.model);
    if is_there { known.number } else { place().map_or(0, |at| at + 1) }
}

/// Drops the parts of a recorded fallback, if the run goes on without it.
fn forget_foreign_parts(context: &RunContext<'_>, turns: &mut Turns) {
    let before = turns.turn().saturating_sub(1);
    let known = context.outside.record().and_then(|run| run.fallback(before));
    if known.is_some() && turns.request().fallback == 0 {
        turns.switch(0);
    }
}

/// Goes on with a model, also in the sub-agents that have none of their own.
pub(in crate::run) fn go_on_with(fallback: usize, context: &RunContext<'_>, turns: &mut Turns) {
    if fallback != turns.request().fallback {
        turns.switch(fallback);
        context.fallback.store(fallback, Ordering::Relaxed);
    }
}

/// Asks the model, and those that stand in for it. If all of them find the conversation too long, asks again with a
/// shorter one, in one turn of a run.
async fn ask_model<'a>(
    context: &'a RunContext<'_>,
    turns: &mut Turns,
    journal: &mut Journal<'_>,
) -> Result<Asked<'a>, Error> {
    let (turn, record) = (turns.turn(), context.outside.record());
    // The summaries that a process had before it died, if no request has them yet.
    let mut known = Vec::new();
    for it in record.and_then(|run| run.turn(turn)).iter().flat_map(|row| &row.requests) {
        if it.purpose == Purpose::Transcript {
            known.push(repeat_summary(it, turn, context, journal));
        } else {
            turns.repeat(it);
            known.clear();
        }
    }
    let mut changes = turns.apply_rules();
    let deadline = context.ledger.deadline();
    let estimate = estimated_usage(turns.request());
    let price = context.provider.price_of(&estimate);
    let estimate = Usage { cost: price, ..estimate };
    let reserved = match timeout_at(deadline, context.ledger.reserve(estimate)).await {
        Ok(Ok(reserved)) => reserved,
        Ok(Err(spent)) => return Ok(Asked::nothing(RecordedReply::Exhausted(spent))),
        Err(_) => return Ok(Asked::nothing(RecordedReply::TimeUp)),
    };
    journal.start_turn(turn, turns.newest());
    let mut number = record.map_or(0, |run| run.requests(turn));
    summarize(context, turns, journal, &mut changes, known, &mut number).await;
    let (names, notes) = (context.provider.fallbacks(), Vec::new());
    let mut asking = Asking { context, journal, turns, names, turn, number, changes, notes };
    let exchange = asking.exchange();
    let asked: Result<Result<_, Error>, _> = timeout_at(deadline, exchange).await;
    let outcome = match asked {
        Ok(asked) => match asked? {
            Ok(reply) => RecordedReply::Reply(reply),
            Err(error) => RecordedReply::NoReply(RunError::from(&error)),
        },
        Err(_) => RecordedReply::TimeUp,
    };
    let (number, notes) = (asking.number, asking.notes);
    Ok(Asked { outcome, number, notes, reserved: Some(reserved) })
}

/// The requests for the reply of a turn.
struct Asking<'r, 'j> {
    context: &'r RunContext<'r>,
    journal: &'r mut Journal<'j>,
    turns: &'r mut Turns,
    /// The names of the models that stand in for the first one.
    names: Vec<String>,
    turn: u32,
    /// The number of the last request.
    number: u32,
    /// The changes of what is sent that no request has on record.
    changes: Vec<TranscriptChange>,
    /// The warnings about the requests.
    notes: Vec<RunError>,
}

/// A reply, or the reason that there is none.
type Answer = Result<Reply, ProviderError>;

impl Asking<'_, '_> {
    /// Asks until a model replies, or none is left that could.
    async fn exchange(&mut self) -> Result<Answer, Error> {
        let mut answer = self.ask().await?;
        let mut too_long: Option<(usize, ProviderError)> = None;
        while let Err(error) = &answer
            && error.kind.may_pass_elsewhere()
            && self.turns.request().fallback < self.names.len()
        {
            let number = self.turns.request().fallback;
            if error.kind == ProviderErrorKind::Context {
                too_long.get_or_insert_with(|| (number, error.clone()));
            }
            self.switch(error, number + 1);
            answer = self.ask().await?;
        }
        // A model that found the conversation too long may reply to a shorter one.
        if let (Err(error), Some((number, found))) = (&answer, too_long)
            && error.kind != ProviderErrorKind::Context
            && error.kind.may_pass_elsewhere()
        {
            self.switch(error, number);
            answer = Err(found);
        }
        let mut steps = 0..;
        while let Err(error) = &mut answer
            && error.kind == ProviderErrorKind::Context
        {
            if let Some(before) = self.turns.recovered().filter(|it| *it != self.turn) {
                let more = format!("; the run has shortened it once, in turn {before}");
                error.message.push_str(&more);
            }
            let recovery = steps.by_ref().take(RECOVERY).find_map(|step| self.turns.recover(step));
            let Some((cuts, note)) = recovery else { break };
            self.changes = cuts;
            self.notes.push(RunError::new(ProviderErrorKind::Context, note));
            answer = self.ask().await?;
        }
        Ok(answer)
    }

    /// Switches to the model of a number, also in the sub-agents that have none of their own.
    fn switch(&mut self, error: &ProviderError, number: usize) {
        self.turns.switch(number);
        self.context.fallback.store(number, Ordering::Relaxed);
        let message = format!("the run goes on with `{}`: {}", self.name(number), error.message);
        let warning = RunError::new(RunCode::ModelSwitched, message);
        self.journal.warn(self.turn, None, vec![warning]);
    }

    /// Sends the request.
    async fn ask(&mut self) -> Result<Answer, Error> {
        let turn = self.turn;
        self.number += 1;
        let number = self.turns.request().fallback;
        let fallback = (number > 0).then(|| FallbackModel { number, model: self.name(number) });
        let changes = std::mem::take(&mut self.changes);
        self.journal.start_request(turn, self.number, None, fallback, changes);
        self.journal.flush().await?;
        let (run, shared, sent) =
            (self.journal.run.clone(), self.context.shared, self.turns.request());
        let mut on = |partial: Partial<'_>| match partial {
            Partial::Text(text) if sent.streamed => {
                shared.tell(&run, &Event::ReplyText { turn, text: text.to_string() });
            }
            Partial::Text(_) => {}
            Partial::Retry { error, attempt, attempts } => {
                self.journal.warn(turn, None, vec![retry_warning(error, attempt, attempts)]);
            }
        };
        Ok(self.context.provider.ask(sent, &mut on).await)
    }

    /// Returns the name of the model of a number.
    fn name(&self, number: usize) -> String {
        let fallback = number.checked_sub(1).and_then(|at| self.names.get(at));
        fallback.cloned().unwrap_or_else(|| self.context.provider.name())
    }
}

/// The number of steps of a recovery from a conversation that is too long.
const RECOVERY: usize = 2;

/// Returns the warning about a request that failed and is sent again.
fn retry_warning(error: &ProviderError, attempt: u32, attempts: u32) -> RunError {
    let wait = error.retry_after.map(|it| format!(" after {it:?}, as the server asks"));
    let wait = wait.unwrap_or_default();
    let message =
        format!("attempt {attempt} of {attempts} failed, asking again{wait}: {}", error.message);
    RunError::new(error.kind, message)
}
