//! The sub-agents of a run that work elsewhere.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ptc_subagent::provider::BoxFuture;
use ptc_subagent::{AgentCall, Elsewhere, Error, ErrorKind, Parent, RunReport, Status};
use tokio::sync::{Notify, oneshot};

use crate::log::Place;

/// The sub-agents of a run that work elsewhere.
pub(crate) struct Errands {
    state: Mutex<State>,
    news: Arc<Notify>,
}

#[derive(Default)]
struct State {
    /// The calls that were begun before this process has the run.
    begun: Vec<AgentCall>,
    /// The places of calls that wait for their share or for their run.
    open: HashSet<Place>,
    /// The places of calls whose runs wait.
    resting: HashSet<Place>,
    /// The calls to begin.
    new: Vec<AgentCall>,
    waiting: HashMap<Place, oneshot::Sender<RunReport>>,
}

impl Errands {
    /// Creates the errands of a run. `news` hears of each new one.
    pub(crate) fn new(begun: Vec<AgentCall>, news: Arc<Notify>) -> Errands {
        Errands { state: Mutex::new(State { begun, ..State::default() }), news }
    }

    /// Takes the calls to begin.
    pub(crate) fn take_new(&self) -> Vec<AgentCall> {
        std::mem::take(&mut self.lock().new)
    }

    /// Returns whether the step at a place is a call that works or waits elsewhere.
    pub(crate) fn has(&self, place: &Place) -> bool {
        let state = self.lock();
        state.open.contains(place) || state.resting.contains(place)
    }

    /// Returns whether anything works elsewhere.
    pub(crate) fn is_any(&self) -> bool {
        !self.lock().open.is_empty()
    }

    /// Gives the report of the run of a call to its caller.
    pub(crate) fn end(&self, call: &Parent, report: RunReport) {
        let mut state = self.lock();
        let place = place(call);
        state.open.remove(&place);
        if report.status == Status::Waiting {
            state.resting.insert(place.clone());
        }
        if let Some(caller) = state.waiting.remove(&place) {
            // The run may have ended meanwhile.
            drop(caller.send(report));
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Elsewhere for Errands {
    fn begun(&self, call: &Parent) -> Option<AgentCall> {
        let mut state = self.lock();
        state.open.insert(place(call));
        self.news.notify_one();
        state.begun.iter().find(|it| it.parent() == Some(call)).cloned()
    }

    fn run(&self, call: AgentCall) -> BoxFuture<'_, Result<RunReport, Error>> {
        let (send, report) = oneshot::channel();
        let mut state = self.lock();
        if let Some(parent) = call.parent() {
            state.waiting.insert(place(parent), send);
        }
        if !state.begun.iter().any(|it| it.parent() == call.parent()) {
            state.new.push(call);
            self.news.notify_one();
        }
        Box::pin(async {
            report.await.map_err(|_| Error::new(ErrorKind::Store, "the run elsewhere has no end"))
        })
    }
}

fn place(call: &Parent) -> Place {
    (call.run.to_string(), Some(call.turn), Some(call.call.clone()))
}
