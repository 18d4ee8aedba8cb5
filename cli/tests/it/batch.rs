//! `ptc eval --batch`: every request of `batch.txt` with its whole response.
//!
//! A line that starts with `> ` is a request, and the next line that starts with `< ` is its
//! response. All other lines are comments.

use std::io::{BufRead as _, BufReader, Write as _};

use crate::support::{compare, data, ptc, run_ptc};

#[test]
fn every_response() {
    let path = data().join("batch.txt");
    let text = std::fs::read_to_string(&path).expect("reads");
    let requests: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    assert!(requests.len() >= 40);
    let output = run_ptc(&["eval", "--batch"], &requests.join("\n"));
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));

    let mut responses = output.stdout.lines();
    let mut actual = String::new();
    for line in text.lines().filter(|line| !line.starts_with("< ")) {
        actual.push_str(line);
        actual.push('\n');
        if line.starts_with("> ") {
            let response = responses.next().expect("every request has a response");
            actual.push_str("< ");
            actual.push_str(response);
            actual.push('\n');
        }
    }
    assert_eq!(responses.next(), None, "there is one response to a request");
    compare(&path, &actual);
}

#[test]
fn a_response_comes_before_the_next_request() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let mut child = ptc(&["eval", "--batch"], folder.path()).spawn().expect("starts");
    let mut stdin = child.stdin.take().expect("is piped");
    let mut stdout = BufReader::new(child.stdout.take().expect("is piped"));
    for (source, value) in [("(+ 1 2)", 3), ("(* 2 3)", 6)] {
        writeln!(stdin, r#"{{"id":0,"source":"{source}"}}"#).expect("writes");
        let mut line = String::new();
        stdout.read_line(&mut line).expect("reads");
        let response = format!(
            r#"{{"id":0,"status":"value","value":{value},"edn":"{value}","prints":[],"tool_calls":[],"memory":{{}},"fuel":0,"error":null}}"#
        );
        assert_eq!(line.trim_end(), response);
    }
    drop(stdin);
    assert_eq!(child.wait().expect("ends").code(), Some(0));
}

#[test]
fn a_line_without_end_is_bounded() {
    let long = format!(r#"{{"id":1,"source":"{}"}}"#, "1 ".repeat(40 << 20));
    let output = run_ptc(&["eval", "--batch"], &format!("{long}\n{{\"source\":\"1\"}}\n"));
    let expected = [
        r#"{"id":null,"status":"error","value":null,"edn":null,"prints":[],"tool_calls":[],"memory":{},"fuel":0,"error":{"code":"request-too-long","kind":"limit","message":"the request is longer than 67108864 bytes","line":1,"column":null,"help":null}}"#,
        r#"{"id":null,"status":"value","value":1,"edn":"1","prints":[],"tool_calls":[],"memory":{},"fuel":0,"error":null}"#,
    ];
    assert_eq!(output.stdout.lines().collect::<Vec<_>>(), expected);
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
}
