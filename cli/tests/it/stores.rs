//! Stores and exports of every earlier version: what was on record is there, is shown as it was, and goes on.
//!
//! The files are in `subagent/tests/it/stores`, where `record.py` made them with a `ptc` of each version. `PTC_BLESS=1`
//! writes what they should be shown as, to be read over.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::{Output, compare, data, ptc, run};

/// The versions with stores on file, and whether their runs can be replayed and exported.
const VERSIONS: [(u32, bool); 5] = [(1, false), (2, false), (3, false), (4, true), (5, true)];

fn stores() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../subagent/tests/it/stores")
}

/// A folder with the store of a version.
struct Old {
    folder: tempfile::TempDir,
    sql: String,
}

impl Old {
    fn new(version: u32) -> Old {
        let folder = tempfile::tempdir().expect("makes a folder");
        let sql = fs::read_to_string(stores().join(format!("runs-{version}.sql"))).expect("reads");
        let db = Connection::open(folder.path().join("runs.sqlite")).expect("opens");
        db.execute_batch(&sql).expect("runs");
        Old { folder, sql }
    }

    /// A folder for a store of today.
    fn empty() -> Old {
        Old { folder: tempfile::tempdir().expect("makes a folder"), sql: String::new() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn ptc(&self, args: &[&str]) -> Output {
        run(&mut ptc(args, &self.path("runs.sqlite")), b"")
    }

    /// What a command prints that nothing is wrong with.
    fn done(&self, args: &[&str]) -> String {
        let output = self.ptc(args);
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "{args:?}");
        output.stdout
    }

    fn import(&self, file: &Path) {
        let output = self.ptc(&["import", &file.display().to_string()]);
        assert_eq!(output.code, Some(0), "{}: {}", file.display(), output.stderr);
    }

    /// The runs, oldest first.
    fn runs(&self) -> Vec<Value> {
        let mut found: Value =
            serde_json::from_str(&self.done(&["runs", "--json"])).expect("is JSON");
        let mut runs: Vec<Value> =
            found["runs"].as_array_mut().map(std::mem::take).expect("has runs");
        runs.reverse();
        runs
    }

    /// The names of the runs that no other run called.
    fn roots(&self) -> Vec<String> {
        self.runs().iter().filter(|it| it["parent"].is_null()).map(id).collect()
    }
}

fn id(run: &Value) -> String {
    run["run"].as_str().expect("has a name").to_owned()
}

/// Everything of a run as JSON.
fn shown(old: &Old, run: &str) -> Value {
    let text = old.done(&["show", run, "--json"]);
    serde_json::from_str(&text).expect("is JSON")
}

/// Each run with all that is on record of it. System prompts are as long as all the rest: they are only looked for in
/// the store.
#[test]
fn runs_of_earlier_versions_are_shown_as_they_were() {
    for (version, _) in VERSIONS {
        let old = Old::new(version);
        let mut all = String::new();
        for run in old.runs() {
            let mut record = shown(&old, &id(&run));
            let system = record["system"].as_str().expect("has one").to_owned();
            let quoted = system.replace('\'', "''");
            assert!(old.sql.contains(&quoted), "version {version}: {}", id(&run));
            record["system"] = json!(format!("{} bytes of the store", system.len()));
            let pretty = serde_json::to_string_pretty(&record).expect("writes");
            let _ = writeln!(all, "{pretty}");
        }
        compare(&stores().join(format!("shown-{version}.txt")), &all);
    }
}

/// The first stores of versions 1 and 2 lacked columns that later ones of the same version had.
#[test]
fn the_first_stores_of_a_version_are_read_too() {
    for (version, columns) in [(1, &["notes", "warnings"][..]), (2, &["repair"])] {
        let (first, last) = (Old::new(version), Old::new(version));
        let db = Connection::open(first.path("runs.sqlite")).expect("opens");
        for column in columns {
            db.execute_batch(&format!("ALTER TABLE turns DROP COLUMN {column}")).expect("runs");
        }
        drop(db);
        for run in last.runs() {
            let mut expected = shown(&last, &id(&run));
            for turn in expected["turn_records"].as_array_mut().expect("has turns") {
                for column in columns {
                    // A list that nobody kept is empty.
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

/// What people read: the list, each run, and a page of all of them.
#[test]
fn runs_of_earlier_versions_are_listed_and_viewed() {
    for (version, _) in VERSIONS {
        let old = Old::new(version);
        let (list, page) = (old.done(&["runs"]), old.done(&["view", "--all", "--out", "-"]));
        for run in old.runs() {
            let id = id(&run);
            assert!(list.contains(&id) && page.contains(&id), "version {version}: {id}");
            assert!(old.done(&["show", &id]).starts_with(&format!("run {id} · ")), "{id}");
        }
    }
}

/// Runs of every version travel as those of today do.
#[test]
fn runs_of_earlier_versions_are_exported_and_imported() {
    for (version, _) in VERSIONS {
        let old = Old::new(version);
        let new = Old::empty();
        for run in old.roots() {
            let out = old.path("out.jsonl").display().to_string();
            let exported = old.ptc(&["export", &run, "--out", &out]);
            assert_eq!((exported.code, exported.stderr.as_str()), (Some(0), ""), "{run}");
            new.import(Path::new(&out));
        }
        let names = |it: &Old| it.runs().iter().map(id).collect::<Vec<_>>();
        assert_eq!(names(&new), names(&old), "version {version}");
        for run in names(&old) {
            // The process that had a run is not exported with it: nobody knows whether it died.
            let whole = |it: &Old| {
                let mut record = shown(it, &run);
                let object = record.as_object_mut().expect("is an object");
                object.remove("died");
                object.remove("process");
                record
            };
            assert_eq!(whole(&new), whole(&old), "version {version}");
        }
    }
}

/// Exports that the versions wrote themselves are taken in, and have what the store of that version has.
#[test]
fn exports_of_earlier_versions_are_imported() {
    for (version, exports) in VERSIONS {
        if !exports {
            continue;
        }
        let old = Old::new(version);
        let new = Old::empty();
        for file in exported(version) {
            new.import(&file);
        }
        for run in new.runs() {
            let whole = |it: &Old| {
                let mut record = shown(it, &id(&run));
                let object = record.as_object_mut().expect("is an object");
                for key in ["died", "process", "file"] {
                    object.remove(key);
                }
                record
            };
            assert_eq!(whole(&new), whole(&old), "version {version}");
        }
    }
}

/// Exports of version 4 whose prompts and language have changed since: they are taken in, travel on, and a replay says
/// what is different now.
#[test]
fn exports_of_the_examples_are_imported_and_replayed() {
    let (first, second) = (Old::empty(), Old::empty());
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
    // The path of an agent file is from where the export is.
    let shown = |old: &Old, run: &str| {
        let mut record = shown(old, run);
        record["file"] = record["file"].is_string().into();
        record
    };
    for run in first.runs() {
        assert_eq!(shown(&second, &id(&run)), shown(&first, &id(&run)));
    }
    compare(&stores().join("replayed-examples-4.txt"), &all);
}

/// The exports of a version.
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

/// What a replay says of each run of the stores, and a test of each export of a run that has ended.
#[test]
fn runs_of_earlier_versions_are_replayed_and_tested() {
    for (version, replays) in VERSIONS {
        let old = Old::new(version);
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

/// A run whose process was killed goes on to its end, also as an import.
#[test]
fn open_runs_of_earlier_versions_go_on() {
    for (version, replays) in VERSIONS {
        let old = Old::new(version);
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
            let new = Old::empty();
            let file = stores().join(format!("runs-{version}-again.jsonl"));
            new.import(&file);
            let run = new.roots().remove(0);
            assert_eq!(new.done(&["resume", &run, "--quiet"]), "7\n", "version {version}");
        }
    }
    // Nothing was made in the folder that these commands run in.
    assert!(!data().join("runs.sqlite").exists());
}
