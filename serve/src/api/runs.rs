//! Runs: the list, one, and its record.

use hyper::StatusCode;
use ptc_subagent::Data;
use ptc_subagent::store::Filter;
use serde_json::json;

use crate::access::Action;
use crate::answer::Answer;
use crate::problem::Problem;
use crate::request::Request;
use crate::shown::{hidden, shown};

/// The number of runs of a page, unless the request names another.
const PAGE: u32 = 50;

/// The maximum number of runs of a page.
pub(crate) const MAX_PAGE: u64 = 500;

/// Lists runs, newest first.
pub(crate) async fn list(request: Request) -> Result<Answer, Problem> {
    let state = &request.state;
    let mut filter = Filter::default();
    let text = |name: &str| request.query(name).map(str::to_string);
    filter.status = text("status");
    filter.agent = text("agent");
    filter.tool = text("tool");
    filter.error = text("error");
    filter.conversation = text("conversation");
    filter.since = request.number("since", i64::MAX.cast_unsigned())?;
    filter.roots = request.switch("roots")?;
    filter.before = text("cursor")
        .map(|it| it.parse())
        .transpose()
        .map_err(|_| Problem::malformed("`cursor` must be the `next` of an earlier page"))?;
    let limit = request.number("limit", MAX_PAGE)?.map_or(PAGE, |it| it as u32);
    filter.limit = Some(limit);
    filter.agents = state.visible(&request.caller);
    let found = state.ask(move |snapshot| snapshot.find(&filter)).await?;
    // A page that is not full is the last one.
    let next = found.runs.last().filter(|_| found.runs.len() as u64 == u64::from(limit));
    let mut json = json!(found);
    json["next"] = json!(next.map(|it| &it.run));
    Ok(Answer::json(StatusCode::OK, json))
}

/// Shows one run.
pub(crate) async fn one(request: Request) -> Result<Answer, Problem> {
    let summary = request.run(Action::View).await?;
    let data = request.state.ask(move |snapshot| shown(snapshot, &summary)).await?;
    Ok(Answer::json(StatusCode::OK, data))
}

/// Shows the record of a run.
pub(crate) async fn record(request: Request) -> Result<Answer, Problem> {
    let summary = request.run(Action::View).await?;
    let data = request.state.ask(move |snapshot| {
        let run = summary.run.as_str();
        let hidden = hidden(snapshot, &summary.run)?;
        Data::written(&hidden.cover(&snapshot.show(run)?))
    });
    Ok(Answer::json(StatusCode::OK, data.await?))
}
