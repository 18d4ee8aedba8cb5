//! Progress that tools report while they work on a call.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::mpsc;

use crate::record::CallProgress;
use crate::secrets::Secrets;

/// The maximum length of a message, in characters.
const MAX_MESSAGE: usize = 200;

/// The number of reports of a call that are passed on at once. Then there is at least [`PAUSE`] between two.
const BURST: u32 = 100;

/// The shortest time between two reports of a call that reports much.
const PAUSE: Duration = Duration::from_millis(100);

/// The number of reports that wait for the run. Further ones are left out.
const MAX_WAITING: usize = 256;

/// Receives the reports of calls, each with the value that identifies the call.
pub(crate) struct Reports<T> {
    sender: mpsc::Sender<(T, CallProgress)>,
    receiver: mpsc::Receiver<(T, CallProgress)>,
}

impl<T: Clone + Send + Sync + 'static> Reports<T> {
    pub(crate) fn new() -> Reports<T> {
        let (sender, receiver) = mpsc::channel(MAX_WAITING);
        Reports { sender, receiver }
    }

    /// Creates the reporter of a call.
    pub(crate) fn reporter(&self, call: T) -> Reporter {
        let sender = self.sender.clone();
        let send = Arc::new(move |progress| drop(sender.try_send((call.clone(), progress))));
        Reporter { send, pace: Arc::default(), secrets: Arc::default() }
    }

    /// Waits for the next report.
    pub(crate) async fn next(&mut self) -> (T, CallProgress) {
        match self.receiver.recv().await {
            Some(report) => report,
            // The channel has a sender, so it stays open.
            None => std::future::pending().await,
        }
    }

    /// Returns the next report that has arrived.
    pub(crate) fn arrived(&mut self) -> Option<(T, CallProgress)> {
        self.receiver.try_recv().ok()
    }
}

/// Passes on the reports of one call. It never blocks.
#[derive(Clone)]
pub(crate) struct Reporter {
    send: Arc<dyn Fn(CallProgress) + Send + Sync>,
    /// The number of reports and the time of the last one.
    pace: Arc<Mutex<(u32, Option<Instant>)>>,
    /// The secrets that messages must not show.
    secrets: Arc<Secrets>,
}

impl Reporter {
    /// Replaces secrets in messages by their names.
    pub(super) fn hide(&mut self, secrets: &Arc<Secrets>) {
        if self.secrets.is_empty() {
            self.secrets = Arc::clone(secrets);
        } else {
            Arc::make_mut(&mut self.secrets).add_all(secrets);
        }
    }

    /// Passes on a report, unless there are too many.
    pub(super) fn report(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        if !done.is_finite() || !self.is_due() {
            return;
        }
        let message = message.map(|it| one_line(&self.secrets.cut(it, MAX_MESSAGE)));
        let message = message.filter(|it| !it.is_empty());
        let total = total.filter(|it| it.is_finite());
        (self.send)(CallProgress { done, total, message });
    }

    fn is_due(&self) -> bool {
        let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
        let (count, last) = &mut *pace;
        let is_due = *count < BURST || last.is_none_or(|it| it.elapsed() >= PAUSE);
        if is_due {
            (*count, *last) = (count.saturating_add(1), Some(Instant::now()));
        }
        is_due
    }
}

impl fmt::Debug for Reporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reporter").finish_non_exhaustive()
    }
}

fn one_line(message: &str) -> String {
    let line: String = message.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    line.trim().to_string()
}
