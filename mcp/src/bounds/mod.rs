//! The bounds of a server of HTTP: its connections, the bodies of requests, calls, event streams and sessions.
//!
//! A connection *waits* for a request, or works on a *call*, or carries an event *stream*. Each kind has places of its own,
//! so none takes those of another. A request waits until its body is whole. The connection that has waited for longest
//! makes room for a new one. A call or a stream without a place gets 503.

mod connections;
mod requests;
mod sessions;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

pub(crate) use connections::{Connection, accept};
pub(crate) use requests::{Held, Kind, Whole, refusal};
pub(crate) use sessions::{Admission, Sessions};

/// The maximum number of connections that wait for a request.
const MAX_WAITING: usize = 256;

/// The maximum number of calls at the same time.
pub(crate) const MAX_CALLS: usize = 256;

/// The maximum number of event streams at the same time.
const MAX_STREAMS: usize = 256;

/// The maximum number of sessions.
const MAX_SESSIONS: usize = 256;

/// The maximum size of the headers of a request, in bytes.
const MAX_HEADERS: usize = 64 << 10;

/// The maximum size of the body of a request, in bytes.
const MAX_BODY: usize = 4 << 20;

/// The maximum size of all bodies of requests in work, in bytes.
const MAX_BODIES: usize = 64 << 20;

/// The time in which a connection must send the headers of a request.
const HEADERS: Duration = Duration::from_secs(30);

/// The time in which a connection must send the body of a request.
const BODY: Duration = Duration::from_secs(30);

/// The places of a server.
pub(crate) struct Places {
    connections: connections::Queue,
    calls: Arc<Semaphore>,
    streams: Arc<Semaphore>,
    /// The bytes of bodies.
    bytes: Arc<Semaphore>,
}

impl Default for Places {
    fn default() -> Places {
        let places = |count| Arc::new(Semaphore::new(count));
        Places {
            connections: connections::Queue::default(),
            calls: places(MAX_CALLS),
            streams: places(MAX_STREAMS),
            bytes: places(MAX_BODIES),
        }
    }
}
