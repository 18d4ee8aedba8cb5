//! Asks the model for summaries of results that have expired.

use ptc_signatures::shown::escape_owned;
use tokio::time::timeout_at;

use super::estimate::estimated_usage;
use crate::provider::{Message, Partial, Reply, Request, Transport, Usage};
use crate::record::{RequestRecord, RunError};
use crate::run::context::RunContext;
use crate::run::journal::Journal;
use crate::run::turns::Turns;
use crate::transcript::{TranscriptChange, WantedSummary};

/// Replaces the changes whose rule wants a summary by summaries: those that are `known` from a record, or those that the
/// model gives now. A change without one stays as it is. `number` is that of the newest request of the turn.
pub(super) async fn summarize(
    context: &RunContext<'_>,
    turns: &mut Turns,
    journal: &mut Journal<'_>,
    changes: &mut [TranscriptChange],
    known: Vec<Option<Reply>>,
    number: &mut u32,
) {
    let (turn, mut known) = (turns.turn(), known.into_iter());
    for change in changes {
        let Some(wanted) = turns.summary_of(change) else { continue };
        let reply = match known.next().flatten() {
            Some(reply) => reply,
            None => match ask(context, turns, journal, &wanted, number).await {
                Ok(reply) => reply,
                Err(Some(error)) => {
                    let message = format!("no summary of turn {}: {}", change.turn, error.message);
                    journal.warn(turn, None, vec![RunError { message, ..error }]);
                    continue;
                }
                // The summaries on record are those of the first changes.
                Err(None) => return,
            },
        };
        if let Some(summarized) = wanted.change(change, &escape_owned(reply.text)) {
            *change = summarized;
            turns.summarize(change);
        }
    }
}

/// Records a request for a summary again, and charges its reply. Returns the reply; `None` if it failed.
pub(super) fn repeat_summary(
    request: &RequestRecord,
    turn: u32,
    context: &RunContext<'_>,
    journal: &mut Journal<'_>,
) -> Option<Reply> {
    journal.start_summary(turn, request.number);
    let reply = request.summary_reply()?;
    context.ledger.take_beside(reply.usage.unwrap_or_default());
    journal.end_summary(turn, request.number, &reply);
    Some(reply)
}

/// Asks the model for a summary. The error is `None` if the budget of the run or its time has no room for it.
async fn ask(
    context: &RunContext<'_>,
    turns: &Turns,
    journal: &mut Journal<'_>,
    wanted: &WantedSummary,
    number: &mut u32,
) -> Result<Reply, Option<RunError>> {
    let request = Request {
        system: wanted.system.as_str().into(),
        messages: vec![Message::user(&wanted.message)],
        grammar: None,
        transport: Transport::Fence,
        streamed: false,
        tools: Vec::new(),
        wants_text: true,
        stop: Vec::new(),
        ..turns.request().clone()
    };
    let estimate = estimated_usage(&request);
    let price = context.provider.price_of(&estimate);
    let reserved = context.ledger.reserve_beside(Usage { cost: price, ..estimate });
    let reserved = reserved.ok_or(None)?;
    *number += 1;
    journal.start_summary(turns.turn(), *number);
    if journal.flush().await.is_err() {
        return Err(None);
    }
    let mut on = |_: Partial<'_>| {};
    let asked = timeout_at(context.ledger.deadline(), context.provider.ask(&request, &mut on));
    match asked.await {
        Ok(Ok(reply)) => {
            reserved.settle(reply.usage.unwrap_or_default());
            journal.end_summary(turns.turn(), *number, &reply);
            Ok(reply)
        }
        Ok(Err(error)) => Err(Some(RunError::from(&error))),
        Err(_) => Err(None),
    }
}
