//! The description of the API, health, and counts.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{Model, doubles, serve, with_model};

/// Returns the names of schemas that a description refers to.
fn references(json: &Value, all: &mut BTreeSet<String>) {
    match json {
        Value::Object(fields) => {
            if let Some(Value::String(name)) = fields.get("$ref") {
                all.insert(name.replace("#/components/schemas/", ""));
            }
            fields.values().for_each(|it| references(it, all));
        }
        Value::Array(items) => items.iter().for_each(|it| references(it, all)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_description_has_every_schema_and_names_each_operation_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let served =
        serve(vec![doubles()], &folder.path().join("runs"), with_model(Model::of(""))).await;
    let document = served.get("/openapi.json").await.json();
    let mut used = BTreeSet::new();
    references(&document, &mut used);
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    assert_eq!(used, schemas.keys().cloned().collect());
    let paths = document["paths"].as_object().expect("paths");
    let operations = paths.values().flat_map(|it| it.as_object().expect("operations").values());
    let ids: Vec<&str> = operations.filter_map(|it| it["operationId"].as_str()).collect();
    assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len());
    assert!(ids.contains(&"start_run"), "{ids:?}");
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn health_and_counts_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = Model::of("(return (* 2 ctx/n))");
    let served = serve(vec![doubles()], &folder.path().join("runs"), with_model(model)).await;
    for path in ["/healthz", "/readyz"] {
        let answer = served.get(path).await;
        assert_eq!((answer.status, answer.json()), (200, json!({"status": "ok"})), "{path}");
    }
    served.post("/v1/runs?wait=60", &json!({"agent": "doubles", "input": {"n": 1}})).await;
    served.get("/v1/nothing").await;
    let text = served.get("/metrics").await.body;
    let lines = [
        "ptc_runs_queued 0",
        "ptc_runs_running 0",
        "ptc_runs_total{status=\"returned\"} 1",
        "ptc_requests_total{route=\"start_run\",status=\"201\"} 1",
        "ptc_requests_total{route=\"none\",status=\"404\"} 1",
        "ptc_model_seconds_count{} 1",
        "ptc_programs_refused_total 0",
    ];
    let missing: Vec<&&str> =
        lines.iter().filter(|it| !text.lines().any(|line| line == **it)).collect();
    assert!(missing.is_empty(), "{missing:?} in\n{text}");
    served.stop().await;
}
