//! Hostile stores, texts, answers and files: each command refuses them, and shows nothing of them raw.

use std::fs;

use rusqlite::Connection;
use serde_json::Value;

use crate::hidden::assert_safe;
use crate::support::Folder;

/// A folder with a store that has one run of a workflow, and the id of the run.
fn with_run(program: &str) -> (Folder, String) {
    let folder = Folder::new();
    folder.write_workflow("w", program);
    assert_eq!(folder.ptc(&["run", "w.toml"]).code, Some(0));
    let runs: Value =
        serde_json::from_str(&folder.ptc(&["runs", "--json"]).stdout).expect("is JSON");
    let id = runs["runs"][0]["run"].as_str().expect("has an id").to_owned();
    (folder, id)
}

/// A store of another program may name a run by any text. The run counts as damaged, its id is in no name of a file, and
/// no command prints the id raw.
#[test]
fn ids_of_a_store_are_neither_paths_nor_raw_texts() {
    for id in ["", "../owned", "\u{1b}]0;owned\u{7}\u{202e}"] {
        let (folder, run) = with_run("(return 1)");
        let db = Connection::open(folder.path("runs.sqlite")).expect("opens");
        db.execute("UPDATE run_heads SET id = ?1", [id]).expect("updates");
        let before = fs::read_dir(folder.path("")).expect("reads").count();
        for (args, code) in [
            (&["runs"][..], 0),
            (&["runs", "--json"], 0),
            (&["runs", "--waiting"], 0),
            (&["show", id], 2),
            (&["view", id], 2),
            (&["view", &run], 2),
            (&["export", id, "--out", "out.jsonl"], 2),
            (&["replay", id], 2),
            (&["runs", "prune", id], 0),
        ] {
            let output = folder.ptc(args);
            assert_eq!(output.code, Some(code), "{args:?}: {}", output.stderr);
            assert_safe(&format!("{}{}", output.stdout, output.stderr));
        }
        assert_eq!(fs::read_dir(folder.path("")).expect("reads").count(), before, "{id:?}");
        assert_eq!(folder.ptc(&["runs"]).stderr, "no runs on record\n");
    }
}

/// An import of such an id takes nothing.
#[test]
fn an_import_takes_no_other_ids() {
    let (folder, run) = with_run("(return 1)");
    assert_eq!(folder.ptc(&["export", &run, "--out", "out.jsonl"]).code, Some(0));
    let file = fs::read_to_string(folder.path("out.jsonl")).expect("reads");
    let other = Folder::new();
    for id in ["", "../../../owned", "\\u001b[2J", &format!("{run}x")] {
        fs::write(other.path("in.jsonl"), file.replace(&run, id)).expect("writes");
        let output = other.ptc(&["import", "in.jsonl"]);
        let expected = "no-replay\n\n  × in.jsonl: line 2: `run` is not the id of a run, which is 26 digits and \
                        lower-case letters\n";
        assert_eq!((output.code, output.stderr.as_str()), (Some(2), expected));
        assert_eq!(other.ptc(&["runs"]).stderr, "no runs on record\n");
    }
}
