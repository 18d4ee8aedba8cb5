//! The whole conformance corpus, twice in this process and once in another.
//!
//! Other tests check that the answers are right. Here, every program must end in the same way each
//! time: with the same value or error, printed lines and fuel. The other process,
//! `ptc eval --batch`, has other hash seeds and addresses.

use std::path::Path;

use ptc_lisp::{Budget, Limits, Outcome, Session, Value, Yielded, json};
use serde_json::{Value as Json, json};

use crate::support::{one_in, run_ptc};

/// How a program ended.
#[derive(Debug, PartialEq)]
struct End {
    status: String,
    /// The printed value of the program, or the code of its error.
    text: String,
    prints: Vec<String>,
    fuel: u64,
}

/// Runs a program with the library.
fn by_library(source: &str, ctx: Value) -> End {
    let session = Session::new(ctx, Vec::new(), Limits::default());
    let admitted = match session.admit(source) {
        Ok(admitted) => admitted,
        Err(rejection) => {
            let first = rejection.diagnostics.first();
            return End {
                status: "rejected".to_owned(),
                text: first.map(|problem| problem.code().to_owned()).unwrap_or_default(),
                prints: Vec::new(),
                fuel: 0,
            };
        }
    };
    let mut machine = session.start(&admitted);
    let mut budget = Budget::new(session.limits());
    while !matches!(machine.run(&mut budget), Yielded::Done) {}
    let ended = machine.finish();
    let (status, text) = match ended.outcome {
        Outcome::Value(value) => ("value", value.to_string()),
        Outcome::Return(value) | Outcome::Continue(value) => ("return", value.to_string()),
        Outcome::Fail(failure) => ("fail", failure.reason),
        Outcome::Error(problem) => ("error", problem.code().to_owned()),
    };
    End { status: status.to_owned(), text, prints: ended.prints, fuel: ended.fuel }
}

fn by_batch(response: &Json) -> End {
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    let (status, shown) = match response["status"].as_str().unwrap_or_default() {
        // The library reports a limit as an error.
        "limit" => ("error", &response["error"]["code"]),
        status @ ("rejected" | "error") => (status, &response["error"]["code"]),
        status => (status, &response["edn"]),
    };
    End {
        status: status.to_owned(),
        text: text(shown),
        prints: response["prints"].as_array().into_iter().flatten().map(text).collect(),
        fuel: response["fuel"].as_u64().unwrap_or_default(),
    }
}

#[test]
fn every_program_ends_in_the_same_way() {
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
    let cases: Vec<Json> = cases.into_iter().step_by(one_in(10)).collect();
    let requests: Vec<String> = cases
        .iter()
        .map(|case| {
            let ctx = case.get("ctx").cloned().unwrap_or(json!({}));
            json!({"id": case["id"], "source": case["source"], "ctx": ctx, "seed": 0}).to_string()
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
        let source = case["source"].as_str().unwrap_or_default();
        let expected = by_library(source, ctx.clone());
        for found in [by_library(source, ctx), by_batch(response)] {
            if response["id"] != case["id"] || found != expected {
                problems.push(format!("{}: {found:?} instead of {expected:?}", case["id"]));
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}
