//! The store: files of ours and of other programs.

use std::path::Path;
use std::time::Duration;

use ptc_subagent::provider::{Reply, Scripted};
use ptc_subagent::replay::Replay;
use ptc_subagent::store::{Filter, Prune, Store};
use ptc_subagent::tool::ToolDef;
use ptc_subagent::{Agent, Error, Mission};
use rusqlite::Connection;
use serde_json::json;

use crate::support::{Model, exported, program};

/// Opens a file that is not a usable store. Compares the error's kind and message, and the bytes of the file.
fn check(path: &Path, expected: &str) {
    let before = std::fs::read(path).ok();
    for open in [Store::open, Store::open_read_only] {
        let error = open(path).expect_err(expected);
        assert_eq!(shown(&error, path), expected);
        assert_eq!(error.kind().exit_code(), 2);
    }
    assert_eq!(std::fs::read(path).ok(), before, "{expected}");
}

fn shown(error: &Error, path: &Path) -> String {
    format!("{}: {error}", error.code()).replace(&path.display().to_string(), "FILE")
}

#[test]
fn files_that_are_not_ours() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let text = path("text");
    std::fs::write(&text, "precious notes, long enough to be taken for a page header".repeat(40))
        .unwrap();
    check(
        &text,
        "foreign-store: FILE: not a store of this version of ptc: the file is not a database",
    );

    let other = path("other.sqlite");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE mine (x)").unwrap();
    check(
        &other,
        "foreign-store: FILE: not a store of this version of ptc: the database belongs to another \
         application",
    );

    let newer = path("newer.sqlite");
    drop(Store::open(&newer).unwrap());
    Connection::open(&newer).unwrap().pragma_update(None, "user_version", 8).unwrap();
    check(
        &newer,
        "foreign-store: FILE: not a store of this version of ptc: it has store version 8, and this \
         ptc reads versions up to 7",
    );
}

/// The stores of earlier versions, in SQL.
const VERSION_1: &str = include_str!("stores/version-1.sql");

/// The id of the run in these stores.
const OLD_RUN: &str = "01m80880prmvtc459tbjqw4f21";

/// Creates a store of an earlier version.
fn old_store(path: &Path, sql: &str) {
    Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

/// Opens an old store for reading and for writing. The run in it is complete, and the tables are those of a new store.
fn check_upgrade(sql: &str, notes: &serde_json::Value) {
    let folder = tempfile::tempdir().unwrap();
    for (name, open) in [
        ("read", Store::open_read_only as fn(&Path) -> Result<Store, Error>),
        ("write", Store::open),
    ] {
        let path = folder.path().join(name);
        old_store(&path, sql);
        let store = open(&path).unwrap();
        let run = store.show(OLD_RUN).unwrap();
        let summary = serde_json::to_value(&run.summary).unwrap();
        assert_eq!(
            summary,
            json!({
                "run": OLD_RUN,
                "parent": null,
                "agent": "inspections",
                "model": "recorded:examples/inspections/inspections.recording.jsonl",
                "status": "returned",
                "stop": null,
                "turns": 4,
                "tool_calls": 28,
                "fuel": 547,
                "usage": {"input_tokens": 9_010, "output_tokens": 962},
                "started_at": 1_795_304_981_208_u64,
                "ended_at": 1_795_304_984_574_u64,
            })
        );
        assert_eq!(run.warnings, []);
        let turns: Vec<_> = run.turn_records.iter().map(|it| (it.turn, it.calls.len())).collect();
        assert_eq!(turns, [(1, 2), (2, 13), (3, 13), (4, 0)]);
        assert_eq!(run.turn_records[0].repair, None);
        assert_eq!(json!(run.turn_records[0].notes), *notes);
        drop(store);

        let new = folder.path().join(format!("new-{name}"));
        drop(Store::open(&new).unwrap());
        assert_eq!(tables(&path), tables(&new));
        // The next open has no upgrade to make.
        drop(Store::open(&path).unwrap());
    }
}

/// Returns the version, and every table and index with its columns.
fn tables(path: &Path) -> (i64, Vec<String>) {
    let db = Connection::open(path).unwrap();
    let version = db.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    let sql = "SELECT t.type || ' ' || t.name || ' ' || coalesce(c.name || ' ' || c.type, '') AS it \
               FROM sqlite_master t LEFT JOIN pragma_table_info(t.name) c ORDER BY it";
    let mut columns = db.prepare(sql).unwrap();
    let columns = columns.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>();
    (version, columns.unwrap())
}

#[test]
fn stores_of_earlier_versions_are_upgraded() {
    check_upgrade(VERSION_1, &json!(["text outside the code block was ignored"]));
    // The first stores had no notes.
    let first = format!(
        "{VERSION_1}; ALTER TABLE turns DROP COLUMN notes; ALTER TABLE turns DROP COLUMN warnings"
    );
    check_upgrade(&first, &json!([]));
}

#[test]
fn a_store_opened_concurrently_is_created_or_upgraded_once() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..40 {
        let path = folder.path().join(format!("{round}"));
        let is_old = round % 2 == 0;
        if is_old {
            old_store(&path, VERSION_1);
        }
        let open = || Store::open(&path).map(|store| store.runs(9).unwrap().len());
        std::thread::scope(|scope| {
            let others: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
            for other in others {
                assert_eq!(other.join().unwrap().unwrap(), usize::from(is_old), "round {round}");
            }
        });
    }
}

#[test]
fn places_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let check = |path: &Path, expected: &str| {
        let error = Store::open(path).unwrap_err();
        let found = shown(&error, path).replace(&folder.path().display().to_string(), "FOLDER");
        assert_eq!(found, expected);
    };
    check(
        &folder.path().join("none/s.sqlite"),
        "store-failure: FILE: cannot use the store: the folder FOLDER/none does not exist",
    );
    check(
        folder.path(),
        "store-failure: FILE: cannot use the store: the file can be neither opened nor created",
    );
    // Nobody can create files there, not even root.
    check(
        Path::new("/proc/s.sqlite"),
        "store-failure: FILE: cannot use the store: the file can be neither opened nor created",
    );
    let none = folder.path().join("none.sqlite");
    let error = Store::open_read_only(&none).unwrap_err();
    assert_eq!(
        shown(&error, &none),
        "store-failure: FILE: cannot use the store: there is no such file"
    );
    assert!(!none.exists());
}

#[test]
fn a_new_store_is_marked_as_ours() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    // An empty file counts as a missing one.
    std::fs::write(&path, "").unwrap();
    let store = Store::open(&path).unwrap();
    assert_eq!(store.runs(10).unwrap(), []);
    drop(store);
    let db = Connection::open(&path).unwrap();
    let pragma = |name: &str| {
        db.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, rusqlite::types::Value>(0))
            .unwrap()
    };
    assert_eq!(pragma("application_id"), 0x5054_4331.into());
    assert_eq!(pragma("user_version"), 7.into());
    assert_eq!(pragma("journal_mode"), "wal".to_string().into());
    drop(Store::open(&path).unwrap());
    drop(Store::open_read_only(&path).unwrap());
}

#[tokio::test]
async fn runs_are_listed_newest_first_and_found_by_the_start_of_their_id() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let store = Store::open(&path).unwrap();
    let mut ids = Vec::new();
    for n in 0..3 {
        let agent = Agent::new("Count.").with_name(format!("a{n}"));
        let provider = Scripted::new([program(&format!("(return {n})"))]);
        let report =
            Mission::new(&agent, json!({})).record_in(&store).run(&provider).await.unwrap();
        ids.push(report.run.to_string());
    }
    drop(store);

    let store = Store::open_read_only(&path).unwrap();
    let listed = |limit| -> Vec<(String, String)> {
        let runs = store.runs(limit).unwrap();
        runs.into_iter().map(|it| (it.run.to_string(), it.agent)).collect()
    };
    let all: Vec<(String, String)> =
        (0..3).rev().map(|n| (ids[n].clone(), format!("a{n}"))).collect();
    assert_eq!(listed(10), all);
    assert_eq!(listed(2), all[..2]);
    assert_eq!(ids[0].len(), 26);

    assert_eq!(store.show(&ids[1]).unwrap().value, json!(1));
    let unique =
        (1..=26).find(|n| !ids[0].starts_with(&ids[2][..*n]) && !ids[1].starts_with(&ids[2][..*n]));
    let unique = &ids[2][..unique.unwrap()];
    assert_eq!(store.show(&unique.to_uppercase()).unwrap().value, json!(2));
    let error = |prefix: &str| {
        let error = store.show(prefix).unwrap_err();
        (error.code(), error.message().to_string())
    };
    assert_eq!(error("zzz"), ("unknown-run", "no run `zzz`".to_string()));
    assert_eq!(error(""), ("unknown-run", "no run ``".to_string()));
    assert_eq!(
        error(&ids[0][..2]),
        ("unknown-run", format!("several runs start with `{}`: {}", &ids[0][..2], ids.join(", ")))
    );
}

#[tokio::test]
async fn a_store_that_breaks_stops_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let store = Store::open(&path).unwrap();
    // Another process removes a table during the run.
    Connection::open(&path).unwrap().execute_batch("DROP TABLE event_rows").unwrap();
    let agent = Agent::new("Count.");
    let provider = Scripted::new([program("(return 1)")]);
    let error = Mission::new(&agent, json!({})).record_in(&store).run(&provider).await.unwrap_err();
    assert_eq!(error.code(), "store-failure");
    assert_eq!(
        error.to_string(),
        format!("{}: cannot use the store: no such table: event_rows", path.display())
    );
}

#[tokio::test]
async fn several_runs_write_at_once_also_from_several_handles() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let agent = Agent::new("Count.");
    let stores = [Store::open(&path).unwrap(), Store::open(&path).unwrap()];
    let one = async |store: &Store| {
        let provider = Scripted::new([program("1"), program("(return 2)")]);
        Mission::new(&agent, json!({})).record_in(store).run(&provider).await.unwrap()
    };
    for _ in 0..20 {
        let (a, b) = tokio::join!(one(&stores[0]), one(&stores[1]));
        assert_ne!(a.run, b.run);
    }
    assert_eq!(stores[1].runs(100).unwrap().len(), 40);
}

/// Fills a store with a run that has a sub-agent, long texts and prints.
pub(crate) async fn filled(store: &Store) -> (Agent, ptc_subagent::RunId) {
    let child = Agent::new("Double {{n}}.")
        .with_name("double")
        .with_signature("(n :int) -> :int")
        .unwrap()
        .with_max_turns(1);
    let agent = Agent::new("Lead.").with_name("lead").with_tool(ToolDef::agent(child));
    let provider = Model(|text: &str| {
        let lead = "(println (str/join (repeat 900 \"x\"))) \
                    (return [(tool/double {:n 2}) (str/join (repeat 600 \"y\"))])";
        let source = if text.contains("Lead") { lead } else { "(* 2 ctx/n)" };
        Reply::new(program(source))
    });
    let input = json!({"text": "long ".repeat(200)});
    let report = Mission::new(&agent, input).record_in(store).run(&provider).await.unwrap();
    assert_eq!(report.value.to_json().unwrap()[0], json!(4), "{:?}", report.error);
    (agent, report.run)
}

#[tokio::test]
async fn runs_are_exported_and_imported() {
    let store = Store::in_memory().unwrap();
    let (_, run) = filled(&store).await;
    let file = exported(&store, run.as_str());
    let other = Store::in_memory().unwrap();
    let taken = other.import(None, std::io::Cursor::new(file.clone())).unwrap();
    assert_eq!((taken.len(), &taken[0]), (2, &run));
    for id in &taken {
        assert_eq!(other.show(id.as_str()).unwrap(), store.show(id.as_str()).unwrap());
    }
    assert_eq!(exported(&other, run.as_str()), file);
    let replayed = Replay::of(&other, run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, []);
    // Runs that the store already has are kept.
    assert_eq!(other.import(None, std::io::Cursor::new(file.clone())).unwrap(), []);

    let check = |file: &str, expected: &str| {
        let store = Store::in_memory().unwrap();
        let error = store.import(None, std::io::Cursor::new(file.to_string())).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(store.runs(9).unwrap(), [], "all or none");
    };
    let lines: Vec<&str> = file.lines().collect();
    let count = lines.len();
    check(
        &file.replace("double", "triple"),
        &format!("line {count}: the file was changed: its hash does not match"),
    );
    let cut = lines[..count - 1].join("\n");
    check(
        &format!("{cut}\n"),
        &format!("line {count}: the file is truncated: its last line has no hash"),
    );
    check(
        &file[..file.len() - 200],
        &format!("line {}: the line is not JSON, or was cut off", count - 1),
    );
    check("", "line 1: the file is truncated: its last line has no hash");
    check("{}\n", "line 1: the file is not an export of runs");
    check("[]\n", "line 1: the line is not an object");
    check(
        &file.replacen("\"version\":6", "\"version\":7", 1),
        "line 1: the file has store version 7, and this ptc reads versions 4 to 6",
    );
    let head = lines[0];
    for (line, expected) in [
        (r#"{"texts": {}}"#, "the line is not an event of a run"),
        (r#"{"event": "printed"}"#, "the line is not an event of a run"),
        (
            r#"{"run": "ID", "event": "printed", "at": -1}"#,
            "`at` is not a time in milliseconds since 1970",
        ),
        (r#"{"run": "ID", "event": "printed", "at": 1}"#, "`turn` holds nothing"),
        (
            r#"{"run": "ID", "event": "printed", "at": 1, "turn": 4294967296}"#,
            "`turn` holds 4294967296",
        ),
        (r#"{"run": "ID", "event": "printed", "at": 1, "turn": 1}"#, "`line` holds nothing"),
        (r#"{"run": "ID", "event": "later", "at": 1, "a#": 1}"#, "`a#` is not a name of a field"),
        (
            r#"{"run": "ID", "event": "printed", "at": 1, "turn": 1, "line": ""}"#,
            "run ID cannot be read: the first event is `printed`",
        ),
    ] {
        let (line, expected) = (line.replace("ID", OLD_RUN), expected.replace("ID", OLD_RUN));
        check(&format!("{head}\n{line}\n"), &format!("line 2: {expected}"));
    }
    // The form that versions 4 and 5 wrote.
    let head = head.replace("\"version\":6", "\"version\":5");
    check(&format!("{head}\n{{\"texts\": {{}}}}\n"), "line 2: the line is not a row of a run");
    check(&format!("{head}\n{{\"turns\": {{\"turn\": 1}}}}\n"), "line 2: the row names no run");
    check(
        &format!("{head}\n{{\"turns\": {{\"run\": \"{OLD_RUN}\", \"turn\": 1}}}}\n"),
        "line 2: the row does not fit its table: NOT NULL constraint failed: turn_rows.prompt",
    );
}

/// Texts that are not ids of runs: controls, a path, nothing, an id with another letter, and ids of other systems.
const NOT_IDS: [&str; 10] = [
    "",
    "x",
    "../../../owned",
    "01m80880prmvtc459tbjqw4f21x",
    "01m80880prmvtc459tbjqw4f2",
    "01M80880PRMVTC459TBJQW4F21",
    "81m80880prmvtc459tbjqw4f21",
    "01m80880prmvtc459tbjqw4f2l",
    "\u{1b}[2J\u{0}\u{202e}0prmvtc459tbjqw4",
    "9b2f4b5c-3f0e-4f0a-9d53-0a6f0e2f7c11",
];

/// An import refuses a run, and a run that another one names, whose id has another form. It takes nothing.
#[tokio::test]
async fn an_import_refuses_other_ids() {
    let store = Store::in_memory().unwrap();
    let (_, run) = filled(&store).await;
    let file = exported(&store, run.as_str());
    let is_not = "is not the id of a run, which is 26 digits and lower-case letters";
    let check = |file: &str, expected: &str| {
        let store = Store::in_memory().unwrap();
        let error = store.import(None, std::io::Cursor::new(file.to_string())).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(store.runs(9).unwrap(), [], "all or none");
    };
    let version_5 = file.lines().next().unwrap().replace("\"version\":6", "\"version\":5");
    for id in NOT_IDS {
        let id = json!(id).to_string();
        check(&file.replace(&json!(run).to_string(), &id), &format!("line 2: `run` {is_not}"));
        for (table, name) in [("runs", "id"), ("turns", "run")] {
            let line = format!("{{\"{table}\": {{\"{name}\": {id}}}}}");
            check(&format!("{version_5}\n{line}\n"), &format!("line 2: `run` {is_not}"));
        }
        // The run of a sub-agent names its caller.
        let parent = format!("\"parent\":{{\"run\":{}", json!(run));
        let at = 1 + file.lines().position(|it| it.contains(&parent)).unwrap();
        let other = format!("\"parent\":{{\"run\":{id}");
        let holds = format!("{{\"run\":{id},\"turn\":1,\"call\":\"0\"}}");
        let holds: String = holds.chars().take(40).collect();
        check(&file.replace(&parent, &other), &format!("line {at}: `parent` holds {holds}"));
    }
}

/// A store of another program, or one that an earlier version filled, may have other ids. Such a run counts as damaged:
/// it can be named and deleted, and hides no other run.
#[tokio::test]
async fn a_store_with_other_ids_hides_no_run() {
    for id in NOT_IDS {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.sqlite");
        let store = Store::open(&path).unwrap();
        let (_, good) = filled(&store).await;
        let (_, bad) = filled(&store).await;
        let id = id.replace(OLD_RUN, good.as_str());
        let db = Connection::open(&path).unwrap();
        db.execute("UPDATE run_heads SET id = ?1 WHERE id = ?2", [&id, bad.as_str()]).unwrap();
        let found = store.find(&Filter::default()).unwrap();
        let shown: String = id.chars().take(40).collect();
        let damaged: Vec<_> = found.damaged.iter().map(|it| (&it.run, &it.message)).collect();
        assert_eq!(damaged, [(&id, &format!("`id` holds {shown:?}"))]);
        assert_eq!(store.show(good.as_str()).unwrap().summary.run, good);
        let error = store.show(&id).unwrap_err();
        let expected = format!("run {id} cannot be read: `id` holds {shown:?}");
        assert_eq!((error.code(), error.message()), ("damaged-run", expected.as_str()));
        let error = store
            .read({
                let id = id.clone();
                move |it| it.events(&id)
            })
            .unwrap_err();
        assert_eq!(error.code(), "damaged-run");
        let mut prune = Prune::default();
        prune.runs = vec![id];
        assert_eq!(store.prune(&prune).unwrap().runs, 1);
        assert_eq!(store.find(&Filter::default()).unwrap().damaged, []);
        assert!(store.show(good.as_str()).is_ok());
    }
}

/// The rows that lists show follow from the log.
#[tokio::test]
async fn rebuilding_gives_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let store = Store::open(&path).unwrap();
    filled(&store).await;
    filled(&store).await;
    let before = store.runs(9).unwrap();
    assert_eq!(before.len(), 4);
    let db = Connection::open(&path).unwrap();
    db.execute_batch("UPDATE run_heads SET turns = 9, agent = '', ended = NULL").unwrap();
    assert_ne!(store.runs(9).unwrap(), before);
    store.rebuild().unwrap();
    assert_eq!(store.runs(9).unwrap(), before);
}

#[tokio::test]
async fn deleting_a_run_deletes_the_texts_that_only_it_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let store = Store::open(&path).unwrap();
    let (_, first) = filled(&store).await;
    let (_, second) = filled(&store).await;
    let count = |table: &str| {
        let db = Connection::open(&path).unwrap();
        let sql = format!("SELECT count(*) FROM {table}");
        db.query_row(&sql, [], |row| row.get::<_, i64>(0)).unwrap()
    };
    let texts = count("long_texts");
    let mut prune = Prune::default();
    assert_eq!(store.prune(&prune).unwrap().runs, 0);
    prune.keep = Some(1);
    prune.dry_run = true;
    assert_eq!(store.prune(&prune).unwrap().runs, 2);
    assert_eq!(store.runs(9).unwrap().len(), 4);
    prune.dry_run = false;
    let pruned = store.prune(&prune).unwrap();
    // The second run has the same texts, so they are kept.
    assert_eq!((pruned.runs, pruned.texts), (2, 0));
    assert!(store.show(first.as_str()).is_err());
    assert_eq!(count("long_texts"), texts);
    let mut prune = Prune::default();
    prune.older_than = Some(Duration::from_mins(1));
    assert_eq!(store.prune(&prune).unwrap().runs, 0, "it is younger than that");
    let mut prune = Prune::default();
    prune.runs = vec![second.to_string()];
    let pruned = store.prune(&prune).unwrap();
    assert_eq!((pruned.runs, pruned.texts), (2, u64::try_from(texts).unwrap()));
    for table in ["long_texts", "event_rows", "run_heads"] {
        assert_eq!(count(table), 0, "{table}");
    }
    prune.runs = vec!["zzz".to_string()];
    assert_eq!(store.prune(&prune).unwrap_err().message(), "no run `zzz`");

    // A run that a process owns is kept.
    let (_, run) = filled(&store).await;
    let db = Connection::open(&path).unwrap();
    let sql =
        "UPDATE run_heads SET ended_at = NULL, ended = NULL, process = '1:x' WHERE parent IS NULL";
    db.execute(sql, []).unwrap();
    prune.runs = vec![run.to_string()];
    assert_eq!(store.prune(&prune).unwrap().runs, 0);
    assert_eq!(store.runs(9).unwrap().len(), 2);
}

#[tokio::test]
async fn a_long_run_stores_little_more_than_its_new_texts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let agent =
        Agent::new("Look.").with_name("a").with_max_turns(100).with_tool(ToolDef::planning("t"));
    let look = |n: u32| program(&format!("(println {n}) (subs (ctx/texts {n}) 0 400)"));
    let texts: Vec<String> = (0..100).map(|n| format!("{n} ").repeat(700)).collect();
    let input = json!({ "texts": texts });
    let unique = input.to_string().len();
    assert!(unique > 200_000);
    let store = Store::open(&path).unwrap();
    let replies: Vec<String> = (0..99).map(look).chain([program("(return ctx/texts)")]).collect();
    let mission = Mission::new(&agent, input).record_in(&store);
    let report = mission.run(&Scripted::new(replies)).await.unwrap();
    assert_eq!((report.turns, report.error), (100, None));
    let record = store.show(report.run.as_str()).unwrap();
    let said: usize = record
        .turn_records
        .iter()
        .map(|it| it.prompt.len() + it.reply.as_ref().map_or(0, String::len))
        .sum();
    let unique = unique + record.setup.system.len() + said;
    drop(store);
    let stored = std::fs::metadata(&path).unwrap().len();
    assert!(stored < 3 * unique as u64, "{stored} bytes for {unique}");
}
