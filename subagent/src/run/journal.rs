//! Where events go: to whoever watches, and into the store.

use super::event::Event;
use super::id::RunId;
use super::report::RunError;
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
    warnings: Vec<RunError>,
}

/// How many warnings the report of a run has; the record has all of them.
const MAX_WARNINGS: usize = 100;

impl<'a> Journal<'a> {
    /// A journal in which nothing happened yet.
    pub(super) fn new(
        run: RunId,
        store: Option<&'a Store>,
        observer: Option<Observer<'a>>,
    ) -> Journal<'a> {
        Journal { run, store, observer, calls_in_turn: 0, warnings: Vec::new() }
    }

    /// Tells of an event; returns at once.
    pub(super) fn emit(&mut self, event: Event) {
        match &event {
            Event::TurnStarted { .. } => self.calls_in_turn = 0,
            Event::CallStarted { .. } => self.calls_in_turn += 1,
            Event::Warned { warning, .. } if self.warnings.len() < MAX_WARNINGS => {
                self.warnings.push(warning.clone());
            }
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

    /// Tells of warnings; returns their texts.
    pub(super) fn warn(
        &mut self,
        turn: u32,
        call: Option<&str>,
        all: Vec<RunError>,
    ) -> Vec<String> {
        let mut texts = Vec::with_capacity(all.len());
        for warning in all {
            texts.push(warning.message.clone());
            self.emit(Event::Warned { turn, call: call.map(str::to_string), warning });
        }
        texts
    }

    /// Returns the first warnings of the run.
    pub(super) fn warnings(&self) -> &[RunError] {
        &self.warnings
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
