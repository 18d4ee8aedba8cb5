//! A run against a server on loopback, whose key is in no output and in no file.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::Sender;

use serde_json::{Value, json};

use crate::support::{Folder, ptc, run};

const KEY: &str = "sk-a-key-that-nobody-may-see-0123456789";

/// Answers chat completions with these texts, one connection each. Returns the head and the body of each request.
fn serve(listener: &TcpListener, texts: &[&str]) -> Vec<(String, Value)> {
    let mut requests = Vec::new();
    for text in texts {
        let (stream, _) = listener.accept().expect("accepts");
        let mut reader = BufReader::new(stream);
        let (mut head, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("reads");
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().expect("is a number");
            }
            if line.trim().is_empty() {
                break;
            }
            head.push_str(&line);
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).expect("reads");
        requests.push((head, serde_json::from_slice(&body).expect("is JSON")));
        let reply = json!({
            "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 20, "completion_tokens": 4},
        })
        .to_string();
        let mut stream = reader.into_inner();
        write!(
            stream,
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{reply}",
            reply.len()
        )
        .expect("writes");
    }
    requests
}

/// Streams a reply of one long line, in many pieces and without an end. Sends to `sent` after the last piece, and
/// returns when the client has closed the connection.
pub(crate) fn stream_a_line(listener: &TcpListener, pieces: usize, sent: &Sender<()>) {
    let (stream, _) = listener.accept().expect("accepts");
    let mut reader = BufReader::new(stream.try_clone().expect("clones"));
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        reader.read_line(&mut line).expect("reads");
    }
    let mut stream = stream;
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
    )
    .expect("writes");
    let piece = json!({"choices": [{"delta": {"content": "wide ".repeat(200)}}]});
    for _ in 0..pieces {
        // The client may have closed the connection.
        if write!(stream, "data: {piece}\n\n").is_err() {
            break;
        }
    }
    sent.send(()).expect("is waited for");
    let mut rest = Vec::new();
    drop(reader.read_to_end(&mut rest));
}

#[test]
fn a_server_and_its_recording() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("listens");
    let url = format!("http://{}/v1", listener.local_addr().expect("has an address"));
    let server = std::thread::spawn(move || {
        serve(
            &listener,
            &["```clojure\n(return \"three\")\n```", "```clojure\n(return (+ ctx/a ctx/b))\n```"],
        )
    });
    let folder = tempfile::tempdir().expect("makes a folder");
    let store = folder.path().join("runs.sqlite");
    let recording = folder.path().join("made.jsonl");
    let args = [
        "run",
        "agents/one.toml",
        "--model",
        "openai:small",
        "--base-url",
        &url,
        "--key-env",
        "openai=OPENAI_API_KEY",
        "--record",
        &recording.to_string_lossy(),
        "--json",
    ];
    let first = run(ptc(&args, &store).env("OPENAI_API_KEY", KEY), b"");
    let requests = server.join().expect("serves");
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    assert!(requests.iter().all(|(head, _)| head.contains(KEY)));
    assert_eq!(requests.len(), 2);

    let object: Value = serde_json::from_str(&first.stdout).expect("is JSON");
    let expected = json!({
        "run": object["run"],
        "status": "returned",
        "ended_by": "answer",
        "value": 3,
        "payload": null,
        "fail": null,
        "stop": null,
        "turns": 2,
        "tool_calls": 0,
        "fuel": 0,
        "seed": object["seed"],
        "usage": {"input_tokens": 40, "output_tokens": 8, "cost": null},
        "error": null,
    });
    assert_eq!(object, expected);

    let recorded = format!("recorded:{}", recording.display());
    let again = run(&mut ptc(&["run", "agents/one.toml", "--model", &recorded], &store), b"");
    assert_eq!((again.code, again.stdout.as_str()), (Some(0), "3\n"));

    // The key is in no output, no recording and no record.
    let shown = run(&mut ptc(&["show", object["run"].as_str().unwrap_or_default()], &store), b"");
    assert_eq!(shown.code, Some(0));
    for text in [&first.stdout, &first.stderr, &again.stderr, &shown.stdout] {
        assert!(!text.contains(KEY));
    }
    for entry in std::fs::read_dir(folder.path()).expect("lists") {
        let bytes = std::fs::read(entry.expect("lists").path()).expect("reads");
        assert!(!bytes.windows(KEY.len()).any(|it| it == KEY.as_bytes()));
    }
}

#[test]
fn a_server_that_does_not_listen() {
    // The port is bound and closed again, so that nobody listens at it.
    let listener = TcpListener::bind("127.0.0.1:0").expect("listens");
    let url = format!("http://{}/v1", listener.local_addr().expect("has an address"));
    drop(listener);
    let folder = tempfile::tempdir().expect("makes a folder");
    let args = [
        "run",
        "agents/one.toml",
        "--model",
        "openai:small",
        "--base-url",
        &url,
        "--json",
        "--quiet",
    ];
    let output = run(&mut ptc(&args, &folder.path().join("runs.sqlite")), b"");
    assert_eq!((output.code, output.stderr.as_str()), (Some(5), ""));
    let object: Value = serde_json::from_str(&output.stdout).expect("is JSON");
    assert_eq!(
        (&object["status"], &object["stop"], &object["error"]["code"]),
        (&"stopped".into(), &"provider".into(), &"provider-network".into())
    );
}

/// The aliases of sub-agents have the keys that a resumed run is told.
#[test]
fn m151_a_resumed_run_gives_keys_to_its_sub_agents() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("listens");
    let url = format!("http://{}/v1", listener.local_addr().expect("has an address"));
    let server = std::thread::spawn(move || serve(&listener, &["```clojure\n(return 7)\n```"]));
    let folder = Folder::new();
    folder.write_workflow("desk", "(do (ask \"Go on?\") (tool/below {}))");
    let desk = "name = \"desk\"\nprogram = \"desk.clj\"\n[[tools]]\nname = \"below\"\nagent = \"below.toml\"\n";
    std::fs::write(folder.path("desk.toml"), desk).expect("writes");
    let below = format!(
        "prompt = \"Go.\"\nsignature = \"() -> :int\"\nmodel = \"fast\"\n[models.fast]\nmodel = \"openai:m\"\n\
         base_url = \"{url}\"\n"
    );
    std::fs::write(folder.path("below.toml"), below).expect("writes");
    let waiting = folder.ptc(&["run", "desk.toml", "--json", "--quiet"]);
    let report: Value = serde_json::from_str(&waiting.stdout).expect("is JSON");
    assert_eq!(waiting.code, Some(6), "{}", waiting.stderr);
    let id = report["run"].as_str().expect("is a text");
    let args = ["answer", id, "yes", "--quiet", "--key-env", "fast=DESK_KEY"];
    let output = run(folder.command(&args).env("DESK_KEY", KEY), b"");
    assert_eq!((output.stdout.as_str(), output.code), ("7\n", Some(0)), "{}", output.stderr);
    let requests = server.join().expect("serves");
    assert!(requests[0].0.contains(&format!("Bearer {KEY}")), "{}", requests[0].0);
    assert!(!folder.ptc(&["show", id, "--json"]).stdout.contains(KEY));
}
