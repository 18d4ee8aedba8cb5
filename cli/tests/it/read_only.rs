//! Commands that read a store where they cannot write.

#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use rusqlite::Connection;

use crate::owner::as_reader;
use crate::support::{Output, data, ptc, run};

/// Runs `ptc` with a folder that is read-only even for root. Returns `None` if the machine does not permit that.
fn in_read_only(folder: &Path, args: &[&str]) -> Option<Output> {
    let mut command = Command::new("unshare");
    let script =
        "mount --bind \"$1\" \"$1\" && mount -o remount,ro,bind \"$1\" && shift && exec \"$@\"";
    command.args(["-rm", "sh", "-c", script, "sh"]).arg(folder);
    let inner = ptc(args, &folder.join("runs.sqlite"));
    command.arg(inner.get_program()).args(inner.get_args()).current_dir(data());
    for (name, value) in inner.get_envs() {
        value.map(|value| command.env(name, value));
    }
    let piped = std::process::Stdio::piped;
    command.stdin(piped()).stdout(piped()).stderr(piped());
    let probe = Command::new("unshare").args(["-rm", "true"]).output();
    probe.is_ok_and(|it| it.status.success()).then(|| run(&mut command, b""))
}

/// Runs the commands that read a store in a folder, and compares their exit codes and stderr.
fn check(folder: &Path, expected: (i32, &str)) {
    for args in [&["runs", "--json"][..], &["show", "--json"], &["view", "--out", "-"]] {
        // Not every machine permits a test to mount a folder.
        let Some(output) = in_read_only(folder, args) else { return };
        let stderr = output.stderr.replace(&folder.display().to_string(), "FOLDER");
        assert_eq!((output.code, stderr.as_str()), (Some(expected.0), expected.1), "{args:?}");
        assert_eq!(
            output.stdout.contains("01m80880prmvtc459tbjqw4f21"),
            expected.0 == 0,
            "{args:?}"
        );
    }
}

/// Makes a store of version 1 with one run, and upgrades it if `is_new`.
fn store(name: &str, is_new: bool) -> (tempfile::TempDir, Connection) {
    let folder = tempfile::tempdir().expect("makes a folder");
    let path = folder.path().join(name);
    let db = Connection::open(&path).expect("opens");
    let sql = include_str!("../../../subagent/tests/it/stores/version-1.sql");
    db.execute_batch(sql).expect("runs");
    if is_new {
        drop(ptc_subagent::store::Store::open(&path).expect("opens"));
    }
    (folder, db)
}

#[test]
fn a_store_in_a_read_only_folder_is_read() {
    let (folder, db) = store("runs.sqlite", true);
    db.close().expect("closes");
    assert!(!folder.path().join("runs.sqlite-wal").exists());
    check(folder.path(), (0, ""));

    let (folder, db) = store("runs.sqlite", false);
    db.close().expect("closes");
    check(folder.path(), (0, ""));
}

/// A killed process leaves its last changes in files beside the store.
#[test]
fn changes_beside_a_store_are_read_or_reported_as_missing() {
    let (from, db) = store("runs.sqlite", true);
    db.execute("UPDATE run_heads SET fuel = 548", []).expect("runs");
    let folder = tempfile::tempdir().expect("makes a folder");
    let copy = |end: &str| {
        let name = format!("runs.sqlite{end}");
        std::fs::copy(from.path().join(&name), folder.path().join(&name)).expect("copies");
    };
    copy("");
    copy("-wal");
    let expected = "store-failure\n\n  × FOLDER/runs.sqlite: cannot use the store: its last changes are in \
                    FOLDER/runs.sqlite-wal, and that folder is not writable\n  \
                    help: copy both files to a writable folder, and read the copy\n";
    check(folder.path(), (2, expected));
    copy("-shm");
    check(folder.path(), (0, ""));
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("sets permissions");
}

/// Another user reads a store with all commands that read one. The folder and the file may be read, and neither may be
/// written.
#[test]
fn another_user_reads_a_store() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let (agent, store) = (folder.path().join("a.toml"), folder.path().join("runs.sqlite"));
    fs::write(&agent, "prompt = \"Go.\"\nmodel = \"recorded:a.jsonl\"\n").expect("writes");
    let reply = r#"{"text": "```clojure\n(return 7)\n```"}"#;
    fs::write(folder.path().join("a.jsonl"), format!("{reply}\n")).expect("writes");
    let agent = agent.display().to_string();
    for _ in 0..2 {
        let made = run(&mut ptc(&["run", &agent, "--quiet"], &store), b"");
        assert_eq!((made.code, made.stdout.as_str()), (Some(0), "7\n"), "{}", made.stderr);
    }
    let runs = run(&mut ptc(&["runs", "--json"], &store), b"").stdout;
    let runs: serde_json::Value = serde_json::from_str(&runs).expect("is JSON");
    let id = |at: usize| runs["runs"][at]["run"].as_str().expect("is a text").to_owned();
    let (first, second) = (id(0), id(1));
    let commands = [
        &["runs", "--json"][..],
        &["show", &first, "--json"],
        &["view", &first, "--out", "-"],
        &["export", &first],
        &["diff", &first, &second],
        &["replay", &first, "--json"],
    ];
    let files = || {
        let entries = fs::read_dir(folder.path()).expect("reads").flatten();
        let mut names: Vec<_> = entries.map(|it| it.file_name()).collect();
        names.sort();
        names
    };
    for (of_file, of_folder) in [(0o444, 0o555), (0o644, 0o755), (0o666, 0o755)] {
        // A command that read the store has left files of SQLite beside it.
        for end in ["-wal", "-shm"] {
            let _ = fs::remove_file(folder.path().join(format!("runs.sqlite{end}")));
        }
        let expected = commands.map(|args| {
            let copy = tempfile::tempdir().expect("makes a folder");
            let copied = copy.path().join("runs.sqlite");
            fs::copy(&store, &copied).expect("copies");
            run(&mut ptc(args, &copied), b"")
        });
        let before = files();
        mode(&store, of_file);
        mode(folder.path(), of_folder);
        for (args, expected) in commands.iter().zip(expected) {
            let Some(mut command) = as_reader(&ptc(args, &store)) else { return };
            let output = run(&mut command, b"");
            assert_eq!(output.stderr, "", "{args:?}");
            assert_eq!(output.code, Some(0), "{args:?}");
            assert_eq!(expected.code, Some(0), "{args:?}");
            let same = |text: &str| text.lines().filter(|it| !it.contains("nonce")).count();
            assert_eq!(same(&output.stdout), same(&expected.stdout), "{args:?}");
            assert!(!output.stdout.is_empty(), "{args:?}");
        }
        assert_eq!(files(), before);
    }
    // A reader sees the changes that a living writer has not moved into the file.
    mode(folder.path(), 0o755);
    let db = Connection::open(&store).expect("opens");
    db.execute("UPDATE run_heads SET fuel = 548", []).expect("runs");
    let Some(mut command) = as_reader(&ptc(&["runs", "--json"], &store)) else { return };
    let output = run(&mut command, b"");
    let runs: serde_json::Value = serde_json::from_str(&output.stdout).expect("is JSON");
    assert_eq!((&runs["runs"][0]["fuel"], output.stderr.as_str()), (&548.into(), ""));
    drop(db);
    mode(folder.path(), 0o700);
}
