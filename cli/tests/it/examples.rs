//! The examples return their expected results.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::run_ptc;

fn check(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("examples").join(name);
    let agent = folder.join("agent.toml");
    let output = run_ptc(&["run", "--quiet", &agent.to_string_lossy()], "");
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    let expected = std::fs::read_to_string(folder.join("expected.json")).expect("reads");
    let json = |text: &str| serde_json::from_str::<Value>(text).expect("is JSON");
    assert_eq!(json(&output.stdout), json(&expected));
}

#[test]
fn bulletin() {
    check("bulletin");
}

#[test]
fn refunds() {
    check("refunds");
}

#[test]
fn pages() {
    check("pages");
}

#[test]
fn desk() {
    check("desk");
}

/// One mission in every answer style gives the same value.
#[test]
fn styles() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/styles");
    let expected = std::fs::read_to_string(folder.join("expected.json")).expect("reads");
    let json = |text: &str| serde_json::from_str::<Value>(text).expect("is JSON");
    let files = std::fs::read_dir(&folder).expect("lists").map(|it| it.expect("lists").path());
    let agents: Vec<_> = files.filter(|it| it.extension().is_some_and(|it| it == "toml")).collect();
    assert!(!agents.is_empty());
    for agent in agents {
        let output = run_ptc(&["run", "--quiet", &agent.to_string_lossy()], "");
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "{}", agent.display());
        assert_eq!(json(&output.stdout), json(&expected), "{}", agent.display());
    }
}

#[test]
fn inspections() {
    let python = Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    if !python.is_ok_and(|it| it.success()) {
        #[expect(clippy::print_stderr, reason = "who reads the log must see that it did not run")]
        {
            eprintln!("skipped: the tools of this example need python3, which is not here");
        }
        return;
    }
    check("inspections");
}
