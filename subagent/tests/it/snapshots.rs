//! Runs that take snapshots: resumed from the newest one, they behave like the undisturbed run.

use std::path::Path;
use std::sync::{Arc, Mutex};

use ptc_lisp::Limits;
use ptc_subagent::provider::{Provider, Reply, Scripted};
use ptc_subagent::replay::{Replay, Resume, differences};
use ptc_subagent::store::{RunRecord, Store};
use ptc_subagent::tool::{CallContext, Effect, FnTool, ToolDef};
use ptc_subagent::{Agent, Data, Mission, RunBudget, RunReport, Status, Stop};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::{Model, change_events, program};

/// The arguments of the calls that a tool carried out.
type Calls = Arc<Mutex<Vec<Value>>>;

fn twice(name: &str, calls: &Calls) -> ToolDef {
    let calls = Arc::clone(calls);
    let tool = FnTool::new(move |args: Value, _: CallContext| {
        let calls = Arc::clone(&calls);
        async move {
            calls.lock().unwrap().push(args["n"].clone());
            Ok(json!(2 * args["n"].as_i64().unwrap()))
        }
    });
    ToolDef::new(name, tool).with_signature("(n :int) -> :int").unwrap().with_effect(Effect::Read)
}

fn agent(calls: &Calls) -> Agent {
    let remembered = twice("kept", calls).with_cache(true);
    let few = twice("few", calls).with_max_calls(2);
    Agent::new("Go on from {{start}}.")
        .with_signature("(start :int, more :string?) -> :any")
        .unwrap()
        .with_tool(twice("twice", calls))
        .with_tool(remembered)
        .with_tool(few)
        .with_max_turns(9)
        .with_fallback(true)
        .with_snapshots(true)
}

fn scripted(programs: &[&str]) -> Scripted {
    Scripted::new(programs.iter().map(|it| program(it)))
}

async fn run(agent: &Agent, store: &Store, provider: &impl Provider) -> RunReport {
    let mission = Mission::new(agent, json!({"start": 3})).with_seed(5).record_in(store);
    mission.run(provider).await.unwrap()
}

/// Copies a store without its earlier snapshots and without the admissions, rejections and prints of the turns up to
/// the newest one. Messages and calls stay, because later turns may need them.
fn without_past(from: &Path, to: &Path) -> Store {
    let db = Connection::open(from).unwrap();
    db.execute("VACUUM INTO ?1", [to.to_str()]).unwrap();
    let db = Connection::open(to).unwrap();
    let newest =
        "(SELECT max(turn) FROM event_rows e WHERE e.run = event_rows.run AND kind = 'snapshot')";
    let gone =
        ["program-admitted", "program-rejected", "printed"].map(|it| format!("'{it}'")).join(", ");
    for which in [
        format!("turn <= {newest} AND kind IN ({gone})"),
        format!("turn < {newest} AND kind = 'snapshot'"),
    ] {
        db.execute(&format!("DELETE FROM event_rows WHERE {which}"), []).unwrap();
    }
    Store::open(to).unwrap()
}

/// Stops a run after each of its turns because the model fails, and resumes it from the snapshot. It ends like the
/// undisturbed run and makes the same calls.
async fn check(agent: impl Fn(&Calls) -> Agent, programs: &[&str]) -> RunRecord {
    let whole = Store::in_memory().unwrap();
    let calls = Calls::default();
    let undisturbed = run(&agent(&calls), &whole, &scripted(programs)).await;
    let record = whole.show(undisturbed.run.as_str()).unwrap();
    let made = calls.lock().unwrap().clone();
    for kept in 1..programs.len() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.sqlite");
        let store = Store::open(&path).unwrap();
        let calls = Calls::default();
        let agent = agent(&calls);
        let first = run(&agent, &store, &scripted(&programs[..kept])).await;
        assert_eq!(first.stop, Some(Stop::Provider), "{kept}: {first:?}");
        let before = calls.lock().unwrap().clone();
        let copy = without_past(&path, &folder.path().join("copy.sqlite"));
        for store in [&copy, &store] {
            calls.lock().unwrap().clone_from(&before);
            let resume = Resume::of(store, first.run.as_str()).unwrap();
            let mission = resume.mission(&agent).unwrap();
            let report = mission.run(&scripted(&programs[kept..])).await.unwrap();
            let mut expected = undisturbed.clone();
            expected.run = first.run.clone();
            assert_eq!(report, expected, "{kept}");
            assert_eq!(*calls.lock().unwrap(), made, "{kept}");
        }
        let resumed = store.show(first.run.as_str()).unwrap();
        let mut differ = differences(&record, &resumed);
        // The budget shows the remaining seconds, which differ.
        differ.retain(|it| it.what != "budget");
        assert_eq!(differ, [], "{kept}");
        let replay = Replay::of(&store, first.run.as_str()).unwrap();
        assert_eq!(replay.run().await.unwrap().differences, [], "{kept}");
    }
    record
}

#[tokio::test]
async fn a_run_resumes_after_any_of_its_turns() {
    let all = check(
        agent,
        &[
            "(def rate 3) (defn price [n] (* n rate)) (println \"priced\") (price (tool/twice {:n 1}))",
            "(memory/put :few (tool/few {:n 5})) (tool/kept {:n 7}) (/ 1 (- ctx/start 3))",
            "(memory/put :few (tool/few {:n 5})) (tool/kept {:n 7}) (/ 1 (- ctx/start 3))",
            "(memory/put :seen 4) (def all (pmap price [1 2 (tool/kept {:n 7})])) [ctx/fail *1]",
            "(ns)",
            "(no such program",
            "[(rand-int 1000) (price 4) *1 *2 *3 (count all)]",
            "(return [memory/seen (price (tool/kept {:n 7})) all (try (tool/few {:n 6}) (catch Exception e (ex-message e)))])",
        ],
    )
    .await;
    assert_eq!(all.summary.status, Status::Returned, "{:?}", all.error);
    let said = "tool `few`: may be called 2 times in a run, and was";
    assert_eq!(all.value, json!([4, 42, [3, 6, 42], said]));
    assert_eq!((all.turn_records.len(), all.snapshot.unwrap().turn), (8, 7));
}

#[tokio::test]
async fn budgets_count_earlier_usage() {
    let child = |calls: &Calls| {
        Agent::new("Work on {{n}}.")
            .with_name("child")
            .with_signature("(n :int) -> :int")
            .unwrap()
            .with_tool(twice("twice", calls))
            .with_snapshots(true)
    };
    let agent = |calls: &Calls| {
        let model = Model(|text: &str| {
            let asks = "(def all (tool/twice {:n ctx/n}))";
            Reply::new(program(if text.contains(asks) { "(return (inc all))" } else { asks }))
        });
        let below = ToolDef::agent(child(calls)).with_provider(Arc::new(model));
        agent(calls)
            .with_tool(below)
            .with_budget(RunBudget::default().with_tool_calls(6).with_fuel(2000).with_turns(30))
    };
    let all = check(
        agent,
        &[
            "(def a (tool/child {:n 1})) (dissoc (budget) :seconds)",
            "(def b (tool/child {:n (tool/twice {:n 2})})) (dissoc (budget) :seconds)",
            "[(:run-fuel (budget)) a b (reduce + (range 100))]",
            "(mapv (fn [n] (tool/twice {:n n})) (range 9))",
            "(return (dissoc (budget) :seconds))",
        ],
    )
    .await;
    let errors: Vec<_> = all.turn_records.iter().filter_map(|it| it.error.clone()).collect();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(errors[0].code.as_str(), "tool-call-limit");
}

#[tokio::test]
async fn the_value_of_an_earlier_turn_is_the_answer() {
    let agent = |calls: &Calls| agent(calls).with_max_turns(3);
    let all = check(agent, &["(def n 41)", "(inc n)", "(/ n 0)"]).await;
    assert_eq!((all.value, all.warnings.len()), (Data::from(json!(42)), 1));
}

/// Without a snapshot of a turn, the run continues, and resumes from the snapshot before.
#[tokio::test]
async fn a_snapshot_that_is_too_large() {
    let limits = Limits { memory: 1 << 31, memory_bytes: 1 << 30, ..Limits::default() };
    let calls = Calls::default();
    let (agent, store) = (agent(&calls).with_limits(limits), Store::in_memory().unwrap());
    let programs = [
        "(def n (tool/twice {:n 1}))",
        "(def long (loop [s \"x\" i 0] (if (= i 26) s (recur (str s s) (inc i)))))",
    ];
    let first = run(&agent, &store, &scripted(&programs)).await;
    let mission = Resume::of(&store, first.run.as_str()).unwrap().mission(&agent).unwrap();
    let report = mission.run(&scripted(&["(return [n (count long)])"])).await.unwrap();
    assert_eq!(report.value, json!([2, 1 << 26]));
    let warnings: Vec<String> =
        report.warnings.iter().map(|it| format!("{}: {}", it.code, it.message)).collect();
    let larger = "no-snapshot: the snapshot is larger than the remaining 67108863 bytes";
    assert_eq!(warnings, [larger]);
    let record = store.show(first.run.as_str()).unwrap();
    assert_eq!(record.snapshot.unwrap().turn, 1);
}

/// A run resumes without a snapshot that cannot be read.
#[tokio::test]
async fn a_damaged_snapshot() {
    for change in [
        "json_set(data, '$.state', 7)",
        "json_set(data, '$.state', json('{}'))",
        "json_set(data, '$.state.programs.session.seed', 'x')",
        "json_set(data, '$.state.programs.session.names[0][1]', '(1')",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.sqlite");
        let store = Store::open(&path).unwrap();
        let calls = Calls::default();
        let agent = agent(&calls);
        let first = run(&agent, &store, &scripted(&["(def n (tool/twice {:n 2}))"])).await;
        assert_eq!(change_events(&path, change, "kind = 'snapshot'"), 1);
        let mission = Resume::of(&store, first.run.as_str()).unwrap().mission(&agent).unwrap();
        let report = mission.run(&scripted(&["(return n)"])).await.unwrap();
        assert_eq!(
            (report.value, calls.lock().unwrap().len()),
            (Data::from(json!(4)), 1),
            "{change}"
        );
    }
}
