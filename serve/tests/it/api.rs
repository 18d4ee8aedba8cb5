//! The API from the start of a run to its replay: what each request answers.

use ptc_subagent::Agent;
use serde_json::{Value, json};

use crate::support::{Model, asks, doubles, serve, with_model};

const DOUBLE: &str = "(return (* 2 ctx/n))";

fn store() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("runs.sqlite");
    (folder, file)
}

/// Returns the parts of a run that are the same each time.
fn stable(run: &Value) -> Value {
    let keys = ["status", "ended_by", "value", "turns", "agent", "model", "stop", "questions"];
    keys.iter().filter_map(|key| Some(((*key).to_string(), run.get(key)?.clone()))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_started_listed_shown_replayed_and_forked() {
    let (_folder, file) = store();
    let served = serve(vec![doubles()], &file, with_model(Model::of(DOUBLE))).await;

    let started =
        served.post("/v1/runs?wait=60", &json!({"agent": "doubles", "input": {"n": 4}})).await;
    let run = started.json();
    let id = run["run"].as_str().expect("an id").to_string();
    let returned = json!({
        "status": "returned", "ended_by": "answer", "value": 8, "turns": 1, "agent": "doubles",
        "model": "scripted", "stop": null,
    });
    assert_eq!((started.status, stable(&run)), (201, returned.clone()));
    assert_eq!(started.header("location"), Some(format!("/v1/runs/{id}")));

    let list = served.get("/v1/runs?agent=doubles&limit=1").await.json();
    assert_eq!((&list["runs"][0]["run"], &list["next"]), (&json!(id), &json!(id)));
    let next = served.get(&format!("/v1/runs?cursor={id}")).await.json();
    assert_eq!((&next["runs"], &next["next"]), (&json!([]), &Value::Null));

    let record = served.get(&format!("/v1/runs/{id}/record")).await.json();
    assert_eq!(record["turn_records"][0]["program"], DOUBLE);
    assert_eq!(record["input"], json!({"n": 4}));

    let same = served.post(&format!("/v1/runs/{id}/replay"), &json!({})).await.json();
    let all_same =
        json!({"run": id, "same": true, "differences": [], "drift": [], "missing": null});
    assert_eq!(same, all_same);
    let edited = json!({"turn": 1, "program": "(return (* 3 ctx/n))"});
    let edited = served.post(&format!("/v1/runs/{id}/replay"), &edited).await.json();
    assert_eq!((&edited["was"]["value"], &edited["is"]["value"]), (&json!("8"), &json!("12")));
    assert_eq!(edited["report"]["value"], 12);

    let forked = served.post(&format!("/v1/runs/{id}/fork?wait=60"), &json!({"turns": 0})).await;
    assert_eq!((forked.status, stable(&forked.json())), (201, returned));
    let branch = forked.json()["run"].as_str().expect("an id").to_string();
    let record = served.get(&format!("/v1/runs/{branch}/record")).await.json();
    assert_eq!(record["origin"], json!({"run": id, "turns": 0}));
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_starts_one_run_also_after_a_restart() {
    let (_folder, file) = store();
    let body = json!({"agent": "doubles", "input": {"n": 1}});
    let path = "/v1/runs?wait=60";
    let key = "Idempotency-Key: order-7\r\n";
    let served = serve(vec![doubles()], &file, with_model(Model::of(DOUBLE))).await;
    let first = served.post_with(path, key, &body).await;
    let again = served.post_with(path, key, &body).await;
    let other = served.post_with(path, key, &json!({"agent": "doubles", "input": {"n": 2}})).await;
    served.stop().await;
    let served = serve(vec![doubles()], &file, with_model(Model::of(DOUBLE))).await;
    let later = served.post_with(path, key, &body).await;
    assert_eq!([first.status, again.status, other.status, later.status], [201, 200, 422, 200]);
    assert_eq!(other.json()["code"], "key-reused");
    let run = &first.json()["run"];
    assert_eq!([&again.json()["run"], &later.json()["run"]], [run, run]);
    let runs = served.get("/v1/runs").await.json();
    assert_eq!(runs["totals"]["runs"], 1);
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_has_a_form_and_takes_one_answer() {
    let (_folder, file) = store();
    let served = serve(vec![asks()], &file, with_model(Model::of(""))).await;
    let run = served.post("/v1/runs?wait=60", &json!({"agent": "asks"})).await.json();
    let id = run["run"].as_str().expect("an id").to_string();
    assert_eq!(run["status"], "waiting");

    let questions = served.get("/v1/questions").await.json();
    let question = &questions["questions"][0];
    let schema = json!({
        "type": "object",
        "properties": {
            "amount": {"type": "integer", "minimum": 1, "maximum": 100, "title": "Amount in EUR"},
        },
        "required": ["amount"],
        "additionalProperties": false,
        "title": "How much?",
    });
    assert_eq!((&question["run"], &question["schema"]), (&json!(id), &schema));

    let answer = format!("/v1/runs/{id}/answer?wait=60");
    let wrong = served.post(&answer, &json!({"answer": {"amount": 1000}})).await;
    assert_eq!((wrong.status, &wrong.json()["code"]), (422, &json!("invalid-input")));
    let right = served.post(&answer, &json!({"answer": {"amount": 7}})).await;
    assert_eq!((right.status, &right.json()["value"]), (202, &json!(7)));
    let late = served.post(&answer, &json!({"answer": {"amount": 8}})).await;
    assert_eq!((late.status, &late.json()["code"]), (409, &json!("no-replay")));
    assert_eq!(served.get("/v1/questions").await.json(), json!({"questions": []}));
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_are_cancelled_in_every_state() {
    let (_folder, file) = store();
    let (model, gate) = Model::gated(DOUBLE);
    let mut options = with_model(model);
    options.max_runs = 1;
    let served = serve(vec![doubles(), asks()], &file, options).await;
    let body = json!({"agent": "doubles", "input": {"n": 1}});
    let start = |body: Value| {
        let served = &served;
        async move { served.post("/v1/runs", &body).await.json()["run"].as_str().unwrap().to_string() }
    };
    let cancel = |run: String| {
        let served = &served;
        async move { served.post(&format!("/v1/runs/{run}/cancel?wait=60"), &json!({})).await }
    };
    let running = start(body.clone()).await;
    served.until(&running, "running").await;
    let queued = start(body.clone()).await;
    let mut ends = Vec::new();
    for run in [&queued, &running] {
        let answer = cancel(run.clone()).await;
        ends.push((answer.status, answer.json()["stop"].clone()));
    }
    gate.add_permits(100);
    let waiting = start(json!({"agent": "asks"})).await;
    served.until(&waiting, "waiting").await;
    let answer = cancel(waiting.clone()).await;
    ends.push((answer.status, answer.json()["stop"].clone()));
    assert_eq!(ends, vec![(200, json!("cancelled")); 3]);
    let again = cancel(waiting).await;
    assert_eq!((again.status, &again.json()["code"]), (409, &json!("has-ended")));
    served.stop().await;
}

/// M28: artifacts are listed, found and made over HTTP, and the next run of the conversation reads them.
#[tokio::test(flavor = "multi_thread")]
async fn m28_artifacts_are_listed_and_made() {
    let (_folder, file) = store();
    let program = r#"(let [n (inc (artifact/get "n" 0))] (artifact/put "n" n) n)"#;
    let counts = Agent::workflow(program).with_name("counts");
    let served = serve(vec![counts], &file, with_model(Model::of(""))).await;
    let start = json!({"agent": "counts"});
    let first = served.post("/v1/runs?wait=60", &start).await.json();
    let made = json!([{"name": "n", "version": 1, "type": "application/json"}]);
    assert_eq!((&first["value"], &first["artifacts"]), (&json!(1), &made));
    let run = first["run"].as_str().expect("an id");
    let path = format!("/v1/runs/{run}/artifacts");
    let put = served.post(&path, &json!({"name": "n", "value": 41, "type": "text/plain"})).await;
    assert_eq!((put.status, &put.json()["version"]), (201, &json!(2)), "{put:?}");
    let next = served.post("/v1/runs?wait=60", &json!({"agent": "counts", "after": run})).await;
    let next = next.json();
    let place = json!({"first": run, "after": run, "message": 2});
    assert_eq!((&next["value"], &next["conversation"]), (&json!(42), &place));
    let all = served.get(&path).await.json();
    let rows: Vec<_> = all["artifacts"].as_array().expect("a list").iter().collect();
    let rows: Vec<_> = rows.iter().map(|it| (&it["version"], &it["value"], &it["by"])).collect();
    let (none, somebody) = (Value::Null, json!("somebody"));
    let (one, two, three) = (json!(1), json!(2), json!(3));
    let values = [json!(1), json!(41), json!(42)];
    let expected =
        [(&one, &values[0], &none), (&two, &values[1], &somebody), (&three, &values[2], &none)];
    assert_eq!(rows, expected);
    let second = served.get(&format!("{path}?name=n&version=2")).await.json();
    assert_eq!(
        (&second["artifacts"][0]["value"], second["artifacts"][1].is_null()),
        (&json!(41), true)
    );
    let missing = served.get(&format!("{path}?name=m")).await;
    assert_eq!((missing.status, &missing.json()["code"]), (422, &json!("invalid-input")));
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_ends_by_itself() {
    let (_folder, file) = store();
    let sleeps = Agent::workflow("(do (flow/wait 5500) :rested)").with_name("sleeps");
    let served = serve(vec![sleeps], &file, with_model(Model::of(""))).await;
    let run = served.post("/v1/runs", &json!({"agent": "sleeps"})).await.json();
    let id = run["run"].as_str().expect("an id").to_string();
    served.until(&id, "waiting").await;
    assert_eq!(served.until(&id, "returned").await["value"], "rested");
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_are_listed_with_what_they_need() {
    let (_folder, file) = store();
    let served = serve(vec![doubles(), asks()], &file, with_model(Model::of(DOUBLE))).await;
    let all = served.get("/v1/agents").await.json();
    let names: Vec<&Value> =
        all["agents"].as_array().expect("a list").iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["asks", "doubles"]);
    let one = served.get("/v1/agents/doubles").await.json();
    let input = json!({
        "type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"],
    });
    assert_eq!((&one["signature"], &one["input"]), (&json!("(n :int) -> :int"), &input));
    let sizes = one["prompt"]["sections"].as_array().expect("sections");
    assert!(sizes.iter().all(|it| it["tokens"].as_u64() > Some(0)), "{sizes:?}");
    served.stop().await;
}
