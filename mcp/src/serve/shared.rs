//! The state of a server: its agents, its store, and the runs that wait for answers.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ptc_subagent::host::Host;

use super::code::Code;
use super::offer::Offer;
use super::run_output::RunOutput;

/// The maximum number of runs at the same time. Further calls wait.
pub(super) const MAX_RUNS: u32 = 32;

/// The longest wait of a run that the server waits for itself.
pub(super) const PATIENCE: Duration = Duration::from_mins(1);

/// The maximum number of runs whose questions clients may still answer.
const MAX_WAITING: usize = 1_000;

/// The state that the connections and calls of a server share.
pub(super) struct Shared {
    pub(super) offers: Vec<Offer>,
    pub(super) code: Option<Code>,
    pub(super) host: Host,
    pub(super) waiting: Mutex<BTreeMap<String, Waiting>>,
}

/// A run that waits for answers of a client.
pub(super) struct Waiting {
    /// The tool that the client called.
    pub(super) tool: String,
    /// The lines and the content that its events have told.
    pub(super) output: RunOutput,
}

impl Shared {
    /// Returns the runs that wait for answers of clients. The oldest ones are forgotten.
    pub(super) fn waiting(&self) -> MutexGuard<'_, BTreeMap<String, Waiting>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        // Ids of runs are in the order of time.
        while waiting.len() >= MAX_WAITING {
            waiting.pop_first();
        }
        waiting
    }
}
