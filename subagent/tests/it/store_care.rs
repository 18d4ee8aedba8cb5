//! Copies, checks and deletion of stores, and persons on record.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ptc_subagent::provider::{NoModel, Scripted};
use ptc_subagent::replay::Resume;
use ptc_subagent::store::{Prune, Store};
use ptc_subagent::tool::{FnTool, ToolDef};
use ptc_subagent::{Act, Action, Agent, Mission, RunId};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::store::filled;
use crate::support::program;

/// Records a run that waits for an answer.
async fn waiting(store: &Store, agent: &Agent) -> RunId {
    let mission = Mission::new(agent, json!({})).by(Some("ada".to_string())).record_in(store);
    mission.run(&NoModel).await.unwrap().run
}

fn asks() -> Agent {
    Agent::workflow("(ask {:title \"Go?\" :type \":bool\"})").with_name("asks")
}

/// Returns the names of the files of a folder.
fn names(folder: &Path) -> Vec<String> {
    let all = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        all.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|it| !it.contains("-owner-"));
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_is_a_store_with_the_runs_of_one_moment() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let store = Arc::new(Store::open(&path("s.sqlite")).unwrap());
    let (_, run) = filled(&store).await;
    // Another handle writes while the copies are made.
    let writes = tokio::spawn({
        let other = Store::open(&path("s.sqlite")).unwrap();
        async move {
            for _ in 0..20 {
                filled(&other).await;
            }
        }
    });
    let mut sizes = Vec::new();
    for at in 0..5 {
        let (from, to) = (Arc::clone(&store), path("copy.sqlite"));
        let size = tokio::task::spawn_blocking(move || from.backup(&to)).await.unwrap().unwrap();
        assert_eq!(size, path("copy.sqlite").metadata().unwrap().len());
        let copy = Store::open_read_only(&path("copy.sqlite")).unwrap();
        let checked = copy.check().unwrap();
        assert_eq!(checked.problems, [], "copy {at}");
        assert!(checked.runs >= 2, "copy {at}: {checked:?}");
        assert_eq!(copy.show(run.as_str()).unwrap(), store.show(run.as_str()).unwrap());
        sizes.push(size);
    }
    writes.await.unwrap();
    assert!(sizes.is_sorted(), "an earlier copy is replaced: {sizes:?}");
    store.backup(&path("copy.sqlite")).unwrap();
    let copy = Store::open(&path("copy.sqlite")).unwrap();
    assert_eq!(copy.runs(99).unwrap(), store.runs(99).unwrap());
    assert_eq!(copy.runs(99).unwrap().len(), 42);
    drop(copy);
    assert_eq!(names(folder.path()), ["copy.sqlite", "s.sqlite", "s.sqlite-shm", "s.sqlite-wal"]);
}

#[cfg(unix)]
#[tokio::test]
async fn a_copy_has_the_permissions_of_the_store() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let store = Store::open(&path("s.sqlite")).unwrap();
    filled(&store).await;
    for mode in [0o600, 0o640] {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(path("s.sqlite"), permissions).unwrap();
        store.backup(&path("copy.sqlite")).unwrap();
        let found = path("copy.sqlite").metadata().unwrap().permissions().mode();
        assert_eq!(found & 0o777, mode);
    }
}

#[tokio::test]
async fn a_copy_that_fails_leaves_the_earlier_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let store = Store::open(&path("s.sqlite")).unwrap();
    filled(&store).await;
    let missing = path("no/copy.sqlite");
    let error = store.backup(&missing).unwrap_err();
    assert_eq!(error.code(), "unreadable-file");
    std::fs::create_dir(path("folder")).unwrap();
    assert!(store.backup(&path("folder")).is_err());
    assert_eq!(names(folder.path()), ["folder", "s.sqlite", "s.sqlite-shm", "s.sqlite-wal"]);
}

/// Changes a store with SQL, and returns the problems that the check finds, with the run's id as RUN.
async fn problems(sql: &str) -> Vec<(Option<String>, String)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let store = Store::open(&path).unwrap();
    let image = FnTool::new(|_: Value, _| async { Ok(json!("x")) });
    let agent = Agent::new("Go.").with_tool(ToolDef::new("look", image));
    let source = "(tool/look {}) (println (str/join (repeat 900 \"x\"))) (return 1)";
    let mission = Mission::new(&agent, json!({})).record_in(&store);
    let run = mission.run(&Scripted::new([program(source)])).await.unwrap().run;
    let db = Connection::open(&path).unwrap();
    db.execute_batch(sql).unwrap();
    let checked = store.check().unwrap();
    assert_eq!((checked.runs, checked.problems.len() < 3), (1, true), "{checked:?}");
    let short = |text: String| text.replace(run.as_str(), "RUN");
    checked.problems.into_iter().map(|it| (it.run.map(short), short(it.message))).collect()
}

#[tokio::test]
async fn damage_is_found() {
    let of_run = |message: &str| vec![(Some("RUN".to_string()), message.to_string())];
    let of_store = |message: &str| vec![(None, message.to_string())];
    assert_eq!(problems("").await, []);
    assert_eq!(
        problems("UPDATE long_texts SET json = '\"y\"' WHERE id = 2").await,
        of_store("text 2 does not have its hash")
    );
    assert_eq!(
        problems("UPDATE run_heads SET turns = 7").await,
        of_run("the list of runs has another `turns` than its log")
    );
    assert_eq!(
        problems("UPDATE event_rows SET seq = seq + 100 WHERE kind = 'call-started'").await,
        of_run("`call-finished` precedes the event that it belongs to")
    );
    assert_eq!(
        problems("UPDATE event_rows SET data = '{' WHERE kind = 'turn-ended'").await.first(),
        of_run("`data` holds {").first()
    );
    let stray = "INSERT INTO event_rows (run, at, kind, data) VALUES (77, 1, 'printed', '{}')";
    assert_eq!(problems(stray).await, of_store("the number of events that belong to no run is 1"));
    let text = "INSERT INTO long_texts (hash, json) VALUES (x'00', '1')";
    assert_eq!(
        problems(text).await.last(),
        of_store("the number of texts that no event has is 1").last()
    );
}

/// A page that was overwritten is found by `SQLite`.
#[tokio::test]
async fn a_broken_page_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let store = Store::open(&path).unwrap();
    for _ in 0..20 {
        filled(&store).await;
    }
    store.backup(&folder.path().join("copy.sqlite")).unwrap();
    let copy = folder.path().join("copy.sqlite");
    let mut bytes = std::fs::read(&copy).unwrap();
    let end = bytes.len();
    bytes[end - 3000..].fill(0xff);
    std::fs::write(&copy, bytes).unwrap();
    let broken = Store::open_read_only(&copy).unwrap();
    let checked = broken.check().unwrap();
    let first = &checked.problems[0];
    assert!(first.message.starts_with("the database is damaged: "), "{checked:?}");
    assert!(broken.backup(&folder.path().join("second.sqlite")).is_err());
    assert_eq!(names(folder.path()).iter().filter(|it| it.contains("second")).count(), 0);
}

#[tokio::test]
async fn runs_that_have_not_ended_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let store = Store::open(&path).unwrap();
    let open = waiting(&store, &asks()).await;
    let (_, ended) = filled(&store).await;
    let (_, died) = filled(&store).await;
    let db = Connection::open(&path).unwrap();
    // The process of a run below it died.
    let sql = "UPDATE run_heads SET ended = NULL, status = 'running' WHERE parent = ?1";
    db.execute(sql, [died.as_str()]).unwrap();
    db.execute("UPDATE run_heads SET started_at = 0", []).unwrap();
    let mut prune = Prune::default();
    (prune.older_than, prune.ended) = (Some(Duration::from_hours(1)), true);
    prune.dry_run = true;
    assert_eq!(store.prune(&prune).unwrap().runs, 2);
    prune.dry_run = false;
    assert_eq!(store.prune(&prune).unwrap().runs, 2);
    assert!(store.show(ended.as_str()).is_err());
    for kept in [&open, &died] {
        assert!(store.show(kept.as_str()).is_ok());
    }
    prune.ended = false;
    assert_eq!(store.prune(&prune).unwrap().runs, 3);
}

#[tokio::test]
async fn persons_are_on_record() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("s.sqlite")).unwrap();
    let agent = asks();
    let run = waiting(&store, &agent).await;
    let question = store.show(run.as_str()).unwrap().questions[0].id.clone();
    let answer = |by: &str, value: bool| {
        let resume = Resume::of(&store, run.as_str()).unwrap().by(Some(by.to_string()));
        resume.answer(None, json!(value)).unwrap()
    };
    // Only the one whose answer counts is on record.
    let (one, other) = (answer("bob", true), answer("eve", false));
    let mission = one.mission(&agent).unwrap();
    assert!(other.mission(&agent).is_err());
    assert_eq!(mission.run(&NoModel).await.unwrap().value, json!(true));
    store.act(&run, Act::new("cyd", Action::Cancelled)).await.unwrap();
    let record = store.show(run.as_str()).unwrap();
    let mut acts = json!(record.acts);
    for act in acts.as_array_mut().unwrap() {
        assert!(act.as_object_mut().unwrap().remove("at").is_some());
    }
    let expected = json!([
        {"by": "bob", "action": "answered", "question": question},
        {"by": "cyd", "action": "cancelled"},
    ]);
    assert_eq!((record.summary.by.as_deref(), acts), (Some("ada"), expected));
    assert_eq!(store.runs(1).unwrap()[0].by.as_deref(), Some("ada"));
    assert_eq!(store.check().unwrap().problems, []);

    // They are in an export, and a run without them has neither key.
    let file = folder.path().join("runs.jsonl");
    store.export(&[run.as_str()], None, std::fs::File::create(&file).unwrap()).unwrap();
    let other = Store::in_memory().unwrap();
    other.import(None, std::io::BufReader::new(std::fs::File::open(&file).unwrap())).unwrap();
    assert_eq!(other.show(run.as_str()).unwrap().acts, record.acts);
    let (_, plain) = filled(&store).await;
    let plain = json!(store.show(plain.as_str()).unwrap());
    assert_eq!((plain.get("by"), plain.get("acts")), (None, None));
}
