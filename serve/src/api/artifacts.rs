//! The artifacts of a conversation: the list, one version, and a version that a person makes.

use std::sync::Arc;

use hyper::StatusCode;
use ptc_subagent::store::{ArtifactVersion, Snapshot};
use ptc_subagent::{Artifact, Data, Error};
use serde_json::json;
use tokio::runtime::Handle;

use crate::access::Action;
use crate::answer::Answer;
use crate::problem::Problem;
use crate::request::Request;
use crate::shown::hidden;
use crate::state::blocking;

/// Lists the artifacts of the conversation of a run, without those that are hidden unless `all` asks for them.
pub(crate) async fn list(request: Request) -> Result<Answer, Problem> {
    let summary = request.run(Action::View).await?;
    let (all, name) = (request.switch("all")?, request.query("name").map(str::to_owned));
    let number = request.number("version", u64::from(u32::MAX))?.map(|it| it as u32);
    let found = request.state.ask(move |snapshot| {
        let run = summary.run.as_str();
        let found = match &name {
            Some(name) => vec![snapshot.artifact(run, name, number)?],
            None => snapshot.artifacts(run)?,
        };
        let shown = found.iter().filter(|it| all || name.is_some() || !it.artifact.hidden);
        let shown = shown.map(|it| shown_version(snapshot, it));
        Ok(Data::list(shown.collect::<Result<Vec<_>, Error>>()?))
    });
    let found = Data::from(json!({})).with("artifacts", found.await?);
    Ok(Answer::json(StatusCode::OK, found))
}

/// Makes the next version of an artifact.
pub(crate) async fn put(request: Request) -> Result<Answer, Problem> {
    let summary = request.run(Action::Edit).await?;
    let name = request.text("name")?.ok_or_else(|| Problem::malformed("`name` is missing"))?;
    let value =
        request.body.get("value").ok_or_else(|| Problem::malformed("`value` is missing"))?;
    let mut artifact = Artifact::new(name, value);
    if let Some(media_type) = request.text("type")? {
        artifact.media_type = media_type;
    }
    let by = request.caller.name.clone().unwrap_or_else(|| "somebody".to_owned());
    let (state, handle) = (Arc::clone(&request.state), Handle::current());
    let put = blocking(move || {
        handle.block_on(state.store().put_artifact(summary.run.as_str(), artifact, &by))
    });
    let made = put.await?.map_err(Problem::from)?;
    request.state.hub.tick();
    let shown = request.state.ask(move |snapshot| shown_version(snapshot, &made)).await?;
    Ok(Answer::json(StatusCode::CREATED, shown))
}

/// Returns a version without hidden values.
fn shown_version(snapshot: &Snapshot<'_>, it: &ArtifactVersion) -> Result<Data, Error> {
    let value = hidden(snapshot, &it.run)?.data(&it.artifact.value);
    let json = Data::from(json!({"run": it.run, "at": it.at}));
    let artifact = Data::written(&it.artifact)?;
    Ok(artifact
        .fields()
        .fold(json, |json, (key, value)| json.with(&key, value))
        .with("value", value))
}
