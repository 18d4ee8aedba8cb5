//! The first example against a server on loopback that speaks chat completions, with the failures
//! of servers and replies.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{ptc, run};

const KEY: &str = "sk-another-key-that-nobody-may-see-9876543210";

/// The behaviour of the server for one request.
#[derive(Clone)]
enum Behaviour {
    Replies(String),
    Fails(u16),
    /// Closes the connection without an answer.
    Drops,
    /// Sends nothing for longer than the agent waits.
    Sleeps,
}

fn examples() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

/// Returns the reply of the recording of the example.
fn recorded_reply() -> Behaviour {
    let path = examples().join("bulletin/bulletin.recording.jsonl");
    let recording = std::fs::read_to_string(path).expect("reads");
    let line: Value =
        serde_json::from_str(recording.lines().next().expect("has a line")).expect("is JSON");
    Behaviour::Replies(line["text"].as_str().expect("has a text").to_owned())
}

fn replies(text: &str) -> Behaviour {
    Behaviour::Replies(text.to_owned())
}

fn answer(stream: TcpStream, behaviour: &Behaviour) {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().expect("is a number");
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("reads");
    let mut stream = reader.into_inner();
    let (status, reply) = match behaviour {
        Behaviour::Replies(text) => {
            let message = json!({"role": "assistant", "content": text});
            (200, json!({"choices": [{"message": message, "finish_reason": "stop"}]}).to_string())
        }
        // The server repeats the key that it received.
        Behaviour::Fails(status) => {
            (*status, json!({"error": {"message": format!("no: {KEY}")}}).to_string())
        }
        Behaviour::Drops => return,
        Behaviour::Sleeps => {
            std::thread::sleep(Duration::from_secs(3));
            return;
        }
    };
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}",
        reply.len()
    );
    // The client may have closed the connection.
    drop(write!(stream, "{head}\r\nconnection: close\r\n\r\n{reply}"));
}

/// Runs the example against a server that follows a plan; compares the end of the run.
fn check(plan: &[Behaviour], code: i32, turns: u64, end: &str) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("listens");
    let url = format!("http://{}/v1", listener.local_addr().expect("has an address"));
    let server = {
        let plan = plan.to_vec();
        std::thread::spawn(move || {
            for behaviour in &plan {
                let (stream, _) = listener.accept().expect("accepts");
                let behaviour = behaviour.clone();
                // An unanswered request must not delay the next one.
                std::thread::spawn(move || answer(stream, &behaviour));
            }
        })
    };
    // The example, with a short request timeout and an absolute path of its input.
    let folder = tempfile::tempdir().expect("makes a folder");
    let agent = std::fs::read_to_string(examples().join("bulletin/agent.toml")).expect("reads");
    let input = examples().join("data/earthquakes.json");
    let input = input.canonicalize().expect("is there").display().to_string();
    let agent =
        agent.replace("\"../data/earthquakes.json\"", &format!("{input:?}\nrequest_timeout = 1"));
    let file = folder.path().join("agent.toml");
    std::fs::write(&file, agent).expect("writes");
    let store = folder.path().join("runs.sqlite");
    let file = file.display().to_string();
    let (model, key) = (["--model", "openai:small"], ["--key-env", "openai=OPENAI_API_KEY"]);
    let args = [&["run", &file, "--base-url", &url, "--json"][..], &model, &key].concat();
    let output = run(ptc(&args, &store).env("OPENAI_API_KEY", KEY), b"");
    server.join().expect("serves");

    let object: Value = serde_json::from_str(&output.stdout).expect("is JSON");
    assert_eq!(
        (output.code, object["turns"].as_u64()),
        (Some(code), Some(turns)),
        "{}",
        output.stderr
    );
    let found = match object["status"].as_str() {
        Some("returned") => "returned".to_owned(),
        _ => format!("{} {}", object["stop"], object["error"]["code"]).replace('"', ""),
    };
    assert_eq!(found, end, "{}", output.stderr);
    if end == "returned" {
        let expected =
            std::fs::read_to_string(examples().join("bulletin/expected.json")).expect("reads");
        let expected: Value = serde_json::from_str(&expected).expect("is JSON");
        assert_eq!(object["value"], expected);
    }
    for text in [&output.stdout, &output.stderr] {
        assert!(!text.contains(KEY), "{text}");
    }
    for entry in std::fs::read_dir(folder.path()).expect("lists") {
        let bytes = std::fs::read(entry.expect("lists").path()).expect("reads");
        assert!(!bytes.windows(KEY.len()).any(|it| it == KEY.as_bytes()));
    }
}

#[test]
fn a_server_error_and_then_an_answer() {
    check(&[Behaviour::Fails(503), recorded_reply()], 0, 1, "returned");
}

#[test]
fn a_dropped_connection_and_then_an_answer() {
    check(&[Behaviour::Drops, recorded_reply()], 0, 1, "returned");
}

#[test]
fn a_slow_reply_and_then_an_answer() {
    check(&[Behaviour::Sleeps, recorded_reply()], 0, 1, "returned");
}

#[test]
fn a_reply_without_a_program() {
    check(&[replies("I would count them by region first."), recorded_reply()], 0, 2, "returned");
}

#[test]
fn a_reply_with_two_programs() {
    let two = "```clojure\n(return 1)\n```\nor\n```clojure\n(return 2)\n```";
    check(&[replies(two), recorded_reply()], 0, 2, "returned");
}

#[test]
fn a_reply_of_the_wrong_type() {
    let wrong = "```clojure\n(return {:earthquakes \"many\"})\n```";
    check(&[replies(wrong), recorded_reply()], 0, 2, "returned");
}

#[test]
fn a_server_that_stays_broken() {
    check(
        &[Behaviour::Fails(500), Behaviour::Fails(502), Behaviour::Fails(503)],
        5,
        1,
        "provider provider-server",
    );
}

#[test]
fn a_key_that_is_refused() {
    check(&[Behaviour::Fails(401)], 5, 1, "provider provider-auth");
}
