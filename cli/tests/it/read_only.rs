//! A record of runs where nothing can be written.

use std::path::Path;
use std::process::Command;

use rusqlite::Connection;

use crate::support::{Output, data, ptc, run};

/// Runs `ptc` with a folder in which nothing can be written, root or not; none where that cannot be had.
fn in_read_only(folder: &Path, args: &[&str]) -> Option<Output> {
    let mut command = Command::new("unshare");
    let script =
        "mount --bind \"$1\" \"$1\" && mount -o remount,ro,bind \"$1\" && shift && exec \"$@\"";
    command.args(["-rm", "sh", "-c", script, "sh"]).arg(folder);
    let of_ptc = ptc(args, &folder.join("runs.sqlite"));
    command.arg(of_ptc.get_program()).args(of_ptc.get_args()).current_dir(data());
    for (name, value) in of_ptc.get_envs() {
        value.map(|value| command.env(name, value));
    }
    let piped = std::process::Stdio::piped;
    command.stdin(piped()).stdout(piped()).stderr(piped());
    let can = Command::new("unshare").args(["-rm", "true"]).output();
    can.is_ok_and(|it| it.status.success()).then(|| run(&mut command, b""))
}

/// Runs the commands that read in a folder, and compares their exit codes and what they say.
fn check(folder: &Path, expected: (i32, &str)) {
    for args in [&["runs", "--json"][..], &["show", "--json"], &["view", "--out", "-"]] {
        // Not every machine lets a test mount a folder.
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

/// A store of version 1 with one run, brought up to date or not.
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
fn a_store_is_read_where_nothing_can_be_written() {
    let (folder, db) = store("runs.sqlite", true);
    db.close().expect("closes");
    assert!(!folder.path().join("runs.sqlite-wal").exists());
    check(folder.path(), (0, ""));

    let (folder, db) = store("runs.sqlite", false);
    db.close().expect("closes");
    check(folder.path(), (0, ""));
}

/// A process that was killed leaves its last changes beside the store.
#[test]
fn changes_beside_a_store_are_read_or_missed_aloud() {
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
                    FOLDER/runs.sqlite-wal, and nothing can be written there\n  \
                    help: copy both files to a folder that can be written, and read that copy\n";
    check(folder.path(), (2, expected));
    copy("-shm");
    check(folder.path(), (0, ""));
}
