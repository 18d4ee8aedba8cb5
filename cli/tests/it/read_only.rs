//! Commands that read a store in a read-only folder.

use std::path::Path;
use std::process::Command;

use rusqlite::Connection;

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
