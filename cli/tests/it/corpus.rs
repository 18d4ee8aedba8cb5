//! The whole conformance corpus through one process.
//!
//! That an answer is right is tested where the corpus lies, against the library; here every program
//! must come to the same end, one after another in one `ptc eval --batch`.

use std::path::Path;

use ptc_lisp::{Budget, Limits, Outcome, Session, Step, Value, json};
use serde_json::{Value as Json, json};

use crate::support::run_ptc;

/// What the library makes of a program: its status and its value, or the code of its error.
fn by_library(source: &str, ctx: Value) -> (&'static str, String) {
    let session = Session::new(ctx, Vec::new(), Limits::default());
    let admitted = match session.admit(source) {
        Ok(admitted) => admitted,
        Err(rejection) => {
            let first = rejection.diagnostics.first();
            return (
                "rejected",
                first.map(|problem| problem.code().to_owned()).unwrap_or_default(),
            );
        }
    };
    let mut machine = session.start(&admitted);
    let mut budget = Budget::new(session.limits());
    while !matches!(machine.run(&mut budget), Step::Done) {}
    match machine.finish().outcome {
        Outcome::Value(value) => ("value", value.to_string()),
        Outcome::Return(value) => ("return", value.to_string()),
        Outcome::Fail(failure) => ("fail", failure.reason),
        Outcome::Error(problem) => ("error", problem.code().to_owned()),
    }
}

fn by_batch(response: &Json) -> (&str, String) {
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    match response["status"].as_str().unwrap_or_default() {
        // A limit is an error of the library.
        "limit" => ("error", text(&response["error"]["code"])),
        status @ ("rejected" | "error") => (status, text(&response["error"]["code"])),
        status => (status, text(&response["edn"])),
    }
}

#[test]
fn every_program_in_one_process() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/conformance");
    let mut cases: Vec<Json> = Vec::new();
    for entry in std::fs::read_dir(folder).expect("lists") {
        let path = entry.expect("lists").path();
        if path.to_string_lossy().ends_with(".expected.jsonl") {
            let text = std::fs::read_to_string(path).expect("reads");
            cases.extend(text.lines().map(|line| serde_json::from_str(line).expect("is JSON")));
        }
    }
    assert!(cases.len() >= 2_000, "the corpus has only {} cases", cases.len());
    let requests: Vec<String> = cases
        .iter()
        .map(|case| {
            let ctx = case.get("ctx").cloned().unwrap_or(json!({}));
            json!({"id": case["id"], "source": case["source"], "ctx": ctx}).to_string()
        })
        .collect();
    let output = run_ptc(&["eval", "--batch"], &requests.join("\n"));
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    let responses: Vec<Json> =
        output.stdout.lines().map(|line| serde_json::from_str(line).expect("is JSON")).collect();
    assert_eq!(responses.len(), cases.len());
    let mut problems = Vec::new();
    for (case, response) in cases.iter().zip(&responses) {
        let ctx = case.get("ctx").map_or_else(|| Value::map([]), json::from_serde);
        let expected = by_library(case["source"].as_str().unwrap_or_default(), ctx);
        let found = by_batch(response);
        if response["id"] != case["id"] || found != expected {
            problems.push(format!("{}: {found:?} instead of {expected:?}", case["id"]));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}
