//! The store: the records of runs, in one `SQLite` file or in memory.
//!
//! The module records [`Event`](crate::Event)s and answers queries about them. It makes no decision about a run, and it never
//! receives a key.

mod artifacts;
mod backup;
mod cells;
mod chain;
mod check;
mod claim;
mod due;
mod filter;
mod fold;
mod heads;
mod keeper;
mod legacy;
mod log;
mod open;
mod owner;
mod prune;
mod query;
mod queued;
mod results;
mod schema;
mod snapshot;
mod spent;
mod tables;
mod transfer;
mod transfer_error;
mod unfold;
mod versions;
mod writer;

pub use crate::hidden::Hidden;
pub use crate::record::{
    ActRecord, CallOrigins, CallRecord, CallStatus, ConversationPlace, EarlierPayload,
    PayloadRecord, ProgramRecord, RequestRecord, RunRecord, RunSummary, SnapshotRecord, TurnRecord,
    WarningRecord,
};
pub use check::{Checked, StoreProblem};
pub(crate) use claim::Claim;
pub use due::{DueRun, WaitingRun};
pub use filter::{Damaged, Filter, Found, Totals};
pub(crate) use fold::{Folds, forget_ending};
pub use keeper::Keeper;
pub use log::{Logged, Placed};
pub(crate) use open::Claimed;
pub use open::Store;
pub use prune::{Prune, Pruned};
pub use queued::QueuedRun;
pub use snapshot::Snapshot;
pub use spent::Spent;
pub(crate) use unfold::{report_of, unfold_turn};
pub use versions::ArtifactVersion;
