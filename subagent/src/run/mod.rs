//! One run of an agent: the turn loop and everything it drives.
//!
//! `turns` decides what is due and knows nothing of the language; `program` and `calls` know it;
//! `mission` does what is due.

mod calls;
mod event;
mod id;
mod journal;
mod mission;
mod program;
mod report;
mod turns;

pub use event::{Event, RunStarted, TurnOutcome};
pub use id::RunId;
pub(crate) use id::now_ms;
pub use mission::Mission;
pub(crate) use report::warnings;
pub use report::{Fail, RunError, RunReport, Status, Stop};
