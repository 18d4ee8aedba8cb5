//! Agents that answer with programs.

mod error;
pub mod provider;
mod run;
pub mod store;

pub use error::{Error, ErrorKind};
pub use run::{Event, Fail, RunError, RunId, RunReport, RunStarted, Status, Stop, TurnOutcome};
