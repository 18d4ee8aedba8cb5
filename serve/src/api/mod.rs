//! The handlers of the API.

pub(crate) mod agents;
pub(crate) mod runs;
