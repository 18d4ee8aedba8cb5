//! The queue: its bound, a stop, and a restart.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Model, asks, doubles, serve, with_model};

const DOUBLE: &str = "(return (* 2 ctx/n))";

fn body(n: u32) -> Value {
    json!({"agent": "doubles", "input": {"n": n}})
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_beyond_the_bound_are_refused_until_there_is_room() {
    let folder = tempfile::tempdir().expect("a folder");
    let (model, gate) = Model::gated(DOUBLE);
    let mut options = with_model(model);
    (options.max_runs, options.max_queued) = (1, 2);
    let served = serve(vec![doubles()], &folder.path().join("runs"), options).await;
    let mut taken = Vec::new();
    for n in 0..3 {
        let answer = served.post("/v1/runs", &body(n)).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        taken.push(answer.json()["run"].as_str().expect("an id").to_string());
    }
    served.until(&taken[0], "running").await;
    let refused = served.post("/v1/runs", &body(3)).await;
    assert_eq!((refused.status, &refused.json()["code"]), (503, &json!("queue-full")));
    assert_eq!(refused.header("retry-after").as_deref(), Some("2"));
    let statuses = served.get("/v1/runs").await.json()["totals"]["statuses"].clone();
    assert_eq!(statuses, json!({"queued": 2, "running": 1}));
    gate.add_permits(3);
    for (n, run) in taken.iter().enumerate() {
        assert_eq!(served.until(run, "returned").await["value"], json!(2 * n));
    }
    gate.add_permits(1);
    assert_eq!(served.post("/v1/runs?wait=60", &body(5)).await.json()["value"], 10);
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_leaves_runs_that_the_next_start_goes_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("runs");
    let (model, _gate) = Model::gated(DOUBLE);
    let mut options = with_model(model);
    (options.max_runs, options.grace) = (1, Duration::ZERO);
    let served = serve(vec![doubles(), asks()], &file, options).await;
    let mut runs = Vec::new();
    for n in 0..3 {
        let run = served.post("/v1/runs", &body(n)).await.json();
        runs.push(run["run"].as_str().expect("an id").to_string());
    }
    served.until(&runs[0], "running").await;
    served.stop().await;

    let served = serve(vec![doubles(), asks()], &file, with_model(Model::of(DOUBLE))).await;
    for (n, run) in runs.iter().enumerate() {
        assert_eq!(served.until(run, "returned").await["value"], json!(2 * n));
    }
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_survives_a_restart_before_its_run_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("runs");
    let (model, _gate) = Model::gated(DOUBLE);
    let mut options = with_model(model);
    (options.max_runs, options.grace) = (1, Duration::ZERO);
    let served = serve(vec![doubles(), asks()], &file, options).await;
    let asking = served.post("/v1/runs?wait=60", &json!({"agent": "asks"})).await.json();
    let asking = asking["run"].as_str().expect("an id").to_string();
    // It takes the only place.
    let other = served.post("/v1/runs", &body(1)).await.json();
    served.until(other["run"].as_str().expect("an id"), "running").await;
    let answer = json!({"answer": {"amount": 9}});
    let answered = served.post(&format!("/v1/runs/{asking}/answer"), &answer).await;
    assert_eq!((answered.status, &answered.json()["status"]), (202, &json!("queued")));
    served.stop().await;

    let served = serve(vec![doubles(), asks()], &file, with_model(Model::of(DOUBLE))).await;
    assert_eq!(served.until(&asking, "returned").await["value"], 9);
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_that_ended_are_deleted_at_their_age() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("runs");
    let served = serve(vec![doubles(), asks()], &file, with_model(Model::of(DOUBLE))).await;
    let ended = served.post("/v1/runs?wait=60", &body(1)).await.json();
    let asking = served.post("/v1/runs?wait=60", &json!({"agent": "asks"})).await.json();
    served.stop().await;

    let mut options = with_model(Model::of(DOUBLE));
    options.keep = Some(Duration::ZERO);
    let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
    options.log = Some(Arc::new(move |line| drop(tell.send(line.clone()))));
    let served = serve(vec![doubles(), asks()], &file, options).await;
    let mut line = told.recv().await.expect("a line");
    assert!(line["at"].take().is_u64(), "{line}");
    assert_eq!(line, json!({"event": "deleted", "at": null, "runs": 1}));
    let of = |run: &Value| format!("/v1/runs/{}", run["run"].as_str().expect("an id"));
    assert_eq!(served.get(&of(&ended)).await.status, 404);
    assert_eq!(served.get(&of(&asking)).await.json()["status"], "waiting");
    served.stop().await;
}
