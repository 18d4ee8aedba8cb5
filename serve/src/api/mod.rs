//! The handlers of the API.

pub(crate) mod agents;
pub(crate) mod artifacts;
pub(crate) mod changes;
pub(crate) mod events;
pub(crate) mod health;
pub(crate) mod questions;
pub(crate) mod runs;
pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod start;
