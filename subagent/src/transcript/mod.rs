//! The messages of a run, and the part of them that is sent.
//!
//! [`History`] keeps every message whole. [`due`] is a pure function from it and the rules to the changes of the next
//! request. A change is on record with its request, and says all that a reader needs to compute what was sent.

mod change;
mod due;
mod history;
mod recover;
mod results;
mod settings;
mod summary;

pub use change::{TranscriptChange, TranscriptDeed};
pub(crate) use due::{Rules, WantedSummary, due};
pub(crate) use history::{Expansions, History};
pub(crate) use recover::Recovery;
pub use results::{AfterExpiry, ResultRule};
pub use settings::Transcript;
pub(crate) use summary::{exchange_line, newest_lines};
