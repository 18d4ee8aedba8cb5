//! A scripted server of chat completions, and helpers of tests.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ptc_subagent::provider::{BoxFuture, Cost, Provider, ProviderError, Reply, Request, Usage};
use ptc_subagent::replay::Replay;
use ptc_subagent::store::{RunRecord, Store};
use ptc_subagent::{Agent, Mission, RunReport};
use rusqlite::{Connection, params};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// The server's answer to one request.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// A completion with this text.
    Text(String),
    /// This status, these further headers and this body.
    Raw(u16, &'static str, String),
    /// This status, with the whole request as the body.
    Echo(u16),
    /// A completion whose text is the authorization header.
    EchoKey,
    /// These chunks, with this content type. The body then ends, or breaks off.
    Chunks(&'static str, Vec<Vec<u8>>, bool),
    /// These bytes, which are the whole response.
    Bytes(Vec<u8>),
    /// Closes the connection without an answer.
    Drop,
    /// Closes the connection in the middle of the body.
    Half,
    /// Waits for this duration, then closes the connection.
    Wait(Duration),
    /// Sends an endless body.
    Endless,
}

/// Returns `count`, or 1 if `PTC_TESTS=all` asks for every case.
pub(crate) fn one_in(count: usize) -> usize {
    if std::env::var_os("PTC_TESTS").is_some_and(|value| value == "all") { 1 } else { count }
}

/// Returns a completion with this text.
pub(crate) fn text(it: impl Into<String>) -> Answer {
    Answer::Text(it.into())
}

/// Returns a reply with this program.
pub(crate) fn program(source: &str) -> String {
    format!("```clojure\n{source}\n```")
}

/// Runs an agent, replays its record, and compares both. Returns the report and the records of the tree.
pub(crate) async fn run_and_replay(
    agent: &Agent,
    input: Value,
    provider: &impl Provider,
) -> (RunReport, Vec<RunRecord>) {
    let store = Store::in_memory().unwrap();
    let mission = Mission::new(agent, input).record_in(&store);
    let report = mission.run(provider).await.unwrap();
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, []);
    assert_eq!(replayed.missing, None);
    assert_eq!(replayed.report.unwrap().payload, report.payload);
    let records = store.tree(report.run.as_str()).unwrap();
    (report, records)
}

/// A provider whose reply is a function of the request: the mission in the system prompt and the messages, as one text.
pub(crate) struct Model<F>(pub(crate) F);

impl<F: Fn(&str) -> Reply + Send + Sync> Provider for Model<F> {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let system = request.system.text();
        let mission = system.split_once("# Mission").map_or("", |it| it.1);
        let mut text = mission.to_string();
        for message in &request.messages {
            text.push('\n');
            text.push_str(&message.text);
        }
        Box::pin(async move {
            // A real provider lets other tasks run before it answers.
            tokio::task::yield_now().await;
            Ok((self.0)(&text))
        })
    }

    fn name(&self) -> String {
        "model".to_string()
    }
}

/// Creates a model that replies with the program beside the first of these texts that the mission contains.
pub(crate) fn scripted_by(rules: &[(&'static str, &'static str)]) -> impl Provider + use<> {
    let rules = rules.to_vec();
    Model(move |text: &str| {
        let found = rules.iter().find(|(mark, _)| text.contains(mark));
        let (_, source) = found.unwrap_or_else(|| panic!("nobody knows what to say to {text}"));
        Reply::new(program(source))
    })
}

/// Returns a reply with a program and its usage.
pub(crate) fn priced(source: &str, tokens: u64, dollars: f64) -> Reply {
    let cost = Cost::from_dollars(dollars);
    let usage = Some(Usage { input_tokens: tokens, cost, ..Usage::default() });
    Reply { usage, ..Reply::new(program(source)) }
}

/// The server. It stops with the runtime of the test.
pub(crate) struct Server {
    /// The address of the server.
    pub(crate) base_url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts a server that gives these answers, and then repeats the last one.
    pub(crate) async fn start(answers: Vec<Answer>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        tokio::spawn(async move {
            loop {
                let (mut socket, _) = listener.accept().await.unwrap();
                let request = read_request(&mut socket).await;
                let index = {
                    let mut seen = seen.lock().unwrap();
                    seen.push(request.clone());
                    seen.len() - 1
                };
                let answer = answers.get(index).or(answers.last()).cloned().unwrap();
                tokio::spawn(async move { give(&mut socket, answer, &request).await });
            }
        });
        Server { base_url, requests }
    }

    /// Returns the heads and bodies of the requests so far.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// Returns the JSON bodies of the requests so far.
    pub(crate) fn bodies(&self) -> Vec<serde_json::Value> {
        let body = |it: &String| serde_json::from_str(it.split_once("\r\n\r\n").unwrap().1);
        self.requests().iter().map(|it| body(it).unwrap()).collect()
    }
}

async fn read_request(socket: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .filter_map(|it| it.split_once(": "))
                .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
                .map_or(0, |(_, value)| value.parse::<usize>().unwrap());
            if body.len() >= length {
                return text;
            }
        }
        let n = socket.read(&mut buffer).await.unwrap();
        if n == 0 {
            return text;
        }
        bytes.extend_from_slice(&buffer[..n]);
    }
}

async fn give(socket: &mut TcpStream, answer: Answer, request: &str) {
    let response = match answer {
        Answer::Text(text) => response(200, "", &completion(&text)),
        Answer::EchoKey => {
            let key = request.lines().find(|it| it.to_lowercase().starts_with("authorization"));
            response(200, "", &completion(key.unwrap_or_default()))
        }
        Answer::Raw(status, headers, body) => response(status, headers, &body),
        Answer::Echo(status) => {
            let body = json!({"error": {"message": format!("you said: {request}")}});
            response(status, "", &body.to_string())
        }
        Answer::Chunks(content_type, chunks, whole) => {
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nTransfer-Encoding: chunked\r\n\
                 Connection: close\r\n\r\n"
            );
            let mut bytes = head.into_bytes();
            for chunk in chunks.iter().filter(|it| !it.is_empty()) {
                bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
                bytes.extend_from_slice(chunk);
                bytes.extend_from_slice(b"\r\n");
            }
            bytes.extend_from_slice(if whole { b"0\r\n\r\n" } else { b"5\r\n" });
            let _ = socket.write_all(&bytes).await;
            let _ = socket.shutdown().await;
            return;
        }
        Answer::Drop => return,
        Answer::Bytes(bytes) => {
            let _ = socket.write_all(&bytes).await;
            let _ = socket.shutdown().await;
            return;
        }
        Answer::Half => {
            let whole = response(200, "", &completion("a text that never ends"));
            whole[..whole.len() - 20].to_string()
        }
        Answer::Wait(time) => {
            tokio::time::sleep(time).await;
            return;
        }
        Answer::Endless => {
            let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
            let _ = socket.write_all(head.as_bytes()).await;
            while socket.write_all(&[b'x'; 16384]).await.is_ok() {}
            return;
        }
    };
    let _ = socket.write_all(response.as_bytes()).await;
    let _ = socket.shutdown().await;
}

fn completion(text: &str) -> String {
    json!({
        "id": "c",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    })
    .to_string()
}

fn response(status: u16, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status} Whatever\r\nContent-Type: application/json\r\n{headers}\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

/// Waits until a process no longer runs. A zombie does not count as running.
pub(crate) async fn wait_for_exit(pid: &str) {
    let started = Instant::now();
    loop {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        if stat.is_empty() || stat.contains(") Z ") {
            return;
        }
        assert!(started.elapsed() < Duration::from_secs(10), "{pid} is still there: {stat}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Returns a run as the lines that `Store::export` writes.
pub(crate) fn exported(store: &Store, run: &str) -> String {
    let out = Shared::default();
    store.export(&[run], None, out.clone()).unwrap();
    String::from_utf8(out.0.lock().unwrap().clone()).unwrap()
}

/// A buffer to write to that can be read.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Changes recorded events: `change` is SQL for their `data`, with every long text back in its place. Returns the
/// number of changed events.
pub(crate) fn change_events(path: &Path, change: &str, which: &str) -> usize {
    let db = Connection::open(path).unwrap();
    let sql = "SELECT seq, data FROM event_rows WHERE instr(data, '#\":') > 0";
    let rows = db.prepare(sql).unwrap();
    let rows: Vec<(i64, String)> = { rows }
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    for (seq, data) in rows {
        let Value::Object(fields) = serde_json::from_str(&data).unwrap() else { panic!("{data}") };
        let mut whole = Map::new();
        for (name, value) in fields {
            match name.strip_suffix('#') {
                Some(name) => {
                    let sql = "SELECT json FROM long_texts WHERE id = ?1";
                    let json: String =
                        db.query_row(sql, [value.as_i64()], |row| row.get(0)).unwrap();
                    whole.insert(name.to_string(), serde_json::from_str(&json).unwrap());
                }
                None => drop(whole.insert(name, value)),
            }
        }
        let sql = "UPDATE event_rows SET data = ?2 WHERE seq = ?1";
        db.execute(sql, params![seq, Value::Object(whole).to_string()]).unwrap();
    }
    db.execute(&format!("UPDATE event_rows SET data = {change} WHERE {which}"), []).unwrap()
}
