//! Messages about runs: signed, repeated until they are taken, and on record.

use serde_json::{Value, json};
use std::sync::Arc;

use ptc_subagent::host::Webhook;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::support::{Model, asks, doubles, serve, with_model};

/// A request as a receiver gets it: its headers and its body.
async fn receive(listener: &TcpListener, status: &str) -> (String, String) {
    let (mut stream, _) = listener.accept().await.expect("accepts");
    let mut text = String::new();
    loop {
        let mut part = [0; 4096];
        let count = stream.read(&mut part).await.expect("reads");
        text.push_str(&String::from_utf8_lossy(&part[..count]));
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.to_lowercase();
        let length = length.lines().find_map(|it| it.strip_prefix("content-length: "));
        if body.len() >= length.and_then(|it| it.parse().ok()).expect("a length") {
            break;
        }
    }
    let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    stream.write_all(answer.as_bytes()).await.expect("answers");
    let (head, body) = text.split_once("\r\n\r\n").expect("a request");
    (head.to_lowercase(), body.to_string())
}

fn header<'t>(head: &'t str, name: &str) -> &'t str {
    head.lines().find_map(|it| it.strip_prefix(name)?.strip_prefix(": ")).expect("the header")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_repeated_until_it_is_taken_and_is_on_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/hook?key=1", listener.local_addr().expect("an address"));
    let mut options = with_model(Model::of("(return (* 2 ctx/n))"));
    options.webhook = Some(Arc::new(Webhook::new(&url, "a secret").expect("a webhook")));
    let served = serve(vec![doubles(), asks()], &folder.path().join("runs"), options).await;

    let waiting = served.post("/v1/runs", &json!({"agent": "asks"})).await.json();
    let (_, body) = receive(&listener, "200 OK").await;
    let body: Value = serde_json::from_str(&body).expect("JSON");
    let found = (&body["type"], &body["run"], &body["data"]["status"]);
    assert_eq!(found, (&json!("run.waiting"), &waiting["run"], &json!("waiting")));

    let run = served.post("/v1/runs", &json!({"agent": "doubles", "input": {"n": 1}})).await.json();
    let (first, _) = receive(&listener, "500 Internal Server Error").await;
    let (second, body) = receive(&listener, "204 No Content").await;
    let body: Value = serde_json::from_str(&body).expect("JSON");
    let found = (&body["type"], &body["run"], &body["data"]["value"]);
    assert_eq!(found, (&json!("run.ended"), &run["run"], &json!(2)));
    assert_eq!(header(&first, "webhook-id"), header(&second, "webhook-id"));
    assert!(header(&second, "webhook-signature").starts_with("v1,"), "{second}");

    // The delivery follows the end of the run on record.
    let path = format!("/v1/runs/{}/events", run["run"].as_str().expect("an id"));
    let mut sent = Value::Null;
    for _ in 0..500 {
        let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        let events = served.send(&head).await.body;
        let found = events.lines().filter_map(|it| it.strip_prefix("data: ")).next_back();
        sent = found.and_then(|it| serde_json::from_str(it).ok()).unwrap_or_default();
        if sent["event"] == "webhook-sent" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let to = url.split('?').next().expect("a place");
    let found = (&sent["event"], &sent["attempts"], &sent["to"]);
    assert_eq!(found, (&json!("webhook-sent"), &json!(2), &json!(to)));
    served.stop().await;
}
