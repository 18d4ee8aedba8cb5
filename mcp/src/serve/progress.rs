//! Progress of a run, as notifications to a client that asked for them.

use std::time::Duration;

use ptc_signatures::shown::escape_owned;
use ptc_subagent::{Event, TurnOutcome};
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext, RoleServer};
use tokio::sync::mpsc;

/// The number of notifications that wait for a slow client. Further ones are left out.
const MAX_WAITING: usize = 64;

/// The time to send the last notifications after the run has ended. A connection that has ended takes none.
const GRACE: Duration = Duration::from_secs(1);

/// Sends notifications to the client of a request.
pub(super) struct Progress {
    token: Option<ProgressToken>,
    peer: Peer<RoleServer>,
    told: mpsc::Receiver<String>,
}

/// Receives the events of a run. It never blocks.
pub(super) struct Sender(mpsc::Sender<String>);

impl Progress {
    /// Creates the notifications for a request.
    pub(super) fn of(cx: &RequestContext<RoleServer>) -> (Progress, Sender) {
        let (sender, told) = mpsc::channel(MAX_WAITING);
        let token = cx.meta.get_progress_token();
        (Progress { token, peer: cx.peer.clone(), told }, Sender(sender))
    }

    /// Works on `run`, and sends notifications meanwhile. All are sent before this returns, unless the call is cancelled or
    /// the client is slow.
    pub(super) async fn beside<T>(
        &mut self,
        run: impl Future<Output = T>,
        cancelled: impl Future<Output = ()>,
    ) -> T {
        let sends = self.send();
        tokio::pin!(run, sends);
        let outcome = tokio::select! {
            outcome = &mut run => outcome,
            // The run has dropped the sender, and so is about to end.
            () = &mut sends => return run.await,
        };
        tokio::select! {
            () = cancelled => {}
            sent = tokio::time::timeout(GRACE, sends) => drop(sent),
        }
        outcome
    }

    /// Sends notifications until the run has ended. Without a token of the client it sends none.
    async fn send(&mut self) {
        let mut count = 0.0;
        while let Some(message) = self.told.recv().await {
            let Some(token) = &self.token else { continue };
            count += 1.0;
            let progress = ProgressNotificationParam::new(token.clone(), count);
            // A client that has gone needs none.
            drop(self.peer.notify_progress(progress.with_message(message)).await);
        }
    }
}

impl Sender {
    /// Tells the client of turns and calls that have ended, and of the progress of calls.
    pub(super) fn tell(&self, event: &Event) {
        let message = match event {
            // Nobody waits for it.
            Event::TurnEnded { outcome: TurnOutcome::Cancelled, .. } => return,
            Event::TurnEnded { turn, outcome, .. } => format!("turn {turn}: {outcome}"),
            Event::CallProgress { tool, progress, .. } => format!("`{tool}`: {progress}"),
            Event::CallFinished { tool, result: Ok(_), .. } => format!("called `{tool}`"),
            Event::CallFinished { tool, .. } => format!("called `{tool}`, which failed"),
            _ => return,
        };
        // The client is slow, or does not wait any more.
        drop(self.0.try_send(escape_owned(message)));
    }
}
