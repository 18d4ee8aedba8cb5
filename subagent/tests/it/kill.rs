//! Processes that are killed while they run an agent. At any moment, the resumed run has the same end, repeats no
//! recorded step, and makes no writing call twice.
//!
//! `PTC_KILLS` sets the number of kills at random moments.

#![expect(clippy::print_stdout, reason = "one process tells the other; totals are for people")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ptc_subagent::provider::{Provider, Reply};
use ptc_subagent::replay::{Replay, Resume, differences};
use ptc_subagent::store::{RunRecord, Store};
use ptc_subagent::tool::{CallContext, Effect, FnTool, ToolDef};
use ptc_subagent::{Agent, Mission, RunId, RunReport, Stop};
use serde_json::{Value, json};

use crate::support::{Model, one_in, program};

/// The default number of kills at random moments.
const KILLS: u64 = 40;

/// The variables with the folder of the process to kill, and the event at which it waits for the kill.
const FOLDER: &str = "PTC_TEST_FOLDER";
const EVENT: &str = "PTC_TEST_EVENT";

/// The name of the file whose presence makes runs take snapshots.
const SNAPSHOTS: &str = "snapshots";

/// Creates a folder for a process, whose run takes snapshots or not.
fn new_folder(snapshots: bool) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    if snapshots {
        std::fs::write(folder.path().join(SNAPSHOTS), "").unwrap();
    }
    folder
}

/// Creates a tool that logs every call it carried out, with its key and its result.
fn tool(name: &'static str, log: &Path, effect: Effect) -> ToolDef {
    let log = log.to_path_buf();
    let tool = FnTool::new(move |args: Value, cx: CallContext| {
        let log = log.clone();
        async move {
            let n = args["n"].as_i64().unwrap_or_default();
            tokio::time::sleep(Duration::from_millis(n.unsigned_abs() % 3)).await;
            let mut line = String::new();
            let _ = writeln!(line, "{} {}", cx.idempotency_key, n * 10);
            let mut file = OpenOptions::new().create(true).append(true).open(&log).unwrap();
            file.write_all(line.as_bytes()).unwrap();
            tokio::time::sleep(Duration::from_millis(1)).await;
            Ok(json!(n * 10))
        }
    });
    ToolDef::new(name, tool).with_signature("(n :int) -> :int").unwrap().with_effect(effect)
}

/// Creates an agent with several turns, concurrent calls, concurrent sub-agents and errors.
fn agent(folder: &Path) -> Agent {
    // The killed process and the resuming one share the folder.
    let snapshots = folder.join(SNAPSHOTS).exists();
    let log = folder.join("log");
    let worker = Agent::new("Work on {{n}}.")
        .with_name("worker")
        .with_signature("(n :int) -> :int")
        .unwrap()
        .with_tool(tool("look", &log, Effect::Read))
        .with_tool(tool("send", &log, Effect::Write))
        .with_snapshots(snapshots)
        .with_max_turns(3);
    Agent::new("Lead.")
        .with_name("lead")
        .with_tool(tool("look", &log, Effect::Read))
        .with_tool(tool("send", &log, Effect::Write))
        .with_tool(tool("put", &log, Effect::Write).with_idempotent(true))
        .with_tool(ToolDef::agent(worker))
        .with_snapshots(snapshots)
        .with_max_turns(6)
}

/// Creates a model whose reply depends on the messages.
fn model() -> impl Provider {
    Model(|text: &str| {
        let turns = text.matches("This is turn").count() + text.matches("turn ").count();
        let source = match (text.contains("Work on"), text) {
            (true, it) if it.contains("30") => "(return (+ (tool/send {:n ctx/n}) 1))",
            (true, _) => "(println :worker) (+ 20 (tool/look {:n 1}))",
            (false, it) if it.contains("hundred") => "(return {:all all :last (tool/send {:n 7})})",
            (false, it) if it.contains("divides") => {
                "(def all (pmap (fn [n] (tool/worker {:n n})) [1 2 3])) (tool/put {:n 9}) \"hundred\""
            }
            (false, it) if it.contains("looked") => "(/ (tool/send {:n 2}) 0)",
            (false, _) => "(println (pmap (fn [n] (tool/look {:n n})) (range 4))) \"looked\"",
        };
        assert!(turns > 0, "{text}");
        Reply::new(program(source))
    })
}

/// Runs the agent. At the event with this number it prints that it is there and waits.
async fn run(folder: &Path, wait_at: Option<u64>) -> RunReport {
    let store = Store::open(&folder.join("runs.sqlite")).unwrap();
    let agent = agent(folder);
    let mut seen = 0;
    let mission = Mission::new(&agent, json!({})).with_seed(7).record_in(&store);
    let mission = mission.observe(move |_, _| {
        if wait_at == Some(seen) {
            println!("here");
            loop {
                std::thread::park();
            }
        }
        seen += 1;
    });
    mission.run(&model()).await.unwrap()
}

/// The process to kill. It does nothing unless a test below has started it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_process_that_is_killed() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let at = std::env::var(EVENT).ok().map(|it| it.parse().unwrap());
        run(&PathBuf::from(folder), at).await;
    }
}

fn start(folder: &Path, event: Option<u64>) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["kill::the_process_that_is_killed", "--exact", "--nocapture"]);
    command.env(FOLDER, folder).stdout(Stdio::piped()).stderr(Stdio::null());
    if let Some(event) = event {
        command.env(EVENT, event.to_string());
    }
    command.spawn().unwrap()
}

/// Returns the number of executions and the result of each call, by its key.
fn executed_calls(folder: &Path) -> BTreeMap<String, (u32, Value)> {
    let log = std::fs::read_to_string(folder.join("log")).unwrap_or_default();
    let mut calls = BTreeMap::new();
    for line in log.lines() {
        let (key, result) = line.split_once(' ').unwrap();
        let call = calls.entry(key.to_string()).or_insert((0, result.parse().unwrap()));
        call.0 += 1;
    }
    calls
}

/// Returns the keys of recorded calls that have ended, of a run and of those below it.
fn ended_calls(store: &Store) -> Vec<String> {
    let mut keys = Vec::new();
    for run in store.runs(100).unwrap() {
        let record = store.show(run.run.as_str()).unwrap();
        for turn in &record.turn_records {
            for call in turn.calls.iter().filter(|it| it.ended.is_some()) {
                keys.push(format!("{}.{}.{}", run.run, turn.turn, call.call));
            }
        }
    }
    keys
}

/// Resumes the run of a killed process, decides calls in doubt by the log, and compares the end with that of the
/// undisturbed run. Returns the number of calls in doubt.
async fn check(folder: &Path, undisturbed: &RunRecord, when: &str) -> u32 {
    let store = Store::open(&folder.join("runs.sqlite")).unwrap();
    let runs = store.runs(100).unwrap();
    let Some(root) = runs.iter().find(|it| it.parent.is_none()).map(|it| it.run.clone()) else {
        return 0;
    };
    let (before, on_record) = (executed_calls(folder), ended_calls(&store));
    let agent = agent(folder);
    let mut doubts = 0;
    if store.show(root.as_str()).unwrap().summary.ended_at.is_none() {
        loop {
            let mut resume = Resume::of(&store, root.as_str()).unwrap();
            if doubts > 0 {
                let log = executed_calls(folder);
                for (key, _) in resume.open_calls() {
                    resume = match log.get(&key) {
                        Some((_, result)) => resume.assume_done(&key, result.clone()).unwrap(),
                        None => resume.retry(&key).unwrap(),
                    };
                }
            }
            let report = resume.mission(&agent).unwrap().run(&model()).await.unwrap();
            if report.stop != Some(Stop::InDoubt) {
                break;
            }
            doubts += 1;
            assert!(doubts < 10, "{when}: {:?}", report.error);
        }
    }
    let record = store.show(root.as_str()).unwrap();
    let differ = differences(undisturbed, &record);
    assert_eq!(differ, [], "{when}");
    let after = executed_calls(folder);
    for key in &on_record {
        let count = |calls: &BTreeMap<String, (u32, Value)>| calls.get(key).map(|it| it.0);
        assert_eq!(count(&after), count(&before), "{when}: {key} was made again");
    }
    assert_eq!(written_twice(&store, &after), Vec::<String>::new(), "{when}");
    replays(&store, &root, when).await;
    doubts
}

/// Returns the keys of calls of `send` that were carried out more than once. `send` is not idempotent.
fn written_twice(store: &Store, calls: &BTreeMap<String, (u32, Value)>) -> Vec<String> {
    let mut twice = Vec::new();
    for run in store.runs(100).unwrap() {
        for turn in store.show(run.run.as_str()).unwrap().turn_records {
            for call in turn.calls.iter().filter(|it| it.tool == "send") {
                let key = format!("{}.{}.{}", run.run, turn.turn, call.call);
                if calls.get(&key).is_some_and(|it| it.0 > 1) {
                    twice.push(key);
                }
            }
        }
    }
    twice
}

async fn replays(store: &Store, run: &RunId, when: &str) {
    let replayed = Replay::of(store, run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, [], "{when}");
}

/// Returns the record of the undisturbed run, its number of events, and its duration.
async fn undisturbed(snapshots: bool) -> (RunRecord, u64, Duration) {
    let folder = new_folder(snapshots);
    let started = Instant::now();
    let report = run(folder.path(), None).await;
    let took = started.elapsed();
    assert_eq!(report.value, json!({"all": [11, 21, 31], "last": 70}), "{:?}", report.error);
    let store = Store::open(&folder.path().join("runs.sqlite")).unwrap();
    let record = store.show(report.run.as_str()).unwrap();
    let mut events = 0;
    let agent = agent(folder.path());
    let count = Mission::new(&agent, json!({})).observe(|_, _| events += 1);
    count.run(&model()).await.unwrap();
    (record, events, took)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_every_row() {
    kill_at_every_row(false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_every_row_with_snapshots() {
    kill_at_every_row(true).await;
}

async fn kill_at_every_row(snapshots: bool) {
    let (record, events, _) = undisturbed(snapshots).await;
    assert!(events > 80, "{events}");
    let (mut doubts, every) = (0, one_in(5));
    // Different rows in each form, so that both together have more.
    for event in (u64::from(snapshots) * 2..events).step_by(every) {
        let folder = new_folder(snapshots);
        let mut child = start(folder.path(), Some(event));
        // All earlier events were passed to the store already.
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let waits = lines.any(|line| line.is_ok_and(|it| it.ends_with("here")));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(waits, "event {event}");
        doubts += check(folder.path(), &record, &format!("killed at event {event}")).await;
    }
    assert!(doubts > 0, "no call was ever in doubt");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_random_moments() {
    let (plain, _, took) = undisturbed(false).await;
    let (snapped, ..) = undisturbed(true).await;
    let kills = std::env::var("PTC_KILLS").ok().and_then(|it| it.parse().ok()).unwrap_or(KILLS);
    let mut dice = 7_u64;
    let (mut doubts, mut begun) = (0, 0);
    for kill in 0..kills {
        let takes_snapshots = kill % 2 == 1;
        let record = if takes_snapshots { &snapped } else { &plain };
        let folder = new_folder(takes_snapshots);
        let mut child = start(folder.path(), None);
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The process needs some time to start.
        let store = folder.path().join("runs.sqlite");
        while !store.exists() && child.try_wait().unwrap().is_none() {
            tokio::time::sleep(Duration::from_micros(200)).await;
        }
        tokio::time::sleep(took.mul_f64((dice >> 33) as f64 / f64::from(u32::MAX) * 2.0)).await;
        child.kill().unwrap();
        child.wait().unwrap();
        begun += u32::from(store.exists());
        doubts += check(folder.path(), record, &format!("kill {kill}")).await;
    }
    println!("{kills} kills, {begun} of them after the store was there, {doubts} times in doubt");
}
