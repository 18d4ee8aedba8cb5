//! Asks for the reply of a turn: the record, the model, or the program of a workflow.

use ptc_prompt::CHARS_PER_TOKEN;
use tokio::time::timeout_at;

use super::workflow::begin_turn;
use crate::agent::Agent;
use crate::error::Error;
use crate::provider::{
    Message, Partial, ProviderError, ProviderErrorKind, Request, Shortened, Usage, shortened,
};
use crate::record::{ErrorCode, Event, RunError, TurnOutcome};
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
        Asked { outcome, number: 0, short: None, notes: Vec::new(), reserved: None }
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
    let Asked { outcome, number, short, notes, reserved } = match context.outside.reply(turn) {
        Ok(None) => ask_model(context, turns, journal).await?,
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
    turns: &Turns,
    journal: &mut Journal<'_>,
) -> Asked<'a> {
    let (turn, record) = (turns.turn(), context.outside.record());
    let row = record.and_then(|run| run.turn(turn));
    let requests = row.map(|row| row.requests.as_slice()).unwrap_or_default();
    for it in requests {
        journal.start_request(turn, it.number, it.messages.clone());
    }
    let notes = record.map(|run| run.notes(turn)).unwrap_or_default();
    let (short, number) = match requests.last() {
        Some(sent) => {
            let messages = sent.messages.clone();
            let short = messages.map(|messages| Request { messages, ..turns.request().clone() });
            (short, sent.number)
        }
        None => (recorded_short_request(turns.request(), &notes), 0),
    };
    Asked { outcome, number, short, notes, reserved: None }
}

/// Asks the model. If it refuses the conversation as too long, asks again with a shorter one.
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
    let (mut short, mut number) = (None, record.map_or(0, |run| run.requests(turn)));
    let exchange = async {
        let mut forms = shortened(request);
        loop {
            let sent = short.as_ref().map_or(request, |short: &Shortened| &short.request);
            let messages = short.as_ref().map(|short| short.request.messages.clone());
            number += 1;
            journal.start_request(turn, number, messages.or_else(|| turns.edited()));
            journal.flush().await?;
            let run = journal.run.clone();
            let mut on = |partial: Partial<'_>| match partial {
                Partial::Text(text) if request.streamed => {
                    context.shared.tell(&run, &Event::ReplyText { turn, text: text.to_string() });
                }
                Partial::Text(_) => {}
                Partial::Retry { error, attempt, attempts } => {
                    journal.warn(turn, None, vec![retry_warning(error, attempt, attempts)]);
                }
            };
            let asked = context.provider.ask(sent, &mut on).await;
            if !asked.as_ref().is_err_and(|it| it.kind == ProviderErrorKind::Context) {
                return Ok(asked);
            }
            match forms.next() {
                Some(shorter) => short = Some(shorter),
                None => return Ok(asked),
            }
        }
    };
    let asked: Result<Result<_, Error>, _> = timeout_at(deadline, exchange).await;
    let outcome = match asked {
        Ok(asked) => match asked? {
            Ok(reply) => RecordedReply::Reply(reply),
            Err(error) => RecordedReply::NoReply(RunError::from(&error)),
        },
        Err(_) => RecordedReply::TimeUp,
    };
    let note = short.as_ref().map(|it| RunError::new(ProviderErrorKind::Context, it.note.as_str()));
    let (notes, short) = (note.into_iter().collect(), short.map(|it| it.request));
    Ok(Asked { outcome, number, short, notes, reserved: Some(reserved) })
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
