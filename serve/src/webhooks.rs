//! Messages about runs that ended or wait: sent at least once, again and again for a day, and on record.

use std::sync::Arc;
use std::time::Duration;

use ptc_subagent::store::Snapshot;
use ptc_subagent::{Data, Error, RunId, Status, WebhookSent};
use serde_json::json;

use crate::shown::shown;
use crate::state::{State, now};

/// The pauses between attempts. The last one is repeated until the time is over.
const PAUSES: [u64; 7] = [1, 5, 30, 120, 600, 1800, 3600];

/// How long a message is tried, in milliseconds: a day.
const TRIED: u64 = 24 * 60 * 60 * 1000;

/// Tells about a run that has ended or waits.
pub(crate) fn tell(state: &Arc<State>, run: RunId) {
    if state.options.webhook.is_some() {
        let state = Arc::clone(state);
        tokio::spawn(async move { deliver(&state, &run).await });
    }
}

/// Tells about the runs that an earlier process did not tell about.
///
/// # Errors
///
/// The reason that the store cannot be read.
pub(crate) async fn recover(state: &Arc<State>) -> Result<(), String> {
    if state.options.webhook.is_none() {
        return Ok(());
    }
    let since = now().saturating_sub(TRIED);
    let left = state.ask(move |snapshot| snapshot.untold(since)).await;
    for run in left.map_err(|problem| problem.detail)? {
        tell(state, run);
    }
    Ok(())
}

/// A message about the end of a run.
struct Message {
    id: String,
    body: String,
    ended_at: u64,
}

async fn deliver(state: &Arc<State>, run: &RunId) {
    let Some(webhook) = &state.options.webhook else { return };
    let id = run.clone();
    let message = state.ask(move |snapshot| message(snapshot, &id)).await;
    // A run that has gone on tells at its next end.
    let Ok(Some(Message { id, body, ended_at })) = message else { return };
    let mut pauses = PAUSES.iter().copied().chain(std::iter::repeat(PAUSES[PAUSES.len() - 1]));
    let mut sent = WebhookSent::new(id.as_str(), webhook.place(), 0);
    loop {
        sent.attempts += 1;
        let Err(why) = webhook.send(&id, now() / 1000, body.clone()).await else { break };
        let pause = Duration::from_secs(pauses.next().unwrap_or_default());
        if now() + pause.as_millis() as u64 > ended_at + TRIED {
            sent.error = Some(why);
            break;
        }
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            // The next start of the server sends it again.
            () = state.host.ending() => return,
        }
    }
    // Without a record it is sent again at the next start.
    drop(state.store().record_webhook(run, sent).await);
    state.hub.tick();
}

/// Makes the message about a run; `None` if it has not ended.
fn message(snapshot: &Snapshot<'_>, run: &RunId) -> Result<Option<Message>, Error> {
    let summary = snapshot.summary(run.as_str())?;
    let (Some(ended_at), Some(seq)) = (summary.ended_at, snapshot.end_of(run.as_str())?) else {
        return Ok(None);
    };
    let kind = if summary.status == Status::Waiting { "run.waiting" } else { "run.ended" };
    let data = Data::from(json!({"type": kind, "run": run, "timestamp": ended_at}));
    let body = data.with("data", shown(snapshot, &summary)?).to_string();
    Ok(Some(Message { id: format!("{run}.{seq}"), body, ended_at }))
}
