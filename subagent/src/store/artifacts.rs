//! The artifacts of conversations.

use tokio::sync::oneshot;

use super::snapshot::Snapshot;
use super::versions::{ArtifactVersion, NewVersions, newest, of_conversation};
use super::{RunSummary, Store, query};
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::record::{Artifact, RunId, Status, now_ms};

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
    /// Records the next versions of artifacts of a conversation, which its first run names. Returns them with their numbers,
    /// which no other run gets.
    pub(crate) async fn make_versions(
        &self,
        run: &RunId,
        first: &RunId,
        artifacts: Vec<Artifact>,
    ) -> Result<Vec<Artifact>, Error> {
        let (answer, made) = oneshot::channel();
        let (run, first) = (run.clone(), first.clone());
        self.send_versions(NewVersions { run, first, artifacts, answer });
        match made.await {
            Ok(made) => made.map_err(|message| Error::new(ErrorKind::Store, message)),
            Err(_) => Err(self.thread_gone()),
        }
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
        artifact.by = Some(by.to_owned());
        let made = self.make_versions(&run, &first_of(&summary), vec![artifact.clone()]).await?;
        self.flush().await?;
        let artifact = made.into_iter().next().unwrap_or(artifact);
        Ok(ArtifactVersion { run, at: now_ms(), artifact })
    }
}

/// The longest name of an artifact, in characters.
const MAX_NAME: usize = 100;

/// Returns the first run of the conversation of a run.
fn first_of(summary: &RunSummary) -> RunId {
    summary.conversation.as_ref().map_or_else(|| summary.run.clone(), |it| it.first.clone())
}
