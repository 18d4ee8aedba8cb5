//! `ptc serve` as a process: it is killed while it works, and started again.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::Folder;

/// A server, its address, and the lines that it writes.
pub(crate) struct Server {
    child: Child,
    address: String,
    lines: JoinHandle<Vec<String>>,
}

impl Server {
    /// Starts `ptc serve` on a port of its own.
    pub(crate) fn start(command: &mut Command) -> Server {
        command.args(["--http", "127.0.0.1:0"]);
        let mut child = command.stderr(Stdio::piped()).spawn().expect("starts");
        let mut lines = BufReader::new(child.stderr.take().expect("is piped")).lines();
        let mut before = Vec::new();
        let address = loop {
            before.push(lines.next().expect("a line").expect("is text"));
            let line = before.last().and_then(|it| it.split_once("http://"));
            if let Some((_, address)) = line {
                break address.trim_end_matches(['"', '}']).to_string();
            }
        };
        // Lines that nobody reads would block the server.
        let lines = std::thread::spawn(move || {
            before.into_iter().chain(lines.map_while(Result::ok)).collect()
        });
        Server { child, address, lines }
    }

    /// Sends a request. Returns `None` if the server dies before its answer.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
        self.ask_with(method, path, "", body)
    }

    fn ask_with(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: &Value,
    ) -> Option<(u16, Value)> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n{headers}\r\n{body}",
            body.len()
        );
        stream.write_all(head.as_bytes()).ok()?;
        let mut text = String::new();
        stream.read_to_string(&mut text).ok()?;
        let (head, body) = text.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some((status, serde_json::from_str(body).ok()?))
    }

    /// Kills the server. Returns its lines.
    pub(crate) fn kill(mut self) -> Vec<String> {
        self.child.kill().expect("is killed");
        self.child.wait().expect("ends");
        self.lines.join().expect("are read")
    }

    /// Ends the server as a person does. Returns its lines.
    #[cfg(unix)]
    pub(crate) fn end(mut self) -> Vec<String> {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status().expect("starts");
        assert!(sent.success());
        self.child.wait().expect("ends");
        self.lines.join().expect("are read")
    }
}

#[cfg(unix)]
#[test]
fn a_server_that_is_killed_under_load_loses_no_run_and_repeats_no_call() {
    let folder = Folder::new();
    folder.write_workflow("mark", "(tool/mark {:n ctx/n})");
    let agent = r#"
name = "mark"
program = "mark.clj"
signature = "(n :int) -> :any"

[[tools]]
name = "mark"
signature = "(n :int) -> :bool"
effect = "write"
command = ["sh", "-c", "echo \"$(cat)\" >> marks; sleep 0.02; echo true"]
"#;
    std::fs::write(folder.path("mark.toml"), agent).expect("writes");
    let start = || {
        Server::start(&mut folder.command(&[
            "serve",
            "mark.toml",
            "--max-runs",
            "4",
            "--grace",
            "5",
        ]))
    };
    let mut accepted = BTreeMap::new();
    let mut n = 0;
    // A run takes about 30 ms. The moments are spread over its parts, and repeat with each run of the test.
    let mut moments = Moments(7);
    for _ in 0..100 {
        let server = start();
        for _ in 0..2 {
            n += 1;
            let body = json!({"agent": "mark", "input": {"n": n}});
            if let Some((201, run)) = server.ask("POST", "/v1/runs", &body) {
                accepted.insert(run["run"].as_str().expect("an id").to_string(), n);
            }
        }
        std::thread::sleep(Duration::from_micros(moments.below(45_000)));
        server.kill();
    }
    assert_eq!(accepted.len(), 200);
    let server = start();
    let mut ends = BTreeMap::new();
    for _ in 0..600 {
        for (run, n) in &accepted {
            let (status, run) =
                server.ask("GET", &format!("/v1/runs/{run}"), &Value::Null).expect("lives");
            assert_eq!(status, 200, "{run}");
            if !run["ended_at"].is_null() {
                ends.insert(*n, run["ended_by"].as_str().expect("a word").to_string());
            }
        }
        if ends.len() == accepted.len() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(ends.len(), accepted.len(), "{ends:?}");
    let marks = std::fs::read_to_string(folder.path("marks")).expect("reads");
    let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
    for line in marks.lines().filter(|it| !it.is_empty()) {
        let mark: Value = serde_json::from_str(line).expect("is JSON");
        *counts.entry(mark["n"].as_i64().expect("a number")).or_default() += 1;
    }
    let mut problems = Vec::new();
    for (n, end) in &ends {
        let count = counts.get(n).copied().unwrap_or_default();
        // A call whose end nobody knows is left to a person.
        let is_right = match end.as_str() {
            "answer" => count == 1,
            "in-doubt" => count <= 1,
            _ => false,
        };
        if !is_right {
            problems.push(format!("run {n} ended by {end} with {count} marks"));
        }
    }
    assert!(problems.is_empty(), "{problems:?}");
    let words: BTreeSet<&str> = ends.values().map(String::as_str).collect();
    assert_eq!(words, BTreeSet::from(["answer", "in-doubt"]));
    server.kill();
    let checked = folder.ptc(&["store", "check"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
}

/// A sequence of moments, which is the same each time.
struct Moments(u64);

impl Moments {
    /// Returns a number from 0 to one below this.
    fn below(&mut self, most: u64) -> u64 {
        // Knuth's multiplier for 64 bits; the high bits are the good ones.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// Accepts one message of a server, and answers it. Returns its head in lower case and its body.
fn receive(listener: &TcpListener, status: &str) -> (String, Value) {
    let (stream, _) = listener.accept().expect("accepts");
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        reader.read_line(&mut head).expect("reads");
    }
    let head = head.to_lowercase();
    let length = head.lines().find_map(|it| it.strip_prefix("content-length: ")).expect("a length");
    let mut body = vec![0; length.parse().expect("a number")];
    reader.read_exact(&mut body).expect("reads");
    let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    reader.get_mut().write_all(answer.as_bytes()).expect("answers");
    (head, serde_json::from_slice(&body).expect("is JSON"))
}

/// Asks for the record of a run until it has an event.
fn event_of(server: &Server, run: &str, kind: &str) -> Value {
    for _ in 0..500 {
        let mut stream = TcpStream::connect(&server.address).expect("connects");
        let head = format!(
            "GET /v1/runs/{run}/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).expect("sends");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("reads");
        let events = text.lines().filter_map(|it| it.strip_prefix("data: "));
        let mut events = events.filter_map(|it| serde_json::from_str::<Value>(it).ok());
        if let Some(found) = events.find(|it| it["event"] == kind) {
            return found;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("run {run} has no event {kind}");
}

#[test]
fn a_message_is_delivered_after_a_kill_between_two_attempts() {
    let folder = Folder::new();
    folder.write_workflow("sum", "(+ 1 2)");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
    let start = || {
        let args = ["serve", "sum.toml", "--webhook", &url, "--webhook-secret-env", "HOOK"];
        Server::start(folder.command(&args).env("HOOK", "a secret"))
    };
    let server = start();
    let (_, run) = server.ask("POST", "/v1/runs", &json!({"agent": "sum"})).expect("lives");
    let run = run["run"].as_str().expect("an id").to_string();
    let (first, _) = receive(&listener, "500 Internal Server Error");
    server.kill();

    let server = start();
    let (second, body) = receive(&listener, "200 OK");
    let found = (&body["type"], &body["run"], &body["data"]["value"]);
    assert_eq!(found, (&json!("run.ended"), &json!(run), &json!(3)));
    let id = |head: &str| {
        head.lines().find_map(|it| it.strip_prefix("webhook-id: ")).expect("an id").to_string()
    };
    assert_eq!(id(&first), id(&second));
    let sent = event_of(&server, &run, "webhook-sent");
    let found = (&sent["id"], &sent["to"], &sent["attempts"], &sent["error"]);
    assert_eq!(found, (&json!(id(&second)), &json!(url), &json!(1), &Value::Null));
    server.kill();
    // What is on record is not sent again.
    let server = start();
    assert_eq!(server.ask("GET", "/healthz", &Value::Null).expect("lives").0, 200);
    listener.set_nonblocking(true).expect("can be asked");
    assert!(listener.accept().is_err());
    server.kill();
}

/// The keys of each line of the log, as `docs/serve.md` lists them.
const LOGGED: [(&str, &[&str]); 4] = [
    ("left-out", &["at", "event", "why"]),
    ("listening", &["at", "event", "url"]),
    ("request", &["at", "caller", "event", "method", "ms", "path", "route", "status"]),
    ("run", &["at", "ended_by", "event", "ms", "run", "status", "tool_calls", "turns"]),
];

#[cfg(unix)]
#[test]
fn each_line_of_the_log_is_json_with_known_fields_and_no_secret() {
    let folder = Folder::new();
    folder.write_workflow("sum", "(+ 1 2)");
    std::fs::write(folder.path("broken.toml"), "name = ").expect("writes");
    let token = folder.ptc(&["token", "new", "ada", "--role", "run", "--tokens", "tokens"]);
    let token = token.stdout.trim().lines().last().expect("a token").to_string();
    let key = "sk-nobody-may-see-0123456789";
    let args =
        ["serve", ".", "--log", "json", "--tokens", "tokens", "--key-env", "openai=MODEL_KEY"];
    let server = Server::start(folder.command(&args).env("MODEL_KEY", key));
    let with =
        |secret: &str| format!("Authorization: Bearer {secret}\r\nIdempotency-Key: {key}\r\n");
    let start = json!({"agent": "sum"});
    let ask = |method: &str, path: &str, headers: &str, body: &Value| {
        server.ask_with(method, path, headers, body).expect("lives").0
    };
    assert_eq!(ask("POST", "/v1/runs?wait=60", &with(&token), &start), 201);
    assert_eq!(ask("POST", "/v1/session", "", &json!({"token": token})), 200);
    assert_eq!(ask("GET", &format!("/v1/runs?agent={token}"), &with(&token), &Value::Null), 200);
    assert_eq!(ask("GET", "/v1/agents", &with("wrong-token-0123456789"), &Value::Null), 401);
    let lines = server.end();
    let mut kinds = BTreeMap::new();
    for line in &lines {
        for secret in [&token, key, "wrong-token-0123456789"] {
            assert!(!line.contains(secret), "{line}");
        }
        let json: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}"));
        let fields = json.as_object().expect("an object");
        let event = fields["event"].as_str().expect("a word").to_string();
        let known = LOGGED.iter().find(|(it, _)| *it == event).expect("is documented").1;
        let mut found: Vec<&str> = fields.keys().map(String::as_str).collect();
        found.sort_unstable();
        assert_eq!(found, known, "{line}");
        *kinds.entry(event).or_insert(0) += 1;
    }
    let expected = [("left-out", 1), ("listening", 1), ("request", 4), ("run", 1)];
    assert_eq!(kinds, expected.map(|(kind, count)| (kind.to_string(), count)).into());
}
