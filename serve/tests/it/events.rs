//! Events as server-sent events: from the start, behind the last one that was seen, and of all runs.

use serde_json::{Value, json};
use tokio::io::AsyncReadExt as _;

use crate::support::{Model, answer, asks, doubles, serve, with_model};

/// The ids and names of the events of a stream.
fn events(body: &str) -> Vec<(u64, String)> {
    let mut all = Vec::new();
    for part in body.split("\n\n") {
        let id = part.lines().find_map(|it| it.strip_prefix("id: ")).and_then(|it| it.parse().ok());
        let data = part.lines().find_map(|it| it.strip_prefix("data: "));
        let data: Option<Value> = data.and_then(|it| serde_json::from_str(it).ok());
        if let (Some(id), Some(data)) = (id, data) {
            all.push((id, data["event"].as_str().unwrap_or_default().to_string()));
        }
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn the_events_of_a_run_come_from_its_start_and_end_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let (model, gate) = Model::gated("(return (* 2 ctx/n))");
    let served = serve(vec![doubles()], &folder.path().join("runs"), with_model(model)).await;
    let body = json!({"agent": "doubles", "input": {"n": 1}});
    let run = served.post("/v1/runs", &body).await.json();
    let path = format!("/v1/runs/{}/events", run["run"].as_str().expect("an id"));
    let mut stream = served.open(&path, "Connection: close\r\n").await;
    gate.add_permits(1);
    let mut read = Vec::new();
    stream.read_to_end(&mut read).await.expect("reads");
    let whole = answer(&String::from_utf8(read).expect("UTF-8"));
    let seen = events(&whole.body);
    let names: Vec<&str> = seen.iter().map(|(_, name)| name.as_str()).collect();
    let all = [
        "run-started",
        "run-queued",
        "run-resumed",
        "turn-started",
        "model-asked",
        "model-replied",
        "program-admitted",
        "turn-ended",
        "run-ended",
    ];
    assert_eq!((whole.status, names.as_slice()), (200, all.as_slice()));
    assert!(seen.is_sorted_by_key(|(id, _)| *id), "{seen:?}");

    // A client that comes again gets what is behind the last event that it has seen, and no stream behind the last one.
    let behind = |id: u64| format!("Connection: close\r\nLast-Event-ID: {id}\r\n");
    let mut read = Vec::new();
    served.open(&path, &behind(seen[6].0)).await.read_to_end(&mut read).await.expect("reads");
    let rest = answer(&String::from_utf8(read).expect("UTF-8"));
    assert_eq!(events(&rest.body), seen[7..]);
    let mut read = Vec::new();
    served.open(&path, &behind(seen[8].0)).await.read_to_end(&mut read).await.expect("reads");
    assert_eq!(answer(&String::from_utf8(read).expect("UTF-8")).status, 204);
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stream_of_all_runs_has_the_new_ones_without_hidden_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = Model::of("(return 1)");
    let served =
        serve(vec![doubles(), asks()], &folder.path().join("runs"), with_model(model)).await;
    let old =
        served.post("/v1/runs?wait=60", &json!({"agent": "doubles", "input": {"n": 1}})).await;
    let mut stream = served.open("/v1/events", "").await;
    let mut head = [0; 12];
    stream.read_exact(&mut head).await.expect("a head");
    let input = json!({"n": 2, "_mail": "ada@example.com"});
    let new = served.post("/v1/runs?wait=60", &json!({"agent": "doubles", "input": input})).await;
    let mut read = String::from_utf8(head.to_vec()).expect("ASCII");
    while !read.contains("run-ended") {
        let mut part = [0; 4096];
        let count = stream.read(&mut part).await.expect("reads");
        read.push_str(&String::from_utf8_lossy(&part[..count]));
    }
    let is_in = |answer: &crate::support::Answer| {
        read.contains(answer.json()["run"].as_str().expect("an id"))
    };
    assert_eq!((is_in(&old), is_in(&new)), (false, true));
    assert_eq!((read.contains("ada@example.com"), read.contains("[Hidden]")), (false, true));
    drop(stream);
    served.stop().await;
}
