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
    store: Option<&'a Store>,
    observer: Option<Observer<'a>>,
    calls_in_turn: u32,
}

impl<'a> Journal<'a> {
    /// A journal in which nothing happened yet.
    pub(super) fn new(
        run: RunId,
        store: Option<&'a Store>,
        observer: Option<Observer<'a>>,
    ) -> Journal<'a> {
        Journal { run, store, observer, calls_in_turn: 0 }
    }

    /// Tells of an event; returns at once.
    pub(super) fn emit(&mut self, event: Event) {
        match event {
            Event::TurnStarted { .. } => self.calls_in_turn = 0,
            Event::CallStarted { .. } => self.calls_in_turn += 1,
            _ => {}
        }
        if let Some(observer) = &mut self.observer {
            observer(&event);
        }
        if let Some(store) = self.store {
            store.record(&self.run, event);
        }
    }

    /// Returns how many calls were started in the turn.
    pub(super) fn calls_in_turn(&self) -> u32 {
        self.calls_in_turn
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
