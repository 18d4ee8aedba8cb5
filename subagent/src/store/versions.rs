//! Versions of artifacts: their numbers, and the log of those of a conversation.

use std::collections::BTreeMap;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use serde::Serialize;
use tokio::sync::oneshot;

use super::heads::Runs;
use super::log;
use crate::record::{Artifact, Event, RunId, now_ms};

/// A version of an artifact on record.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ArtifactVersion {
    /// The run on whose record it is.
    pub run: RunId,
    /// The time at which it was made, in milliseconds since 1970.
    pub at: u64,
    /// The version.
    pub artifact: Artifact,
}

/// Artifacts whose next versions a run or a person makes.
pub(super) struct NewVersions {
    pub(super) run: RunId,
    /// The first run of the conversation.
    pub(super) first: RunId,
    pub(super) artifacts: Vec<Artifact>,
    pub(super) answer: oneshot::Sender<Result<Vec<Artifact>, String>>,
}

impl NewVersions {
    /// Records the artifacts, each with the next number of its name. No other process takes a number in between.
    pub(super) fn make(
        &self,
        db: &Connection,
        runs: &mut Runs,
        process: &str,
    ) -> rusqlite::Result<Vec<Artifact>> {
        let tx = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
        let on_record = of_conversation(&tx, &self.first)?;
        let mut numbers: BTreeMap<&str, u32> =
            newest(&on_record).into_iter().map(|it| (it.name.as_str(), it.version)).collect();
        let mut made = self.artifacts.clone();
        for (artifact, new) in made.iter_mut().zip(&self.artifacts) {
            let number = numbers.entry(&new.name).or_default();
            *number = number.saturating_add(1);
            artifact.version = *number;
            let event = Event::ArtifactMade(Box::new(artifact.clone()));
            runs.write(&tx, &self.run, now_ms(), &event, Some(process), true)?;
        }
        tx.commit()?;
        Ok(made)
    }

    /// Replies to the one who waits.
    pub(super) fn answer(self, made: Result<Vec<Artifact>, String>) {
        // The caller may have given up.
        drop(self.answer.send(made));
    }
}

/// Returns the newest version of each name.
pub(super) fn newest(all: &[ArtifactVersion]) -> Vec<&Artifact> {
    let mut newest: BTreeMap<&str, &Artifact> = BTreeMap::new();
    for ArtifactVersion { artifact, .. } in all {
        let known = newest.entry(&artifact.name).or_insert(artifact);
        if artifact.version >= known.version {
            *known = artifact;
        }
    }
    newest.into_values().collect()
}

/// Returns all versions of a conversation, which its first run names, in the order in which they were made.
pub(super) fn of_conversation(
    db: &Connection,
    first: &RunId,
) -> rusqlite::Result<Vec<ArtifactVersion>> {
    let sql = "SELECT r.id, e.seq FROM run_heads r JOIN event_rows s ON s.seq = r.seq \
        JOIN event_rows e ON e.run = r.seq AND e.turn IS NULL AND e.call IS NULL AND e.kind = 'artifact-made' \
        WHERE r.parent IS NULL AND (r.id = ?1 OR s.data ->> '$.after.first' = ?1) ORDER BY e.seq";
    let mut statement = db.prepare_cached(sql)?;
    let rows = statement.query_map([first.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let rows: Vec<(String, i64)> = rows.collect::<rusqlite::Result<_>>()?;
    let read = |(run, seq): (String, i64)| {
        // `Store::find` reports a run that cannot be read.
        let run: RunId = run.parse().ok()?;
        let logged = log::numbered(db, seq).ok()?.into_event(&run).ok()?;
        match logged.event {
            Event::ArtifactMade(artifact) => {
                Some(ArtifactVersion { run, at: logged.at, artifact: *artifact })
            }
            _ => None,
        }
    };
    Ok(rows.into_iter().filter_map(read).collect())
}
