//! The messages of servers: how they are read, which answers are unusable, and how many of ours may wait.

mod events;
mod lines;
mod outline;
mod unread;
mod unusable;

pub(crate) use events::CheckedHttp;
pub(crate) use lines::Lines;
pub(crate) use outline::Outline;
pub(crate) use unread::{Broken, Read};
pub(crate) use unusable::Unusable;

/// The maximum size of a message of a server, in bytes. The client of the SDK has the same for HTTP.
const MAX_MESSAGE: usize = 16 << 20;
