//! Concurrent calls of tools.

use crate::support::{ptc, run};

const AGENT: &str = r#"
name = "pair"
prompt = "Meet."
signature = "() -> [:int]"
model = "recorded:pair.jsonl"

[[tools]]
name = "ask"
command = ["sh", "-c", "echo 1 > question; cat answer"]

[[tools]]
name = "tell"
command = ["sh", "-c", "read it < question; echo $it > answer; echo 2"]
"#;

/// Each of the two tools waits for the other, so the run ends only if both run at once.
#[cfg(unix)]
#[test]
fn two_tools_that_wait_for_each_other() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let path = |name: &str| folder.path().join(name);
    for pipe in ["question", "answer"] {
        let status = std::process::Command::new("mkfifo").arg(path(pipe)).status();
        assert!(status.expect("starts").success());
    }
    let reply = "```clojure\n(return (pvalues (tool/ask {}) (tool/tell {})))\n```";
    let reply = serde_json::json!({ "text": reply }).to_string();
    std::fs::write(path("pair.jsonl"), reply + "\n").expect("writes");
    std::fs::write(path("pair.toml"), AGENT).expect("writes");
    let agent = path("pair.toml").display().to_string();
    let store = path("runs.sqlite");
    let output = run(&mut ptc(&["run", &agent, "--json", "--quiet"], &store), b"");
    let object: serde_json::Value = serde_json::from_str(&output.stdout).expect("is JSON");
    assert_eq!((output.code, &object["value"]), (Some(0), &serde_json::json!([1, 2])));

    let id = object["run"].as_str().expect("has a run");
    let shown = run(&mut ptc(&["show", id, "--json"], &store), b"");
    let calls: Vec<&str> =
        ["\"0.0.0\"", "\"0.1.0\""].into_iter().filter(|call| shown.stdout.contains(call)).collect();
    assert_eq!(calls.len(), 2, "{}", shown.stdout);
}
