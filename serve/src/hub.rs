//! The news of runs: a tick for each event on record, and the parts of replies, which no record has.

use std::sync::Arc;

use ptc_subagent::{Event, RunId};
use tokio::sync::{broadcast, watch};

/// The number of parts of replies that a slow reader may be behind. It misses older ones; the record has the whole reply.
const BEHIND: usize = 256;

/// A part of a reply, or the progress of a call.
pub(crate) struct Passing {
    pub(crate) run: RunId,
    pub(crate) event: Event,
}

/// Tells those who watch runs.
pub(crate) struct Hub {
    ticks: watch::Sender<()>,
    passing: broadcast::Sender<Arc<Passing>>,
}

impl Default for Hub {
    fn default() -> Hub {
        Hub { ticks: watch::Sender::new(()), passing: broadcast::Sender::new(BEHIND) }
    }
}

impl Hub {
    /// Tells an event of a run.
    pub(crate) fn tell(&self, run: RunId, event: Event) {
        if matches!(event, Event::ReplyText { .. } | Event::CallProgress { .. }) {
            // Nobody may watch.
            drop(self.passing.send(Arc::new(Passing { run, event })));
        } else {
            self.tick();
        }
    }

    /// Tells that the record has something new.
    pub(crate) fn tick(&self) {
        self.ticks.send_replace(());
    }

    /// Returns whether anyone watches.
    pub(crate) fn is_watched(&self) -> bool {
        self.passing.receiver_count() > 0
    }

    pub(crate) fn ticks(&self) -> watch::Receiver<()> {
        self.ticks.subscribe()
    }

    pub(crate) fn passing(&self) -> broadcast::Receiver<Arc<Passing>> {
        self.passing.subscribe()
    }
}
