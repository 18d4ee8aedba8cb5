//! Runs on record: compared, exported, tested and deleted with the command.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Output, ptc, run};

/// A folder with a store and an example.
struct Workspace {
    folder: tempfile::TempDir,
}

impl Workspace {
    fn new() -> Workspace {
        let folder = tempfile::tempdir().expect("makes a folder");
        let parcels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/parcels");
        for file in std::fs::read_dir(parcels).expect("is there").flatten() {
            std::fs::copy(file.path(), folder.path().join(file.file_name())).expect("copies");
        }
        Workspace { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn ptc(&self, args: &[&str]) -> Output {
        run(ptc(args, &self.path("runs.sqlite")).current_dir(self.folder.path()), b"")
    }

    /// Runs the agent with further arguments; returns the id of the run.
    fn run(&self, options: &[&str]) -> String {
        let output = self.ptc(&[&["run", "agent.toml", "--quiet", "--json"], options].concat());
        json(&output.stdout)["run"].as_str().expect("is a text").to_owned()
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect(text)
}

#[test]
fn two_runs_are_compared() {
    let workspace = Workspace::new();
    let first = workspace.run(&[]);
    let second = workspace.run(&["--model", "recorded:better.recording.jsonl"]);
    let output = workspace.ptc(&["diff", &first, &second]);
    assert_eq!((output.code, output.stderr.as_str()), (Some(3), ""));
    let start = format!("run {first} differs: turn 1, reply\n  --- {first}\n  +++ {second}\n  @@ ");
    assert!(output.stdout.starts_with(&start), "{}", output.stdout);
    assert!(output.stdout.ends_with(" more differences; --all shows them\n"));
    let all = workspace.ptc(&["diff", &first, &second, "--all"]);
    assert!(all.stdout.contains("differs: turn 2, turn\n"), "{}", all.stdout);
    assert!(all.stdout.contains("differs: status\n"), "{}", all.stdout);
    let found = json(&workspace.ptc(&["diff", &first, &second, "--json"]).stdout);
    assert_eq!(found["runs"], serde_json::json!([first, second]));
    assert_eq!(found["differences"][0]["what"], "reply");

    let again = workspace.run(&[]);
    let output = workspace.ptc(&["diff", &first, &again]);
    assert_eq!(
        (output.code, output.stdout.as_str()),
        (Some(0), "no differences except names and times\n")
    );
}

#[test]
fn runs_are_exported_imported_and_tested() {
    let workspace = Workspace::new();
    let id = workspace.run(&["--model", "recorded:better.recording.jsonl"]);
    let output = workspace.ptc(&["export", "--out", "run.jsonl"]);
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    assert_eq!(
        workspace.ptc(&["export", &id]).stdout.lines().count(),
        std::fs::read_to_string(workspace.path("run.jsonl")).expect("reads").lines().count()
    );
    let store = workspace.path("other.sqlite").display().to_string();
    let taken = workspace.ptc(&["import", "run.jsonl", "--store", &store]);
    assert_eq!((taken.stdout, taken.stderr.as_str()), (format!("{id}\n"), "1 run imported\n"));
    assert_eq!(workspace.ptc(&["replay", &id, "--store", &store]).code, Some(0));
    let again = workspace.ptc(&["import", "run.jsonl", "--store", &store]);
    assert_eq!((again.stdout.as_str(), again.stderr.as_str()), ("", "0 runs imported\n"));

    let tested = workspace.ptc(&["test", "run.jsonl", "--json"]);
    assert_eq!(tested.code, Some(0));
    let mut tested = json(&tested.stdout);
    assert_eq!(tested["runs"][0]["value"].as_array().map(Vec::len), Some(2));
    tested["runs"][0]["value"].take();
    assert_eq!(
        tested,
        serde_json::json!({"failed": 0, "runs": [{
            "file": "run.jsonl", "passes": true, "fault": null, "first_difference": null,
            "other_prompts": 0, "prompt": null, "value": null, "tokens_in": {"before": 1620, "after": 1620}, "cost": null,
        }]})
    );
    // The test fails if the signature of a tool has changed.
    let agent = std::fs::read_to_string(workspace.path("agent.toml")).expect("reads");
    let agent = agent.replace("(id :int) -> {place", "(number :int) -> {place");
    std::fs::write(workspace.path("agent.toml"), agent).expect("writes");
    let tested = workspace.ptc(&["test", "run.jsonl", "--json"]);
    assert_eq!(tested.code, Some(3));
    let tested = json(&tested.stdout);
    let first = &tested["runs"][0]["first_difference"];
    assert_eq!((&first["turn"], &first["what"]), (&1.into(), &"report".into()), "{first}");

    let file = std::fs::read_to_string(workspace.path("run.jsonl")).expect("reads");
    std::fs::write(workspace.path("cut.jsonl"), &file[..file.len() - 90]).expect("writes");
    let output = workspace.ptc(&["replay", "cut.jsonl"]);
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("× cut.jsonl: line 14: the"), "{}", output.stderr);
}

#[test]
fn runs_are_deleted() {
    let workspace = Workspace::new();
    let ids: Vec<String> = (0..3).map(|_| workspace.run(&[])).collect();
    let said = |args: &[&str]| {
        let output = workspace.ptc(args);
        (output.code, output.stderr.split(',').next().unwrap_or_default().to_owned())
    };
    assert_eq!(
        said(&["runs", "prune", "--keep", "1", "--dry-run"]),
        (Some(0), "2 runs would be deleted\n".into())
    );
    assert_eq!(said(&["runs", "prune", "--older-than", "1h"]), (Some(0), "0 runs deleted".into()));
    assert_eq!(said(&["runs", "prune", &ids[1]]), (Some(0), "1 run deleted".into()));
    assert_eq!(said(&["runs", "prune", "--keep", "1"]), (Some(0), "1 run deleted".into()));
    let remaining = json(&workspace.ptc(&["runs", "--json"]).stdout);
    assert_eq!(remaining["runs"].as_array().map(Vec::len), Some(1));
    assert_eq!(remaining["runs"][0]["run"], ids[2].as_str());
    assert_eq!(said(&["runs", "prune"]).0, Some(2));
    assert_eq!(said(&["runs", "prune", "--older-than", "soon"]).0, Some(2));
}
