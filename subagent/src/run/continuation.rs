//! What a run goes on from at the end of a turn: the snapshot that is on record of it.
//!
//! A run that takes snapshots goes on from each of them itself, in place of what it has in memory. So a run that is
//! resumed from its newest snapshot goes the way that it would have gone.

use std::collections::BTreeMap;

use ptc_lisp::{Dropped, Snapshot, SnapshotError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::journal::Tally;
use super::ledger::Consumed;

/// The most bytes of a session as text.
pub(super) const MAX_BYTES: usize = 64 << 20;

/// What a run goes on from.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Continuation {
    /// What the model is told next.
    pub(super) prompt: String,
    /// The last value that could be the answer, and its turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) fallback: Option<(Value, u32)>,
    pub(super) programs: ProgramsKept,
    pub(super) taken: AllTaken,
}

/// What programs leave to later ones, and what the run remembers of them.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ProgramsKept {
    /// As [`Snapshot::to_json`] writes it.
    pub(super) session: Value,
    /// Whether `ctx/fail` is set.
    pub(super) fail_is_set: bool,
    /// The last turn, if it came to nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) failed: Option<Attempt>,
    /// How often tools were called that have a limit.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) tool_calls: BTreeMap<String, u32>,
}

/// A turn that came to nothing.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Attempt {
    /// Its program, or its reply if that had none.
    pub(super) program: String,
    /// Why.
    pub(super) error: String,
    /// How often the same was tried before.
    pub(super) times: u32,
}

/// What the run has taken so far.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct AllTaken {
    /// From its budget.
    pub(super) own: Consumed,
    /// By the runs below it.
    pub(super) below: Consumed,
    /// What its report says.
    pub(super) tally: Tally,
}

impl Continuation {
    /// Reads a snapshot that is on record.
    pub(super) fn read(state: &Value) -> Option<Continuation> {
        Continuation::deserialize(state).ok()
    }

    /// The snapshot as it goes on record.
    pub(super) fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// Puts a session in the place of another one of the same agent: what the first one has as text is all that the second
/// one gets. Returns the text, and what is not in it.
pub(super) fn pass_on(
    from: &ptc_lisp::Session,
    to: &mut ptc_lisp::Session,
) -> Result<(Value, Vec<Dropped>), SnapshotError> {
    let snapshot = from.snapshot(MAX_BYTES)?;
    let dropped = to.restore(&snapshot)?;
    Ok((snapshot.to_json(), dropped))
}

/// Gives a session what a snapshot has.
pub(super) fn restore(session: &mut ptc_lisp::Session, kept: &Value) -> Result<(), SnapshotError> {
    session.restore(&Snapshot::from_json(kept)?).map(drop)
}
