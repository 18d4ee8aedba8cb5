//! `ptc serve` as a process: it is killed while it works, and started again.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::Folder;

/// A server, and its address.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(folder: &Folder) -> Server {
        let args =
            ["serve", "mark.toml", "--http", "127.0.0.1:0", "--max-runs", "4", "--grace", "5"];
        let mut command = folder.command(&args);
        let mut child = command.stderr(Stdio::piped()).spawn().expect("starts");
        let mut lines = BufReader::new(child.stderr.take().expect("is piped")).lines();
        let line = lines.next().expect("a line").expect("is text");
        let address = line.strip_prefix("listening at http://").expect("an address").to_string();
        // Further lines must not block the server.
        std::thread::spawn(move || lines.for_each(drop));
        Server { child, address }
    }

    /// Sends a request. Returns `None` if the server dies before its answer.
    fn ask(&self, method: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(head.as_bytes()).ok()?;
        let mut text = String::new();
        stream.read_to_string(&mut text).ok()?;
        let (head, body) = text.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some((status, serde_json::from_str(body).ok()?))
    }

    fn kill(mut self) {
        self.child.kill().expect("is killed");
        self.child.wait().expect("ends");
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
command = ["sh", "-c", "echo \"$(cat)\" >> marks; sleep 0.05; echo true"]
"#;
    std::fs::write(folder.path("mark.toml"), agent).expect("writes");
    let mut accepted = BTreeMap::new();
    let mut n = 0;
    // The moments are spread over a run, which takes about 60 ms.
    for pause in [40, 130, 70, 210, 100] {
        let server = Server::start(&folder);
        for _ in 0..8 {
            n += 1;
            let body = json!({"agent": "mark", "input": {"n": n}});
            if let Some((201, run)) = server.ask("POST", "/v1/runs", &body) {
                accepted.insert(run["run"].as_str().expect("an id").to_string(), n);
            }
        }
        std::thread::sleep(Duration::from_millis(pause));
        server.kill();
    }
    assert_eq!(accepted.len(), 40);
    let server = Server::start(&folder);
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
    assert!(ends.values().any(|it| it == "answer"), "{ends:?}");
    server.kill();
}
