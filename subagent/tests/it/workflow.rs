//! Workflows: agents whose program a person wrote, and the functions and forms of `flow/`.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ptc_subagent::provider::{NoModel, Reply, Scripted};
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::{RunRecord, Store};
use ptc_subagent::tool::{Constant, Effect, FnTool, ToolDef, ToolError, ToolErrorKind};
use ptc_subagent::{Agent, Data, Mission, PayloadDef, RunReport, Status, Stop, TurnOutcome};
use serde_json::{Value, json};

use crate::support::{Model, program, run_and_replay as run};

fn outcomes(record: &RunRecord) -> Vec<TurnOutcome> {
    record.turn_records.iter().filter_map(|turn| turn.outcome).collect()
}

/// Returns the agents that the runs of a tree belong to, in the order of their starts, without the first.
fn agents_below(records: &[RunRecord]) -> Vec<&str> {
    records.iter().skip(1).map(|record| record.summary.agent.as_str()).collect()
}

/// M5: a workflow is a graph whose steps a person wrote.
#[tokio::test]
async fn m5_a_workflow_runs_without_a_model() {
    let agent = Agent::workflow("(let [n ctx/n] (* n n))").with_signature("(n :int) -> :int");
    let (report, records) = run(&agent.unwrap(), json!({"n": 7}), &NoModel).await;
    assert_eq!((report.status, report.value.clone()), (Status::Returned, Data::from(json!(49))));
    assert_eq!((report.turns, report.usage.tokens()), (1, 0));
    let record = &records[0];
    assert_eq!((record.setup.system.as_str(), record.summary.model.as_str()), ("", "none"));
    let turn = &record.turn_records[0];
    assert_eq!((turn.prompt.as_str(), turn.reply.as_deref()), ("", None));
    assert_eq!(turn.program.as_deref(), Some("(let [n ctx/n] (* n n))"));
    assert_eq!(outcomes(record), [TurnOutcome::Returned]);
}

#[tokio::test]
async fn a_workflow_ends_with_its_first_problem() {
    let typed = |program: &str| Agent::workflow(program).with_signature("() -> :int").unwrap();
    let cases = [
        (Agent::workflow("(+ 1\n   (/ 1 0))"), "divide-by-zero", Some((2, 4)), Stop::Program),
        (
            Agent::workflow("(let [z (count [])] (/ 1 z))"),
            "divide-by-zero",
            Some((1, 21)),
            Stop::Program,
        ),
        (Agent::workflow("(+ 1 (nope))"), "unknown-name", Some((1, 7)), Stop::Program),
        (Agent::workflow("(+ 1"), "unclosed-delimiter", Some((1, 1)), Stop::Program),
        (typed("(str \"x\" 1)"), "wrong-return", Some((1, 1)), Stop::Program),
        (typed("(first [\"a\" 1])"), "wrong-return", Some((1, 1)), Stop::Program),
        (Agent::workflow("(loop [] (recur))"), "fuel-limit", Some((1, 10)), Stop::Fuel),
    ];
    for (agent, code, place, stop) in cases {
        let mut agent = agent;
        agent.limits.fuel = 10_000;
        let (report, _) = run(&agent, json!({}), &NoModel).await;
        let error = report.error.unwrap();
        let found = error.line.zip(error.column);
        assert_eq!((error.code.as_str(), found, report.stop), (code, place, Some(stop)));
        assert_eq!(report.turns, 1);
    }
    let (report, _) = run(&Agent::workflow("(fail {:reason :no})"), json!({}), &NoModel).await;
    assert_eq!((report.status, report.fail.unwrap().reason.as_str()), (Status::Failed, "no"));
}

#[tokio::test]
async fn a_workflow_has_the_limits_of_one() {
    let agent = Agent::workflow("(count (mapv (fn [n] (call \"echo\" {:n n})) (range 300)))")
        .with_tool(ToolDef::new("echo", Constant::returns(1)).with_effect(Effect::Read));
    let (report, _) = run(&agent, json!({}), &NoModel).await;
    assert_eq!((report.value, report.tool_calls), (Data::from(json!(300)), 300));
    assert_eq!(agent.limits.fuel, 1_000_000_000);
}

#[tokio::test]
async fn a_turn_continues_with_a_state() {
    let program = "
        (let [{:keys [page kinds total]} (or ctx/state {:page 0 :kinds #{} :total 0})]
          (if (= page 4)
            {:kinds (count kinds) :total total :set (set? kinds) :seen memory/seen}
            (do (memory/put :seen (inc (or memory/seen 0)))
                (flow/continue {:page (inc page) :kinds (conj kinds (mod page 2)) :total (+ total page)}))))";
    let agent = Agent::workflow(program);
    let (report, records) = run(&agent, json!({}), &NoModel).await;
    assert_eq!(report.value, json!({"kinds": 2, "total": 6, "set": true, "seen": 4}));
    let (next, last) = (TurnOutcome::Continued, TurnOutcome::Returned);
    assert_eq!(outcomes(&records[0]), [next, next, next, next, last]);
    assert_eq!(records[0].snapshot.as_ref().unwrap().turn, 4);

    let limited = agent.with_max_turns(2);
    let (report, _) = run(&limited, json!({}), &NoModel).await;
    assert_eq!((report.stop, report.turns), (Some(Stop::Turns), 2));
    assert_eq!(report.error.unwrap().message, "no turn is left after 2");
}

#[tokio::test]
async fn a_model_reads_the_state_that_its_program_continued_with() {
    let agent = Agent::new("Go.");
    let replies =
        Scripted::new([program("(flow/continue {:n 5})"), program("(return (:n ctx/state))")]);
    let (report, records) = run(&agent, json!({}), &replies).await;
    assert_eq!(report.value, json!(5));
    assert_eq!(outcomes(&records[0]), [TurnOutcome::Value, TurnOutcome::Returned]);
}

#[tokio::test]
async fn a_workflow_is_a_tool_of_other_agents() {
    let double =
        Agent::workflow("(* 2 ctx/n)").with_name("double").with_signature("(n :int) -> :int");
    let double = ToolDef::agent(double.unwrap());
    assert_eq!(double.description.as_deref(), Some("Runs the workflow `double`."));
    let outer =
        Agent::workflow("(tool/double {:n (tool/double {:n 3})})").with_tool(double.clone());
    let (report, records) = run(&outer, json!({}), &NoModel).await;
    assert_eq!(
        (report.value, agents_below(&records)),
        (Data::from(json!(12)), vec!["double", "double"])
    );
    let asking = Agent::new("Go.").with_tool(double);
    let replies = Scripted::new([program("(return (tool/double {:n 4}))")]);
    let (report, _) = run(&asking, json!({}), &replies).await;
    assert_eq!(report.value, json!(8));
}

/// Runs a workflow without a record. A store writes on a thread of its own, and the paused clock of a test would run on
/// while the run waits for it.
async fn unrecorded(agent: &Agent) -> RunReport {
    Mission::new(agent, json!({})).run(&NoModel).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn waits_stop_the_clock_of_the_run() {
    let agent = Agent::workflow("(do (flow/wait 3600000) (pmap flow/wait [10 20]) :done)");
    let began = tokio::time::Instant::now();
    let report = unrecorded(&agent).await;
    assert_eq!(began.elapsed(), Duration::from_millis(3_600_020));
    assert_eq!((report.value, report.tool_calls), (Data::from(json!("done")), 0));
}

#[tokio::test]
async fn waits_are_on_record_and_no_calls() {
    let mut agent = Agent::workflow("(do (flow/wait 30) (pmap flow/wait [1 2]) :done)");
    agent.budget.tool_calls = Some(0);
    let (report, records) = run(&agent, json!({}), &NoModel).await;
    assert_eq!((report.value, report.tool_calls), (Data::from(json!("done")), 0));
    let record = &records[0];
    let calls: Vec<_> = record.turn_records[0]
        .calls
        .iter()
        .map(|it| (it.tool.as_str(), it.args.to_string(), it.is_wait()))
        .collect();
    let wait = |ms: u32| ("flow/wait", format!("{{\"ms\":{ms}}}"), true);
    assert_eq!(calls, [wait(30), wait(1), wait(2)]);
    assert_eq!(record.summary.tool_calls, 0);
}

#[tokio::test(start_paused = true)]
async fn a_wait_stops_no_clock_while_a_call_works() {
    let slow = |_: Value, _| async {
        tokio::time::sleep(Duration::from_secs(20)).await;
        Ok::<Value, ToolError>(json!(1))
    };
    let mut agent = Agent::workflow("(pcalls #(flow/wait 60000) #(call \"slow\" {}))")
        .with_tool(ToolDef::new("slow", FnTool::new(slow)).with_effect(Effect::Read));
    agent.timeout = Duration::from_secs(10);
    assert_eq!(unrecorded(&agent).await.stop, Some(Stop::Time));
    agent.timeout = Duration::from_secs(30);
    assert_eq!(unrecorded(&agent).await.value, json!([null, 1]));
}

#[tokio::test]
async fn calls_have_the_names_of_their_steps() {
    let echo = ToolDef::new("echo", Constant::returns(1)).with_effect(Effect::Read);
    let agent = Agent::workflow(
        "(call \"echo\" {})
         (flow/step \"load\" (fn []
           (call \"echo\" {})
           (flow/step :inner (fn [] (pmap (fn [_] (call \"echo\" {})) [1 2])))
           (flow/attempt (fn [] (flow/step \"broken\" (fn [] (/ 1 0)))))
           (call \"echo\" {})))
         (call \"echo\" {})",
    );
    let (_, records) = run(&agent.with_tool(echo), json!({}), &NoModel).await;
    let steps: Vec<_> =
        records[0].turn_records[0].calls.iter().map(|it| it.step.as_deref()).collect();
    let (load, inner) = (Some("load"), Some("load/inner"));
    assert_eq!(steps, [None, load, inner, inner, load, None]);
}

// ---- loops of agents ------------------------------------------------------------------------------

/// Makes an agent over the payload that may change one key.
fn part(name: &str, writes: &[&str]) -> ToolDef {
    let agent = Agent::new(format!("Be the {name}."))
        .with_name(name)
        .with_payload(PayloadDef::new().with_writes(writes).unwrap());
    ToolDef::agent(agent)
}

/// Runs a workflow over agents `a`, `b` and `c`, which each push their name to `log`. `exits` names the run, counted from
/// 1, of agent `b` that calls `exit_loop`.
async fn log_of(program_: &str, exits: usize) -> (RunReport, Vec<String>) {
    let count = Arc::new(AtomicUsize::new(0));
    let model = Model(move |text: &str| {
        let is_named = |it: &&str| text.contains(&format!("Be the {it}."));
        let name = ["a", "b", "c"].into_iter().find(is_named).unwrap();
        let push = format!("(payload/push [:log] \"{name}\")");
        let is_exit = name == "b" && count.fetch_add(1, Ordering::SeqCst) + 1 == exits;
        Reply::new(program(&if is_exit {
            format!("(do {push} (tool/exit_loop {{}}) (payload/push [:log] \"never\"))")
        } else {
            format!("(return {push})")
        }))
    });
    let mut agent = Agent::workflow(program_)
        .with_payload(PayloadDef::new().with_start(json!({"log": []})).unwrap());
    for name in ["a", "b", "c"] {
        agent = agent.with_tool(part(name, &["log"]));
    }
    let (report, _) = run(&agent, json!({}), &model).await;
    let log = report.payload.as_ref().unwrap().get("log").unwrap().to_string();
    (report, serde_json::from_str(&log).unwrap())
}

/// K1, K2: a loop runs its agents in order, again and again, and asks no model itself.
#[tokio::test]
async fn k1_k2_a_loop_runs_its_agents_in_order() {
    let (report, log) = log_of("(flow/loop [:a :b] {:max 2})", 0).await;
    assert_eq!(log, ["a", "b", "a", "b"]);
    assert_eq!(report.value, json!({"passes": 2, "ended_by": "max"}));
    assert_eq!((report.turns, report.usage.tokens()), (1, 0));
    let (report, log) = log_of("(flow/loop [:a] {:max 5})", 0).await;
    assert_eq!((log.len(), report.value.to_json().unwrap()["passes"].clone()), (5, json!(5)));
}

/// K3, K4, K5: `exit_loop` ends the loop behind its agent, which is not asked again; later agents do not run.
#[tokio::test]
async fn k3_k4_k5_an_agent_ends_the_loop() {
    let (report, log) = log_of("(flow/loop [:a :b :c] {:max 5})", 2).await;
    assert_eq!(log, ["a", "b", "c", "a", "b"]);
    assert_eq!(report.value, json!({"passes": 2, "ended_by": "exit_loop"}));
    assert_eq!(report.below.unwrap().turns, 5);
}

/// C.9 `loop_escalate_mid_pass`: the first agent that exits ends its pass.
#[tokio::test]
async fn an_exit_in_the_first_pass_counts_the_pass() {
    let (report, log) = log_of("(flow/loop [:b :c] {:max 5})", 1).await;
    assert_eq!(log, ["b"]);
    assert_eq!(report.value, json!({"passes": 1, "ended_by": "exit_loop"}));
}

/// C.9 `loop_empty`, `loop_zero`, `seq_empty` and `par_empty`: nothing runs.
#[tokio::test]
async fn nothing_to_run_runs_nothing() {
    let source =
        "[(flow/loop [] {:max 2}) (flow/loop [:a] {:max 0}) (flow/sequence []) (flow/parallel [])]";
    let (report, log) = log_of(source, 0).await;
    assert_eq!(log, Vec::<String>::new());
    let ended = |passes| json!({"passes": passes, "ended_by": "max"});
    assert_eq!(report.value, json!([ended(2), ended(0), null, []]));
}

/// K6: a loop has a limit of passes, and every agent in it can end it.
#[tokio::test]
async fn k6_a_loop_has_a_limit() {
    let (report, records) = run(&Agent::workflow("(flow/loop [:a])"), json!({}), &NoModel).await;
    let error = report.error.unwrap();
    assert_eq!(error.message, "`flow/loop` takes agents and a limit of passes");
    assert_eq!(error.help.as_deref(), Some("write `(flow/loop [:writer :critic] {:max 5})`"));
    assert_eq!(records.len(), 1);
}

/// K7, C.9 `seq_ignores_exit`: a sequence runs each agent once, and has no `exit_loop`.
#[tokio::test]
async fn k7_a_sequence_runs_each_agent_once() {
    let (report, log) = log_of("(flow/sequence [:a :b :c])", 0).await;
    assert_eq!(
        (log.as_slice(), report.value),
        (["a", "b", "c"].map(str::to_owned).as_slice(), Data::from(json!("c")))
    );
    // The program with `exit_loop` is refused, and the next one returns.
    let (report, log) = log_of("(flow/sequence [:a :b :c])", 1).await;
    assert_eq!(
        (log, report.below.unwrap().turns),
        (["a", "b", "c"].map(str::to_owned).to_vec(), 4)
    );
}

/// C.9 `nested_exit`: `exit_loop` ends the innermost loop. A sequence inside a loop goes on to its end.
#[tokio::test]
async fn an_exit_ends_the_innermost_loop() {
    let nested = "(flow/loop [:a (fn [] (flow/loop [:b :c] {:max 3})) :c] {:max 2})";
    let (report, log) = log_of(nested, 1).await;
    assert_eq!(log, ["a", "b", "c", "a", "b", "c", "b", "c", "b", "c", "c"]);
    assert_eq!(report.value, json!({"passes": 2, "ended_by": "max"}));
    let sequence = "(flow/loop [(fn [] (flow/sequence [:b :c])) :a] {:max 3})";
    let (report, log) = log_of(sequence, 1).await;
    assert_eq!(log, ["b", "c"]);
    assert_eq!(report.value, json!({"passes": 1, "ended_by": "exit_loop"}));
}

/// An agent in a branch ends the loop around the branches when all of them have ended.
#[tokio::test]
async fn an_exit_in_a_branch_ends_the_loop() {
    let parallel = "(flow/loop [(fn [] (flow/parallel [:a :b :c])) :a] {:max 3})";
    let (report, log) = log_of(parallel, 2).await;
    assert_eq!(log, ["a", "b", "c", "a", "a", "b", "c"]);
    assert_eq!(report.value, json!({"passes": 2, "ended_by": "exit_loop"}));
}

/// Names that are computed run the same agents, and admission names every agent that they could be.
#[tokio::test]
async fn names_of_agents_may_be_computed() {
    let source = "(let [names (map keyword [\"a\" \"b\"])] (flow/sequence names) (flow/loop names {:max 2}))";
    let (report, log) = log_of(source, 2).await;
    assert_eq!(log, ["a", "b", "a", "b"]);
    assert_eq!(report.value.to_json().unwrap()["ended_by"], "exit_loop");
}

/// The report of admission has the exact agents and bounds of literal agents and limits.
#[tokio::test]
async fn admission_counts_the_agents_of_a_loop() {
    let of = |source: &'static str| async move {
        let mut agent = Agent::workflow(source);
        for name in ["a", "b"] {
            let tool = ToolDef::new(name, Constant::returns(1)).with_effect(Effect::Read);
            agent = agent.with_tool(tool);
        }
        let (_, records) = run(&agent, json!({"xs": [1, 2, 3]}), &NoModel).await;
        let report = records[0].turn_records[0].report.clone().unwrap();
        report["tools"].clone()
    };
    let calls = |tools: Value| -> Vec<String> {
        let row = |it: &Value| {
            format!("{} {}", it["name"].as_str().unwrap(), it["times"].as_str().unwrap())
        };
        tools.as_array().unwrap().iter().map(row).collect()
    };
    let cases = [
        ("(flow/sequence [:a :b :a])", vec!["a at most twice", "b at most once"]),
        ("(flow/loop [:a :b] {:max 5})", vec!["a at most 5 times", "b at most 5 times"]),
        (
            "(flow/loop [:a (fn [] (flow/loop [:b] {:max 3}))] {:max 2})",
            vec!["a at most twice", "b at most 6 times"],
        ),
        ("(flow/parallel [:a :b])", vec!["a at most once", "b at most once"]),
        (
            "(flow/each ctx/xs (fn [x] (call \"a\" {:x x})) {:at-once 2})",
            vec!["a at most once for each item of ctx/xs (3)"],
        ),
        ("(flow/poll (fn [] (call \"a\" {})) pos? {:max 4})", vec!["a at most 4 times"]),
        ("(flow/attempt #(call \"a\" {}))", vec!["a at most once"]),
        ("(flow/step \"one\" #(call \"a\" {}))", vec!["a at most once"]),
    ];
    for (source, expected) in cases {
        assert_eq!(calls(of(source).await), expected, "{source}");
    }
}

/// An agent gets the values that the payload has for its inputs.
#[tokio::test]
async fn agents_take_their_inputs_from_the_payload() {
    let writer = Agent::workflow("(payload/put [:text] (str ctx/topic \", \" ctx/feedback))")
        .with_name("writer")
        .with_signature("(topic :string, feedback :string?) -> :any")
        .unwrap()
        .with_payload(PayloadDef::new());
    let agent = Agent::workflow(
        "(do (flow/sequence [:writer])
             (let [first payload/text]
               (payload/put [:feedback] \"shorter\")
               (flow/sequence [:writer])
               [first payload/text]))",
    )
    .with_payload(PayloadDef::new().with_start(json!({"topic": "rain"})).unwrap())
    .with_tool(ToolDef::agent(writer));
    let (report, _) = run(&agent, json!({}), &NoModel).await;
    assert_eq!(report.value, json!(["rain, ", "rain, shorter"]));
}

// ---- items and polls --------------------------------------------------------------------------------

/// Runs a workflow whose tool `work` takes random times, and fails for the numbers in `failing`. Returns the report, the
/// most calls in flight at a time, and the arguments of the calls in the order of their starts.
async fn work(source: &str, failing: &'static [i64]) -> (RunReport, usize, Vec<i64>) {
    let (open, most, seen) =
        <(Arc<AtomicUsize>, Arc<AtomicUsize>, Arc<Mutex<Vec<i64>>>)>::default();
    let tool = {
        let (open, most, seen) = (open.clone(), most.clone(), seen.clone());
        move |args: Value, _| {
            let (open, most, seen) = (open.clone(), most.clone(), seen.clone());
            async move {
                let n = args["n"].as_i64().unwrap();
                seen.lock().unwrap().push(n);
                let now = open.fetch_add(1, Ordering::SeqCst) + 1;
                most.fetch_max(now, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis((n * 7919 % 23).unsigned_abs())).await;
                open.fetch_sub(1, Ordering::SeqCst);
                if failing.contains(&n) {
                    return Err(ToolError::new(ToolErrorKind::Failed, format!("refuses {n}")));
                }
                Ok(json!(n * 10))
            }
        }
    };
    let mut agent = Agent::workflow(source)
        .with_tool(ToolDef::new("work", FnTool::new(tool)).with_effect(Effect::Read));
    agent.limits.calls_in_flight = 100;
    let (report, _) = run(&agent, json!({}), &NoModel).await;
    let seen = seen.lock().unwrap().clone();
    (report, most.load(Ordering::SeqCst), seen)
}

/// L33, L34, L37, M29: each item is passed once, one after another by default.
#[tokio::test]
async fn l33_l34_l37_m29_items_run_in_order() {
    let source = "(flow/each (range 15) (fn [n] (call \"work\" {:n n})) {:max 500})";
    let (report, most, seen) = work(source, &[]).await;
    let expected: Vec<i64> = (0..15).collect();
    assert_eq!((most, seen), (1, expected));
    assert_eq!(report.value, json!((0..15).map(|n| n * 10).collect::<Vec<i64>>()));
    assert_eq!(report.turns, 1);
}

/// L38, L40: never more than `:at-once` are in flight, and the results are in the order of the items.
#[tokio::test]
async fn l38_l40_side_by_side_with_random_delays() {
    let source = "(flow/each (range 50) (fn [n] (call \"work\" {:n n})) {:at-once 15})";
    let (report, most, mut seen) = work(source, &[]).await;
    assert_eq!(most, 15);
    assert_eq!(report.value, json!((0..50).map(|n| n * 10).collect::<Vec<i64>>()));
    assert_eq!(seen.len(), 50);
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 50);
}

/// L39: with `:continue` all items are tried and failures are listed; with `:stop` the first one ends it.
#[tokio::test]
async fn l39_errors_stop_or_are_values() {
    for at_once in [1, 4] {
        let source = format!(
            "(flow/each (range 1 7) (fn [n] (call \"work\" {{:n n}})) {{:at-once {at_once} :on-error :continue}})"
        );
        let (report, most, seen) = work(&source, &[2, 5]).await;
        let error = |n: i64| {
            let data =
                json!({"tool": "work", "kind": "tool-failed", "message": format!("refuses {n}")});
            json!({"error": {"message": format!("tool `work`: refuses {n}"), "data": data}})
        };
        let ok = |n: i64| json!({"ok": n});
        assert_eq!(report.value, json!([ok(10), error(2), ok(30), ok(40), error(5), ok(60)]));
        assert_eq!((most, seen.len()), (at_once, 6));
    }
    let source = "(flow/each (range 1 7) (fn [n] (call \"work\" {:n n})))";
    let (report, _, seen) = work(source, &[2, 5]).await;
    assert_eq!(report.error.unwrap().message, "tool `work`: refuses 2");
    assert_eq!(seen, [1, 2]);
    let source = "(flow/each (range 1 20) (fn [n] (call \"work\" {:n n})) {:at-once 3})";
    let (report, _, seen) = work(source, &[2, 5]).await;
    assert_eq!(report.error.unwrap().message, "tool `work`: refuses 2");
    assert!(seen.len() < 19, "{seen:?}");
}

/// L41, L42: a value without items, and an unknown tool, end the run with the reason.
#[tokio::test]
async fn l41_l42_wrong_items_and_unknown_tools() {
    let cases = [
        ("(flow/each 5 inc)", "expected a collection, found an integer 5"),
        ("(flow/each [1] (fn [n] (call \"wrok\" {:n n})))", "there is no tool `wrok`"),
        ("(flow/each [1 2 3] inc {:max 2})", "`flow/each` has 3 items, and `:max` is 2"),
    ];
    for (source, expected) in cases {
        let (report, _, _) = work(source, &[]).await;
        assert_eq!(report.error.unwrap().message, expected);
    }
}

/// L43, L49: a condition that holds at once runs nothing; one that cannot be evaluated is an error.
#[tokio::test]
async fn l43_l49_a_condition_before_the_first_attempt() {
    let source = "(flow/poll #(call \"work\" {:n %}) nil? {:check :before})";
    let (report, _, seen) = work(source, &[]).await;
    assert_eq!(report.value, json!({"value": null, "attempts": 0, "done": true}));
    assert!(seen.is_empty());
    let source = "(flow/poll #(call \"work\" {:n %}) #(> 5 (:n %)) {:check :before})";
    let (report, _, seen) = work(source, &[]).await;
    assert_eq!(report.error.unwrap().message, "`>` expects numbers, its second argument is nil");
    assert!(seen.is_empty());
}

/// L44, L46: the delay is between attempts, and the function gets their numbers.
#[tokio::test(start_paused = true)]
async fn l44_l46_waits_are_between_attempts() {
    let began = tokio::time::Instant::now();
    let agent = Agent::workflow("(flow/poll #(* 10 %) #(= 30 %) {:every 3000 :max 20})");
    let report = unrecorded(&agent).await;
    assert_eq!(report.value, json!({"value": 30, "attempts": 3, "done": true}));
    assert_eq!(began.elapsed(), Duration::from_secs(6));
}

/// L45: a condition that never holds stops at the limit and says so.
#[tokio::test]
async fn l45_a_poll_has_a_limit() {
    let source = "(flow/poll #(call \"work\" {:n %}) neg? {:every 1 :max 20})";
    let (report, _, seen) = work(source, &[]).await;
    assert_eq!(report.value, json!({"value": 200, "attempts": 20, "done": false}));
    assert_eq!(seen.len(), 20);
}

/// Each turn has a path and a report of its own. The run reports those of the last one.
#[tokio::test]
async fn a_turn_has_a_path_and_a_report_of_its_own() {
    let source = "(if ctx/state
        (do (flow/step \"second\" (fn [] 2)) (flow/path))
        (do (flow/report {:message \"early\"}) (flow/step \"first\" (fn [] 1)) (flow/continue 1)))";
    let report = unrecorded(&Agent::workflow(source)).await;
    let path = json!([{"step": "second"}]);
    assert_eq!(report.value, path);
    assert_eq!(report.remarks, Some(json!({"path": path})));
}

// ---- waits that no process waits for ------------------------------------------------------------------

/// Runs a workflow that leaves waits longer than 50 ms, and resumes it whenever it is due. Returns the last report and
/// the number of times that it was left.
async fn run_with_leaves(agent: &Agent, store: &Store) -> (RunReport, u32) {
    let patience = Duration::from_millis(50);
    let mission = Mission::new(agent, json!({})).record_in(store).wait_at_most(patience);
    let mut report = mission.run(&NoModel).await.unwrap();
    let mut leaves = 0;
    while report.status == Status::Waiting {
        leaves += 1;
        let due = report.due.unwrap();
        assert_eq!(report.exit_code(), 6);
        assert_eq!(store.due(due - 1).unwrap(), []);
        let listed: Vec<_> =
            store.due(due).unwrap().into_iter().map(|it| (it.run, it.due)).collect();
        assert_eq!(listed, [(report.run.clone(), due)]);
        tokio::time::sleep(Duration::from_millis(300)).await;
        let resume = Resume::of(store, report.run.as_str()).unwrap();
        let mission = resume.mission(agent).unwrap().wait_at_most(patience);
        report = mission.run(&NoModel).await.unwrap();
    }
    assert_eq!(store.due(u64::MAX).unwrap(), []);
    (report, leaves)
}

pub(crate) fn counter(count: &Arc<AtomicUsize>) -> ToolDef {
    let count = count.clone();
    let tool = FnTool::new(move |_: Value, _| {
        let count = count.clone();
        async move { Ok::<Value, ToolError>(json!(count.fetch_add(1, Ordering::SeqCst) + 1)) }
    });
    ToolDef::new("count", tool).with_effect(Effect::Write)
}

#[tokio::test]
async fn a_long_wait_is_left_and_resumed() {
    let count = Arc::new(AtomicUsize::new(0));
    let agent = Agent::workflow(
        "(let [a (tool/count {})] (flow/wait 1) (flow/wait 200) (flow/wait 210) [a (tool/count {})])",
    );
    let agent = agent.with_tool(counter(&count));
    let store = Store::in_memory().unwrap();
    let (report, leaves) = run_with_leaves(&agent, &store).await;
    assert_eq!((report.value.clone(), leaves), (Data::from(json!([1, 2])), 2));
    assert_eq!(count.load(Ordering::SeqCst), 2);
    let record = store.show(report.run.as_str()).unwrap();
    assert_eq!(outcomes(&record), [TurnOutcome::Returned]);
    assert_eq!((record.due, record.summary.tool_calls), (None, 2));
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!((replayed.differences, replayed.missing), (vec![], None));
}

/// A tree is left when all of it waits: branches, and agents that wait themselves.
#[tokio::test]
async fn a_tree_is_left_when_all_of_it_waits() {
    let count = Arc::new(AtomicUsize::new(0));
    let sleeper = Agent::workflow("(do (flow/wait ctx/ms) (tool/count {}))")
        .with_name("sleeper")
        .with_signature("(ms :int) -> :int")
        .unwrap()
        .with_tool(counter(&count));
    let agent = Agent::workflow(
        "(pcalls #(tool/sleeper {:ms 200}) #(tool/sleeper {:ms 220}) #(flow/wait 210) #(tool/count {}))",
    )
    .with_tool(ToolDef::agent(sleeper))
    .with_tool(counter(&count));
    let store = Store::in_memory().unwrap();
    let (report, leaves) = run_with_leaves(&agent, &store).await;
    // Both sleepers may be due when the run is resumed, so either may count first.
    let is_right =
        [json!([2, 3, null, 1]), json!([3, 2, null, 1])].iter().any(|it| report.value == *it);
    assert_eq!((is_right, leaves), (true, 1), "{}", report.value);
    assert_eq!(count.load(Ordering::SeqCst), 3);
    let statuses: Vec<_> =
        store.tree(report.run.as_str()).unwrap().iter().map(|it| it.summary.status).collect();
    assert_eq!(statuses, [Status::Returned; 3]);
}

#[tokio::test]
async fn without_a_store_a_run_waits_itself() {
    let agent = Agent::workflow("(flow/wait 60)");
    let mission = Mission::new(&agent, json!({})).wait_at_most(Duration::from_millis(1));
    assert_eq!(mission.run(&NoModel).await.unwrap().status, Status::Returned);
}
