//! The bounds of a server of HTTP: its connections, the bodies of requests, calls and event streams.
//!
//! A connection *waits* for a request, or works on a *call*, or carries an event *stream*. Each kind has places of its own,
//! so none takes those of another. A request waits until its body is whole. The connection that has waited for longest
//! makes room for a new one. A call or a stream without a place gets 503.

mod connections;
mod places;
mod requests;

pub use connections::{Connection, accept};
pub use places::{Bounds, MAX_CALLS, Places};
pub use requests::{Held, Kind, Sent, Whole, refusal};
