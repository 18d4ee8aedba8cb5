//! Runs as callers see them: without hidden values.

use ptc_subagent::store::{Hidden, RunSummary, Snapshot};
use ptc_subagent::{Data, Error, RunId};
use serde_json::{Value, json};

/// Returns a run as `ptc run --json` prints it, with its agent, model and times.
///
/// # Errors
///
/// Those of [`Snapshot::report`].
pub(crate) fn shown(snapshot: &Snapshot<'_>, summary: &RunSummary) -> Result<Data, Error> {
    let report = snapshot.report(summary.run.as_str())?;
    let hidden = hidden(snapshot, &summary.run)?;
    let more: [(&str, Value); 5] = [
        ("agent", json!(summary.agent)),
        ("model", json!(summary.model)),
        ("started_at", json!(summary.started_at)),
        ("ended_at", json!(summary.ended_at)),
        ("died", json!(summary.died)),
    ];
    let data = hidden.data(&report.to_json());
    Ok(more.into_iter().fold(data, |data, (key, value)| data.with(key, value)))
}

/// Returns the hidden values of the tree of a run.
///
/// # Errors
///
/// Those of [`Hidden::of`] and [`Snapshot::family`].
pub(crate) fn hidden(snapshot: &Snapshot<'_>, run: &RunId) -> Result<Hidden, Error> {
    Hidden::of(&snapshot.family(run.as_str())?)
}
