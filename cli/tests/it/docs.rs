//! `ptc docs PAGE`: every page of the documentation is in the command.

use std::path::{Path, PathBuf};

use crate::support::{ptc, run, run_ptc};

fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("lists") {
        let path = entry.expect("lists").path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|it| it == "md") {
            found.push(path);
        }
    }
}

#[test]
fn every_page_is_printed_unchanged() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let mut found = Vec::new();
    pages(&docs, &mut found);
    let listed = run_ptc(&["docs"], "").stdout;
    for path in found {
        let name = path.strip_prefix(&docs).expect("is inside").with_extension("");
        let name = match name.to_str().expect("is UTF-8") {
            // This page is a list of pages, which `ptc docs` prints itself.
            "README" => continue,
            name => name.trim_end_matches("/README"),
        };
        let output = run_ptc(&["docs", name], "");
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "{name}");
        assert_eq!(output.stdout, std::fs::read_to_string(&path).expect("reads"), "{name}");
        assert!(listed.lines().any(|line| line.starts_with(&format!("{name} "))), "{name}");
    }
    let short = run_ptc(&["docs", "forms"], "").stdout;
    assert_eq!(short, run_ptc(&["docs", "docs/language/forms.md"], "").stdout);
}

/// The first command of the README runs the build, and its mission returns.
#[test]
fn the_first_command_of_the_readme_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("reads");
    let first = readme.split("```sh\n").nth(1).and_then(|rest| rest.lines().next());
    let first = first.expect("has a command");
    let args: Vec<&str> = first.strip_prefix("cargo run -- ").expect("builds").split(' ').collect();
    let store = tempfile::tempdir().expect("makes a folder");
    let mut command = ptc(&args, &store.path().join("runs.sqlite"));
    let output = run(command.current_dir(&root), b"");
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let found: serde_json::Value = serde_json::from_str(&output.stdout).expect("is JSON");
    let expected = std::fs::read_to_string(root.join("examples/bulletin/expected.json"));
    let expected: serde_json::Value =
        serde_json::from_str(&expected.expect("reads")).expect("is JSON");
    assert_eq!(found, expected);
    let last = output.stderr.lines().last();
    assert_eq!(last, Some("returned after 1 turn and 0 tool calls"));
}
