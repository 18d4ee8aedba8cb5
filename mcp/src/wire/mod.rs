//! Messages: how they are read, which integers they keep, which answers are unusable, and how many of ours may wait.

mod calls;
mod events;
pub(crate) mod exact;
mod lines;
mod outline;
pub(crate) mod streams;
mod unread;
mod unusable;

pub(crate) use events::CheckedHttp;
pub(crate) use lines::Lines;
pub(crate) use outline::Outline;
pub(crate) use unread::{Broken, Read};
pub(crate) use unusable::Unusable;
