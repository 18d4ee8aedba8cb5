//! Connections that send what no client should: slowly, or so that two servers would read two things. Each gets its
//! answers or is closed, and the next client is served.

use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{Model, Served, doubles, serve, with_model};

/// The begin of a request that starts a run, whose body has its own header.
const POST: &str =
    "POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

/// A request with its own end, which must not be read out of the body of another one.
const HIDDEN: &str = "GET /v1/hidden HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// What a connection sends, and the statuses of all answers until the server closes it.
fn connections() -> Vec<(&'static str, String, Vec<u16>)> {
    let get = |path: &str, headers: &str| {
        format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n")
    };
    let closing = |path: &str, headers: &str| get(path, &format!("Connection: close\r\n{headers}"));
    let length = HIDDEN.len();
    vec![
        // RFC 9112, 6.1: the chunks count, and the connection ends behind them.
        (
            "a length before chunks",
            format!(
                "{POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n{HIDDEN}"
            ),
            vec![400],
        ),
        (
            "a length behind chunks",
            format!(
                "{POST}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n{HIDDEN}"
            ),
            vec![400],
        ),
        (
            "two lengths",
            format!("{POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{{}}{HIDDEN}"),
            vec![400],
        ),
        ("a list of lengths", format!("{POST}Content-Length: 2, 3\r\n\r\n{{}}{HIDDEN}"), vec![400]),
        (
            "a length with a sign",
            format!("{POST}Content-Length: +2\r\n\r\n{{}}{HIDDEN}"),
            vec![400],
        ),
        (
            "a length beyond all",
            format!("{POST}Content-Length: 99999999999999999999\r\n\r\n{HIDDEN}"),
            vec![400],
        ),
        (
            "an encoding that nobody knows",
            format!("{POST}Transfer-Encoding: xchunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n{HIDDEN}"),
            vec![400],
        ),
        (
            "chunks that are not the last encoding",
            format!("{POST}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n{HIDDEN}"),
            vec![400],
        ),
        (
            "chunks of HTTP 1.0",
            format!(
                "POST /v1/runs HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{HIDDEN}"
            ),
            vec![400],
        ),
        (
            "a chunk longer than it says",
            format!("{POST}Transfer-Encoding: chunked\r\n\r\n1\r\n{{}}\r\n0\r\n\r\n{HIDDEN}"),
            vec![400],
        ),
        (
            "a chunk with a wrong size",
            format!("{POST}Transfer-Encoding: chunked\r\n\r\n-1\r\n{{}}\r\n0\r\n\r\n{HIDDEN}"),
            vec![400],
        ),
        (
            "a chunk beyond all sizes",
            format!("{POST}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{{}}{HIDDEN}"),
            vec![400],
        ),
        ("a header on two lines", closing("/v1/agents", "X-Long: a\r\n b\r\n"), vec![400]),
        ("a space before a colon", closing("/v1/agents", "X-Space : a\r\n"), vec![400]),
        ("a return inside a header", closing("/v1/agents", "X-Return: a\rb\r\n"), vec![400]),
        ("a NUL in a header", closing("/v1/agents", "X-Nul: a\0b\r\n"), vec![400]),
        ("a NUL in a path", closing("/v1/\0agents", ""), vec![400]),
        ("a space in a path", closing("/v1/agents x", ""), vec![400]),
        (
            "no name of the server",
            "GET /v1/agents HTTP/1.1\r\nConnection: close\r\n\r\n".to_string(),
            vec![400],
        ),
        ("a way up", closing("/%2e%2e/%2e%2e/etc/passwd", ""), vec![404]),
        ("a way up in a name", closing("/v1/agents/..%2f..%2fetc%2fpasswd", ""), vec![404]),
        ("too many headers", closing("/v1/agents", &"X: a\r\n".repeat(200)), vec![431]),
        (
            "a header that is too large",
            closing("/v1/agents", &format!("X: {}\r\n", "a".repeat(400_000))),
            vec![431],
        ),
        // RFC 9112, 2.2: a line may end without a return. The header behind it is one.
        (
            "a line without a return",
            format!("GET /v1/agents HTTP/1.1\nHost: evil.example\r\n\r\n{HIDDEN}"),
            vec![403],
        ),
        // The body of a request without one is never a request.
        (
            "a request in the body of another",
            format!(
                "GET /v1/agents HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n{HIDDEN}{}",
                closing("/healthz", "")
            ),
            vec![200, 200],
        ),
        // Two requests behind one another are two requests.
        (
            "a request behind a request",
            format!("{}{}", get("/v1/agents", ""), closing("/v1/hidden", "")),
            vec![200, 404],
        ),
    ]
}

/// Sends bytes, and returns all that the server sends until it closes the connection.
async fn exchange(served: &Served, bytes: &str) -> String {
    let (mut reads, mut writes) =
        TcpStream::connect(served.address).await.expect("connects").into_split();
    // A server that refuses a request need not read all of it.
    drop(writes.write_all(bytes.as_bytes()).await);
    let mut read = Vec::new();
    drop(reads.read_to_end(&mut read).await);
    String::from_utf8_lossy(&read).into_owned()
}

fn statuses(text: &str) -> Vec<u16> {
    let parts = text.split("HTTP/1.1 ").skip(1);
    parts.map(|it| it[..3].parse().expect("a status")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_read_in_one_way_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = with_model(Model::of("(return 1)"));
    let served = serve(vec![doubles()], &folder.path().join("runs"), options).await;
    let mut problems = Vec::new();
    for (what, bytes, expected) in connections() {
        let answers = exchange(&served, &bytes).await;
        let found = statuses(&answers);
        if found != expected {
            problems.push(format!("{what}: {found:?}, not {expected:?}: {answers:?}"));
        }
        assert_eq!(served.get("/healthz").await.status, 200, "{what}");
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert_eq!(served.get("/v1/runs").await.json()["totals"]["runs"], 0);
    served.stop().await;
}

/// A client that sends a byte whenever it may, for ever.
async fn trickle(served: &Served, first: &str, part: &'static str) -> String {
    let (mut reads, mut writes) =
        TcpStream::connect(served.address).await.expect("connects").into_split();
    writes.write_all(first.as_bytes()).await.expect("sends");
    let sends = tokio::spawn(async move {
        while writes.write_all(part.as_bytes()).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let mut read = Vec::new();
    drop(reads.read_to_end(&mut read).await);
    sends.abort();
    String::from_utf8_lossy(&read).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_is_slow_gets_its_time_and_no_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut options = with_model(Model::of("(return (* 2 ctx/n))"));
    options.patience = Duration::from_millis(200);
    let served = serve(vec![doubles()], &folder.path().join("runs"), options).await;
    // A head that is never whole has no answer: its connection ends.
    for (first, part) in
        [("GET /v1", "a"), ("GET / HTTP/1.1\r\nHost: localhost\r\n", "X: a\r\n"), ("", "\r\n")]
    {
        assert_eq!(trickle(&served, first, part).await, "", "{first:?}");
    }
    for (first, part) in [
        (format!("{POST}Content-Length: 100000\r\n\r\n"), " "),
        (format!("{POST}Transfer-Encoding: chunked\r\n\r\n"), "1\r\n \r\n"),
    ] {
        let answer = crate::support::answer(&trickle(&served, &first, part).await);
        assert_eq!((answer.status, &answer.json()["code"]), (408, &json!("unread-body")));
    }
    // Neither does the time hold for the run itself.
    let body = json!({"agent": "doubles", "input": {"n": 4}});
    assert_eq!(served.post("/v1/runs?wait=60", &body).await.json()["value"], 8);
    served.stop().await;
}
