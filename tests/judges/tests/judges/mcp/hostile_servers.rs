//! Hostile servers: answers that cannot be used, and requests whose answers they do not read.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use ptc_judges::hostile::{KINDS, answer, echo, flood, greeting};
use ptc_subagent::Agent;
use serde_json::{Value, json};

use super::support::{Place, call, tool};

/// The kinds of bodies with which a server of HTTP answers a call.
#[derive(Clone, Copy, Debug)]
enum Body {
    Json,
    Events,
}

/// Starts a server of HTTP, which ends with the process. Returns its address.
fn start(body: Body) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            std::thread::spawn(move || serve(&stream.unwrap(), body));
        }
    });
    url
}

/// Answers one request.
fn serve(stream: &TcpStream, kind_of_body: Body) {
    let Some(body) = read(stream) else { return };
    let request: Value = serde_json::from_str(&body).unwrap_or_default();
    let write = |head: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 {head}\r\nConnection: close\r\n\r\n");
        // The client may have read enough.
        let mut stream = stream;
        drop(stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)));
    };
    if let Some(greeting) = greeting(&request) {
        return write("200 OK\r\nContent-Type: application/json", greeting.to_string().as_bytes());
    }
    let echo = echo(&body);
    let kind = match request["params"]["arguments"]["kind"].as_str() {
        Some(kind) => kind,
        None if echo.is_some() => "echo",
        None if request["result"].is_object() => {
            // It never takes an answer.
            return std::thread::park();
        }
        None => return write("202 Accepted\r\nContent-Length: 0", b""),
    };
    if kind == "flood" {
        write("200 OK\r\nContent-Type: text/event-stream", b"");
        // The client ends the stream.
        let mut stream = stream;
        for ping in flood() {
            if stream.write_all(format!("data: {ping}\n\n").as_bytes()).is_err() {
                return;
            }
        }
    }
    let message = echo.map_or_else(|| answer(kind, &request["id"]), String::into_bytes);
    match kind_of_body {
        Body::Json => write("200 OK\r\nContent-Type: application/json", &message),
        Body::Events => {
            let event = [b"data: ", &*message, b"\n\n"].concat();
            write("200 OK\r\nContent-Type: text/event-stream", &event);
        }
    }
}

/// Reads the body of a POST.
fn read(stream: &TcpStream) -> Option<String> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            if line.trim_end().is_empty() {
                break;
            }
            continue;
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    String::from_utf8(body).ok()
}

/// Returns agents with a hostile server: a program, and both kinds of servers of HTTP.
pub(crate) fn agents(place: &Place) -> Vec<(&'static str, Agent)> {
    place.write("raw", "mcp = \"servers.json\"");
    let mut agents = vec![("program", place.read(None).unwrap())];
    for (way, body) in [("json", Body::Json), ("events", Body::Events)] {
        let url = start(body);
        place.write("raw", &format!("[[mcp]]\nname = \"desk\"\nurl = \"{url}\""));
        agents.push((way, place.read(None).unwrap()));
    }
    agents
}

#[test]
fn unusable_answers_end_their_call_at_once() {
    let place = Place::new();
    let effect = "in mid-call, so the call may have had an effect";
    let large = format!("tool-too-large: gave an answer of more than 16 MiB {effect}");
    let wrong =
        |why: &str| format!("tool-output: gave an answer of the wrong form {effect}: {why}");
    let mut wrongs = Vec::new();
    for (way, agent) in agents(&place) {
        for kind in KINDS {
            let why = match (kind, way) {
                ("large" | "large first", _) => large.clone(),
                ("bytes", "events") => {
                    wrong("utf8 parse error: invalid utf-8 sequence of 1 bytes from index 68")
                }
                ("bytes", _) => wrong("byte 68 is not UTF-8"),
                ("surrogate", _) => wrong("unexpected end of hex escape at line 1 column 75"),
                ("nan", _) => wrong("expected value at line 1 column 74"),
                ("huge", _) => wrong("number out of range at line 1 column 78"),
                ("deep", _) => wrong("recursion limit exceeded at line 1 column 198"),
                ("neither", _) => wrong("it has neither `result` nor `error`"),
                _ => wrong("it has both `result` and `error`"),
            };
            let get = || call(tool(&agent, "get"), json!({"kind": kind}));
            let got = get();
            if got != why {
                wrongs.push(format!("{way} {kind}: {got}"));
            }
            // The server goes on.
            assert_eq!(call(tool(&agent, "get"), json!({"kind": "usual"})), "\"yes\"", "{way}");
        }
    }
    assert_eq!(wrongs, Vec::<String>::new());
}

#[test]
fn a_server_that_does_not_read_answers_is_ended() {
    let place = Place::new();
    for (way, agent) in agents(&place) {
        let flooded = call(tool(&agent, "get"), json!({"kind": "flood"}));
        let expected = "tool-failed: broke the protocol in mid-call, so the call may have had an \
            effect: it does not read the answers to its requests";
        assert_eq!(flooded, expected, "{way}");
        assert_eq!(call(tool(&agent, "get"), json!({"kind": "usual"})), "\"yes\"", "{way}");
    }
}
