//! Hostile clients of a server of HTTP: connections, bodies, streams, sessions and ids.

use std::net::SocketAddr;

use ptc_mcp::AgentServer;
use ptc_subagent::Agent;
use ptc_subagent::tool::{Effect, FnTool, ToolDef};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::server::{listen, serve};

/// Makes a server of an agent that ends at once, and of one that never ends.
fn server() -> AgentServer {
    let wait = FnTool::new(|_: Value, _| std::future::pending());
    let wait = ToolDef::new("wait", wait).with_effect(Effect::Read);
    let slow = Agent::workflow("(tool/wait {})").with_name("slow").with_tool(wait);
    serve(vec![Agent::workflow("1").with_name("one"), slow]).0
}

/// The headers of a request with a body of some bytes.
fn headers(method: &str, session: &str, token: &str, bytes: usize) -> String {
    let session =
        if session.is_empty() { String::new() } else { format!("Mcp-Session-Id: {session}\r\n") };
    let token =
        if token.is_empty() { String::new() } else { format!("Authorization: Bearer {token}\r\n") };
    format!(
        "{method} /mcp HTTP/1.1\r\nHost: localhost\r\n{session}{token}Content-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {bytes}\r\n\r\n"
    )
}

/// A connection that sends and receives bytes.
struct Raw(TcpStream);

impl Raw {
    async fn open(address: SocketAddr, bytes: impl AsRef<[u8]>) -> Raw {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(bytes.as_ref()).await.unwrap();
        Raw(stream)
    }

    /// Sends a message.
    async fn post(address: SocketAddr, session: &str, token: &str, message: &Value) -> Raw {
        let body = message.to_string();
        let headers = headers("POST", session, token, body.len());
        Raw::open(address, headers + &body).await
    }

    /// Reads until a text has come. Returns all that has come.
    async fn read_to(&mut self, end: &str) -> String {
        let mut read = Vec::new();
        while !String::from_utf8_lossy(&read).contains(end) {
            match self.0.read_u8().await {
                Ok(byte) => read.push(byte),
                Err(error) => panic!("{error}: {}", String::from_utf8_lossy(&read)),
            }
        }
        String::from_utf8(read).unwrap()
    }

    /// Reads the status; 0 if the connection is closed.
    async fn status(&mut self) -> u16 {
        let mut start = [0; 12];
        match self.0.read_exact(&mut start).await {
            Ok(_) => std::str::from_utf8(&start[9..]).unwrap().parse().unwrap(),
            Err(_) => 0,
        }
    }
}

fn hello(name: &str) -> Value {
    let client = json!({"name": name, "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
}

fn call(id: impl Into<Value>, agent: &str) -> Value {
    let params = json!({"name": agent});
    json!({"jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": params})
}

/// Begins a session. Returns its id.
async fn begin(address: SocketAddr, token: &str) -> String {
    let mut hello = Raw::post(address, "", token, &hello("test")).await;
    let read = hello.read_to("\"serverInfo\"").await;
    let id = read.split("mcp-session-id: ").nth(1).unwrap();
    let id = id.split("\r\n").next().unwrap().to_string();
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(Raw::post(address, &id, token, &ready).await.status().await, 202);
    id
}

/// Asserts that a new client can call an agent.
async fn assert_serves(address: SocketAddr, token: &str) {
    let session = begin(address, token).await;
    let mut called = Raw::post(address, &session, token, &call(1, "one")).await;
    called.read_to("{\\\"result\\\":1}").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_wait_make_room() {
    let address = listen(&server(), Some("secret")).await;
    let unfinished = headers("POST", "", "secret", 100) + "{";
    let without_token = headers("POST", "", "", 100) + "{";
    for bytes in ["", "POST /mcp HTTP/1.1\r\nHost: ", &unfinished, &without_token] {
        let mut open = Vec::new();
        for _ in 0..300 {
            open.push(Raw::open(address, bytes).await);
        }
        assert_serves(address, "secret").await;
        // The oldest has made room.
        let expected = if bytes == without_token { 401 } else { 0 };
        assert_eq!(open[0].status().await, expected, "{bytes}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_has_a_time_limit() {
    let address = listen(&server(), None).await;
    let mut open = Raw::open(address, headers("POST", "", "", 100) + "{").await;
    assert_eq!(open.status().await, 408);
    let mut open = Raw::open(address, headers("POST", "", "", 5 << 20)).await;
    assert_eq!(open.status().await, 413);
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_have_a_limit_together() {
    let address = listen(&server(), None).await;
    let mut open = JoinSet::new();
    for _ in 0..17 {
        // The limit is 67,108,864 bytes.
        open.spawn(async move {
            let mut one = Raw::open(address, headers("POST", "", "", 4_000_001)).await;
            drop(one.0.write_all(&vec![b' '; 4_000_000]).await);
            one.status().await
        });
    }
    // A client that is still sending may not see the answer.
    let refused = open.join_next().await.unwrap().unwrap();
    assert!([503, 0].contains(&refused), "{refused}");
    drop(open);
    assert_serves(address, "").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_do_not_take_the_places_of_calls() {
    let address = listen(&server(), None).await;
    // The SDK ends the oldest streams of a session that has many.
    let (mut open, mut session) = (Vec::new(), String::new());
    for index in 0..256 {
        if index % 16 == 0 {
            session = begin(address, "").await;
        }
        let mut stream = Raw::open(address, headers("GET", &session, "", 0)).await;
        assert_eq!(stream.status().await, 200);
        open.push(stream);
    }
    let mut stream = Raw::open(address, headers("GET", &session, "", 0)).await;
    let refused = stream.read_to("\r\n\r\n").await;
    assert!(refused.starts_with("HTTP/1.1 503 Service Unavailable\r\n"), "{refused}");
    assert!(refused.contains("retry-after: 1\r\n"), "{refused}");
    assert_serves(address, "").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_without_a_place_are_refused() {
    let address = listen(&server(), None).await;
    let session = begin(address, "").await;
    let mut open = Vec::new();
    for id in 0..256 {
        let mut called = Raw::post(address, &session, "", &call(id, "slow")).await;
        assert_eq!(called.status().await, 200);
        open.push(called);
    }
    assert_eq!(Raw::post(address, &session, "", &call(256, "one")).await.status().await, 503);
    // Calls whose clients have gone still work.
    drop(open);
    let mut refused = Raw::post(address, &session, "", &call(256, "one")).await;
    assert_eq!(refused.status().await, 503);
    // A notification takes no place.
    let params = json!({"requestId": 0});
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
    assert_eq!(Raw::post(address, &session, "", &cancel).await.status().await, 202);
    while Raw::post(address, &session, "", &call(256, "slow")).await.status().await == 503 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_oldest_idle_session_makes_room() {
    let address = listen(&server(), None).await;
    let busy = begin(address, "").await;
    let mut called = Raw::post(address, &busy, "", &call(1, "slow")).await;
    assert_eq!(called.status().await, 200);
    let (oldest, used) = (begin(address, "").await, begin(address, "").await);
    for _ in 3..256 {
        begin(address, "").await;
    }
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    assert_eq!(Raw::post(address, &used, "", &ping).await.status().await, 200);
    begin(address, "").await;
    assert_eq!(Raw::post(address, &oldest, "", &ping).await.status().await, 404);
    for known in [&used, &busy] {
        let ping = json!({"jsonrpc": "2.0", "id": 2, "method": "ping"});
        assert_eq!(Raw::post(address, known, "", &ping).await.status().await, 200);
    }
    // What a session keeps of its client has a bound.
    let mut refused = Raw::post(address, "", "", &hello(&"x".repeat(1 << 20))).await;
    let expected = r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32600,"message":"the request is larger than 65536 bytes"}}"#;
    refused.read_to(expected).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_call_with_an_id_in_flight_is_refused() {
    let refusal = |id: &Value, text: &str| {
        let message = format!("another request has the id {text}");
        json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32600, "message": message}})
    };
    let address = listen(&server(), None).await;
    let session = begin(address, "").await;
    for (id, text) in [(json!(7), "7"), (json!("seven"), "seven")] {
        let mut first = Raw::post(address, &session, "", &call(id.clone(), "slow")).await;
        assert_eq!(first.status().await, 200);
        let mut second = Raw::post(address, &session, "", &call(id.clone(), "one")).await;
        second.read_to(&refusal(&id, text).to_string()).await;
        // Sessions share no ids.
        let other = begin(address, "").await;
        let mut third = Raw::post(address, &other, "", &call(id.clone(), "one")).await;
        third.read_to("{\\\"result\\\":1}").await;
        // The answer of a call that is cancelled goes to no other.
        let cancel = json!({
            "jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id},
        });
        assert_eq!(Raw::post(address, &session, "", &cancel).await.status().await, 202);
        let mut again = Raw::post(address, &session, "", &call(id.clone(), "one")).await;
        again.read_to(&refusal(&id, text).to_string()).await;
    }
    let long = "x".repeat(257);
    let mut refused = Raw::post(address, &session, "", &call(long, "one")).await;
    refused
        .read_to(r#""error":{"code":-32600,"message":"the id is longer than 256 bytes"}}"#)
        .await;

    // Over streams.
    let (mut ours, theirs) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(theirs);
    let served = server();
    tokio::spawn(async move { served.serve_on(input, output).await.unwrap() });
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    for message in [hello("test"), ready, call(7, "slow"), call(7, "one"), call(8, "one")] {
        ours.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }
    let (output, _input) = tokio::io::split(ours);
    let mut lines = BufReader::new(output).lines();
    let mut answers = Vec::new();
    for _ in 0..3 {
        let line = lines.next_line().await.unwrap().unwrap();
        answers.push(serde_json::from_str(&line).unwrap());
    }
    let mut answers = answers.into_iter().skip(1);
    assert_eq!(answers.next(), Some(refusal(&json!(7), "7")));
    let last: Option<Value> = answers.next();
    assert_eq!(last.map(|it| it["id"].clone()), Some(json!(8)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_takes_requests_at_its_own_address() {
    let listener = TcpListener::bind("127.0.0.2:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let served = server();
    tokio::spawn(async move { served.serve_http(listener, None).await.unwrap() });
    let body = hello("test").to_string();
    for (host, expected) in [("127.0.0.2", 200), ("127.0.0.1", 200), ("127.0.0.3", 403)] {
        let origin = format!("{address}\r\nOrigin: http://{host}:{}", address.port());
        for host in [format!("{host}:{}", address.port()), origin] {
            let headers = headers("POST", "", "", body.len());
            let headers = headers.replace("Host: localhost", &format!("Host: {host}"));
            let mut asked = Raw::open(address, headers + &body).await;
            assert_eq!(asked.status().await, expected, "{host}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_no_header_carries_is_refused_at_the_start() {
    for token in ["se\ncret", "secret\r", "secret\n", " secret", "secret ", "sécret", "se\tcret"] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let error = server().serve_http(listener, Some(token)).await.unwrap_err();
        let expected = "cannot serve: the token may have only visible ASCII characters, and spaces between them";
        assert_eq!(error.message(), expected, "{token:?}");
    }
    let address = listen(&server(), Some("a secret")).await;
    assert_serves(address, "a secret").await;
}
