//! Health, counts, and the description of the API.

use hyper::StatusCode;
use ptc_subagent::Data;
use serde_json::json;

use crate::answer::Answer;
use crate::problem::Problem;
use crate::request::Request;

/// Tells that the server runs.
pub(crate) async fn live(_: Request) -> Result<Answer, Problem> {
    Ok(Answer::json(StatusCode::OK, json!({"status": "ok"})))
}

/// Tells whether the server takes runs, and can read its store.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a path to the method holds for one lifetime alone"
)]
pub(crate) async fn ready(request: Request) -> Result<Answer, Problem> {
    let state = &request.state;
    state.queue.check_open()?;
    let unready = |_| {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "store-failure", "the store cannot be read")
    };
    state.ask(|snapshot| snapshot.newest_event()).await.map_err(unready)?;
    Ok(Answer::json(StatusCode::OK, json!({"status": "ok"})))
}

/// Shows counts and times as Prometheus reads them.
pub(crate) async fn metrics(request: Request) -> Result<Answer, Problem> {
    let state = &request.state;
    let text = state.metrics.text(state.queue.counts());
    Ok(Answer::text(StatusCode::OK, "text/plain; version=0.0.4", text))
}

/// Describes the API.
pub(crate) async fn describe(request: Request) -> Result<Answer, Problem> {
    Ok(Answer::json(StatusCode::OK, Data::from(&request.state.description)))
}
