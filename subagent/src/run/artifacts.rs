//! The artifacts of a run: what its programs put, and what its agent takes of its results. They are on record before its
//! end.

use super::context::RunContext;
use super::journal::Journal;
use super::program::Programs;
use crate::agent::{Agent, Artifacts};
use crate::error::Error;
use crate::record::{Artifact, Event, RunReport, Status};

/// Makes the artifacts of a run that has returned, and tells the report. A run of a sub-agent makes none: its caller has its
/// results.
///
/// # Errors
///
/// [`ErrorKind::Store`](crate::ErrorKind::Store) if the store cannot be read.
pub(super) async fn make(
    agent: &Agent,
    programs: &Programs<'_>,
    report: &mut RunReport,
    context: &RunContext<'_>,
    journal: &mut Journal<'_>,
) -> Result<(), Error> {
    let makes_none = agent.artifacts == Artifacts::Made(false);
    if report.status != Status::Returned || context.parent.is_some() || makes_none {
        return Ok(());
    }
    let mut made: Vec<Artifact> = Vec::new();
    let put = programs.artifacts().into_iter().map(|(name, value)| Artifact::new(name, value));
    for it in put.chain(agent.artifacts.taken(report, &agent.name)) {
        // A run makes one version of a name: the last one.
        made.retain(|other| other.name != it.name);
        made.push(it);
    }
    if made.is_empty() {
        return Ok(());
    }
    // A run that goes on has made some of them before.
    let number = |it: &Artifact| context.outside.version_of(&it.name);
    let (old, new): (Vec<_>, Vec<_>) = made.into_iter().partition(|it| number(it).is_some());
    for mut artifact in old {
        artifact.version = number(&artifact).unwrap_or(artifact.version);
        report.artifacts.push(artifact.link());
        journal.tell(|_| Event::ArtifactMade(Box::new(artifact)));
    }
    let first = context.after.map_or(&report.run, |it| &it.first);
    let new = journal.make_artifacts(first, new).await?;
    report.artifacts.extend(new.iter().map(Artifact::link));
    Ok(())
}
