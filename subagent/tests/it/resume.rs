//! Resumed runs: no recorded step is repeated, and a call in doubt is repeated only on request.

use std::sync::{Arc, Mutex};

use ptc_subagent::provider::{Provider, Scripted};
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::Store;
use ptc_subagent::tool::{CallContext, Effect, FnTool, ToolDef};
use ptc_subagent::{
    Agent, Data, ErrorKind, Mission, RunQueued, RunReport, Status, Stop, TurnOutcome,
};
use rusqlite::Connection;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::support::{change_events, program};

/// The calls of tools.
#[derive(Default)]
struct Calls {
    /// The name and the key of each call that ended, in order.
    ended: Mutex<Vec<String>>,
    /// The number of calls of slow tools that began.
    begun: watch::Sender<usize>,
    /// Whether slow tools may end.
    is_open: watch::Sender<bool>,
}

impl Calls {
    fn ended(&self) -> Vec<String> {
        self.ended.lock().unwrap().clone()
    }

    /// Waits until this number of calls of slow tools have begun.
    async fn have_begun(&self, count: usize) {
        self.begun.subscribe().wait_for(|begun| *begun >= count).await.unwrap();
    }

    /// Lets slow tools end.
    fn open(&self) {
        self.is_open.send_replace(true);
    }
}

type Done = Arc<Calls>;

fn tool(name: &'static str, done: &Done, is_slow: bool) -> ToolDef {
    let done = Arc::clone(done);
    let tool = FnTool::new(move |args: Value, cx: CallContext| {
        let done = Arc::clone(&done);
        async move {
            if is_slow {
                done.begun.send_modify(|begun| *begun += 1);
                done.is_open.subscribe().wait_for(|is_open| *is_open).await.unwrap();
            }
            let place = cx.idempotency_key.split_once('.').expect("a run").1.to_string();
            done.ended.lock().unwrap().push(format!("{name} {place}"));
            Ok(args["n"].clone())
        }
    });
    ToolDef::new(name, tool).with_signature("(n :int) -> :int").unwrap()
}

/// Creates an agent with a fast tool that reads and slow tools that write.
fn agent(done: &Done) -> Agent {
    Agent::new("Go.")
        .with_name("a")
        .with_tool(tool("look", done, false).with_effect(Effect::Read))
        .with_tool(tool("slow", done, true).with_effect(Effect::Read))
        .with_tool(tool("send", done, true).with_effect(Effect::Write))
        .with_tool(tool("put", done, true).with_effect(Effect::Write).with_idempotent(true))
}

fn scripted(programs: &[&str]) -> Scripted {
    Scripted::new(programs.iter().map(|it| program(it)))
}

/// Runs a mission and cancels it when slow tools have begun `slow` calls.
async fn cancelled(
    agent: &Agent,
    store: &Store,
    done: &Done,
    slow: usize,
    replies: &Scripted,
) -> RunReport {
    let calls = Arc::clone(done);
    let cancel = async move { calls.have_begun(slow).await };
    let mission = Mission::new(agent, json!({})).record_in(store).cancel_on(cancel);
    let report = mission.run(replies).await.unwrap();
    done.open();
    report
}

/// Runs a mission of two turns and cancels it during the slow calls of the second program.
async fn interrupted(
    agent: &Agent,
    store: &Store,
    done: &Done,
    slow: usize,
    source: &str,
) -> RunReport {
    let replies = scripted(&["(tool/look {:n 1})", source]);
    let report = cancelled(agent, store, done, slow, &replies).await;
    assert_eq!((report.stop, report.turns), (Some(Stop::Cancelled), 2));
    report
}

/// Resumes a run. Each call in doubt is declared done with a result, or is retried.
async fn resume(
    agent: &Agent,
    store: &Store,
    run: &RunReport,
    decided: &[(&str, Option<Value>)],
    provider: &impl Provider,
) -> RunReport {
    let mut resume = Resume::of(store, run.run.as_str()).unwrap();
    for (call, result) in decided {
        resume = match result {
            Some(result) => resume.assume_done(call, result.clone()).unwrap(),
            None => resume.retry(call).unwrap(),
        };
    }
    resume.mission(agent).unwrap().run(provider).await.unwrap()
}

/// Replays a resumed run.
async fn replays(store: &Store, report: &RunReport) {
    let replay = Replay::of(store, report.run.as_str()).unwrap();
    assert_eq!(replay.run().await.unwrap().differences, []);
}

#[tokio::test]
async fn recorded_steps_are_not_repeated() {
    let done = Done::default();
    let (agent, store) = (agent(&done), Store::in_memory().unwrap());
    let source = "(return [(tool/look {:n 2}) (tool/slow {:n 3}) (tool/put {:n 4})])";
    let first = interrupted(&agent, &store, &done, 1, source).await;
    assert_eq!(done.ended(), ["look 1.0", "look 2.0"]);
    // No reply is requested, because both are on record.
    let report = resume(&agent, &store, &first, &[], &scripted(&[])).await;
    assert_eq!((report.status, &report.value), (Status::Returned, &Data::from(json!([2, 3, 4]))));
    assert_eq!((&report.run, report.turns, report.tool_calls), (&first.run, 2, 4));
    assert_eq!(done.ended(), ["look 1.0", "look 2.0", "slow 2.1", "put 2.2"]);
    replays(&store, &report).await;
    let error = Resume::of(&store, report.run.as_str()).unwrap_err();
    assert_eq!(
        error.message(),
        format!("run {} has ended (returned): it cannot be resumed", report.run)
    );
}

#[tokio::test]
async fn each_branch_resumes_where_it_was() {
    let done = Done::default();
    let (agent, store) = (agent(&done), Store::in_memory().unwrap());
    // At the cancellation, the second branch is one call ahead of the first.
    let source = "(return (pmap (fn [n]
        (tool/look {:n n})
        (if (= n 1) (tool/slow {:n n}) (tool/look {:n n}))
        (tool/slow {:n (* 10 n)})) [1 2]))";
    let first = interrupted(&agent, &store, &done, 2, source).await;
    let looked = ["look 1.0", "look 2.0.0.0", "look 2.0.1.0", "look 2.0.1.1"];
    assert_eq!(done.ended(), looked);
    let report = resume(&agent, &store, &first, &[], &scripted(&[])).await;
    assert_eq!((report.status, &report.value), (Status::Returned, &Data::from(json!([10, 20]))));
    let slow = ["slow 2.0.0.1", "slow 2.0.1.2", "slow 2.0.0.2"];
    let all: Vec<&str> = looked.into_iter().chain(slow).collect();
    assert_eq!(done.ended(), all);
    replays(&store, &report).await;
}

#[tokio::test]
async fn a_call_in_doubt_is_repeated_only_on_request() {
    let source =
        "(return (pmap (fn [n] (if (= n 2) (tool/send {:n n}) (tool/look {:n n}))) [1 2]))";
    for (answer, is_said) in
        [("done", true), ("retry", true), ("neither", true), ("done", false), ("neither", false)]
    {
        let done = Done::default();
        let (mut agent, store) = (agent(&done), Store::in_memory().unwrap());
        if !is_said {
            agent.tools[2].effect = None;
        }
        let first = interrupted(&agent, &store, &done, 1, source).await;
        let stopped = resume(&agent, &store, &first, &[], &scripted(&[])).await;
        let error = stopped.error.clone().unwrap();
        let key = format!("{}.2.0.1.0", first.run);
        assert_eq!((stopped.stop, error.code.as_str()), (Some(Stop::InDoubt), "in-doubt"));
        assert_eq!(
            error.message,
            format!("the outcome of `send` ({key}) is unknown, and the tool writes")
        );
        assert_eq!(stopped.exit_code(), 4);
        let record = store.show(first.run.as_str()).unwrap();
        assert_eq!(record.turn_records[1].outcome, Some(TurnOutcome::InDoubt));
        replays(&store, &stopped).await;
        let open = Resume::of(&store, first.run.as_str()).unwrap().open_calls();
        assert_eq!(open, [(key.clone(), "send".to_string())]);
        let report = match answer {
            "done" => {
                let done = [("2.0.1.0", Some(json!(9)))];
                resume(&agent, &store, &first, &done, &scripted(&[])).await
            }
            "retry" => resume(&agent, &store, &first, &[(&key, None)], &scripted(&[])).await,
            _ => resume(&agent, &store, &first, &[], &scripted(&[])).await,
        };
        let sent = done.ended().iter().filter(|it| it.starts_with("send")).count();
        match answer {
            "done" => assert_eq!((report.value.clone(), sent), (Data::from(json!([1, 9])), 0)),
            "retry" => assert_eq!((report.value.clone(), sent), (Data::from(json!([1, 2])), 1)),
            _ => assert_eq!((report.stop, sent), (Some(Stop::InDoubt), 0)),
        }
        replays(&store, &report).await;
    }
    let done = Done::default();
    let (agent, store) = (agent(&done), Store::in_memory().unwrap());
    let first = interrupted(&agent, &store, &done, 1, source).await;
    let error = Resume::of(&store, first.run.as_str()).unwrap().retry("2.7").unwrap_err();
    assert_eq!(error.message(), "no call `2.7` is open");
    assert_eq!(error.help(), Some(&*format!("the open calls are {}.2.0.1.0", first.run)));
}

/// A decision on record counts once: a process that dies while it makes a call again leaves the call in doubt anew.
#[tokio::test]
async fn a_queued_retry_makes_a_call_once() {
    let done = Done::default();
    let (agent, store) = (agent(&done), Store::in_memory().unwrap());
    let first = interrupted(&agent, &store, &done, 1, "(return (tool/send {:n 2}))").await;
    let resume_of = || Resume::of(&store, first.run.as_str()).unwrap();
    let key = format!("{}.2.0", first.run);
    resume_of().retry(&key).unwrap().enqueue(&agent, RunQueued::new()).await.unwrap();
    assert_eq!(store.show(first.run.as_str()).unwrap().summary.status, Status::Queued);
    done.is_open.send_replace(false);
    let replies = scripted(&[]);
    let status = async {
        done.have_begun(2).await;
        store.show(first.run.as_str()).unwrap().summary.status
    };
    tokio::select! {
        _ = resume_of().mission(&agent).unwrap().run(&replies) => panic!("the tool does not end"),
        status = status => assert_eq!(status, Status::Running),
    }
    done.open();
    let stopped = resume(&agent, &store, &first, &[], &replies).await;
    assert_eq!((stopped.stop, done.ended().len()), (Some(Stop::InDoubt), 1));
    let report = resume(&agent, &store, &first, &[(&key, None)], &replies).await;
    assert_eq!((report.value.clone(), done.ended().len()), (Data::from(json!(2)), 2));
    replays(&store, &report).await;
}

/// Interrupts a run while its sub-agent, `levels` levels below it, sends something.
async fn check_sub_agents(levels: u32, answer: Option<Value>) {
    let done = Done::default();
    let child = Agent::new("Work.")
        .with_name("child")
        .with_signature("(n :int) -> :int")
        .unwrap()
        .with_tool(tool("look", &done, false))
        .with_tool(tool("send", &done, true).with_effect(Effect::Write))
        .with_max_turns(2);
    let replies = || Arc::new(scripted(&["(tool/look {:n 5})", "(return (tool/send {:n 6}))"]));
    let parent = |replies: Arc<Scripted>| {
        let mut agent = child.clone();
        let mut provider = replies;
        for _ in 1..levels {
            let below = ToolDef::agent(agent).with_provider(provider);
            agent = Agent::new("Pass it on.")
                .with_name("child")
                .with_signature("(n :int) -> :int")
                .unwrap()
                .with_tool(below);
            provider = Arc::new(scripted(&["(return (tool/child {:n ctx/n}))"]));
        }
        let child = ToolDef::agent(agent).with_provider(provider);
        Agent::new("Lead.").with_name("lead").with_tool(child)
    };
    let store = Store::in_memory().unwrap();
    let agent = parent(replies());
    let lead = scripted(&["(return (+ 1 (tool/child {:n 1})))"]);
    let first = cancelled(&agent, &store, &done, 1, &lead).await;
    assert_eq!(first.stop, Some(Stop::Cancelled));

    let silent = parent(Arc::new(scripted(&[])));
    let stopped = resume(&silent, &store, &first, &[], &scripted(&[])).await;
    assert_eq!(stopped.stop, Some(Stop::InDoubt));
    let tree = store.tree(first.run.as_str()).unwrap();
    let key = format!("{}.2.0", tree.last().unwrap().summary.run);
    let error = stopped.error.as_ref().unwrap();
    assert_eq!(
        error.message,
        format!("the outcome of `send` ({key}) is unknown, and the tool writes")
    );
    assert_eq!(json!(error.in_doubt), json!([{"call": key, "tool": "send"}]));
    for run in &tree {
        assert_eq!(run.error.as_ref(), Some(error), "every run above the call names it");
    }
    let open = Resume::of(&store, first.run.as_str()).unwrap().open_calls();
    assert_eq!(open, [(key, "send".to_string())]);
    replays(&store, &stopped).await;
    // The key is accepted as the error shows it.
    let decided = [(error.in_doubt[0].call.as_str(), answer.clone())];
    let report = resume(&silent, &store, &first, &decided, &scripted(&[])).await;
    let (value, sent): (i64, &[&str]) = match answer {
        Some(_) => (10, &["look 1.0"]),
        None => (7, &["look 1.0", "send 2.0"]),
    };
    assert_eq!(
        (report.status, &report.value),
        (Status::Returned, &Data::from(json!(value))),
        "{:?}",
        report.error
    );
    assert_eq!(done.ended(), sent);
    assert_eq!(store.runs(9).unwrap().len(), tree.len(), "all went on under their names");
    replays(&store, &report).await;
}

#[tokio::test]
async fn sub_agents_resume_too() {
    for levels in 1..=3 {
        Box::pin(check_sub_agents(levels, None)).await;
        Box::pin(check_sub_agents(levels, Some(json!(9)))).await;
    }
}

/// A record of a version that did not name the calls of sub-agents replays unchanged.
#[tokio::test]
async fn calls_in_doubt_without_names_replay() {
    let done = Done::default();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let store = Store::open(&path).unwrap();
    let child = agent(&done).with_signature("(n :int) -> :int").unwrap();
    let child =
        ToolDef::agent(child).with_provider(Arc::new(scripted(&["(return (tool/send {:n 6}))"])));
    let lead = Agent::new("Lead.").with_tool(child);
    let replies = scripted(&["(return (tool/a {:n 1}))"]);
    let first = cancelled(&lead, &store, &done, 1, &replies).await;
    let stopped = resume(&lead, &store, &first, &[], &scripted(&[])).await;
    assert_eq!(stopped.stop, Some(Stop::InDoubt), "{:?}", stopped.error);
    let told = "the outcome of a call of a sub-agent is unknown";
    let of_root = "run = (SELECT min(seq) FROM run_heads)";
    for (place, kind) in [("$.error", "run-ended"), ("$.error", "turn-ended")] {
        let of_kind = format!("kind = '{kind}'");
        change_events(&path, &format!("json_remove(data, '{place}.in_doubt')"), &of_kind);
        let message = format!("json_set(data, '{place}.message', '{told}')");
        let of_kind = format!("{of_kind} AND {of_root} AND data -> '{place}' IS NOT NULL");
        assert_ne!(change_events(&path, &message, &of_kind), 0);
    }
    replays(&store, &stopped).await;
}

#[tokio::test]
async fn an_unavailable_model_is_asked_again() {
    let done = Done::default();
    let (agent, store) = (agent(&done), Store::in_memory().unwrap());
    let mission = Mission::new(&agent, json!({})).record_in(&store);
    let first = mission.run(&scripted(&["(tool/look {:n 1})"])).await.unwrap();
    assert_eq!(first.stop, Some(Stop::Provider));
    let report = resume(&agent, &store, &first, &[], &scripted(&["(return 3)"])).await;
    assert_eq!((report.value.clone(), report.turns), (Data::from(json!(3)), 2));
    assert_eq!(done.ended(), ["look 1.0"]);
    replays(&store, &report).await;
}

#[tokio::test]
async fn a_changed_agent_cannot_resume_a_run() {
    let done = Done::default();
    let (agent, store) = (agent(&done), Store::in_memory().unwrap());
    let first = interrupted(&agent, &store, &done, 1, "(tool/slow {:n 1})").await;
    let error = |agent: Agent| {
        let resume = Resume::of(&store, first.run.as_str()).unwrap();
        resume.mission(&agent).map(drop).unwrap_err().message().to_string()
    };
    let differs = |key: &str| {
        format!("the agent is not the one that run {} started with: its `{key}` differs", first.run)
    };
    assert_eq!(error(agent.clone().with_max_turns(6)), differs("max_turns"));
    assert_eq!(error(agent.clone().with_tool(tool("new", &done, false))), differs("tools"));
}

/// A run that diverges from its record stops. Nothing new happens, and its record is unchanged.
#[tokio::test]
async fn a_run_that_diverges_stops() {
    let turn = |turn: u32, kind: &str| format!("kind = '{kind}' AND turn = {turn}");
    let cases = [
        ("system", "'x'", "kind = 'run-started'".to_string(), "`system` differs"),
        ("prompt", "'x'", turn(2, "turn-started"), "`prompt` of turn 2 differs"),
        ("program", "'x'", turn(1, "program-admitted"), "`program` of turn 1 differs"),
        ("report", "json('{}')", turn(2, "program-admitted"), "`report` of turn 2 differs"),
        ("line", "'x'", turn(1, "printed"), "`prints` of turn 1 differs"),
        ("value", "'x'", turn(1, "turn-ended"), "`value` of turn 1 differs"),
        ("fuel", "9", turn(1, "turn-ended"), "`fuel` of turn 1 differs"),
        ("outcome", "'returned'", turn(1, "turn-ended"), "`outcome` of turn 1 differs"),
        (
            "args",
            "json('{\"n\": 7}')",
            turn(1, "call-started"),
            "call 0 of turn 1 is not the one on record: the run diverges from its record",
        ),
        ("tool", "'x'", turn(2, "call-started"), "call 0 of turn 2 is not the one on record"),
    ];
    for (field, value, which, differs) in cases {
        let done = Done::default();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.sqlite");
        let (agent, store) = (agent(&done), Store::open(&path).unwrap());
        let programs = ["(do (println 1) (tool/look {:n 1}))", "(return (tool/slow {:n 1}))"];
        let first = cancelled(&agent, &store, &done, 1, &scripted(&programs)).await;
        let change = format!("json_set(data, '$.{field}', {value})");
        assert_eq!(change_events(&path, &change, &which), 1, "{field}");
        let events = |store: &Store| {
            let run = first.run.to_string();
            store.read(move |it| it.events(&run)).unwrap()
        };
        let (before, calls) = (events(&store), done.ended().len());
        let mission = Resume::of(&store, first.run.as_str()).unwrap().mission(&agent).unwrap();
        let error = mission.run(&scripted(&["(return 2)"])).await.unwrap_err();
        assert!(error.message().contains(differs), "{field}: {}", error.message());
        assert_eq!(error.kind(), ErrorKind::Replay, "{field}");
        assert_eq!(done.ended().len(), calls, "{field}");
        assert_eq!(events(&store), before, "{field}");
    }
}

/// A run of another version of `ptc` resumes if only texts differ that versions may change.
#[tokio::test]
async fn a_run_of_another_version_resumes() {
    let done = Done::default();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let (agent, store) = (agent(&done), Store::open(&path).unwrap());
    let first = interrupted(&agent, &store, &done, 1, "(tool/slow {:n 1})").await;
    for (field, value, which) in [
        ("$.semantics", "0", "kind = 'run-started'"),
        ("$.definition.limits.fuel", "7", "kind = 'run-started'"),
        ("$.prompt", "'something else'", "kind = 'turn-started' AND turn = 2"),
    ] {
        let change = format!("json_set(data, '{field}', {value})");
        assert_eq!(change_events(&path, &change, which), 1, "{field}");
    }
    let resume = Resume::of(&store, first.run.as_str()).unwrap();
    let mission = resume.mission(&agent).unwrap();
    let report = mission.run(&scripted(&["(return 5)"])).await.unwrap();
    assert_eq!(
        (report.value, report.status),
        (Data::from(json!(5)), Status::Returned),
        "{:?}",
        report.error
    );
}

/// Earlier versions knew no labels, and tools with a `url` are untrusted now.
#[tokio::test]
async fn a_run_from_before_labels_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let (path, file) = (folder.path().join("s.sqlite"), folder.path().join("agent.toml"));
    let text = "prompt = \"Go.\"\n\
        [[tools]]\nname = \"page\"\nurl = \"http://localhost:9/\"\neffect = \"read\"\n\
        [[tools]]\nname = \"rate\"\neffect = \"read\"\nreturns = 3\n\
        [[tools]]\nname = \"pay\"\neffect = \"write\"\nconfirm = true\nreturns = \"paid\"\n\
        [[sources]]\nname = \"copy\"\ntool = \"rate\"\n";
    std::fs::write(&file, text).unwrap();
    let (agent, store) = (Agent::read(&file).unwrap(), Store::open(&path).unwrap());
    let replies = scripted(&["(return (tool/pay {}))"]);
    let waiting = Mission::new(&agent, json!({})).record_in(&store).run(&replies).await.unwrap();
    assert_eq!(waiting.status, Status::Waiting, "{:?}", waiting.error);
    let change = |change: &str| {
        assert_eq!(change_events(&path, change, "kind = 'run-started'"), 1, "{change}");
        let resume = Resume::of(&store, waiting.run.as_str()).unwrap();
        resume.answer(None, json!({"allow": true})).unwrap()
    };
    let keys = ["tools[0].trust", "sources[0].tool"].map(|it| format!("'$.definition.{it}'"));
    let resume = change(&format!("json_remove(data, {})", keys.join(", ")));
    let message = format!(
        "the agent is not the one that run {} started with: its `tools` differs",
        waiting.run
    );
    assert_eq!(resume.mission(&agent).map(drop).unwrap_err().message(), message);
    let resume = change("json_set(data, '$.semantics', 7)");
    let report = resume.mission(&agent).unwrap().run(&replies).await.unwrap();
    assert_eq!((report.value, report.status), (Data::from(json!("paid")), Status::Returned));
}

#[tokio::test]
async fn a_run_with_a_living_owner_is_left_alone() {
    let done = Done::default();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let (agent, store) = (agent(&done), Store::open(&path).unwrap());
    let first = interrupted(&agent, &store, &done, 1, "(return (tool/slow {:n 1}))").await;
    let claim = |process: &str| {
        let db = Connection::open(&path).unwrap();
        let sql = "UPDATE run_heads SET status = 'running', stop = NULL, ended_at = NULL, ended = NULL, process = ?1";
        db.execute(sql, [process]).unwrap();
    };
    let resume = || Resume::of(&store, first.run.as_str()).unwrap();
    let result = || resume().mission(&agent).map(drop);
    // Process 1 always exists.
    claim("1:abc");
    let error = result().unwrap_err();
    assert_eq!(error.message(), format!("run {} is still running in process 1", first.run));
    let held = resume().take_over().mission(&agent).unwrap();
    // This process owns the run while it has the mission.
    let error = result().unwrap_err();
    let process = store.show(first.run.as_str()).unwrap().process.unwrap();
    let (place, _) = process.split_once(':').unwrap();
    assert!(place.starts_with(&format!("{}@", std::process::id())), "{process}");
    let place = place.replace('@', " on ");
    assert_eq!(error.message(), format!("run {} is still running in process {place}", first.run));
    // Without a new event, the owner before has it again.
    drop(held);
    assert_eq!(store.show(first.run.as_str()).unwrap().process.as_deref(), Some("1:abc"));
    // An owner with this process number but another name is dead.
    claim(&format!("{}:other", std::process::id()));
    result().unwrap();
}
