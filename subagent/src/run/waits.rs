//! The waits of a tree of runs, and the decision to leave them to another process.
//!
//! While all branches of all runs of a tree wait for a time, nothing is held but a timer. A host may then end the process:
//! everything is on record, and the run resumes when its first wait is over.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use super::id::now_ms;

/// The open waits of a tree of runs.
#[derive(Debug)]
pub(super) struct Waits {
    /// The longest wait that the process waits for itself; `None` for any.
    patience: Option<Duration>,
    open: Mutex<Open>,
    is_leaving: watch::Sender<bool>,
}

#[derive(Debug, Default)]
struct Open {
    /// The time at which each wait is over, in milliseconds since 1970, by the number of the wait.
    due: BTreeMap<u64, u64>,
    next: u64,
}

impl Waits {
    pub(super) fn new(patience: Option<Duration>) -> Waits {
        Waits { patience, open: Mutex::default(), is_leaving: watch::Sender::new(false) }
    }

    /// Adds a wait; returns its number.
    pub(super) fn add(&self, rest: Duration) -> u64 {
        let rest = u64::try_from(rest.as_millis()).unwrap_or(u64::MAX);
        let mut open = self.lock();
        let number = open.next;
        open.next += 1;
        open.due.insert(number, now_ms().saturating_add(rest));
        number
    }

    /// Removes a wait that is over or given up.
    pub(super) fn remove(&self, number: u64) {
        self.lock().due.remove(&number);
    }

    /// Returns the time at which the first wait is over, in milliseconds since 1970.
    pub(super) fn due(&self) -> Option<u64> {
        self.lock().due.values().min().copied()
    }

    /// Makes all runs of the tree leave their waits, if the first one takes longer than this process waits. Nothing in
    /// the tree may be working.
    pub(super) fn leave_if_long(&self) {
        let (Some(patience), Some(due)) = (self.patience, self.due()) else { return };
        if Duration::from_millis(due.saturating_sub(now_ms())) > patience {
            self.is_leaving.send_replace(true);
        }
    }

    /// Waits until the runs of the tree leave their waits.
    pub(super) async fn left(&self) {
        // The sender lives as long as `self`.
        drop(self.is_leaving.subscribe().wait_for(|is_leaving| *is_leaving).await);
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
