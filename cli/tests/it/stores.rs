//! Stores and exports of every earlier version: their runs are complete, are shown as before, and can be resumed.
//!
//! The files are in `subagent/tests/it/stores`, where `record.py` made them with the `ptc` of each version.
//! `UPDATE=1` writes the expected output, for review.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::{Output, compare, data, ptc, run};

/// The versions that have a store among the files, and whether their runs can be replayed and exported.
const VERSIONS: [(u32, bool); 6] =
    [(1, false), (2, false), (3, false), (4, true), (5, true), (6, true)];

fn stores() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../subagent/tests/it/stores")
}

/// A folder with the store of a version, and the SQL that made it.
struct TestStore {
    folder: tempfile::TempDir,
    sql: String,
}

impl TestStore {
    fn new(version: u32) -> TestStore {
        let folder = tempfile::tempdir().expect("makes a folder");
        let sql = fs::read_to_string(stores().join(format!("runs-{version}.sql"))).expect("reads");
        let db = Connection::open(folder.path().join("runs.sqlite")).expect("opens");
        db.execute_batch(&sql).expect("runs");
        TestStore { folder, sql }
    }

    /// Makes a folder without a store; the first command creates a current one.
    fn empty() -> TestStore {
        TestStore { folder: tempfile::tempdir().expect("makes a folder"), sql: String::new() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn ptc(&self, args: &[&str]) -> Output {
        run(&mut ptc(args, &self.path("runs.sqlite")), b"")
    }

    /// Runs a command that must succeed without a message, and returns its stdout.
    fn stdout_of(&self, args: &[&str]) -> String {
        let output = self.ptc(args);
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "{args:?}");
        output.stdout
    }

    fn import(&self, file: &Path) {
        let output = self.ptc(&["import", &file.display().to_string()]);
        assert_eq!(output.code, Some(0), "{}: {}", file.display(), output.stderr);
    }

    /// Returns the runs, oldest first.
    fn runs(&self) -> Vec<Value> {
        let mut found: Value =
            serde_json::from_str(&self.stdout_of(&["runs", "--json"])).expect("is JSON");
        let mut runs: Vec<Value> =
            found["runs"].as_array_mut().map(std::mem::take).expect("has runs");
        runs.reverse();
        runs
    }

    /// Returns the names of the runs that no other run called.
    fn roots(&self) -> Vec<String> {
        self.runs().iter().filter(|it| it["parent"].is_null()).map(id).collect()
    }
}

fn id(run: &Value) -> String {
    run["run"].as_str().expect("has a name").to_owned()
}

/// Returns a whole run as JSON.
fn shown(old: &TestStore, run: &str) -> Value {
    let text = old.stdout_of(&["show", run, "--json"]);
    serde_json::from_str(&text).expect("is JSON")
}

/// Each run is shown with its whole record. A system prompt is as long as everything else, so the test only looks for
/// it in the store.
#[test]
fn runs_of_earlier_versions_are_shown_as_before() {
    for (version, _) in VERSIONS {
        let old = TestStore::new(version);
        let mut all = String::new();
        for run in old.runs() {
            let mut record = shown(&old, &id(&run));
            let system = record["system"].as_str().expect("has one").to_owned();
            // Since version 6 it is JSON.
            let text = if version < 6 { system.clone() } else { json!(system).to_string() };
            let quoted = text.replace('\'', "''");
            assert!(old.sql.contains(&quoted), "version {version}: {}", id(&run));
            record["system"] = json!(format!("{} bytes of the store", system.len()));
            let pretty = serde_json::to_string_pretty(&record).expect("writes");
            let _ = writeln!(all, "{pretty}");
        }
        compare(&stores().join(format!("shown-{version}.txt")), &all);
    }
}

/// The first stores of versions 1 and 2 lacked columns that later stores of the same version had.
#[test]
fn the_first_stores_of_a_version_are_read_too() {
    for (version, columns) in [(1, &["notes", "warnings"][..]), (2, &["repair"])] {
        let (first, last) = (TestStore::new(version), TestStore::new(version));
        let db = Connection::open(first.path("runs.sqlite")).expect("opens");
        for column in columns {
            db.execute_batch(&format!("ALTER TABLE turns DROP COLUMN {column}")).expect("runs");
        }
        drop(db);
        for run in last.runs() {
            let mut expected = shown(&last, &id(&run));
            for turn in expected["turn_records"].as_array_mut().expect("has turns") {
                for column in columns {
                    // A list without a column is empty.
                    turn[*column] = match &turn[*column] {
                        Value::Array(_) => json!([]),
                        _ => Value::Null,
                    };
                }
            }
            assert_eq!(shown(&first, &id(&run)), expected, "version {version}");
        }
    }
}

/// The list, each run as text, and a page of all runs can be made.
#[test]
fn runs_of_earlier_versions_are_listed_and_viewed() {
    for (version, _) in VERSIONS {
        let old = TestStore::new(version);
        let (list, page) =
            (old.stdout_of(&["runs"]), old.stdout_of(&["view", "--all", "--out", "-"]));
        for run in old.runs() {
            let id = id(&run);
            assert!(list.contains(&id) && page.contains(&id), "version {version}: {id}");
            assert!(old.stdout_of(&["show", &id]).starts_with(&format!("run {id} · ")), "{id}");
        }
    }
}

/// Runs of every version are exported and imported without a change.
#[test]
fn runs_of_earlier_versions_are_exported_and_imported() {
    for (version, _) in VERSIONS {
        let old = TestStore::new(version);
        let new = TestStore::empty();
        for run in old.roots() {
            let out = old.path("out.jsonl").display().to_string();
            let exported = old.ptc(&["export", &run, "--out", &out]);
            assert_eq!((exported.code, exported.stderr.as_str()), (Some(0), ""), "{run}");
            new.import(Path::new(&out));
        }
        let names = |it: &TestStore| it.runs().iter().map(id).collect::<Vec<_>>();
        assert_eq!(names(&new), names(&old), "version {version}");
        for run in names(&old) {
            // The process of a run is not exported, so it is unknown whether it died.
            let comparable = |it: &TestStore| {
                let mut record = shown(it, &run);
                let object = record.as_object_mut().expect("is an object");
                object.remove("died");
                object.remove("process");
                record
            };
            assert_eq!(comparable(&new), comparable(&old), "version {version}");
        }
    }
}

/// The exports that a version wrote are imported, and their runs equal those of the store of that version.
#[test]
fn exports_of_earlier_versions_are_imported() {
    for (version, exports) in VERSIONS {
        if !exports {
            continue;
        }
        let old = TestStore::new(version);
        let new = TestStore::empty();
        for file in exported(version) {
            new.import(&file);
        }
        for run in new.runs() {
            let comparable = |it: &TestStore| {
                let mut record = shown(it, &id(&run));
                let object = record.as_object_mut().expect("is an object");
                for key in ["died", "process", "file"] {
                    object.remove(key);
                }
                record
            };
            assert_eq!(comparable(&new), comparable(&old), "version {version}");
        }
    }
}

/// The prompts and the language have changed since these exports of version 4. They are imported, exported again, and a
/// replay reports the differences.
#[test]
fn exports_of_the_examples_are_imported_and_replayed() {
    let (first, second) = (TestStore::empty(), TestStore::empty());
    let mut all = String::new();
    for name in ["desk", "inspections", "parcels", "refunds"] {
        first.import(&stores().join("examples-4").join(format!("{name}.jsonl")));
    }
    for run in first.roots() {
        let _ = writeln!(all, "{}", first.ptc(&["replay", &run]).stdout);
        let out = first.path("out.jsonl");
        assert_eq!(first.ptc(&["export", &run, "--out", &out.display().to_string()]).code, Some(0));
        second.import(&out);
    }
    assert_eq!(second.runs().len(), 13);
    // The path of an agent file is relative to the export.
    let shown = |old: &TestStore, run: &str| {
        let mut record = shown(old, run);
        record["file"] = record["file"].is_string().into();
        record
    };
    for run in first.runs() {
        assert_eq!(shown(&second, &id(&run)), shown(&first, &id(&run)));
    }
    compare(&stores().join("replayed-examples-4.txt"), &all);
}

/// Returns the exports of a version.
fn exported(version: u32) -> BTreeSet<PathBuf> {
    let start = format!("runs-{version}-");
    let entries = fs::read_dir(stores()).expect("reads").flatten();
    let files = entries
        .map(|it| it.path())
        .filter(|it| it.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&start)));
    let files: BTreeSet<PathBuf> = files.collect();
    assert!(files.len() > 4, "version {version}");
    files
}

/// Each run of the stores is replayed, and each export of an ended run is tested.
#[test]
fn runs_of_earlier_versions_are_replayed_and_tested() {
    for (version, replays) in VERSIONS {
        let old = TestStore::new(version);
        let mut all = String::new();
        for run in old.roots() {
            let output = old.ptc(&["replay", &run]);
            let _ = writeln!(all, "{}{}", output.stdout, output.stderr);
        }
        if replays {
            let open = |it: &PathBuf| it.to_string_lossy().ends_with("again.jsonl");
            let files = exported(version).into_iter().filter(|it| !open(it));
            let files: Vec<String> = files.map(|it| it.display().to_string()).collect();
            let mut args = vec!["test"];
            args.extend(files.iter().map(String::as_str));
            all.push_str(&old.ptc(&args).stdout);
        }
        let all = all.replace(&stores().display().to_string(), "stores");
        let all = all.replace(&old.folder.path().display().to_string(), "FOLDER");
        compare(&stores().join(format!("replayed-{version}.txt")), &all);
    }
}

/// A run whose process was killed is resumed to its end, and so is an imported one.
#[test]
fn open_runs_of_earlier_versions_are_resumed() {
    for (version, replays) in VERSIONS {
        let old = TestStore::new(version);
        let open = |agent: &str| {
            let mut runs = old.runs();
            runs.retain(|it| it["agent"] == agent && it["status"] == "running");
            runs.iter().map(id).collect::<Vec<_>>()
        };
        let agent = |name: &str| stores().join("agents").join(name).display().to_string();
        let mut all = String::new();
        for (name, file) in [("waits", "waits.toml"), ("again", "again.toml")] {
            for run in open(name) {
                for more in [&[][..], &["--retry", "1.0"]] {
                    let agent = agent(file);
                    let mut args = vec!["resume", &run, "--agent", &agent, "--quiet"];
                    args.extend(more);
                    let output = old.ptc(&args);
                    let _ = writeln!(all, "{name} {more:?}\n{}{}", output.stdout, output.stderr);
                }
            }
        }
        let all = all.replace(&old.folder.path().display().to_string(), "FOLDER");
        compare(&stores().join(format!("resumed-{version}.txt")), &all);
        if replays {
            assert!(old.runs().iter().all(|it| it["status"] != "running"), "version {version}");
            let new = TestStore::empty();
            let file = stores().join(format!("runs-{version}-again.jsonl"));
            new.import(&file);
            let run = new.roots().remove(0);
            assert_eq!(new.stdout_of(&["resume", &run, "--quiet"]), "7\n", "version {version}");
        }
    }
    // These commands create no store in their working folder.
    assert!(!data().join("runs.sqlite").exists());
}
