//! The bounds of a server, and its places.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, Semaphore};

/// The default maximum number of calls at the same time.
pub const MAX_CALLS: usize = 256;

/// The maximum size of the headers of a request, in bytes.
pub(super) const MAX_HEADERS: usize = 64 << 10;

/// The maximum size of the body of a request, in bytes.
pub(super) const MAX_BODY: usize = 4 << 20;

/// The maximum size of all bodies of requests in work, in bytes.
pub(super) const MAX_BODIES: usize = 64 << 20;

/// The bounds of a server. The default is 256 connections of each kind, and 30 seconds.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Connections that wait for a request.
    pub waiting: usize,
    /// Calls at the same time.
    pub calls: usize,
    /// Event streams at the same time.
    pub streams: usize,
    /// The time in which a connection must send the head of a request, and then the same for its body.
    pub patience: Duration,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { waiting: 256, calls: MAX_CALLS, streams: 256, patience: Duration::from_secs(30) }
    }
}

/// The places of a server.
pub struct Places {
    pub(super) max_waiting: usize,
    pub(super) patience: Duration,
    pub(super) connections: Queue,
    pub(super) calls: Arc<Semaphore>,
    pub(super) streams: Arc<Semaphore>,
    /// The bytes of bodies.
    pub(super) bytes: Arc<Semaphore>,
}

impl Places {
    /// Creates the places of a server.
    pub fn new(bounds: Bounds) -> Places {
        let places = |count| Arc::new(Semaphore::new(count));
        Places {
            max_waiting: bounds.waiting,
            patience: bounds.patience,
            connections: Queue::default(),
            calls: places(bounds.calls),
            streams: places(bounds.streams),
            bytes: places(MAX_BODIES),
        }
    }
}

/// The connections that wait, in the order in which they began to.
#[derive(Default)]
pub(super) struct Queue(Mutex<Waiting>);

#[derive(Default)]
pub(super) struct Waiting {
    pub(super) next: u64,
    pub(super) all: BTreeMap<u64, Arc<Notify>>,
}

impl Queue {
    pub(super) fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the connection that has waited for longest.
    pub(super) fn make_room(&self) {
        self.lock().make_room();
    }
}

impl Waiting {
    pub(super) fn make_room(&mut self) {
        if let Some((_, ends)) = self.all.pop_first() {
            ends.notify_one();
        }
    }
}
