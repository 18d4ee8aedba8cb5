//! Runs: the list, one, and its record.

use std::sync::Arc;

use hyper::StatusCode;
use ptc_subagent::store::{Filter, Prune};
use ptc_subagent::{Data, Error, ErrorKind};
use ptc_view::RunsPage;
use serde_json::json;

use crate::access::Action;
use crate::answer::Answer;
use crate::problem::Problem;
use crate::request::Request;
use crate::shown::{hidden, shown};
use crate::state::blocking;

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

/// Shows a run and those below it as the page draws them.
pub(crate) async fn page(request: Request) -> Result<Answer, Problem> {
    let summary = request.state.run(&request.caller, Action::View, request.named()).await?;
    let page = request.state.ask(move |snapshot| {
        let run = summary.run.as_str();
        let hidden = hidden(snapshot, &summary.run)?;
        let mut page = RunsPage::default();
        for record in snapshot.tree(run)? {
            page.add(&hidden.cover(&record)).map_err(|error| {
                Error::new(ErrorKind::DamagedRun, format!("cannot write the run: {error}"))
            })?;
        }
        Ok(page.data())
    });
    Ok(Answer::json(StatusCode::OK, page.await?))
}

/// Deletes a run that is not running, and those below it.
pub(crate) async fn delete(request: Request) -> Result<Answer, Problem> {
    let summary = request.state.run(&request.caller, Action::Delete, request.named()).await?;
    let store = Arc::clone(request.state.store());
    let mut prune = Prune::default();
    (prune.runs, prune.keeps_size) = (vec![summary.run.to_string()], true);
    let pruned = blocking(move || store.prune(&prune)).await?.map_err(Problem::from)?;
    if pruned.runs == 0 {
        let detail = format!("run {} is still running", summary.run);
        let help = "cancel it first";
        return Err(Problem::new(StatusCode::CONFLICT, "no-replay", detail).with_help(help));
    }
    Ok(Answer::json(StatusCode::OK, json!({"runs": pruned.runs})))
}
