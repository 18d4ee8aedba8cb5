//! Where events go: to whoever watches, and into the store.

use super::event::Event;
use super::id::RunId;
use crate::error::Error;
use crate::store::Store;

/// Is told of every event, in order, as it happens.
pub(super) type Observer<'a> = Box<dyn FnMut(&Event) + Send + 'a>;

/// The ways out of one run.
pub(super) struct Journal<'a> {
    pub(super) run: RunId,
    pub(super) store: Option<&'a Store>,
    pub(super) observer: Option<Observer<'a>>,
}

impl Journal<'_> {
    /// Tells of an event; returns at once.
    pub(super) fn emit(&mut self, event: Event) {
        if let Some(observer) = &mut self.observer {
            observer(&event);
        }
        if let Some(store) = self.store {
            store.record(&self.run, event);
        }
    }

    /// Waits until the store has everything. To be called before every step outside: what is not
    /// on record must not happen.
    pub(super) async fn flush(&mut self) -> Result<(), Error> {
        match self.store {
            Some(store) => store.flush().await,
            None => Ok(()),
        }
    }
}
