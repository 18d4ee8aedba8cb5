//! Tools that are HTTP endpoints, against a real listener.

use std::time::Duration;

use ptc_subagent::provider::Scripted;
use ptc_subagent::tool::{CallContext, Effect, HttpTool, Tool as _, ToolDef};
use ptc_subagent::{Agent, Data, Mission};
use serde_json::{Value, json};

use crate::support::{Answer, Server, program};

fn raw(status: u16, body: &str) -> Answer {
    Answer::Raw(status, "", body.to_string())
}

/// Calls an endpoint. Returns the outcome and the request without the headers that every request has.
async fn call(method: &str, path: &str, args: Value, answer: Answer) -> (String, Vec<String>) {
    let server = Server::start(vec![answer]).await;
    let base = server.base_url.clone();
    let tool = HttpTool::new(method, &format!("{base}{path}"))
        .unwrap()
        .with_header("X-Key", "Bearer $PATH")
        .unwrap();
    let mut cx = CallContext::new("run/1/2");
    cx.max_output = 4_000;
    let result = tool.call(args.into(), &cx).await;
    let result = match result {
        Ok(value) => value.to_string(),
        Err(error) => format!("{}: {error}", error.kind.code()),
    };
    let requests = server.requests();
    let lines = requests.first().map(String::as_str).unwrap_or_default().lines();
    let own =
        |line: &&str| !line.is_empty() && !line.starts_with("host:") && !line.starts_with("accept");
    let lines = lines.filter(own).map(str::to_string).collect();
    (result.replace(base.trim_end_matches("/v1"), "SERVER"), lines)
}

/// Returns the value used as a key. A test must not change its environment, so a variable that always exists serves as
/// the key.
fn key() -> String {
    std::env::var("PATH").unwrap()
}

async fn check(
    method: &str,
    path: &str,
    args: Value,
    answer: Answer,
    result: &str,
    request: &[&str],
) {
    let (found, lines) = call(method, path, args, answer).await;
    assert_eq!(found, result, "{method} {path}");
    assert_eq!(lines, request, "{method} {path}");
}

#[tokio::test]
async fn requests_and_results() {
    let headers = |first: &'static str| -> Vec<String> {
        vec![
            first.to_string(),
            "idempotency-key: run/1/2".to_string(),
            format!("x-key: Bearer {}", key()),
        ]
    };
    let lines = |it: &[String]| it.to_vec();
    let get = |path: &str| headers(Box::leak(format!("GET /v1{path} HTTP/1.1").into_boxed_str()));
    for (path, args, sent) in [
        ("/orders/{id}", json!({"id": 7}), "/orders/7"),
        ("/orders/{id}?full={full}", json!({"id": 7, "full": true}), "/orders/7?full=true"),
        (
            "/orders",
            json!({"state": "open late", "limit": 5, "none": null}),
            "/orders?state=open+late&limit=5",
        ),
        ("/a/{name}/b", json!({"name": "x/y?z#ü {w}"}), "/a/x%2Fy%3Fz%23%C3%BC%20%7Bw%7D/b"),
        ("/a?name={name}", json!({"name": ""}), "/a?name="),
        ("/a/{name}", json!({"name": "..."}), "/a/..."),
    ] {
        let (found, seen) = call("GET", path, args, raw(200, "[1]")).await;
        assert_eq!(found, "[1]", "{path}");
        assert_eq!(lines(&seen), get(sent), "{path}");
    }
    let (found, seen) =
        call("POST", "/orders/{id}", json!({"id": 7, "note": "a"}), raw(201, "{\"ok\":true}"))
            .await;
    assert_eq!(found, "{\"ok\":true}");
    assert_eq!(seen[0], "POST /v1/orders/7 HTTP/1.1");
    assert_eq!(seen.last().unwrap(), "{\"note\":\"a\"}");
    assert!(seen.contains(&"content-type: application/json".to_string()), "{seen:?}");
    let (found, _) = call("DELETE", "/orders/{id}", json!({"id": 7}), raw(204, "")).await;
    assert_eq!(found, "null");
}

#[tokio::test]
async fn failures() {
    for args in [json!({}), json!({"id": null})] {
        check(
            "GET",
            "/o/{id}",
            args,
            raw(200, "1"),
            "tool-arguments: the argument `id` is missing, and the URL needs it",
            &[],
        )
        .await;
    }
    for (path, id) in [
        ("/o/{id}", ""),
        ("/o/{id}", "."),
        ("/o/{id}", ".."),
        ("/o/{id}/x", "."),
        ("/o/{id}/x", ".."),
        ("/o/.{id}", "."),
        ("/o/{id}?q=1", ""),
    ] {
        let (found, seen) = call("DELETE", path, json!({"id": id}), raw(200, "1")).await;
        assert_eq!(
            found, "tool-arguments: an argument cannot be empty, `.` or `..` in a path",
            "{path} {id}"
        );
        assert_eq!(seen, [""; 0], "{path} {id}");
    }
    // Text that is already escaped is escaped again, because it is an ordinary value.
    let (_, seen) = call("GET", "/o/{id}", json!({"id": "%2e%2e"}), raw(200, "1")).await;
    assert_eq!(seen[0], "GET /v1/o/%252e%252e HTTP/1.1");
    for (answer, expected) in [
        (
            raw(404, "no such order"),
            "tool-failed: GET SERVER/v1/o/7 gave HTTP 404: no such order".to_string(),
        ),
        (raw(500, ""), "tool-failed: GET SERVER/v1/o/7 gave HTTP 500".to_string()),
        (raw(302, ""), "tool-failed: GET SERVER/v1/o/7 gave HTTP 302".to_string()),
        (raw(200, "<html>"), "tool-output: GET SERVER/v1/o/7 did not return JSON (expected value at line 1 column 1): <html>".to_string()),
        (
            raw(200, "[1, {\"id\": 123456789012345678901}]"),
            "[1,{\"id\":123456789012345678901}]".to_string(),
        ),
        (
            raw(200, "[18446744073709551615, -9223372036854775808, 0.12345678901234567890]"),
            "[18446744073709551615,-9223372036854775808,0.12345678901234568]".to_string(),
        ),
        (
            raw(200, &"1".repeat(5_000)),
            "tool-too-large: answered with more than its `max_output` of 4000 bytes".to_string(),
        ),
        (raw(200, &json!({"key": key()}).to_string()), "{\"key\":\"[PATH]\"}".to_string()),
        (raw(403, &key()), "tool-failed: GET SERVER/v1/o/7 gave HTTP 403: [PATH]".to_string()),
        (
            raw(200, &format!("[\"{}\", \"{}\"]", key().replace('/', "\\/"), key().replace('/', "%2F"))),
            "[\"[PATH]\",\"[PATH]\"]".to_string(),
        ),
        (
            raw(403, &key().replace('/', "\\u002f")),
            "tool-failed: GET SERVER/v1/o/7 gave HTTP 403: [PATH]".to_string(),
        ),
    ] {
        let (found, _) = call("GET", "/o/{id}", json!({"id": 7}), answer).await;
        assert_eq!(found, expected);
    }
    let (found, _) = call("GET", "/o/{id}", json!({"id": 7}), Answer::Drop).await;
    assert!(found.starts_with("tool-failed: no answer to GET SERVER/v1/o/7: "), "{found}");
    let tool = HttpTool::new("GET", "http://127.0.0.1:9/x")
        .unwrap()
        .with_header("x", "$PTC_TEST_NO_SUCH")
        .unwrap();
    let error = tool.call(Data::from(json!({})), &CallContext::new("k")).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the environment has no `PTC_TEST_NO_SUCH`, which a header needs"
    );
}

#[tokio::test]
async fn retried_requests() {
    let slow_down = Answer::Raw(429, "Retry-After: 0\r\n", "slow down".to_string());
    let date =
        "Date: Wed, 21 Oct 2026 07:28:00 GMT\r\nRetry-After: Wed, 21 Oct 2026 07:30:00 GMT\r\n";
    let in_two_minutes = Answer::Raw(503, date, String::new());
    let come_back_later = Answer::Raw(503, "Retry-After: 61\r\n", String::new());
    let ok = || raw(200, "1");
    for (answers, expected) in [
        (vec![raw(500, ""), ok()], "1"),
        (vec![raw(503, ""), raw(408, ""), ok()], "1"),
        (vec![raw(425, ""), slow_down, ok()], "1"),
        (vec![Answer::Drop, ok()], "1"),
        (vec![Answer::Half, ok()], "1"),
        (vec![raw(200, "<html>"), ok()], "1"),
        (vec![raw(502, ""); 3], "tool-failed: GET SERVER gave HTTP 502 (after 3 attempts)"),
        (vec![come_back_later], "tool-failed: GET SERVER gave HTTP 503"),
        (vec![in_two_minutes], "tool-failed: GET SERVER gave HTTP 503"),
        (vec![raw(400, "no")], "tool-failed: GET SERVER gave HTTP 400: no"),
        (vec![raw(404, "")], "tool-failed: GET SERVER gave HTTP 404"),
        (vec![raw(302, "")], "tool-failed: GET SERVER gave HTTP 302"),
        (
            vec![raw(500, ""), raw(401, "")],
            "tool-failed: GET SERVER gave HTTP 401 (after 2 attempts)",
        ),
    ] {
        let calls = answers.len();
        let server = Server::start(answers).await;
        let tool = ToolDef::new("t", HttpTool::new("GET", &server.base_url).unwrap())
            .with_retries(2)
            .with_retry_delay(Duration::from_millis(1));
        let found = match tool.call(json!({}), &CallContext::new("k")).await {
            Ok(value) => value.to_string(),
            Err(error) => format!("{}: {error}", error.kind.code()),
        };
        assert_eq!(found.replace(&server.base_url, "SERVER"), expected);
        let requests = server.requests();
        let keyed = requests.iter().filter(|it| it.contains("idempotency-key: k\r\n"));
        assert_eq!((requests.len(), keyed.count()), (calls, calls), "{expected}");
    }
}

#[test]
fn invalid_endpoints() {
    for (method, url, expected) in [
        ("get", "http://a/b", "`get` is not a supported method"),
        ("GET", "ftp://a/b", "`ftp://a/b` is not an http or https URL"),
        ("GET", "http://a/{b/c}/{d}", "`http://a/{b/c}/{d}` is not an http or https URL"),
        ("GET", "nonsense", "`nonsense` is not an http or https URL"),
        ("GET", "http://{host}/b", "`http://{host}/b` has an argument before its path"),
        ("GET", "http://a:{port}/b", "`http://a:{port}/b` is not an http or https URL"),
        ("GET", "{url}", "`{url}` is not an http or https URL"),
    ] {
        assert_eq!(HttpTool::new(method, url).unwrap_err().to_string(), expected);
    }
    let tool = || HttpTool::new("GET", "http://a/b").unwrap();
    assert_eq!(
        tool().with_header("a b", "c").unwrap_err().to_string(),
        "the header `a b` has an invalid name"
    );
    assert_eq!(
        tool().with_header("a", "c\nd").unwrap_err().to_string(),
        "the header `a` has an invalid value"
    );
}

/// In a run, the signature checks an endpoint like any other tool.
#[tokio::test]
async fn an_endpoint_as_a_tool() {
    let server = Server::start(vec![raw(200, "{\"eur\": \"0.92\"}")]).await;
    let url = format!("{}/rates/{{currency}}", server.base_url);
    let tool = ToolDef::new("rate", HttpTool::new("GET", &url).unwrap())
        .with_signature("(currency :string) -> {eur :float}")
        .unwrap()
        .with_effect(Effect::Read);
    let agent = Agent::new("Rate.").with_signature("() -> :float").unwrap().with_tool(tool);
    let provider = Scripted::new([program("(return (:eur (tool/rate {:currency \"USD\"})))")]);
    let report = Mission::new(&agent, json!({})).run(&provider).await.unwrap();
    assert_eq!(report.value, json!(0.92));
    assert_eq!(
        report.warnings[0].message,
        "result of tool `rate`: eur: coerced string \"0.92\" to float 0.92"
    );
}
