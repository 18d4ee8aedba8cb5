//! The losses of a snapshot: parts without a text form, with their holders. The errors of snapshots.

use std::fmt;

/// A part of a session that is lost in a snapshot or on restore.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// A name, `*1`, or a key of memory or of `ctx`.
    pub what: String,
    /// The reason it is lost.
    pub why: String,
}

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not kept: {}", self.what, self.why)
    }
}

/// The reason a snapshot cannot be made or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SnapshotError(String);

impl SnapshotError {
    /// Creates the error of a host that keeps further state beside a snapshot and cannot read it.
    pub fn new(message: impl Into<String>) -> SnapshotError {
        SnapshotError(message.into())
    }

    pub(super) fn too_large(max: usize) -> SnapshotError {
        SnapshotError(format!("the snapshot is larger than the remaining {max} bytes"))
    }

    pub(super) fn at(place: impl fmt::Display, problem: impl fmt::Display) -> SnapshotError {
        SnapshotError(format!(
            "the snapshot cannot be read at {place}: {problem}; run the programs of the session instead"
        ))
    }
}

/// Propagates reasons from bad items to all their holders. `holds` has pairs of holder and held.
pub(super) fn propagate(
    holds: &[(usize, usize)],
    count: usize,
    mut bad: Vec<Option<String>>,
) -> Vec<Option<String>> {
    if bad.iter().all(Option::is_none) {
        return bad;
    }
    let mut holders: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (holder, held) in holds {
        if let Some(holders) = holders.get_mut(*held) {
            holders.push(*holder);
        }
    }
    let mut work: Vec<usize> =
        (0..count).filter(|at| bad.get(*at).is_some_and(Option::is_some)).collect();
    while let Some(at) = work.pop() {
        let why = bad.get(at).cloned().flatten();
        for holder in holders.get_mut(at).map(std::mem::take).unwrap_or_default() {
            if let Some(reason) = bad.get_mut(holder)
                && reason.is_none()
            {
                reason.clone_from(&why);
                work.push(holder);
            }
        }
    }
    bad
}
