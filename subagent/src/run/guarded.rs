//! The observer of a mission, whose panics do not end the run.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::record::{Event, RunCode, RunError, RunId};

/// A callback that receives every event of a run and its sub-agents.
pub(super) type Observer<'a> = Box<dyn FnMut(&RunId, &Event) + Send + 'a>;

/// An observer with the panics in it.
pub(super) struct Guarded<'a>(Mutex<State<'a>>);

struct State<'a> {
    observer: Observer<'a>,
    panics: u32,
    /// The message of the first panic.
    first: Option<String>,
}

impl<'a> Guarded<'a> {
    pub(super) fn new(observer: Observer<'a>) -> Guarded<'a> {
        Guarded(Mutex::new(State { observer, panics: 0, first: None }))
    }

    /// Passes an event on. An observer that has panicked still gets the later events: it may be several that one call
    /// joins, and the others need them.
    pub(super) fn tell(&self, run: &RunId, event: &Event) {
        let mut state = self.lock();
        let observer = &mut state.observer;
        // The observer is the caller's: its state after a panic is the caller's concern, and nothing here shares it.
        let told = catch_unwind(AssertUnwindSafe(|| observer(run, event)));
        if let Err(panic) = told {
            state.panics = state.panics.saturating_add(1);
            state.first.get_or_insert_with(|| message_of(&*panic));
        }
    }

    /// Returns the warning about panics, if there were any. A replay has no observer, so it does not compare it.
    pub(super) fn warning(&self) -> Option<RunError> {
        let state = self.lock();
        let first = state.first.as_ref()?;
        let times = match state.panics {
            1 => "once".to_string(),
            panics => format!("{panics} times"),
        };
        let message =
            format!("the observer of the run panicked {times}, and the run went on: {first}");
        Some(RunError::new(RunCode::ObserverFailed, message))
    }

    fn lock(&self) -> MutexGuard<'_, State<'a>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The maximum length of the message of a panic, in characters.
const MAX_MESSAGE: usize = 400;

fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message").chars().take(MAX_MESSAGE).collect()
}
