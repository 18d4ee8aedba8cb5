//! Asks for the reply of a turn: the record, the model, or the program of a workflow.

use std::sync::atomic::Ordering;

use ptc_prompt::CHARS_PER_TOKEN;
use tokio::time::timeout_at;

use super::workflow::begin_turn;
use crate::agent::Agent;
use crate::error::Error;
use crate::provider::{
    Message, Partial, ProviderError, ProviderErrorKind, Reply, Request, Shortened, Usage, shortened,
};
use crate::record::{ErrorCode, Event, FallbackModel, RunCode, RunError, TurnOutcome};
use crate::run::context::RunContext;
use crate::run::journal::Journal;
use crate::run::ledger::Reservation;
use crate::run::recorded::RecordedReply;
use crate::run::turns::{Signal, Turns};

/// The outcome of asking for a reply.
struct Asked<'a> {
    outcome: RecordedReply,
    /// The number of the last request of the turn.
    number: u32,
    /// The number of the model that was asked last.
    fallback: usize,
    /// The shorter request that was sent because the conversation was too long.
    short: Option<Request>,
    /// The warnings about the requests.
    notes: Vec<RunError>,
    /// The estimate that the ledger holds for the reply; none for a reply on record.
    reserved: Option<Reservation<'a>>,
}

impl Asked<'_> {
    /// Makes an outcome without a request.
    fn nothing(outcome: RecordedReply) -> Self {
        Asked { outcome, number: 0, fallback: 0, short: None, notes: Vec::new(), reserved: None }
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
    let Asked { outcome, number, fallback, short, notes, reserved } =
        match context.outside.reply(turn) {
            Ok(None) => {
                forget_foreign_parts(context, turns);
                ask_model(context, turns, journal).await?
            }
            Ok(Some(outcome)) if !is_on_record => Asked::nothing(outcome),
            Ok(Some(outcome)) => {
                journal.start_turn(turn, &turns.newest());
                repeat_requests(outcome, context, turns, journal)
            }
            Err(error) => {
                if is_on_record {
                    journal.start_turn(turn, &turns.newest());
                }
                return Err(error);
            }
        };
    if number > 0 {
        go_on_with(fallback, context, turns);
    }
    if let Some(short) = short {
        turns.shorten(short);
    }
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
        journal.start_request(turn, it.number, it.messages.clone(), it.fallback.clone());
    }
    go_on_with(fallback_of(turn, context), context, turns);
    let notes = record.map(|run| run.notes(turn)).unwrap_or_default();
    let (short, number) = match requests.last() {
        Some(sent) => {
            let messages = sent.messages.clone();
            let short = messages.map(|messages| Request { messages, ..turns.request().clone() });
            (short, sent.number)
        }
        None => (recorded_short_request(turns.request(), &notes), 0),
    };
    Asked { outcome, number, fallback: turns.request().fallback, short, notes, reserved: None }
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
/// shorter one.
async fn ask_model<'a>(
    context: &'a RunContext<'_>,
    turns: &Turns,
    journal: &mut Journal<'_>,
) -> Result<Asked<'a>, Error> {
    let (turn, request) = (turns.turn(), turns.request());
    let deadline = context.ledger.deadline();
    let estimate = estimated_usage(request);
    let price = context.provider.price_of(&estimate);
    let estimate = Usage { cost: price, ..estimate };
    let reserved = match timeout_at(deadline, context.ledger.reserve(estimate)).await {
        Ok(Ok(reserved)) => reserved,
        Ok(Err(spent)) => return Ok(Asked::nothing(RecordedReply::Exhausted(spent))),
        Err(_) => return Ok(Asked::nothing(RecordedReply::TimeUp)),
    };
    journal.start_turn(turn, &turns.newest());
    let record = context.outside.record();
    let names = context.provider.fallbacks();
    let number = record.map_or(0, |run| run.requests(turn));
    let is_edited = turns.is_edited();
    let mut asking = Asking { context, journal, names, turn, number, is_edited, short: None };
    let mut fallback = request.fallback;
    let exchange = asking.exchange(request, &mut fallback);
    let asked: Result<Result<_, Error>, _> = timeout_at(deadline, exchange).await;
    let outcome = match asked {
        Ok(asked) => match asked? {
            Ok(reply) => RecordedReply::Reply(reply),
            Err(error) => RecordedReply::NoReply(RunError::from(&error)),
        },
        Err(_) => RecordedReply::TimeUp,
    };
    let (number, short) = (asking.number, asking.short);
    let note = short.as_ref().map(|it| RunError::new(ProviderErrorKind::Context, it.note.as_str()));
    let (notes, short) = (note.into_iter().collect(), short.map(|it| it.request));
    Ok(Asked { outcome, number, fallback, short, notes, reserved: Some(reserved) })
}

/// The requests for the reply of a turn.
struct Asking<'r, 'j> {
    context: &'r RunContext<'r>,
    journal: &'r mut Journal<'j>,
    /// The names of the models that stand in for the first one.
    names: Vec<String>,
    turn: u32,
    /// The number of the last request.
    number: u32,
    /// Whether the record of earlier turns does not determine the conversation.
    is_edited: bool,
    /// The shorter conversation that was sent last.
    short: Option<Shortened>,
}

/// A reply, or the reason that there is none.
type Answer = Result<Reply, ProviderError>;

impl Asking<'_, '_> {
    /// Asks until a model replies, or none is left that could. `fallback` is the number of the model that is asked.
    async fn exchange(&mut self, request: &Request, fallback: &mut usize) -> Result<Answer, Error> {
        let mut answer = self.ask(request, self.is_edited).await?;
        let mut switched = None;
        let mut too_long: Option<(usize, ProviderError)> = None;
        while let Err(error) = &answer
            && error.kind.may_pass_elsewhere()
            && *fallback < self.names.len()
        {
            if error.kind == ProviderErrorKind::Context {
                too_long.get_or_insert_with(|| (*fallback, error.clone()));
            }
            let request = self.switch(request, error, fallback, *fallback + 1);
            answer = self.ask(&request, self.is_edited).await?;
            switched = Some(request);
        }
        // A model that found the conversation too long may reply to a shorter one.
        if let (Err(error), Some((number, found))) = (&answer, too_long)
            && error.kind != ProviderErrorKind::Context
            && error.kind.may_pass_elsewhere()
        {
            switched = Some(self.switch(request, error, fallback, number));
            answer = Err(found);
        }
        let request = switched.as_ref().unwrap_or(request);
        let mut forms = shortened(request);
        while answer.as_ref().is_err_and(|it| it.kind == ProviderErrorKind::Context)
            && let Some(short) = forms.next()
        {
            let sent = self.short.insert(short).request.clone();
            answer = self.ask(&sent, true).await?;
        }
        Ok(answer)
    }

    /// Switches to the model of a number, and returns the request for it.
    fn switch(
        &mut self,
        request: &Request,
        error: &ProviderError,
        fallback: &mut usize,
        number: usize,
    ) -> Request {
        *fallback = number;
        let mut request = Request { fallback: number, ..request.clone() };
        // No other model understands them.
        for message in &mut request.messages {
            message.opaque.clear();
        }
        let message = format!("the run goes on with `{}`: {}", self.name(number), error.message);
        let warning = RunError::new(RunCode::ModelSwitched, message);
        self.journal.warn(self.turn, None, vec![warning]);
        request
    }

    /// Sends a request. `is_told` tells whether the record has its messages.
    async fn ask(&mut self, sent: &Request, is_told: bool) -> Result<Answer, Error> {
        let turn = self.turn;
        self.number += 1;
        let messages = is_told.then(|| sent.messages.clone());
        let number = sent.fallback;
        let fallback = (number > 0).then(|| FallbackModel { number, model: self.name(number) });
        self.journal.start_request(turn, self.number, messages, fallback);
        self.journal.flush().await?;
        let (run, shared) = (self.journal.run.clone(), self.context.shared);
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

/// Returns the shortened conversation of a recorded turn, if it was too long. This is for records of versions that did
/// not record requests.
fn recorded_short_request(request: &Request, notes: &[RunError]) -> Option<Request> {
    let code = ErrorCode::from(ProviderErrorKind::Context);
    // A model that is asked next refuses it, if it is still too long, and gets a shorter form.
    let is_short = notes.iter().any(|it| it.code == code);
    shortened(request).next().filter(|_| is_short).map(|it| it.request)
}

/// Returns the warning about a request that failed and is sent again.
fn retry_warning(error: &ProviderError, attempt: u32, attempts: u32) -> RunError {
    let wait = error.retry_after.map(|it| format!(" after {it:?}, as the server asks"));
    let wait = wait.unwrap_or_default();
    let message =
        format!("attempt {attempt} of {attempts} failed, asking again{wait}: {}", error.message);
    RunError::new(error.kind, message)
}

/// Estimates the tokens of a reply and its prompt, which are reserved until the reply arrives.
fn estimated_usage(request: &Request) -> Usage {
    const REPLY: u64 = 500;
    let texts = request.messages.iter().map(Message::len).sum::<usize>();
    let prompt = ((request.system.len() + texts) as f64 / CHARS_PER_TOKEN).ceil() as u64;
    let reply = request.parameters.max_tokens.map_or(REPLY, u64::from);
    Usage { input_tokens: prompt, output_tokens: reply, ..Usage::default() }
}
