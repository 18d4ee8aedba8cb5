//! Changes of a payload as a record has them.

use serde::{Deserialize, Serialize};

use super::patch::{Patch, PatchError};
use super::suspicious::Suspicion;
use crate::Data;

/// One committed change of a payload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PayloadChange {
    /// The call of the sub-agent that made the change; none for the program of the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The operations, on the payload that the change before it left.
    pub patch: Patch,
    /// The BLAKE3 hash of the payload after the change, as JSON with sorted keys.
    pub hash: String,
    /// The parts of the change that look like mistakes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suspicious: Vec<Suspicion>,
}

impl PayloadChange {
    /// Applies changes in order, and returns the payload after them.
    ///
    /// # Errors
    ///
    /// [`PatchError`] for the first change that does not fit: the record is not whole.
    pub fn apply_all<'c>(
        before: &Data,
        changes: impl IntoIterator<Item = &'c PayloadChange>,
    ) -> Result<Data, PatchError> {
        changes.into_iter().try_fold(before.clone(), |payload, change| change.patch.apply(&payload))
    }
}
