//! Workflows whose program changed while a run was open: `Resume::accept_change`.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use ptc_subagent::provider::NoModel;
use ptc_subagent::replay::{ProgramOnRecord, Replay, Resume};
use ptc_subagent::store::{RunRecord, Store};
use ptc_subagent::tool::ToolDef;
use ptc_subagent::{Agent, Data, Mission, PayloadDef, RunReport, Status, Stop, TurnOutcome};
use rusqlite::Connection;
use serde_json::json;

use crate::workflow::counter;

/// Adds up turns; the third waits too long, after it changed the payload and ran an agent that waits too.
const OLD: &str = "(let [n (or (:n ctx/state) 1)]
  (payload/push [:log] n)
  (if (= n 3)
    (do (pcalls #(tool/sleeper {:ms 0}) #(tool/sleeper {:ms 600000}) #(flow/wait 600000)) :never)
    (flow/continue {:n (inc n)})))";

/// Goes on from the same state without the wait.
const NEW: &str = "(let [n (or (:n ctx/state) 1)]
  (payload/push [:log] (str \"new \" n))
  (if (= n 4) {:log payload/log} (flow/continue {:n (inc n)})))";

fn agent(program: &str) -> Agent {
    let sleeper =
        Agent::workflow("(do (when (pos? ctx/ms) (flow/wait ctx/ms)) :slept)").with_name("sleeper");
    let sleeper = sleeper.with_signature("(ms :int) -> :keyword").unwrap();
    Agent::workflow(program)
        .with_name("adds")
        .with_payload(PayloadDef::new().with_start(json!({"log": []})).unwrap())
        .with_tool(ToolDef::agent(sleeper))
        .with_tool(counter(&Arc::new(AtomicUsize::new(0))))
}

/// Runs a workflow until it waits.
async fn waiting_run(agent: &Agent, store: &Store) -> RunReport {
    let mission = Mission::new(agent, json!({})).record_in(store);
    let report = mission.wait_at_most(Duration::from_millis(20)).run(&NoModel).await.unwrap();
    assert_eq!(report.status, Status::Waiting);
    report
}

async fn accepted(agent: &Agent, store: &Store, run: &str) -> RunReport {
    let resume = Resume::of(store, run).unwrap().accept_change();
    let mission = resume.mission(agent).unwrap().wait_at_most(Duration::from_millis(20));
    mission.run(&NoModel).await.unwrap()
}

/// Returns the message and the help of the error that a resume gives.
fn refused(agent: &Agent, store: &Store, run: &str, accepts: bool) -> (String, String) {
    let resume = Resume::of(store, run).unwrap();
    let resume = if accepts { resume.accept_change() } else { resume };
    let error = resume.mission(agent).map(drop).unwrap_err();
    (error.message().replace(run, "RUN"), error.help().unwrap_or_default().replace(run, "RUN"))
}

fn turns(record: &RunRecord) -> Vec<(TurnOutcome, &str)> {
    let turns = record.turn_records.iter();
    turns.map(|it| (it.outcome.unwrap(), it.program.as_deref().unwrap())).collect()
}

async fn check_replay(store: &Store, run: &str) {
    let replayed = Replay::of(store, run).unwrap().run().await.unwrap();
    assert_eq!((replayed.differences, replayed.missing), (vec![], None));
    assert_eq!(replayed.record.programs, store.show(run).unwrap().programs);
}

#[tokio::test]
async fn a_changed_workflow_continues_from_its_snapshot() {
    let store = Store::in_memory().unwrap();
    let (old, new) = (agent(OLD), agent(NEW));
    let run = waiting_run(&old, &store).await.run.to_string();
    let changed = "the program of run RUN has changed, from line 2 on";
    let how = "`ptc resume RUN --accept-change` continues behind turn 2 with the new program; or restore the old one";
    assert_eq!(refused(&new, &store, &run, false), (changed.to_string(), how.to_string()));
    // Refusing changes nothing.
    assert_eq!(store.show(&run).unwrap().summary.status, Status::Waiting);

    let report = accepted(&new, &store, &run).await;
    // The change of the abandoned turn is not there.
    let log = Data::from(json!({"log": [1, 2, "new 3", "new 4"]}));
    assert_eq!((report.value, report.turns, report.tool_calls), (log.clone(), 5, 2));
    let record = store.show(&run).unwrap();
    let (continued, abandoned) = (TurnOutcome::Continued, TurnOutcome::Abandoned);
    let expected = [
        (continued, OLD),
        (continued, OLD),
        (abandoned, OLD),
        (continued, NEW),
        (TurnOutcome::Returned, NEW),
    ];
    assert_eq!(turns(&record), expected);
    let programs: Vec<_> = record.programs.iter().map(|it| (it.turn, &*it.program)).collect();
    assert_eq!(programs, [(4, NEW)]);
    assert_eq!(record.payload.clone().unwrap().end, Some(log));
    let tree = store.tree(&run).unwrap();
    let ends: Vec<_> = tree.iter().map(|it| (it.summary.status, it.summary.stop)).collect();
    let (returned, stopped) = ((Status::Returned, None), (Status::Stopped, Some(Stop::Cancelled)));
    assert_eq!(ends, [returned, returned, stopped]);
    check_replay(&store, &run).await;
    assert_eq!(store.due(u64::MAX).unwrap(), []);

    // The debugger, another agent, and a new run from the middle.
    for (turn, first) in [(3, "[1 2]"), (4, "[1 2]"), (5, "[1 2 \"new 3\"]")] {
        let program = ProgramOnRecord::of(&store, &run, Some(turn)).unwrap();
        let session = program.session().await.unwrap();
        let seen = session.payload().unwrap().to_string();
        assert_eq!(seen, format!("{{\"log\" {first}}}"), "turn {turn}");
    }
    let replay = Replay::of(&store, &run).unwrap();
    let other = agent("(flow/continue 1)");
    let replayed = replay.clone().with_agent(other).run().await.unwrap();
    assert_eq!(turns(&replayed.record)[0].1, "(flow/continue 1)");
    let newer = agent("{:newer payload/log}");
    let branch = replay.branch(&newer, 4).record_in(&store).run(&NoModel).await.unwrap();
    assert_eq!(branch.value, json!({"newer": [1, 2, "new 3"]}));
    check_replay(&store, branch.run.as_str()).await;
    let redacted = replay.redacted().await.unwrap();
    assert_eq!(turns(&redacted.store.show(&run).unwrap()), expected);
}

#[tokio::test]
async fn a_program_changes_twice() {
    let store = Store::in_memory().unwrap();
    let waits_again = "(do (flow/wait 600000) :second)";
    let run = waiting_run(&agent(OLD), &store).await.run.to_string();
    let second = agent(waits_again);
    assert_eq!(accepted(&second, &store, &run).await.status, Status::Waiting);
    // The program on record is now the second one.
    let old = refused(&agent(OLD), &store, &run, false);
    assert_eq!(old.0, "the program of run RUN has changed, from line 1 on");
    let resumed = Resume::of(&store, &run).unwrap().mission(&second).unwrap();
    let resumed = resumed.wait_at_most(Duration::from_millis(20)).run(&NoModel).await.unwrap();
    assert_eq!(resumed.status, Status::Waiting);
    let third = agent(NEW);
    let report = accepted(&third, &store, &run).await;
    assert_eq!(report.value, json!({"log": [1, 2, "new 3", "new 4"]}));
    let record = store.show(&run).unwrap();
    let programs: Vec<_> = record.programs.iter().map(|it| (it.turn, &*it.program)).collect();
    assert_eq!(programs, [(4, waits_again), (5, NEW)]);
    let outcomes: Vec<_> = turns(&record).into_iter().map(|(outcome, _)| outcome).collect();
    let (continued, abandoned) = (TurnOutcome::Continued, TurnOutcome::Abandoned);
    let returned = TurnOutcome::Returned;
    assert_eq!(outcomes, [continued, continued, abandoned, abandoned, continued, returned]);
    check_replay(&store, &run).await;
}

/// Copies a store, and removes all events behind one.
fn cut(from: &Path, to: &Path, last: i64) -> Store {
    std::fs::copy(from, to).unwrap();
    let db = Connection::open(to).unwrap();
    db.execute("DELETE FROM event_rows WHERE seq > ?1", [last]).unwrap();
    drop(db);
    let store = Store::open(to).unwrap();
    store.rebuild().unwrap();
    store
}

#[tokio::test]
async fn a_change_survives_a_death_after_each_event() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("whole.sqlite");
    let newest = || -> i64 {
        let db = Connection::open(&path).unwrap();
        db.query_row("SELECT max(seq) FROM event_rows", [], |row| row.get(0)).unwrap()
    };
    let store = Store::open(&path).unwrap();
    let new = agent(NEW);
    let run = waiting_run(&agent(OLD), &store).await.run.to_string();
    let before = newest();
    let whole = accepted(&new, &store, &run).await;
    drop(store);
    for last in before..newest() {
        let copy = cut(&path, &folder.path().join(format!("{last}.sqlite")), last);
        let report = accepted(&new, &copy, &run).await;
        assert_eq!((report.value, report.turns), (whole.value.clone(), whole.turns), "{last}");
        assert_eq!(report.tool_calls, whole.tool_calls);
        check_replay(&copy, &run).await;
    }
}

fn check_refused(new: &Agent, run: &str, store: &Store, expected: (&str, &str)) {
    let (message, help) = refused(new, store, run, true);
    assert_eq!((message.as_str(), help.as_str()), expected);
}

#[tokio::test]
async fn a_change_is_refused_where_it_would_repeat_or_lose_something() {
    let store = Store::in_memory().unwrap();
    let wait = "(flow/wait 600000)";
    let turn_two = |work: &str| format!("(if ctx/state (do {work} {wait}) (flow/continue 1))");
    let help = "restore the old program, and resume the run until its next turn begins";
    let new = agent(":new");
    let changed = "the program of run RUN has changed, from line 1 on";

    let writes = agent(&turn_two("(tool/count {})"));
    let run = waiting_run(&writes, &store).await.run.to_string();
    let message = format!(
        "{changed}, and the open turn has made calls that write, which the new program could repeat: count (RUN.2.0)"
    );
    check_refused(&new, &run, &store, (&message, help));

    let many = agent(&turn_two("(dotimes [_ 7] (tool/count {}))"));
    let run = waiting_run(&many, &store).await.run.to_string();
    assert!(refused(&new, &store, &run, true).0.ends_with("count (RUN.2.4), 2 more"));

    // A turn before the snapshot may write.
    let early = agent(&format!("(if ctx/state {wait} (do (tool/count {{}}) (flow/continue 1)))"));
    let run = waiting_run(&early, &store).await.run.to_string();
    assert_eq!(accepted(&new, &store, &run).await.value, json!("new"));

    let first = agent(wait);
    let run = waiting_run(&first, &store).await.run.to_string();
    let no_snapshot = "restore the program, or start a new run: this run has no snapshot yet, from which another \
                       program could continue";
    check_refused(&new, &run, &store, (changed, no_snapshot));

    let run = waiting_run(&agent(OLD), &store).await.run.to_string();
    let other_tools = agent(NEW).with_tool(ToolDef::planning("again"));
    let differs = "the agent is not the one that run RUN started with: its `tools` differs";
    let restore =
        "restore the agent, or continue as a new run: `ptc replay RUN --from TURN --model SPEC`";
    check_refused(&other_tools, &run, &store, (differs, restore));
}

/// A replay can run another program of a workflow, from one of its turns on.
#[tokio::test]
async fn a_replay_with_another_program() {
    let store = Store::in_memory().unwrap();
    let agent = Agent::workflow("(if ctx/state (/ 1 (count [])) (flow/continue 41))");
    let mission = Mission::new(&agent, json!({})).record_in(&store);
    let report = mission.run(&NoModel).await.unwrap();
    assert_eq!((report.turns, report.stop), (2, Some(Stop::Program)));
    let replay = Replay::of(&store, report.run.as_str()).unwrap();
    for (turn, program, value) in [
        (2, "(inc ctx/state)", json!(42)),
        (2, "\"```\"", json!("```")),
        (1, ":whole", json!("whole")),
    ] {
        let replayed = replay.clone().with_program(turn, program).unwrap().run().await.unwrap();
        assert_eq!(
            (replayed.report.unwrap().value, replayed.missing),
            (Data::from(value), None),
            "{program}"
        );
        let ran = replayed.record.turn_records.last().unwrap();
        assert_eq!(ran.program.as_deref(), Some(program));
    }
    assert_eq!(replay.run().await.unwrap().differences, []);
}
