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

/// A reader that has gone changes no exit code.
#[cfg(unix)]
#[test]
fn a_closed_standard_output_keeps_the_exit_code() {
    let folder = Folder::new();
    folder.write_workflow("fails", "(fail :no)");
    folder.write_workflow("works", "(return 1)");
    fs::write(folder.path("in.jsonl"), "{}\n{}\n").expect("writes");
    for (args, code) in [
        (&["run", "works.toml", "--quiet"][..], 0),
        (&["run", "fails.toml", "--json", "--quiet"], 1),
        (&["run", "fails.toml", "--inputs", "in.jsonl", "--quiet"], 1),
        (&["eval", "-e", "(fail :no)", "--json"], 1),
        (&["eval", "-e", "(+ 1 \"x\")", "--json"], 3),
        (&["eval", "-e", "(loop [] (recur))", "--json"], 4),
        (&["check", "-e", "(foo)", "--json"], 3),
        (&["show", "nothing", "--json"], 2),
    ] {
        let (reader, writer) = std::io::pipe().expect("makes a pipe");
        drop(reader);
        let status = folder.command(args).stdout(writer).status().expect("runs");
        assert_eq!(status.code(), Some(code), "{args:?}");
    }
}

/// The limit on the size of a file is an error with a message.
#[cfg(unix)]
#[test]
fn a_limit_on_files_is_an_error() {
    let (folder, _) = with_run("(str/join (repeat 300000 \"x\"))");
    let inner = folder.command(&["export", "--out", "out.jsonl"]);
    let mut command = std::process::Command::new("sh");
    // The unit of the limit is 512 bytes or more.
    command.args(["-c", "ulimit -f 64; exec \"$@\"", "sh"]).arg(inner.get_program());
    command.args(inner.get_args()).current_dir(folder.path(""));
    command.env("PTC_STORE", folder.path("runs.sqlite")).stdin(std::process::Stdio::null());
    let output = command.output().expect("runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("cannot write out.jsonl: File too large"), "{stderr}");
}

/// A device has no end, so it is not read.
#[cfg(unix)]
#[test]
fn a_device_is_not_an_agent_file() {
    let folder = Folder::new();
    fs::write(folder.path("program.toml"), "program = \"/dev/zero\"\n").expect("writes");
    fs::write(folder.path("recorded.toml"), "prompt = \"Go.\"\n").expect("writes");
    for (args, message) in [
        (
            &["run", "/dev/zero"][..],
            "/dev/zero: cannot read the agent file: it is a device, not a file",
        ),
        (
            &["check", "program.toml"],
            "cannot read the program `/dev/zero`: it is a device, not a file",
        ),
        (
            &["run", "recorded.toml", "--model", "recorded:/dev/zero"],
            "/dev/zero: cannot read the recording: it is a device, not a file",
        ),
    ] {
        let output = folder.ptc(args);
        assert_eq!(output.code, Some(2), "{args:?}");
        assert!(output.stderr.contains(message), "{args:?}: {}", output.stderr);
    }
}
