//! `ptc run --events`: every event of a run and its sub-agents, as lines of a file.

use serde_json::Value;

use crate::support::{compare, data, run_ptc};

/// Replaces the fields of an event that vary from run to run, and the long system prompt, by words.
fn settle_event(mut event: Value, runs: &mut Vec<String>) -> Value {
    let mut name = |value: &mut Value| {
        let Some(run) = value.as_str().map(str::to_string) else { return };
        let at = runs.iter().position(|it| *it == run).unwrap_or_else(|| {
            runs.push(run);
            runs.len() - 1
        });
        *value = format!("[RUN {at}]").into();
    };
    for path in ["/run", "/sub_run", "/parent/run", "/report/run"] {
        if let Some(run) = event.pointer_mut(path) {
            name(run);
        }
    }
    for path in ["/seed", "/report/seed"] {
        if let Some(seed) = event.pointer_mut(path) {
            assert!(seed.is_u64(), "{seed}");
            *seed = "[SEED]".into();
        }
    }
    assert!(event["at"].as_u64().is_some_and(|at| at > 1_700_000_000_000), "{event}");
    event["at"] = "[TIME]".into();
    if event.get("elapsed").is_some() {
        assert!(event["elapsed"].is_u64(), "{event}");
        event["elapsed"] = "[TIME]".into();
    }
    if let Some(seconds) = event.pointer_mut("/budget/seconds") {
        *seconds = "[TIME]".into();
    }
    if event.get("definition").is_some_and(|it| !it.is_null()) {
        assert_eq!(event["definition"]["name"], event["agent"]);
        assert!(event["file"].as_str().is_some_and(|it| it.ends_with("toml")), "{event}");
        event["definition"] = "[DEFINITION]".into();
        event["file"] = "[FILE]".into();
    }
    if let Some(system) = event.get_mut("system") {
        assert!(system.as_str().is_some_and(|it| !it.is_empty()));
        *system = "[PROMPT]".into();
    }
    event
}

#[test]
fn every_event_is_a_line() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let file = folder.path().join("events.jsonl");
    let input = r#"{"words": ["labyrinth", "ox"]}"#;
    let args = ["run", "agents/family.toml", "--quiet", "--input", input, "--events"];
    let output = run_ptc(&[&args[..], &[&file.to_string_lossy()]].concat(), "");
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    let text = std::fs::read_to_string(&file).expect("reads");
    let mut runs = Vec::new();
    let mut settled = String::new();
    for line in text.lines() {
        let event: Value = serde_json::from_str(line).expect("is JSON");
        settled.push_str(&settle_event(event, &mut runs).to_string());
        settled.push('\n');
    }
    compare(&data().join("events.jsonl"), &settled);
}

#[test]
fn a_file_that_cannot_be_written() {
    let input = r#"{"words": []}"#;
    let file = "/nowhere/at/all.jsonl";
    let args = ["run", "agents/family.toml", "--quiet", "--input", input, "--events", file];
    let output = run_ptc(&args, "");
    assert_eq!(output.code, Some(2));
    let said = output.stderr.lines().collect::<Vec<_>>().join(" ");
    assert!(said.contains("cannot write events to /nowhere/at/all.jsonl"), "{said}");
}
