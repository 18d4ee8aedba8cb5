//! Extreme programs and environments.

use std::io::{BufRead as _, BufReader, Read as _};
use std::time::{Duration, Instant};

use crate::support::{data, ptc, run_ptc};

/// Runs a program from stdin. Compares the exit code and the code of the error, and checks that the
/// drawn error is short.
fn check(program: &str, code: i32, error: &str) {
    let started = Instant::now();
    let output = run_ptc(&["eval"], program);
    assert_eq!((output.code, output.stdout.as_str()), (Some(code), ""), "{error}");
    assert_eq!(output.stderr.lines().next(), Some(error));
    assert!(output.stderr.len() < 2000, "{}", output.stderr.len());
    assert!(output.stderr.lines().all(|line| line.chars().count() < 200), "{}", output.stderr);
    assert!(started.elapsed() < Duration::from_mins(1));
}

#[test]
fn ten_thousand_parentheses() {
    let (open, close) = ("(".repeat(10_000), ")".repeat(10_000));
    check(&format!("{open}{close}"), 4, "source-nesting-limit");
    check(&open, 4, "source-nesting-limit");
    check(&close, 3, "unexpected-delimiter");
}

#[test]
fn a_megabyte() {
    check(&format!("(+ {})", "1 ".repeat(500_000)), 4, "source-size-limit");
    check(&"\"".repeat(1_000_001), 4, "source-size-limit");
    check(&format!("(+ {} \"x\")", "1 ".repeat(100_000)), 3, "wrong-type");
    check(&format!("(+ 1 x) ; {}", "é".repeat(100_000)), 3, "unknown-name");
}

#[test]
fn an_endless_loop() {
    check("(loop [] (recur))", 4, "fuel-limit");
    check("(defn f [x] (f (inc x))) (f 0)", 4, "call-depth-limit");
    check("(defn f [x] (inc (f x))) (f 0)", 4, "call-depth-limit");
    check("(reduce (fn [all _] (into all all)) [1] (range 100))", 4, "memory-limit");
}

#[test]
fn a_reader_that_leaves() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let mut child = ptc(&["eval", "-e", "(range 500000)"], folder.path()).spawn().expect("starts");
    let mut start = [0; 8];
    let mut stdout = child.stdout.take().expect("is piped");
    stdout.read_exact(&mut start).expect("reads");
    drop(stdout);
    let output = child.wait_with_output().expect("ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), [].as_slice()));
}

#[cfg(unix)]
#[test]
fn ctrl_c_cancels_the_run_and_its_tools() {
    use std::process::Command;

    let folder = tempfile::tempdir().expect("makes a folder");
    let store = folder.path().join("runs.sqlite");
    let args = ["run", "agents/sleeper.toml", "--json"];
    let mut child = ptc(&args, &store).spawn().expect("starts");
    let stderr = BufReader::new(child.stderr.take().expect("is piped"));
    let mut lines = stderr.lines().map(|line| line.expect("reads"));
    assert!(lines.any(|line| line == "turn 1/5: calling sleep (call 1)"));
    let kill = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status();
    assert!(kill.is_ok_and(|it| it.success()));
    let started = Instant::now();
    assert_eq!(
        lines.collect::<Vec<_>>(),
        [
            "turn 1/5: cancelled (1 tool call)",
            "stopped after 1 turn and 1 tool call",
            "cancelled",
            "",
            "  × the run was cancelled",
        ]
    );
    let output = child.wait_with_output().expect("ends");
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(output.status.code(), Some(4));
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("is JSON");
    let expected = serde_json::json!({
        "run": object["run"],
        "status": "stopped",
        "value": null,
        "payload": null,
        "fail": null,
        "stop": "cancelled",
        "ended_by": "cancelled",
        "turns": 1,
        "tool_calls": 1,
        "fuel": 0,
        "seed": object["seed"],
        "usage": {"input_tokens": 0, "output_tokens": 0, "cost": null},
        "error": {
            "code": "cancelled", "kind": "other", "message": "the run was cancelled",
            "line": null, "column": null, "help": null,
        },
    });
    assert_eq!(object, expected);

    let shown = crate::support::run(&mut ptc(&["runs", "--json"], &store), b"");
    let runs: serde_json::Value = serde_json::from_str(&shown.stdout).expect("is JSON");
    assert_eq!(runs["runs"][0]["stop"], "cancelled");
}

#[test]
fn a_store_that_cannot_be() {
    let output = run_ptc(&["run", "agents/one.toml", "--store", "nowhere/runs.sqlite"], "");
    let expected = "store-failure\n\n  × nowhere/runs.sqlite: cannot use the store: the folder nowhere does not exist\n";
    assert_eq!((output.code, output.stderr.as_str()), (Some(2), expected));

    let folder = tempfile::tempdir().expect("makes a folder");
    let args = ["run", "agents/one.toml"];
    let output = crate::support::run(ptc(&args, folder.path()).env_remove("PTC_STORE"), b"");
    let expected = "store-failure\n\n  × there is no place for the record of runs\n  help: name one with `--store FILE` or in `PTC_STORE`; `HOME` is not set\n";
    assert_eq!((output.code, output.stderr.as_str()), (Some(2), expected));

    // By default, the store is in the data folder of the user.
    let mut command = ptc(&["run", "agents/one.toml", "--quiet"], folder.path());
    let output =
        crate::support::run(command.env_remove("PTC_STORE").env("HOME", folder.path()), b"");
    assert_eq!((output.code, output.stdout.as_str()), (Some(0), "3\n"));
    assert!(folder.path().join(".local/share/ptc/runs.sqlite").is_file());

    assert!(!data().join("nowhere").exists());
}
