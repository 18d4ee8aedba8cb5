//! Agents that answer with programs.

mod agent;
mod error;
pub mod provider;
mod run;
pub mod store;
pub mod tool;

pub use agent::Agent;
pub use error::{Error, ErrorKind};
pub use run::{
    Event, Fail, Mission, RunError, RunId, RunReport, RunStarted, Status, Stop, TurnOutcome,
};
