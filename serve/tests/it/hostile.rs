//! Hostile requests: each gets a clear error, and the server goes on.

use ptc_subagent::Agent;
use serde_json::json;

use crate::support::{Model, asks, doubles, serve, with_model};

/// A request and what it gets: a status, and the code of the problem.
const REQUESTS: &[(&str, u16, &str)] = &[
    ("GET /v1/nothing HTTP/1.1\r\nHost: localhost\r\n", 404, "unknown-path"),
    ("GET /v1/../etc/passwd HTTP/1.1\r\nHost: localhost\r\n", 404, "unknown-path"),
    ("GET /v1/agents/%2e%2e%2f%2e%2e%2fetc HTTP/1.1\r\nHost: localhost\r\n", 404, "unknown-agent"),
    ("GET /v1/agents/%ff HTTP/1.1\r\nHost: localhost\r\n", 404, "unknown-path"),
    ("GET /v1/agents/a%00b HTTP/1.1\r\nHost: localhost\r\n", 404, "unknown-agent"),
    ("GET /v1/runs/0 HTTP/1.1\r\nHost: localhost\r\n", 404, "unknown-run"),
    ("GET /v1/runs/%25 HTTP/1.1\r\nHost: localhost\r\n", 404, "unknown-run"),
    ("GET /v1/runs?limit=-1 HTTP/1.1\r\nHost: localhost\r\n", 400, "malformed-request"),
    (
        "GET /v1/runs?limit=99999999999999999999 HTTP/1.1\r\nHost: localhost\r\n",
        400,
        "malformed-request",
    ),
    ("GET /v1/runs?cursor=';drop HTTP/1.1\r\nHost: localhost\r\n", 400, "malformed-request"),
    ("GET /v1/runs?conversation='%20OR%201=1 HTTP/1.1\r\nHost: localhost\r\n", 404, "unknown-run"),
    ("GET /v1/runs?limit=1&limit=2 HTTP/1.1\r\nHost: localhost\r\n", 400, "malformed-request"),
    ("GET /v1/agents?x=1 HTTP/1.1\r\nHost: localhost\r\n", 400, "malformed-request"),
    ("DELETE /v1/runs HTTP/1.1\r\nHost: localhost\r\n", 405, "other-method"),
    ("GET /v1/agents HTTP/1.1\r\nHost: evil.example\r\n", 403, "foreign-origin"),
    ("GET /v1/agents HTTP/1.1\r\nHost: localhost.evil.example\r\n", 403, "foreign-origin"),
    (
        "GET /v1/agents HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n",
        403,
        "foreign-origin",
    ),
    ("GET /v1/agents HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\n", 403, "foreign-origin"),
    (
        "GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: x\r\n",
        400,
        "malformed-request",
    ),
    ("GET /v1/agents HTTP/1.1\r\n", 400, "malformed-request"),
];

/// A body and what it gets.
const BODIES: &[(&str, &str, u16, &str)] = &[
    ("application/json", "{", 400, "malformed-request"),
    ("application/json", "[]", 400, "malformed-request"),
    ("application/json", "{\"agent\": 1}", 400, "malformed-request"),
    ("application/json", "{}", 400, "malformed-request"),
    ("application/json", "{\"agent\": \"nobody\"}", 404, "unknown-agent"),
    ("application/json", "{\"agent\": \"doubles\", \"input\": 1}", 400, "malformed-request"),
    (
        "application/json",
        "{\"agent\": \"doubles\", \"input\": {\"n\": \"x\"}}",
        422,
        "invalid-input",
    ),
    ("application/json", "{\"agent\": \"doubles\", \"seed\": -1}", 400, "malformed-request"),
    ("application/json", "{\"agent\": \"doubles\", \"after\": \"x\"}", 404, "unknown-run"),
    (
        "application/json",
        "{\"agent\": \"doubles\", \"settings\": {\"tools\": {\"add\": [{\"name\": \"sh\", \"command\": [\"sh\"]}]}}}",
        400,
        "malformed-request",
    ),
    (
        "application/json",
        "{\"agent\": \"doubles\", \"settings\": {\"model\": \"recorded:/etc/passwd\"}}",
        400,
        "malformed-request",
    ),
    (
        "application/json",
        "{\"agent\": \"doubles\", \"settings\": {\"base_url\": \"http://evil.example\"}}",
        400,
        "malformed-request",
    ),
    (
        "application/json",
        "{\"agent\": \"doubles\", \"settings\": {\"keys\": {\"openai\": \"HOME\"}}}",
        400,
        "malformed-request",
    ),
    ("application/json", "{\"agent\": \"doubles\", \"more\": 1}", 400, "malformed-request"),
    ("text/plain", "{}", 415, "not-json"),
    ("application/x-www-form-urlencoded", "agent=doubles", 415, "not-json"),
];

#[tokio::test(flavor = "multi_thread")]
async fn hostile_requests_get_a_clear_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = Model::of("(return 1)");
    let served =
        serve(vec![doubles(), asks()], &folder.path().join("runs"), with_model(model)).await;
    let mut problems = Vec::new();
    let mut check = |what: &str, answer: crate::support::Answer, status: u16, code: &str| {
        let is_problem =
            answer.header("content-type").as_deref() == Some("application/problem+json");
        let found = serde_json::from_str::<serde_json::Value>(&answer.body).unwrap_or_default();
        if answer.status != status || found["code"] != code || !is_problem {
            problems.push(format!("{what}: {answer:?}"));
        }
    };
    for (head, status, code) in REQUESTS {
        let answer = served.send(&format!("{head}Connection: close\r\n\r\n")).await;
        check(head, answer, *status, code);
    }
    for (media, body, status, code) in BODIES {
        let head = format!(
            "POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: {media}\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        check(body, served.send(&head).await, *status, code);
    }
    let large = format!(
        "POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        5 << 20
    );
    check("large", served.send(&large).await, 413, "unread-body");
    let deep = "[".repeat(100_000);
    let deep = format!(
        "POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{deep}",
        deep.len()
    );
    check("deep", served.send(&deep).await, 400, "malformed-request");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    // Requests that are not HTTP end their connection, and no run was started.
    for garbage in ["\0\0\0", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"] {
        let answer = served.send(garbage).await;
        assert!(answer.status == 0 || answer.status == 400, "{answer:?}");
    }
    assert_eq!(served.get("/v1/runs").await.json()["totals"]["runs"], 0);
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_panics_ends_its_run_and_no_other() {
    use ptc_subagent::tool::{FnTool, ToolDef};
    let folder = tempfile::tempdir().expect("a folder");
    let panics = FnTool::new(async |_: serde_json::Value, _| -> Result<serde_json::Value, _> {
        panic!("a bug of a tool")
    });
    let agent = Agent::workflow("(tool/panics {})").with_name("panics");
    let agent = agent.with_tool(ToolDef::new("panics", panics));
    let model = Model::of("(return (* 2 ctx/n))");
    let served =
        serve(vec![agent, doubles()], &folder.path().join("runs"), with_model(model)).await;
    let ended = served.post("/v1/runs?wait=60", &json!({"agent": "panics"})).await.json();
    assert_ne!(ended["ended_at"], json!(null), "{ended}");
    let other = json!({"agent": "doubles", "input": {"n": 2}});
    assert_eq!(served.post("/v1/runs?wait=60", &other).await.json()["value"], 4);
    served.stop().await;
}
