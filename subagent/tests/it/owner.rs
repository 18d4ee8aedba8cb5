//! Owners of running runs: the file that an owner holds locked, and its effect on other processes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ptc_subagent::provider::{NoModel, Scripted};
use ptc_subagent::replay::Resume;
use ptc_subagent::store::{Prune, Store};
use ptc_subagent::tool::{CallContext, FnTool, ToolDef};
use ptc_subagent::{Agent, Data, Mission, RunId, Stop};
use rusqlite::Connection;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::support::program;

/// An agent with a tool that signals its call and ends on a signal.
struct Waiting {
    agent: Agent,
    called: Arc<Notify>,
    end: Arc<Notify>,
}

impl Waiting {
    fn new() -> Waiting {
        let (called, end) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let both = (Arc::clone(&called), Arc::clone(&end));
        let tool = FnTool::new(move |_: Value, _: CallContext| {
            let (called, end) = both.clone();
            async move {
                called.notify_one();
                end.notified().await;
                Ok(json!(7))
            }
        });
        let tool = ToolDef::new("wait", tool).with_signature("() -> :int").unwrap();
        Waiting { agent: Agent::new("Go.").with_name("a").with_tool(tool), called, end }
    }

    /// Records a run and inspects it while its tool is called.
    async fn during(&self, store: &Store, look: impl AsyncFnOnce(RunId)) {
        let provider = Scripted::new([program("(return (tool/wait {}))")]);
        let run = Mission::new(&self.agent, json!({})).record_in(store).run(&provider);
        let look = async {
            self.called.notified().await;
            look(store.runs(1).unwrap()[0].run.clone()).await;
            self.end.notify_one();
        };
        let (report, ()) = tokio::join!(run, look);
        assert_eq!(report.unwrap().value, json!(7));
    }
}

/// Returns the owner files in a folder.
fn owners(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name());
    let names = names.map(|it| it.into_string().unwrap());
    let mut names: Vec<String> = names.filter(|it| it.contains("-owner-")).collect();
    names.sort();
    names
}

/// Returns the reason that a run cannot be resumed; `None` if it can.
fn refusal(store: &Store, run: &RunId, agent: &Agent) -> Option<(String, Option<String>)> {
    let resume = Resume::of(store, run.as_str()).unwrap();
    let error = resume.mission(agent).map(drop).err()?;
    Some((error.message().to_string(), error.help().map(str::to_string)))
}

#[tokio::test]
async fn an_owner_is_found_on_every_path_until_its_store_closes() {
    let folder = tempfile::tempdir().unwrap();
    let (path, elsewhere) = (folder.path().join("s.sqlite"), folder.path().join("elsewhere"));
    std::fs::create_dir(&elsewhere).unwrap();
    let (waiting, store) = (Waiting::new(), Store::open(&path).unwrap());
    assert_eq!(owners(folder.path()), [""; 0], "it has no run");
    let open = |path: PathBuf| Store::open(&path).unwrap();
    waiting
        .during(&store, async |run| {
            let process = store.show(run.as_str()).unwrap().process.unwrap();
            let (place, name) = process.split_once(':').unwrap();
            let (number, host) = place.split_once('@').unwrap();
            assert_eq!(number, std::process::id().to_string());
            assert_eq!(owners(folder.path()), [format!("s.sqlite-owner-{name}")]);
            let mut paths = vec![path.clone(), elsewhere.join("..").join("s.sqlite")];
            #[cfg(unix)]
            {
                std::os::unix::fs::symlink(&path, elsewhere.join("link")).unwrap();
                std::os::unix::fs::symlink(folder.path(), elsewhere.join("folder")).unwrap();
                paths.push(elsewhere.join("link"));
                paths.push(elsewhere.join("folder").join("s.sqlite"));
            }
            let message = format!("run {run} is still running in process {number} on {host}");
            let help = "end that process first, or resume anyway with `--take-over`";
            for path in paths {
                let other = open(path.clone());
                assert!(!other.show(run.as_str()).unwrap().summary.died, "{}", path.display());
                assert_eq!(
                    refusal(&other, &run, &waiting.agent),
                    Some((message.clone(), Some(help.to_string()))),
                    "{}",
                    path.display()
                );
                let mut prune = Prune::default();
                prune.runs = vec![run.to_string()];
                assert_eq!(other.prune(&prune).unwrap().runs, 0);
                let other = Store::open_read_only(&path).unwrap();
                assert!(!other.runs(1).unwrap()[0].died, "{}", path.display());
            }
            // The inspecting stores are closed and their claims are gone. The store still has its owner.
            assert_eq!(owners(folder.path()), [format!("s.sqlite-owner-{name}")]);
            // A copy of the file has no owner, because the process continues with the original.
            let copy = elsewhere.join("copy.sqlite");
            let into = format!("VACUUM INTO '{}'", copy.display());
            Connection::open(&path).unwrap().execute_batch(&into).unwrap();
            let copy = open(copy);
            assert!(copy.show(run.as_str()).unwrap().summary.died);
            assert_eq!(refusal(&copy, &run, &waiting.agent), None);
        })
        .await;
    drop(store);
    assert_eq!(owners(folder.path()), [""; 0], "the store is closed");
    assert_eq!(owners(&elsewhere), [""; 0], "the copy is closed");
}

/// A run in memory has an owner too, but no owner file.
#[tokio::test]
async fn a_run_in_memory_is_left_alone_while_it_runs() {
    let (waiting, store) = (Waiting::new(), Store::in_memory().unwrap());
    waiting
        .during(&store, async |run| {
            let record = store.show(run.as_str()).unwrap();
            assert!(!record.summary.died);
            let process = record.process.unwrap();
            let place = process.split_once(':').unwrap().0.replace('@', " on ");
            let (message, _) = refusal(&store, &run, &waiting.agent).unwrap();
            assert_eq!(message, format!("run {run} is still running in process {place}"));
        })
        .await;
}

/// A closed store gives up its run, so the owner of the run is dead although the process lives.
#[tokio::test]
async fn dead_owners_are_removed_by_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let (waiting, store) = (Waiting::new(), Store::open(&path).unwrap());
    let file = |name: &str| folder.path().join(name);
    for name in ["s.sqlite-owner-dead1", "s.sqlite-owner-dead2", "s.sqlite-owner-lives"] {
        std::fs::write(file(name), "").unwrap();
    }
    // None of these files belongs to an owner.
    for name in
        ["s.sqlite-owner-", "s.sqlite-owner-NAME", "t.sqlite-owner-dead", "s.sqlite-owner-x.y"]
    {
        std::fs::write(file(name), "").unwrap();
    }
    std::fs::create_dir(file("s.sqlite-owner-folder")).unwrap();
    let lives = std::fs::File::open(file("s.sqlite-owner-lives")).unwrap();
    lives.lock().unwrap();
    let before = owners(folder.path());
    drop(Store::open_read_only(&path).unwrap());
    assert_eq!(owners(folder.path()), before, "nothing was recorded");
    waiting.during(&store, async |_| {}).await;
    drop(store);
    let is_dead = |it: &&String| it.starts_with("s.sqlite-owner-dead");
    let kept: Vec<String> = before.iter().filter(|it| !is_dead(it)).cloned().collect();
    assert_eq!(owners(folder.path()), kept);
}

/// Tests the forms in which a row may name an owner.
#[tokio::test]
async fn rows_that_name_owners_in_other_forms() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let (waiting, store) = (Waiting::new(), Store::open(&path).unwrap());
    waiting.during(&store, async |_| {}).await;
    let run = store.runs(1).unwrap()[0].run.clone();
    let (outside, own) = (folder.path().join("outside"), std::process::id());
    std::fs::create_dir(folder.path().join("s.sqlite-owner-x")).unwrap();
    let locked = std::fs::File::create(&outside).unwrap();
    locked.lock().unwrap();
    let held = std::fs::File::create(folder.path().join("s.sqlite-owner-held")).unwrap();
    held.lock().unwrap();
    let unlocked = std::fs::File::create(folder.path().join("s.sqlite-owner-free")).unwrap();
    let still = |place: &str| Some(format!("run {run} is still running in process {place}"));
    for (process, expected) in [
        ("7@web-1.example_x:held".to_string(), still("7 on web-1.example_x")),
        ("7@web:free".to_string(), None),
        ("7@web:missing".to_string(), None),
        ("7@web:".to_string(), None),
        ("7@web:x/../../outside".to_string(), None),
        ("7@web:x".to_string(), None),
        ("7@\u{1b}[2J:held".to_string(), None),
        ("seven@web:held".to_string(), None),
        ("@:held".to_string(), None),
        // Versions up to 5 wrote these forms. Process 1 always exists.
        ("1:abc".to_string(), still("1")),
        (format!("{own}:other"), None),
        ("999999999:gone".to_string(), None),
        ("gone".to_string(), None),
        (String::new(), None),
    ] {
        let db = Connection::open(&path).unwrap();
        let sql =
            "UPDATE run_heads SET status = 'running', ended_at = NULL, ended = NULL, process = ?1";
        db.execute(sql, [&process]).unwrap();
        assert_eq!(store.runs(1).unwrap()[0].died, expected.is_none(), "{process:?}");
        let refused = refusal(&store, &run, &waiting.agent).map(|it| it.0);
        assert_eq!(refused, expected, "{process:?}");
    }
    drop(unlocked);
}

/// If two processes look at a dead run, one resumes it. The other gets an error, also after the first one has finished.
#[tokio::test]
async fn a_run_that_another_process_resumed_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let (waiting, store) = (Waiting::new(), Store::open(&path).unwrap());
    let away = Mission::new(&waiting.agent, json!({})).record_in(&store);
    away.run(&Scripted::new(Vec::<String>::new())).await.unwrap();
    let run = store.runs(1).unwrap()[0].run.clone();
    let other = Store::open(&path).unwrap();
    let first = Resume::of(&store, run.as_str()).unwrap();
    let second = Resume::of(&other, run.as_str()).unwrap().take_over();
    let mission = first.mission(&waiting.agent).unwrap();
    let report = mission.run(&Scripted::new([program("(return 1)")])).await.unwrap();
    assert_eq!(report.value, json!(1));
    let error = second.mission(&waiting.agent).map(drop).unwrap_err();
    assert_eq!(error.message(), format!("another process has resumed run {run}"));
    assert_eq!(
        error.help(),
        Some("look at it with `ptc show RUN`; resume it again if it has not ended")
    );
    let record = store.show(run.as_str()).unwrap();
    assert_eq!((record.summary.status.as_str(), record.value), ("returned", Data::from(json!(1))));
}

/// A resumed run that ends before its first new event is as it was, so it can be resumed again.
#[tokio::test]
async fn a_run_that_cannot_resume_goes_back_to_its_owner() {
    let store = Store::in_memory().unwrap();
    let source = "(ask {:title \"Go on?\" :fields \"(a :bool)\"})";
    let agent = Agent::workflow(source);
    let report = Mission::new(&agent, json!({})).record_in(&store).run(&NoModel).await.unwrap();
    let record = || store.show(report.run.as_str()).unwrap();
    let resume = || {
        Resume::of(&store, report.run.as_str()).unwrap().answer(None, json!({"a": true})).unwrap()
    };
    let before = record();
    let mission = resume().mission(&agent).unwrap();
    assert_ne!(record().process, before.process, "it is claimed");
    drop(mission);
    assert_eq!(record(), before);
    let typed = agent.clone().with_context_signature("{tenant :string}").unwrap();
    let mission = resume().mission(&typed).unwrap();
    let error = mission.run(&NoModel).await.unwrap_err();
    assert_eq!(
        error.message(),
        "the host context of agent `agent` does not match: `tenant` is missing"
    );
    assert_eq!(record(), before);
    let resumed = resume().mission(&agent).unwrap().run(&NoModel).await.unwrap();
    assert_eq!((resumed.value, record().process), (json!({"a": true}).into(), None));
}

/// A run of a dead process whose resumption failed can be ended, and one of a living process cannot.
#[tokio::test]
async fn a_run_of_a_dead_process_can_be_ended() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let agent = Agent::workflow("(ask {:title \"Go on?\" :fields \"(a :bool)\"})");
    let store = Store::open(&path).unwrap();
    let report = Mission::new(&agent, json!({})).record_in(&store).run(&NoModel).await.unwrap();
    let claim = |process: &str| {
        let sql =
            "UPDATE run_heads SET status = 'running', ended_at = NULL, ended = NULL, process = ?1";
        Connection::open(&path).unwrap().execute(sql, [process]).unwrap();
    };
    let end = || store.end_stuck(&report.run, "it cannot go on").unwrap();
    // Process 1 always exists.
    claim("1:abc");
    assert!(!end());
    claim(&format!("{}:other", std::process::id()));
    let other = agent.clone().with_context_signature("{tenant :string}").unwrap();
    let mission = Resume::of(&store, report.run.as_str()).unwrap().mission(&other).unwrap();
    mission.run(&NoModel).await.unwrap_err();
    assert!(end());
    let record = store.show(report.run.as_str()).unwrap();
    assert_eq!((record.summary.stop, record.process), (Some(Stop::Cancelled), None));
    assert!(!end());
}

/// A run does not start in a folder where no owner file can be created, and the error gives the reason.
#[cfg(unix)]
#[tokio::test]
async fn a_store_without_an_owner_records_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().canonicalize().unwrap().join("inner");
    std::fs::create_dir(&inner).unwrap();
    let path = inner.join("s.sqlite");
    let (waiting, store) = (Waiting::new(), Store::open(&path).unwrap());
    std::fs::rename(&inner, folder.path().join("other")).unwrap();
    let mission = Mission::new(&waiting.agent, json!({})).record_in(&store);
    let error = mission.run(&Scripted::new([program("(return 1)")])).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "{}: cannot use the store: cannot lock the file beside it that marks its runs as alive: \
             No such file or directory (os error 2)",
            path.display()
        )
    );
}
