//! Continuations: the state from which a run continues after a turn, kept on record as a snapshot.
//!
//! A run that takes snapshots continues from each of them itself and drops its state in memory. So a run resumed from
//! its newest snapshot behaves as the original run would have.

use std::collections::{BTreeMap, BTreeSet};

use ptc_lisp::snapshot::{Dropped, Snapshot, SnapshotError};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::journal::Tally;
use super::ledger::Consumed;
use super::payload::{PayloadKept, is_zero};
use super::recorded::RecordedRun;
use crate::data::Data;
use crate::provider::CallResult;
use crate::record::{RunCode, RunError, RunTree};
use crate::semantics::SEMANTICS;

/// The maximum size of a session as text, in bytes.
pub(super) const MAX_BYTES: usize = 64 << 20;

/// The state from which a run continues.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Continuation {
    /// The text of the next message to the model.
    pub(super) prompt: String,
    /// The results of calls in the next message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) results: Vec<CallResult>,
    /// The hashes of the images that the next message shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) images: Vec<String>,
    /// The tools that programs of turns called, where a rule of a tool decides how long their results are sent.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) called: BTreeMap<u32, Vec<String>>,
    /// The turns whose messages are to be sent whole again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) expanded: Vec<u32>,
    /// The last value that could be the answer, and its turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) fallback: Option<(Data, u32)>,
    pub(super) programs: ProgramsKept,
    pub(super) taken: AllTaken,
}

/// The state that programs leave to later ones, and the run's own notes about them.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ProgramsKept {
    /// The session, as [`Snapshot::to_json`] writes it.
    pub(super) session: Value,
    /// Whether `ctx/fail` is set.
    pub(super) fail_is_set: bool,
    /// The last turn, if it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) failed: Option<Attempt>,
    /// The number of malformed replies since the last other one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) malformed: u32,
    /// The reads of unknown fields that the model was told of.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) told_unseen: BTreeSet<String>,
    /// The last value of a turn with such reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) suspect: Option<Suspect>,
    /// The number of calls so far of each tool that has a limit.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) tool_calls: BTreeMap<String, u32>,
    /// The number of failures in a row of each tool whose last call failed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) failures: BTreeMap<String, u32>,
    /// The payload, if the agent has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) payload: Option<PayloadKept>,
}

/// A value of a program that reads fields that are nowhere in the data.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Suspect {
    pub(super) value: Data,
    /// The warnings about its program.
    pub(super) warnings: Vec<RunError>,
}

/// A turn that produced no result.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Attempt {
    /// The program, or the reply if it had no program.
    pub(super) program: String,
    /// The error that was reported to the model. Snapshots of earlier versions have its message.
    #[serde(deserialize_with = "error_or_message")]
    pub(super) error: RunError,
    /// The number of earlier attempts with the same program and error.
    pub(super) times: u32,
}

fn error_or_message<'de, D: Deserializer<'de>>(from: D) -> Result<RunError, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Reported {
        Message(String),
        Error(Box<RunError>),
    }
    Ok(match Reported::deserialize(from)? {
        Reported::Message(message) => RunError::new(RunCode::Unexplained, message),
        Reported::Error(error) => *error,
    })
}

/// The resources that a run has consumed so far.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct AllTaken {
    /// The amounts charged by the run itself.
    pub(super) own: Consumed,
    /// The amounts charged by the runs below it.
    pub(super) below: Consumed,
    /// The counters of the run's report.
    pub(super) tally: Tally,
}

impl Continuation {
    /// Reads a recorded snapshot; `None` if this version cannot read it.
    pub(super) fn read(state: &Data) -> Option<Continuation> {
        state.read().ok()
    }

    /// Returns the snapshot as JSON for the record.
    pub(super) fn to_json(&self) -> Data {
        Data::written(self).unwrap_or_default()
    }
}

impl RecordedRun {
    /// Starts the run after its newest snapshot; `None` if this version cannot read the snapshot.
    pub(crate) fn behind_snapshot(tree: RunTree) -> Option<RecordedRun> {
        let mut run = RecordedRun::from(tree);
        run.begins_behind_snapshot = true;
        run.snapshot().is_some().then_some(run)
    }

    /// Returns the newest snapshot that this version can read, and its turn.
    pub(super) fn snapshot(&self) -> Option<(u32, Continuation)> {
        let newest = self.record.snapshot.as_ref()?;
        // Other versions may identify locations in a program differently.
        let is_ours = self.record.setup.semantics == SEMANTICS;
        Some((newest.turn, Continuation::read(&newest.state).filter(|_| is_ours)?))
    }

    /// Returns the turn of the newest snapshot that this version can read.
    pub(crate) fn snapshot_turn(&self) -> Option<u32> {
        self.snapshot().map(|(turn, _)| turn)
    }
}

/// Moves a session into another one of the same agent by way of its text form. Returns the text, and the values that
/// have no text form and were dropped.
pub(super) fn pass_on(
    from: &ptc_lisp::Session,
    to: &mut ptc_lisp::Session,
) -> Result<(Value, Vec<Dropped>), SnapshotError> {
    let snapshot = from.snapshot(MAX_BYTES)?;
    let dropped = to.restore(&snapshot)?;
    Ok((snapshot.to_json(), dropped))
}

/// Restores a session from the JSON of a snapshot. Returns the values that are lost.
pub(super) fn restore(
    session: &mut ptc_lisp::Session,
    kept: &Value,
) -> Result<Vec<Dropped>, SnapshotError> {
    session.restore(&Snapshot::from_json(kept)?)
}
