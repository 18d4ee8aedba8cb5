//! The waiting runs whose wait is over.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::error::Error;
use crate::record::RunId;
use crate::store::{DueRun, Store};

/// The longest time between two looks at the store: another process may add waiting runs.
const LOOK: Duration = Duration::from_secs(2);

/// Finds the waiting runs whose wait is over, for a host that resumes them.
#[derive(Debug, Default)]
pub struct DueRuns {
    /// Runs that could not be resumed. They stay due, and are tried once.
    stuck: BTreeSet<RunId>,
}

impl DueRuns {
    /// Returns the runs to resume now, the earliest first. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`](crate::ErrorKind::Store) if the store cannot be read.
    pub fn now(&self, store: &Store) -> Result<Vec<DueRun>, Error> {
        let mut due = store.due(now())?;
        due.retain(|it| !self.stuck.contains(&it.run));
        Ok(due)
    }

    /// Leaves out a run that cannot be resumed.
    pub fn leave_out(&mut self, run: RunId) {
        self.stuck.insert(run);
    }

    /// Returns the time until the next look at the store. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`](crate::ErrorKind::Store) if the store cannot be read.
    pub fn rest(&self, store: &Store) -> Result<Duration, Error> {
        let next = store.due(u64::MAX)?.into_iter().find(|it| !self.stuck.contains(&it.run));
        let rest = next.map(|it| Duration::from_millis(it.due.saturating_sub(now())));
        Ok(rest.map_or(LOOK, |rest| rest.min(LOOK)))
    }
}

/// Returns the time in milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
