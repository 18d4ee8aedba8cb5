//! `ptc run --inputs`: the order of results, failures, and concurrent processes.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{data, ptc, run};

/// A folder with a store, a gate file for which missions wait, and a file of results.
struct Workspace {
    folder: tempfile::TempDir,
}

impl Workspace {
    fn new() -> Workspace {
        Workspace { folder: tempfile::tempdir().expect("makes a folder") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn ptc(&self, args: &[&str]) -> Command {
        let mut command = ptc(args, &self.path("runs.sqlite"));
        command.env("GATE", self.path("gate"));
        command
    }

    /// Starts the missions of some inputs.
    fn start(&self, inputs: &str, options: &[&str]) -> Child {
        let path = self.path("inputs.jsonl");
        std::fs::write(&path, inputs).expect("writes");
        let path = path.to_string_lossy().into_owned();
        let args = [&["run", "agents/gate.toml", "--inputs", &path], options].concat();
        self.ptc(&args).spawn().expect("starts")
    }

    fn open_the_gate(&self) {
        std::fs::write(self.path("gate"), "").expect("writes");
    }

    /// Returns the statuses of all runs on record; empty while the store is being created.
    fn statuses(&self) -> Vec<String> {
        let output = run(&mut self.ptc(&["runs", "--json"]), b"");
        let runs: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
        let runs = runs["runs"].as_array().cloned().unwrap_or_default();
        runs.iter().map(|it| it["status"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

fn until(what: &str, condition: impl Fn() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < Duration::from_mins(1), "never: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Returns `line` and `value` of each result.
fn results(text: &str) -> Vec<(Option<u64>, Option<u64>)> {
    let results = text.lines().map(|it| serde_json::from_str::<Value>(it).expect("is JSON"));
    results.map(|it| (it["line"].as_u64(), it["value"].as_u64())).collect()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

#[test]
fn results_are_printed_in_the_order_of_the_inputs() {
    let workspace = Workspace::new();
    let child = workspace.start("{\"n\": 2}\n{\"n\": 1}\n", &["--jobs", "2", "--quiet"]);
    until("the second is done before the first", || {
        workspace.statuses() == ["returned", "running"]
            || workspace.statuses() == ["running", "returned"]
    });
    workspace.open_the_gate();
    let output = child.wait_with_output().expect("ends");
    let stdout = String::from_utf8(output.stdout).expect("is UTF-8");
    assert_eq!(results(&stdout), [(Some(1), Some(1)), (Some(2), Some(1))]);
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), [].as_slice()));
}

#[test]
fn results_are_written_as_soon_as_they_exist() {
    let workspace = Workspace::new();
    let out = workspace.path("out.jsonl");
    let out_text = out.to_string_lossy().into_owned();
    let args = ["--jobs", "2", "--out", &out_text];
    let inputs = "{\"n\": 2}\n{\"n\": 1}\n";
    let child = workspace.start(inputs, &args);
    until("the second is written down", || results(&read(&out)) == [(Some(2), Some(1))]);
    // A second process must not run the same inputs.
    let second = workspace.start(inputs, &args).wait_with_output().expect("ends");
    let expected = format!(
        "unusable-results\n\n  × cannot use {out_text} for results: another process is writing to it\n"
    );
    assert_eq!(
        (second.status.code(), String::from_utf8_lossy(&second.stderr)),
        (Some(2), expected.into())
    );
    workspace.open_the_gate();
    let output = child.wait_with_output().expect("ends");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), [].as_slice()));
    assert_eq!(results(&read(&out)), [(Some(2), Some(1)), (Some(1), Some(1))]);
}

#[test]
fn a_killed_process_is_resumed() {
    let workspace = Workspace::new();
    let out = workspace.path("out.jsonl");
    let out_text = out.to_string_lossy().into_owned();
    let args = ["--jobs", "1", "--out", &out_text];
    let inputs = "{\"n\": 1}\n{\"n\": 2}\n";
    let mut child = workspace.start(inputs, &args);
    until("the first is written down", || results(&read(&out)) == [(Some(1), Some(1))]);
    child.kill().expect("is killed");
    child.wait().expect("ends");
    // The last line is cut as if the process had been killed while writing.
    let whole = read(&out);
    std::fs::write(&out, format!("{whole}{{\"line\":2,\"inp")).expect("writes");
    workspace.open_the_gate();
    let output = workspace.start(inputs, &args).wait_with_output().expect("ends");
    let expected = format!(
        "{out_text}: removed the incomplete last line\n\
         2 inputs: 2 returned, 0 failed, 0 stopped; 1 answered before\n"
    );
    assert_eq!(
        (output.status.code(), String::from_utf8_lossy(&output.stderr)),
        (Some(0), expected.into())
    );
    let now = read(&out);
    assert!(now.starts_with(&whole));
    assert_eq!(results(&now), [(Some(1), Some(1)), (Some(2), Some(1))]);
}

#[test]
fn unanswered_inputs_are_run_again() {
    let workspace = Workspace::new();
    let out = workspace.path("out.jsonl");
    let out_text = out.to_string_lossy().into_owned();
    let run_with = |model: &str| {
        let inputs = data().join("inputs").join("good.jsonl");
        let inputs = inputs.to_string_lossy().into_owned();
        let args = [
            "run",
            "agents/one.toml",
            "--inputs",
            &inputs,
            "--jobs",
            "1",
            "--out",
            &out_text,
            "--model",
            model,
        ];
        let output = run(&mut workspace.ptc(&args), b"");
        (output.code, output.stderr)
    };
    // The only reply is a program that does not return, so the recording has no answer for the next turn.
    let unanswered = workspace.path("unanswered.jsonl");
    std::fs::write(&unanswered, r#"{"text": "```clojure\n(+ 1 2)\n```"}"#).expect("writes");
    let unanswered = format!("recorded:{}", unanswered.display());
    let summary = "2 inputs: 0 returned, 0 failed, 2 stopped\n".to_owned();
    assert_eq!(run_with(&unanswered), (Some(5), summary));
    assert_eq!(results(&read(&out)), [(Some(1), None), (Some(3), None)]);
    let summary = "2 inputs: 2 returned, 0 failed, 0 stopped\n".to_owned();
    assert_eq!(run_with("recorded:agents/one.jsonl"), (Some(0), summary));
    let summary = "2 inputs: 2 returned, 0 failed, 0 stopped; 2 answered before\n".to_owned();
    assert_eq!(run_with("recorded:agents/one.jsonl"), (Some(0), summary));
    let all = results(&read(&out));
    assert_eq!(all, [(Some(1), None), (Some(3), None), (Some(1), Some(3)), (Some(3), Some(34))]);
}

/// Without an input, `ptc check` takes every input of the signature. With one, it takes its values.
#[test]
fn a_check_without_an_input_takes_its_types() {
    let workspace = Workspace::new();
    let agent = workspace.path("a.toml");
    let tool = "[[tools]]\nname = \"x\"\nsignature = \"(region :string) -> [:int]\"\neffect = \"read\"\nreturns = [1]\n";
    let text = "name = \"a\"\nprompt = \"Count.\"\nsignature = \"(region :string, rows [{id :int}]) -> :int\"\n";
    std::fs::write(&agent, format!("{text}{tool}")).expect("writes");
    let agent = agent.to_string_lossy().into_owned();
    let check = |program: &str, options: &[&str]| {
        let output = run(
            &mut workspace.ptc(&[&["check", "--agent", &agent, "-e", program], options].concat()),
            b"",
        );
        let first = output.stderr.lines().map(str::trim).find(|it| it.starts_with('×'));
        let says =
            output.stderr.starts_with("note: no input is given, so the check is for every input");
        (output.code, says, first.unwrap_or_default().to_owned())
    };
    let calls = "(return (count (tool/x {:region ctx/region})))";
    assert_eq!(check(calls, &[]), (Some(0), true, String::new()));
    let nil = "× the argument `region` of the tool `x`: expected string, found nil";
    let given = ["--ctx", "{\"region\": null, \"rows\": []}"];
    assert_eq!(check(calls, &given), (Some(3), false, nil.to_owned()));
    let list = "× the argument `region` of the tool `x`: expected string, found list";
    let wrong = "(return (count (tool/x {:region ctx/rows})))";
    assert_eq!(check(wrong, &[]), (Some(3), true, list.to_owned()));
    let field = "× the record has no field `:id2`; its field is `:id`";
    assert_eq!(check("(return (:id2 (first ctx/rows)))", &[]), (Some(3), true, field.to_owned()));
    let key = "× there is no `ctx/regions` in this mission";
    assert_eq!(check("(return (count ctx/regions))", &[]), (Some(3), true, key.to_owned()));
    let json = run(&mut workspace.ptc(&["check", "--agent", &agent, "-e", calls, "--json"]), b"");
    let json: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(json["assumes_input"], true);
    std::fs::write(&agent, "name = \"a\"\nprompt = \"Count.\"\n").expect("writes");
    assert_eq!(check("(return (count ctx/anything))", &[]), (Some(0), true, String::new()));
}
