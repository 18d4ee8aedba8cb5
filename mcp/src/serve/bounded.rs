//! Sessions of clients, and their calls in flight. The session that has been idle for longest makes room for a new one.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ptc_http::MAX_CALLS;

/// The maximum number of sessions.
const MAX_SESSIONS: usize = 256;

/// The sessions of a server. `R` is the id of a call.
pub(super) struct Sessions<R>(Mutex<State<R>>);

struct State<R> {
    all: BTreeMap<Arc<str>, Session<R>>,
    /// The number of uses so far.
    uses: u64,
    /// The number of calls in flight.
    calls: usize,
}

struct Session<R> {
    /// The number of its last use.
    used: u64,
    /// The calls in flight.
    calls: HashSet<R>,
    /// The newest calls that were cancelled. One may still give an answer, which must go to no other.
    cancelled: VecDeque<R>,
}

/// The outcome of a request for the place of a call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Admission {
    Admitted,
    /// A call with the same id is in flight, or was cancelled.
    Repeated,
    /// There is no place, or no such session.
    Full,
}

impl<R> Default for Sessions<R> {
    fn default() -> Sessions<R> {
        Sessions(Mutex::new(State { all: BTreeMap::new(), uses: 0, calls: 0 }))
    }
}

impl<R: Eq + Hash> Sessions<R> {
    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room for a new session. Returns the session that must be closed for it, if one must.
    ///
    /// # Errors
    ///
    /// All sessions have calls in flight.
    pub(super) fn make_room(&self) -> Result<Option<Arc<str>>, ()> {
        let mut state = self.lock();
        if state.all.len() < MAX_SESSIONS {
            return Ok(None);
        }
        let idle = state.all.iter().filter(|(_, it)| it.calls.is_empty());
        let oldest = idle.min_by_key(|(_, it)| it.used).map(|(id, _)| Arc::clone(id));
        let oldest = oldest.ok_or(())?;
        state.all.remove(&oldest);
        Ok(Some(oldest))
    }

    /// Adds a session.
    pub(super) fn open(&self, id: &Arc<str>) {
        let mut state = self.lock();
        let used = state.next_use();
        state.all.insert(
            Arc::clone(id),
            Session { used, calls: HashSet::new(), cancelled: VecDeque::new() },
        );
    }

    /// Removes a session.
    pub(super) fn close(&self, id: &str) {
        let mut state = self.lock();
        if let Some(session) = state.all.remove(id) {
            state.calls -= session.calls.len();
        }
    }

    /// Notes that a session is used.
    pub(super) fn touch(&self, id: &str) {
        let mut state = self.lock();
        let used = state.next_use();
        if let Some(session) = state.all.get_mut(id) {
            session.used = used;
        }
    }

    /// Begins a call, which is in flight until [`Sessions::end`].
    pub(super) fn begin(&self, id: &str, call: R) -> Admission {
        let mut state = self.lock();
        let used = state.next_use();
        let is_full = state.calls >= MAX_CALLS;
        let Some(session) = state.all.get_mut(id) else { return Admission::Full };
        session.used = used;
        if session.calls.contains(&call) || session.cancelled.contains(&call) {
            return Admission::Repeated;
        }
        if is_full {
            return Admission::Full;
        }
        session.calls.insert(call);
        state.calls += 1;
        Admission::Admitted
    }

    /// Ends a call, if it is in flight.
    pub(super) fn end(&self, id: &str, call: &R) {
        self.take(id, call);
    }

    /// Ends a call that is cancelled, if it is in flight. It may still give an answer.
    pub(super) fn cancel(&self, id: &str, call: &R) {
        let Some(call) = self.take(id, call) else { return };
        if let Some(session) = self.lock().all.get_mut(id) {
            session.cancelled.push_back(call);
            if session.cancelled.len() > MAX_CALLS {
                session.cancelled.pop_front();
            }
        }
    }

    /// Takes a call out of those in flight.
    fn take(&self, id: &str, call: &R) -> Option<R> {
        let mut state = self.lock();
        let used = state.next_use();
        let session = state.all.get_mut(id)?;
        session.used = used;
        let taken = session.calls.take(call)?;
        state.calls -= 1;
        Some(taken)
    }
}

impl<R> State<R> {
    fn next_use(&mut self) -> u64 {
        self.uses += 1;
        self.uses
    }
}
