//! The gate between a run and its journal: the run waits there until the journal has what it did.

use ptc_subagent::Error;
use ptc_subagent::provider::BoxFuture;
use ptc_subagent::store::Keeper;
use tokio::sync::watch;

/// The gate of one run.
pub(crate) struct Gate {
    /// The number of times that the run has come to wait.
    wanted: watch::Sender<u64>,
    /// The last one of them that may go on.
    kept: watch::Sender<u64>,
}

impl Gate {
    pub(crate) fn new() -> Gate {
        Gate { wanted: watch::Sender::new(0), kept: watch::Sender::new(0) }
    }

    /// Waits until the run waits.
    pub(crate) async fn wanted(&self) {
        let kept = *self.kept.borrow();
        // The sender lives as long as the gate.
        drop(self.wanted.subscribe().wait_for(|wanted| *wanted > kept).await);
    }

    /// Returns whether the run waits.
    pub(crate) fn is_wanted(&self) -> bool {
        *self.wanted.borrow() > *self.kept.borrow()
    }

    /// Returns the ticket for all that wait now. What the store has when this is called is what they wait for.
    pub(crate) fn ticket(&self) -> u64 {
        *self.wanted.borrow()
    }

    /// Lets those with the ticket go on.
    pub(crate) fn release(&self, ticket: u64) {
        self.kept.send_replace(ticket);
    }
}

impl Keeper for Gate {
    fn kept(&self) -> BoxFuture<'_, Result<(), Error>> {
        Box::pin(async move {
            let mut own = 0;
            self.wanted.send_modify(|wanted| {
                *wanted += 1;
                own = *wanted;
            });
            drop(self.kept.subscribe().wait_for(|kept| *kept >= own).await);
            Ok(())
        })
    }
}
