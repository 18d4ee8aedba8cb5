//! Replays of recorded runs: equal in everything, or different only because of a change.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ptc_lisp::Limits;
use ptc_subagent::provider::{Provider, Reply, Scripted, Usage};
use ptc_subagent::replay::{Difference, ProgramOnRecord, Replay, Replayed};
use ptc_subagent::store::Store;
use ptc_subagent::tool::{Effect, FnTool, ToolDef, ToolError};
use ptc_subagent::{
    Agent, Answers, Ask, Data, Mission, Policy, RunBudget, RunCode, RunId, RunReport, Status, Stop,
};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::{Model, change_events, priced, program};

/// Runs an agent, replays the run from its record, and compares both.
async fn check(agent: &Agent, provider: &impl Provider) -> RunReport {
    let store = Store::in_memory().unwrap();
    let mission = Mission::new(agent, json!({})).record_in(&store);
    let report = mission.run(provider).await.unwrap();
    let replayed = replay_of(&store, &report.run).await;
    assert_eq!(replayed.differences, []);
    assert_eq!(replayed.missing, None);
    let mut same = replayed.report.unwrap();
    // A replay does not run the sub-agents of a cancelled call, so their usage may differ.
    same.below = report.below;
    assert_eq!(same, report);
    report
}

async fn replay_of(store: &Store, run: &RunId) -> Replayed {
    Replay::of(store, run.as_str()).unwrap().run().await.unwrap()
}

fn scripted(programs: &[&str]) -> Scripted {
    Scripted::new(programs.iter().map(|it| program(it)))
}

/// Creates a tool that answers with its argument after a delay: later calls of a program answer first.
fn slow() -> ToolDef {
    let tool = FnTool::new(async |args: Value, _| {
        let n = args["n"].as_i64().unwrap_or_default();
        tokio::time::sleep(Duration::from_millis(20_u64.saturating_sub(n.unsigned_abs() * 3)))
            .await;
        if n == 5 {
            return Err(ToolError::failed("five is too much").with_help("take four"));
        }
        Ok(json!(n))
    });
    ToolDef::new("slow", tool).with_signature("(n :int) -> :int").unwrap().with_effect(Effect::Read)
}

fn agent() -> Agent {
    Agent::new("Go.").with_name("a").with_tool(slow())
}

#[tokio::test]
async fn every_kind_of_turn() {
    let programs = [
        "(def seen (pmap (fn [n] (tool/slow {:n n})) (range 5))) (println seen) seen",
        "no program at all",
        "(undefined-name 1)",
        "(tool/slow {:n \"x\"})",
        "(println :before) (tool/slow {:n 5})",
        "(try (tool/slow {:n 5}) (catch Exception e [(ex-message e) (ex-data e)]))",
        "(pmap (fn [n] (tool/slow {:n n})) [0 1 5 2 3])",
        "[ctx/fail (count seen)]",
        "(return {:sum (reduce + seen) :left (budget)})",
    ];
    let report = check(&agent().with_max_turns(9), &scripted(&programs)).await;
    assert_eq!((report.status, report.turns), (Status::Returned, 9), "{:?}", report.error);
    assert_eq!(report.value.to_json().unwrap()["sum"], json!(10));
}

#[tokio::test]
async fn every_way_to_end() {
    let double = || {
        Agent::new("Double {{n}}.").with_name("double").with_signature("(n :int) -> :int").unwrap()
    };
    let one = Agent::new("Go.").with_signature("() -> :int").unwrap();
    check(&one, &scripted(&["(return \"x\")", "(return 3)"])).await;
    let fallback = one.clone().with_fallback(true).with_max_turns(2).with_retry_turns(1);
    check(&fallback, &scripted(&["(return \"x\")", "7", "(return nil)"])).await;
    let spent = one.clone().with_fallback(true).with_budget(RunBudget::default().with_tokens(150));
    let replies = |n| (0..n).map(|_| priced("7", 100, 0.1)).collect::<Vec<_>>();
    let report = check(&spent, &Scripted::from_replies(replies(3))).await;
    assert_eq!(
        (report.value, report.error.unwrap().code),
        (Data::from(json!(7)), RunCode::TokenBudget.into())
    );
    let poor = one.clone().with_budget(RunBudget::default().with_tokens(150));
    let report = check(&poor, &Scripted::from_replies(replies(3))).await;
    assert_eq!(report.stop, Some(Stop::Tokens));
    check(&one, &scripted(&["(fail {:reason :no :message \"not today\" :more [1 2]})"])).await;
    check(&one, &scripted(&["1"])).await;
    check(&one, &Scripted::new(Vec::<String>::new())).await;
    check(&one.clone().with_answers(Answers::Json).with_max_turns(2), &Scripted::new(["{", "4"]))
        .await;
    let mut cut = Reply::new("```clojure\n(return 1");
    cut.finish = ptc_subagent::provider::Finish::Length;
    cut.usage =
        Some(Usage { input_tokens: 3, output_tokens: 4, cached_input_tokens: 2, cost: None });
    check(&one, &Scripted::from_replies(vec![cut, Reply::new(program("(return 1)"))])).await;
    let greedy = one.clone().with_max_turns(1).with_budget(RunBudget::default().with_fuel(50));
    let report = check(&greedy, &scripted(&["(reduce + (range 1000))"])).await;
    assert_eq!(report.stop, Some(Stop::Fuel));
    let asks = agent().with_policy(Policy::default().with_ask(Ask::Always)).with_max_turns(2);
    check(&asks, &scripted(&["(return (tool/slow {:n 1}))", "(return 1)"])).await;
    let checked = Policy::default().with_check(|_| Err("never".to_string()));
    check(&agent().with_policy(checked).with_max_turns(2), &scripted(&["(return 1)", "2"])).await;
    let mut missing = agent().with_tool(ToolDef::agent(double().with_max_turns(1)));
    missing.budget.depth = Some(0);
    check(&missing, &scripted(&["(return (tool/double {:n 1}))", "(return 2)"])).await;
}

#[tokio::test]
async fn clocks_and_cancelling() {
    // The time limit of the run, while calls are in flight.
    let timed = agent().with_timeout(Duration::from_millis(10));
    let calls = "(println 1) (return [(tool/slow {:n 6}) (tool/slow {:n 0})])";
    let report = check(&timed, &scripted(&[calls])).await;
    assert_eq!(report.stop, Some(Stop::Time));
    // The time limit of a program.
    let long = agent()
        .with_limits(Limits { program_time: Duration::from_millis(30), ..Limits::default() })
        .with_max_turns(2);
    let endless = "(tool/slow {:n 6}) (println :on) (loop [n 0] (recur (inc n)))";
    let report = check(&long, &scripted(&[endless, "(return [ctx/fail])"])).await;
    assert_eq!(report.status, Status::Returned);
    // Cancellation by the caller.
    for wait in [0, 3, 8, 15, 30] {
        let store = Store::in_memory().unwrap();
        let agent = agent();
        let cancelled = tokio::time::sleep(Duration::from_millis(wait));
        let provider =
            scripted(&["(println 1) [(tool/slow {:n 4}) (tool/slow {:n 4})]", "(return 1)"]);
        let mission = Mission::new(&agent, json!({})).record_in(&store).cancel_on(cancelled);
        let report = mission.run(&provider).await.unwrap();
        let replayed = replay_of(&store, &report.run).await;
        assert_eq!(replayed.differences, [], "after {wait} ms");
    }
}

#[tokio::test]
async fn sub_agents_with_a_shared_budget() {
    let worker = Agent::new("Work on {{n}}.")
        .with_name("worker")
        .with_signature("(n :int) -> :int")
        .unwrap()
        .with_tool(slow())
        .with_max_turns(3);
    let worker = ToolDef::agent(worker).with_cache(true);
    let parent = Agent::new("Lead.").with_name("lead").with_tool(worker).with_max_turns(3);
    let lead = "(pmap (fn [n] (try (tool/worker {:n n}) (catch Exception e (ex-message e)))) [1 2 1 3 4 5 6 7])";
    let work = "[(tool/slow {:n ctx/n}) (reduce + (range 200)) (budget)]";
    let model = || {
        let turns = Arc::new(AtomicU64::new(0));
        Model(move |text: &str| {
            let n = turns.fetch_add(1, Ordering::SeqCst);
            let source = match (text.contains("Lead"), text.matches("turn").count()) {
                (true, _) if text.contains("worker}") || n > 12 => "(return (budget))",
                (true, _) => lead,
                (false, _) if n.is_multiple_of(3) => "(return (* 2 (tool/slow {:n ctx/n})))",
                (false, _) => work,
            };
            priced(source, 100, 0.01)
        })
    };
    for budget in [
        RunBudget::default(),
        RunBudget::default().with_fuel(900),
        RunBudget::default().with_tool_calls(6),
        RunBudget::default().with_tokens(900),
        RunBudget::default().with_turns(7),
    ] {
        check(&parent.clone().with_budget(budget), &model()).await;
    }
}

/// Makes a run of three turns: it looks, makes a mistake, and returns.
async fn mistaken(store: &Store, made: &Arc<Mutex<Vec<Value>>>) -> (Agent, RunReport) {
    let seen = Arc::clone(made);
    let tool = FnTool::new(move |args: Value, _| {
        seen.lock().unwrap().push(args.clone());
        async move { Ok(json!({"price": args["n"].as_i64().unwrap_or_default() * 10})) }
    });
    let price =
        ToolDef::new("price", tool).with_signature("(n :int) -> {price :int, cost :int?}").unwrap();
    let buy = FnTool::new(async |_: Value, _| Ok(json!("bought")));
    let agent = Agent::new("Add the prices of {{ns}}.")
        .with_name("adder")
        .with_signature("(ns [:int]) -> :int")
        .unwrap()
        .with_tool(price)
        .with_tool(ToolDef::new("buy", buy).with_effect(Effect::Write));
    let provider = scripted(&[
        "(count ctx/ns)",
        "(return (reduce + (map (fn [n] (:cost (tool/price {:n n}))) ctx/ns)))",
        "(fail {:reason :lost :message \"cannot\"})",
    ]);
    let mission = Mission::new(&agent, json!({"ns": [1, 2]})).record_in(store);
    let report = mission.run(&provider).await.unwrap();
    assert_eq!(report.status, Status::Failed);
    (agent, report)
}

#[tokio::test]
async fn a_replaced_program() {
    let store = Store::in_memory().unwrap();
    let made = Arc::new(Mutex::new(Vec::new()));
    let (_, report) = mistaken(&store, &made).await;
    let replay = Replay::of(&store, report.run.as_str()).unwrap();
    let before = made.lock().unwrap().len();

    // The corrected program finds the recorded results of its calls, although their places in it differ.
    let mended = "(let [prices (mapv (fn [n] (tool/price {:n n})) (reverse ctx/ns))] \
                  (return (reduce + (map :price prices))))";
    let replayed = replay.clone().with_program(2, mended).unwrap().run().await.unwrap();
    assert_eq!(
        (replayed.record.summary.status.as_str(), &replayed.record.value),
        ("returned", &Data::from(json!(30)))
    );
    let changed = |it: &Difference| (it.turn, it.call.clone(), it.what.clone());
    let first: Vec<_> = replayed.differences.iter().map(changed).take(2).collect();
    assert_eq!(first, [(Some(2), None, "reply".into()), (Some(2), None, "program".into())]);

    // A program that makes a call without a recorded result.
    let other = "(return (+ (:price (tool/price {:n 1})) (:price (tool/price {:n 3}))))";
    let replayed = replay.clone().with_program(2, other).unwrap().run().await.unwrap();
    assert_eq!(replayed.missing.as_deref(), Some("the record does not have the calls of turn 2"));
    let calls: Vec<_> = replayed.record.turn_records[1]
        .calls
        .iter()
        .map(|it| (it.status.as_str(), it.args.clone(), it.result.clone()))
        .collect();
    assert_eq!(
        calls,
        [
            ("finished", json!({"n": 1}).into(), Some(json!({"price": 10}).into())),
            ("started", json!({"n": 3}).into(), None),
        ]
    );

    // A program that does not end the run.
    let replayed = replay.clone().with_program(1, "(first ctx/ns)").unwrap().run().await.unwrap();
    assert_eq!(replayed.missing.as_deref(), Some("the record does not have turn 2"));
    assert_eq!(replayed.record.turn_records[0].value.as_deref(), Some("1"));
    assert_eq!(made.lock().unwrap().len(), before, "no tool was called");

    let error = replay.clone().with_program(4, "1").unwrap_err();
    assert_eq!(error.to_string(), "the run has no turn 4: it has 3");
    let error = replay.with_program(1, "```1").unwrap_err();
    assert_eq!(error.to_string(), "the program has three backticks, which end a block of code");
}

#[tokio::test]
async fn another_prompt() {
    let store = Store::in_memory().unwrap();
    let (agent, report) = mistaken(&store, &Arc::default()).await;
    let mut changed = agent.clone();
    changed.prompt = "Sum the prices of {{ns}}.".to_string();
    let replay = Replay::of(&store, report.run.as_str()).unwrap();
    let replayed = replay.clone().with_agent(changed).run().await.unwrap();
    let what: Vec<_> = replayed.differences.iter().map(|it| (it.turn, it.what.as_str())).collect();
    assert_eq!(what, [(None, "system")]);
    let [one] = &replayed.differences[..] else { panic!("one") };
    assert!(one.recorded.to_string().contains("Add the prices"));
    assert!(one.replayed.to_string().contains("Sum the prices"));
    assert_eq!(replay.with_agent(agent).run().await.unwrap().differences, []);
}

#[tokio::test]
async fn branches() {
    let store = Store::in_memory().unwrap();
    let made = Arc::new(Mutex::new(Vec::new()));
    let (agent, report) = mistaken(&store, &made).await;
    let replay = Replay::of(&store, report.run.as_str()).unwrap();
    let before = made.lock().unwrap().len();
    let provider = scripted(&["(tool/price {:n 4})", "(return 40)"]);
    let branch = replay.branch(&agent, 2).record_in(&store).run(&provider).await.unwrap();
    assert_eq!(
        (branch.status, branch.value, branch.turns),
        (Status::Returned, Data::from(json!(40)), 4)
    );
    assert_eq!(made.lock().unwrap().len(), before + 1, "only what is new was asked");
    assert_ne!(branch.run, report.run);
    let record = store.show(branch.run.as_str()).unwrap();
    let origin = record.summary.origin.clone().unwrap();
    assert_eq!((origin.run, origin.turns), (report.run.clone(), 2));
    let old = store.show(report.run.as_str()).unwrap();
    for (new, old) in record.turn_records.iter().zip(&old.turn_records).take(2) {
        assert_eq!((&new.prompt, &new.reply, &new.error), (&old.prompt, &old.reply, &old.error));
    }
    // The branch is an ordinary run.
    assert_eq!(replay_of(&store, &branch.run).await.differences, []);
}

#[tokio::test]
async fn replays_that_are_refused() {
    let store = Store::in_memory().unwrap();
    let double = Agent::new("Double {{n}}.")
        .with_name("double")
        .with_signature("(n :int) -> :int")
        .unwrap()
        .with_max_turns(1);
    let agent = Agent::new("Lead.").with_tool(ToolDef::agent(double));
    let provider = Model(|text: &str| {
        let leads = text.contains("Lead");
        Reply::new(program(if leads { "(return (tool/double {:n 2}))" } else { "(* 2 ctx/n)" }))
    });
    let report = Mission::new(&agent, json!({})).record_in(&store).run(&provider).await.unwrap();
    let child = store.runs(9).unwrap().into_iter().find(|it| it.parent.is_some()).unwrap();
    let error = Replay::of(&store, child.run.as_str()).unwrap_err();
    assert_eq!(error.message(), format!("run {} is the run of a sub-agent", child.run));
    assert_eq!(error.help(), Some(&*format!("name run {} instead, which called it", report.run)));
}

/// Changes a record, replays it, and compares the location of the first difference.
async fn check_first_difference(
    change: impl FnOnce(&Path),
    expected: (Option<u32>, Option<&str>, &str),
) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let store = Store::open(&path).unwrap();
    let (_, report) = mistaken(&store, &Arc::default()).await;
    change(&path);
    let replayed = replay_of(&store, &report.run).await;
    let first = replayed.differences.first().expect(expected.2);
    assert_eq!((first.turn, first.call.as_deref(), first.what.as_str()), expected);
}

#[tokio::test]
async fn the_first_difference_is_named() {
    for (change, which, expected) in [
        ("'$.system', 'x'", "kind = 'run-started'", (None, None, "system")),
        ("'$.value', 1", "kind = 'run-ended'", (None, None, "value")),
        ("'$.prompt', 'x'", "kind = 'turn-started' AND turn = 3", (Some(3), None, "prompt")),
        ("'$.fuel', 1", "kind = 'turn-ended' AND turn = 2", (Some(2), None, "fuel")),
        ("'$.error.line', 99", "kind = 'turn-ended' AND turn = 2", (Some(2), None, "error")),
        (
            "'$.args', json('{}')",
            "kind = 'call-started' AND call = '1'",
            (Some(2), Some("1"), "args"),
        ),
        // A different result gives different feedback.
        (
            "'$.result.price', 11",
            "kind = 'call-finished' AND call = '0'",
            (Some(3), None, "prompt"),
        ),
    ] {
        let set = |path: &Path| {
            assert_ne!(change_events(path, &format!("json_set(data, {change})"), which), 0);
        };
        check_first_difference(set, expected).await;
    }
    let run = |sql: &'static str| {
        move |path: &Path| Connection::open(path).unwrap().execute_batch(sql).unwrap()
    };
    check_first_difference(run("UPDATE run_heads SET fuel = 1"), (None, None, "fuel")).await;
    let printed = "INSERT INTO event_rows (run, at, kind, turn, data) \
                   SELECT run, at, 'printed', 1, '{\"line\": \"x\"}' FROM event_rows LIMIT 1";
    check_first_difference(run(printed), (Some(1), None, "prints")).await;
    let cut = "DELETE FROM event_rows WHERE turn = 3";
    check_first_difference(run(cut), (None, None, "status")).await;
}

/// Changes the recorded end of a run of one or two turns, and replays it without a difference.
async fn check_end(agent: &Agent, source: &str, stop: Stop, change: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let store = Store::open(&path).unwrap();
    let provider = scripted(&[source, source]);
    let mission = Mission::new(agent, json!({})).record_in(&store);
    let report = mission.run(&provider).await.unwrap();
    assert_eq!(report.stop, Some(stop), "{:?}", report.error);
    for (place, kind) in
        [("$.error", "run-ended"), ("$.error", "turn-ended"), ("$.errors[0]", "program-rejected")]
    {
        let change = change.replace("error,", "data,").replace("$.", &format!("{place}."));
        let which = format!("kind = '{kind}' AND data -> '{place}' IS NOT NULL");
        change_events(&path, &change, &which);
    }
    let before = store.show(report.run.as_str()).unwrap();
    let replayed = replay_of(&store, &report.run).await;
    assert_eq!(replayed.differences, [], "{change}");
    assert_eq!(replayed.record.error, before.error, "{change}");
}

#[tokio::test]
async fn an_error_comes_back_whole_and_its_message_decides_nothing() {
    let one = Agent::new("Go.").with_signature("() -> :int").unwrap().with_max_turns(1);
    let greedy = one.clone().with_budget(RunBudget::default().with_fuel(50));
    let work = "(reduce + (range 1000))";
    check_end(&greedy, work, Stop::Fuel, "json_set(error, '$.message', 'none is left')").await;
    // Records of earlier versions name the budget only in the message.
    check_end(&greedy, work, Stop::Fuel, "json_remove(error, '$.budget')").await;
    let advice = "json_set(error, '$.advice', 'ask the author')";
    let refused = Policy::default().with_check(|_| Err("never".to_string()));
    let refused = one.clone().with_policy(refused).with_max_turns(2);
    check_end(&refused, "(return 1)", Stop::Policy, advice).await;
    let slow = agent()
        .with_limits(Limits { program_time: Duration::from_nanos(1), ..Limits::default() })
        .with_max_turns(2);
    check_end(&slow, "(return (tool/slow {:n 1}))", Stop::Time, advice).await;
}

#[tokio::test]
async fn a_record_without_secrets_replays() {
    let store = Store::in_memory().unwrap();
    let look = FnTool::new(async |args: Value, _| {
        Ok(
            json!({"mail": args["name"], "_note": "call ada.lovelace@example.com", "pin": {"api_key": "k-123456789"}}),
        )
    });
    let agent = Agent::new("Write to {{customer.name}}.")
        .with_name("writer")
        .with_tool(ToolDef::new("look", look));
    let provider = scripted(&[
        "(println (:_note (tool/look {:name ctx/customer._mail}))) (count ctx/customer._mail)",
        "(return {:to (:_mail ctx/customer) :upper (str/upper-case (:name ctx/customer)) \
                  :key (get-in (tool/look {:name \"x\"}) [:pin :api_key])})",
    ]);
    let customer =
        json!({"name": "Ada", "_mail": "ada.lovelace@example.com", "_age": 36, "_vip": true});
    let input = json!({"customer": customer, "text": "from ada.lovelace@example.com"});
    let report = Mission::new(&agent, input).record_in(&store).run(&provider).await.unwrap();
    assert_eq!(report.status, Status::Returned, "{:?}", report.error);
    let redacted = Replay::of(&store, report.run.as_str()).unwrap().redacted().await.unwrap();
    assert_eq!(redacted.hidden, 4, "mail, note, key, age");
    let (old, new) = (
        store.show(report.run.as_str()).unwrap(),
        redacted.store.show(report.run.as_str()).unwrap(),
    );
    let text = serde_json::to_string(&new).unwrap();
    for secret in ["lovelace", "k-12345"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    assert_eq!(
        new.setup.input,
        json!({
            "customer": {"name": "Ada", "_mail": "hidden-1-xxxxxxxxxxxxxxx", "_age": 0, "_vip": true},
            "text": "from hidden-1-xxxxxxxxxxxxxxx",
        })
    );
    assert_eq!(new.value.to_json().unwrap()["upper"], json!("ADA"));
    assert_eq!(new.value.to_json().unwrap()["to"], json!("hidden-1-xxxxxxxxxxxxxxx"));
    assert_eq!((new.summary.started_at, new.summary.turns), (old.summary.started_at, 2));
    assert_eq!(replay_of(&redacted.store, &report.run).await.differences, []);
}

/// Numbers are still replaced when no text is secret.
#[tokio::test]
async fn a_record_with_secret_numbers_replays() {
    let store = Store::in_memory().unwrap();
    let input = json!({"_pin": 4711, "_rate": 0.5, "_all": [1, true]});
    let provider = scripted(&["(return (+ 1 (:_pin ctx)))"]);
    let report =
        Mission::new(&Agent::new("Go."), input).record_in(&store).run(&provider).await.unwrap();
    let redacted = Replay::of(&store, report.run.as_str()).unwrap().redacted().await.unwrap();
    assert_eq!(redacted.hidden, 3);
    let record = redacted.store.show(report.run.as_str()).unwrap();
    assert_eq!(record.setup.input, json!({"_pin": 0, "_rate": 0.0, "_all": [0, true]}));
    assert_eq!(record.value, json!(1));
}

#[tokio::test]
async fn programs_on_record_can_be_stepped_over() {
    let store = Store::in_memory().unwrap();
    let child = Agent::new("Half {{n}}.")
        .with_name("half")
        .with_signature("(n :int) -> :int")
        .unwrap()
        .with_tool(slow());
    let agent = agent().with_tool(ToolDef::agent(child)).with_max_turns(4);
    let provider = Model(|text: &str| {
        let turn = text.matches("is turn").count() + text.matches("turns are left").count();
        let source = match (text.contains("Half"), text) {
            (true, _) => "(return (quot (tool/slow {:n ctx/n}) 2))",
            (_, it) if it.contains("seven") => {
                "(println twice) (return [(twice 4) (:turns (budget)) memory/kept])"
            }
            (_, it) if it.contains("divides") => "(memory/put :kept (tool/half {:n 4})) \"seven\"",
            _ if turn < 2 => "(defn twice [n] (* 2 (tool/slow {:n n}))) (twice 3)",
            _ => "(/ (twice 2) 0)",
        };
        Reply::new(program(source))
    });
    let report = Mission::new(&agent, json!({})).record_in(&store).run(&provider).await.unwrap();
    assert_eq!(report.value, json!([8, 0, 2]), "{:?}", report.error);
    let mut seen = 0;
    for run in store.runs(9).unwrap() {
        let record = store.show(run.run.as_str()).unwrap();
        for turn in &record.turn_records {
            let at = Some(turn.turn);
            let program = ProgramOnRecord::of(&store, run.run.as_str(), at).unwrap();
            let session = program.session().await.unwrap();
            let admitted = session.admit(program.source()).unwrap();
            let mut machine = session.start(&admitted);
            let mut budget = ptc_lisp::Budget::new(&agent.limits);
            while let ptc_lisp::Yielded::Calls(calls) = machine.run(&mut budget) {
                for call in calls {
                    machine.resume(&call.id, program.answer(&call.id.to_string()));
                }
            }
            let ended = machine.finish();
            assert_eq!(
                (ended.fuel, &ended.prints),
                (turn.fuel, &turn.prints),
                "turn {}",
                turn.turn
            );
            seen += 1;
        }
    }
    assert_eq!(seen, 5);
    let failed = ProgramOnRecord::of(&store, report.run.as_str(), None).unwrap();
    assert_eq!((failed.turn(), failed.source()), (2, "(/ (twice 2) 0)"));
    let error = ProgramOnRecord::of(&store, report.run.as_str(), Some(9)).unwrap_err();
    assert_eq!(error.message(), "turn 9 has no program that ran");
}

/// Creates a tool that answers with `n` after `wait` milliseconds, and fails for 5.
fn timed() -> ToolDef {
    let tool = FnTool::new(async |args: Value, _| {
        let wait = args["wait"].as_u64().unwrap_or_default();
        tokio::time::sleep(Duration::from_millis(wait)).await;
        if args["n"] == json!(5) {
            Err(ToolError::failed("no five"))
        } else {
            Ok(args["n"].clone())
        }
    });
    ToolDef::new("timed", tool).with_effect(Effect::Read)
}

#[tokio::test]
async fn branches_that_continue_while_others_wait() {
    let programs = [
        // Branches change shared data in the order of the answers.
        "(def log (let [log (atom [])]
           (pmap (fn [n]
                   (swap! log conj [n (tool/timed {:n 1 :wait (* 20 n)})])
                   (println n)
                   (swap! log conj [n (tool/timed {:n 2 :wait (- 70 (* 20 n))})])
                   (memory/put :last 1)
                   (pmap (fn [m] (swap! log conj [n m (tool/timed {:n 3 :wait (* m n)})])) [9 1]))
                 [3 2 1])
           @log))
         log",
        // Calls of branches are given up behind a branch that fails or ends the program.
        "(try (pmap (fn [n] (tool/timed {:n n :wait n}) (tool/timed {:n n :wait 50})) [30 20 5 1 2])
           (catch Exception e (ex-message e)))",
        "(pmap (fn [n] (tool/timed {:n n :wait n}) (/ n 0)) [30 20 1])",
        "(pmap (fn [n]
                 (tool/timed {:n n :wait n})
                 (when (= n 20) (return [memory/last (count log)]))
                 (tool/timed {:n n :wait 100}))
               [30 20 1 2])",
    ];
    let agent = Agent::new("Go.").with_name("a").with_tool(timed()).with_max_turns(4);
    for in_flight in [8, 2, 1] {
        let mut agent = agent.clone();
        agent.limits.calls_in_flight = in_flight;
        let report = check(&agent, &scripted(&programs)).await;
        assert_eq!(report.value, json!([1, 12]), "{in_flight}: {:?}", report.error);
    }
}

/// A record of other semantics, with differences where versions may differ and where they must not.
#[tokio::test]
async fn differences_between_versions_are_drift() {
    let changed = async |changes: &[(&str, &str)]| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.sqlite");
        let store = Store::open(&path).unwrap();
        let (_, report) = mistaken(&store, &Arc::default()).await;
        for (change, which) in changes {
            let change = format!("json_set(data, {change})");
            assert_ne!(change_events(&path, &change, which), 0, "{which}");
        }
        let replayed = replay_of(&store, &report.run).await;
        let what = |all: &[Difference]| all.iter().map(|it| it.what.clone()).collect::<Vec<_>>();
        (what(&replayed.differences), what(&replayed.drift))
    };
    let other = ("'$.semantics', 999", "kind = 'run-started'");
    let prompt = ("'$.prompt', 'x'", "kind = 'turn-started' AND turn = 3");
    let fuel = ("'$.fuel', 1", "kind = 'turn-ended' AND turn = 2");
    let error = ("'$.error.message', 'x'", "kind = 'turn-ended' AND turn = 2");
    let args = ("'$.args', json('{}')", "kind = 'call-started' AND call = '1'");
    let outcome = ("'$.outcome', 'value'", "kind = 'turn-ended' AND turn = 2");
    let value = ("'$.value', 7", "kind = 'run-ended'");
    let none: [&str; 0] = [];
    assert_eq!(changed(&[other]).await, (vec![], vec![]));
    let (differ, drift) = changed(&[other, prompt, fuel, error]).await;
    assert_eq!(
        (differ, drift),
        (none.map(String::from).to_vec(), ["error", "fuel", "prompt"].map(String::from).to_vec())
    );
    let (differ, drift) = changed(&[other, args, outcome, value]).await;
    assert!(differ.starts_with(&["args".to_string()]), "{differ:?}");
    assert!(
        ["outcome", "value"].iter().all(|it| differ.contains(&(*it).to_string())),
        "{differ:?}"
    );
    assert!(!drift.iter().any(|it| differ.contains(it)), "{differ:?} {drift:?}");
    let (differ, drift) = changed(&[prompt]).await;
    assert_eq!((differ, drift.len()), (vec!["prompt".to_string()], 0));
}
