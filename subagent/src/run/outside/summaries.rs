//! Asks the model for summaries of results that have expired.

use std::time::Duration;

use ptc_signatures::shown::escape_owned;
use tokio::time::{timeout, timeout_at};

use super::estimate::estimated_usage;
use crate::provider::{Message, Partial, Reply, Request, Transport, Usage};
use crate::record::RunError;
use crate::run::context::RunContext;
use crate::run::journal::Journal;
use crate::run::turns::Turns;
use crate::transcript::{TranscriptChange, WantedSummary};

/// Replaces the changes whose rule wants a summary by summaries: those on record, or those that the model gives now. A
/// change without one stays as it is. `number` is that of the newest request of the turn.
pub(super) async fn summarize(
    context: &RunContext<'_>,
    turns: &mut Turns,
    journal: &mut Journal<'_>,
    changes: &mut [TranscriptChange],
    number: &mut u32,
) {
    let turn = turns.turn();
    let row = context.outside.record().and_then(|run| run.turn(turn));
    let mut recorded = row.into_iter().flat_map(|it| it.summaries());
    for change in changes {
        let Some(wanted) = turns.summary_of(change) else { continue };
        let reply = match recorded.next() {
            Some(known) if known.summary.is_some() => {
                let reply = known.summary_reply();
                let usage = reply.as_ref().and_then(|it| it.usage).unwrap_or_default();
                context.ledger.take_reply(usage);
                if let Some(reply) = &reply {
                    journal.start_summary(turn, known.number);
                    journal.end_summary(turn, known.number, reply);
                }
                reply
            }
            _ => match ask(context, turns, journal, &wanted, number).await {
                Ok(reply) => Some(reply),
                Err(Some(error)) => {
                    let message = format!("no summary of turn {}: {}", change.turn, error.message);
                    journal.warn(turn, None, vec![RunError { message, ..error }]);
                    None
                }
                Err(None) => None,
            },
        };
        let summary = reply.map(|it| escape_owned(it.text)).unwrap_or_default();
        if let Some(summarized) = wanted.change(change, &summary) {
            *change = summarized;
            turns.summarize(change);
        }
    }
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
    // The reply of the turn has its own reservation, for which this one must not wait.
    let reserved = context.ledger.reserve(Usage { cost: price, ..estimate });
    let Ok(Ok(reserved)) = timeout(Duration::ZERO, reserved).await else { return Err(None) };
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
