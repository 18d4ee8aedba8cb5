//! One run of an agent: the turn loop and everything it drives.

mod event;
mod id;
mod report;

pub use event::{Event, RunStarted, TurnOutcome};
pub(crate) use id::now_ms;
pub use id::RunId;
pub use report::{Fail, RunError, RunReport, Status, Stop};
