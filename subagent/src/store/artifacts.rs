//! The artifacts of conversations.

use std::collections::BTreeMap;

use rusqlite::Connection;
use serde::Serialize;

use super::log;
use super::snapshot::Snapshot;
use super::{RunSummary, Store, query};
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::record::{Artifact, Event, RunId, Status};

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

impl Snapshot<'_> {
    /// Returns the versions of all artifacts of the conversation of a run, in the order in which they were made. A unique
    /// prefix of the id is enough, and so is the name of the conversation.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if no run, or more than one, has the id; [`ErrorKind::Store`] if the store cannot be read.
    pub fn artifacts(&self, run: &str) -> Result<Vec<ArtifactVersion>, Error> {
        let first = match self.newest_named(run)? {
            Some(newest) => first_of(&self.summary(&newest)?),
            None => first_of(&self.summary(run)?),
        };
        of_conversation(self.db, &first).map_err(|error| self.sqlite_error(&error))
    }

    /// Returns the newest run of the conversation of a name.
    fn newest_named(&self, name: &str) -> Result<Option<String>, Error> {
        query::newest_of(self.db, name, None).map_err(|error| self.sqlite_error(&error))
    }

    /// Returns a version of an artifact of the conversation of a run; the newest one without a number.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Input`] if there is no such version, and the errors of [`Snapshot::artifacts`].
    pub fn artifact(
        &self,
        run: &str,
        name: &str,
        version: Option<u32>,
    ) -> Result<ArtifactVersion, Error> {
        let all = self.artifacts(run)?;
        let is_it = |it: &&ArtifactVersion| {
            it.artifact.name == name && version.is_none_or(|version| it.artifact.version == version)
        };
        if let Some(found) = all.iter().filter(is_it).max_by_key(|it| it.artifact.version) {
            return Ok(found.clone());
        }
        let number = version.map(|it| format!("version {it} of ")).unwrap_or_default();
        let message = format!("the conversation of run {run} has no {number}artifact `{name}`");
        let mut names: Vec<&str> = all.iter().map(|it| it.artifact.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let help = match names.as_slice() {
            [] => "no run of it has made one".to_string(),
            names => format!("it has {}", names.join(", ")),
        };
        Err(Error::new(ErrorKind::Input, message).with_help(help))
    }
}

impl Store {
    /// Returns the newest version of each artifact of a conversation, which its first run names.
    pub(crate) fn versions(&self, first: &RunId) -> Result<BTreeMap<String, u32>, Error> {
        let first = first.clone();
        let all = self.read(move |snapshot| {
            of_conversation(snapshot.db, &first).map_err(|error| snapshot.sqlite_error(&error))
        })?;
        Ok(newest(&all).into_iter().map(|it| (it.name.clone(), it.version)).collect())
    }

    /// Returns the newest values of the artifacts that a person changed last in the conversation of a run, by name; null if
    /// there are none.
    pub(crate) fn changed_artifacts(&self, run: &RunId) -> Result<Data, Error> {
        let run = run.clone();
        let all = self.read(move |snapshot| snapshot.artifacts(run.as_str()))?;
        let by_persons = newest(&all).into_iter().filter(|it| it.by.is_some());
        let values: Vec<_> = by_persons.map(|it| (it.name.clone(), it.value.clone())).collect();
        Ok(if values.is_empty() { Data::default() } else { Data::object(values) })
    }

    /// Makes the next version of an artifact of the conversation of a run, or of a name, as a person does. The next run of the
    /// conversation reads it. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Input`] if the run has not ended or is that of a sub-agent, or if `artifact` has no name.
    /// [`ErrorKind::UnknownRun`] if there is no such run. [`ErrorKind::Store`] if the store cannot be read or written.
    pub async fn put_artifact(
        &self,
        run: &str,
        mut artifact: Artifact,
        by: &str,
    ) -> Result<ArtifactVersion, Error> {
        let wrong = |message: String| Err(Error::new(ErrorKind::Input, message));
        let id = run.to_owned();
        let summary = self.read(move |snapshot| {
            let newest = snapshot.newest_named(&id)?;
            snapshot.summary(newest.as_deref().unwrap_or(&id))
        })?;
        let run = summary.run.clone();
        if summary.parent.is_some() {
            return wrong(format!("run {run} is that of a sub-agent, which has no artifacts"));
        }
        if summary.ended_at.is_none() || summary.status == Status::Waiting {
            return wrong(format!("run {run} has not ended"));
        }
        if artifact.name.is_empty() || artifact.name.chars().count() > MAX_NAME {
            return wrong(format!("the name of an artifact has 1 to {MAX_NAME} characters"));
        }
        let versions = self.versions(&first_of(&summary))?;
        artifact.version = versions.get(&artifact.name).map_or(1, |it| it.saturating_add(1));
        artifact.by = Some(by.to_owned());
        self.record(&run, Event::ArtifactMade(Box::new(artifact.clone())));
        self.flush().await?;
        Ok(ArtifactVersion { run, at: crate::record::now_ms(), artifact })
    }
}

/// The longest name of an artifact, in characters.
const MAX_NAME: usize = 100;

/// Returns the first run of the conversation of a run.
fn first_of(summary: &RunSummary) -> RunId {
    summary.conversation.as_ref().map_or_else(|| summary.run.clone(), |it| it.first.clone())
}

/// Returns the newest version of each name.
fn newest(all: &[ArtifactVersion]) -> Vec<&Artifact> {
    let mut newest: BTreeMap<&str, &Artifact> = BTreeMap::new();
    for ArtifactVersion { artifact, .. } in all {
        let known = newest.entry(&artifact.name).or_insert(artifact);
        if artifact.version >= known.version {
            *known = artifact;
        }
    }
    newest.into_values().collect()
}

fn of_conversation(db: &Connection, first: &RunId) -> rusqlite::Result<Vec<ArtifactVersion>> {
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
