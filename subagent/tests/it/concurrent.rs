//! Calls of branches: the number made concurrently, and the record of them.
//!
//! No test measures time: a call ends only when another one has started or ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Duration;

use ptc_subagent::provider::Scripted;
use ptc_subagent::tool::{CommandTool, Effect, FnTool, ToolDef, ToolError};
use ptc_subagent::{Agent, Data, Mission, Stop};
use serde_json::{Value, json};
use tokio::sync::{Barrier, Notify};

use crate::run::{check, returned, run};
use crate::support::program;

/// Creates an agent whose tool ends a call only when `parties` calls are in flight, and which counts the calls.
fn meeting(parties: usize) -> (Agent, Arc<AtomicUsize>) {
    let barrier = Arc::new(Barrier::new(parties));
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let seen = Arc::clone(&most);
    let meet = FnTool::new(move |args: Value, _| {
        let (barrier, now, most) = (Arc::clone(&barrier), Arc::clone(&now), Arc::clone(&most));
        async move {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            barrier.wait().await;
            now.fetch_sub(1, Ordering::SeqCst);
            Ok(args["n"].clone())
        }
    });
    let mut agent = Agent::new("Meet.").with_tool(ToolDef::new("meet", meet)).with_max_turns(1);
    agent.timeout = Duration::from_secs(20);
    (agent, seen)
}

#[tokio::test]
async fn calls_of_branches_are_in_flight_together_up_to_the_limit() {
    let source = "(return (reduce + (pmap (fn [n] (tool/meet {:n n})) (range 12))))";
    for limit in [1, 2, 3, 4, 12, 100] {
        let at_once = limit.min(12);
        let (mut agent, most) = meeting(at_once as usize);
        agent.limits.calls_in_flight = limit;
        let (_, report) = run(&agent, json!({}), &Scripted::new([program(source)])).await;
        assert_eq!(report.value, json!(66), "{limit}");
        assert_eq!(most.load(Ordering::SeqCst), at_once as usize, "{limit}");
    }
}

#[tokio::test]
async fn a_run_with_immediate_calls_yields_to_others() {
    let calls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&calls);
    let tool = FnTool::new(move |_, _| {
        count.fetch_add(1, Ordering::SeqCst);
        std::future::ready(Ok(json!(1)))
    });
    let mut agent = Agent::new("Call.").with_tool(ToolDef::new("t", tool)).with_max_turns(1);
    agent.limits.tool_calls = 20_000;
    let source = "(return (reduce + (map (fn [n] (tool/t {:n n})) (range 20000))))";
    let seen = std::future::poll_fn(|cx| {
        cx.waker().wake_by_ref();
        if calls.load(Ordering::SeqCst) > 10 { Poll::Ready(()) } else { Poll::Pending }
    });
    let provider = Scripted::new([program(source)]);
    let report = Mission::new(&agent, json!({})).cancel_on(seen).run(&provider).await.unwrap();
    assert_eq!(report.stop, Some(Stop::Cancelled));
}

#[tokio::test]
async fn the_record_does_not_depend_on_the_order_of_answers() {
    // The call for `n` ends after the one for `n + 1`.
    let ended: Arc<Vec<Notify>> = Arc::new((0..5).map(|_| Notify::new()).collect());
    let last_first = FnTool::new(move |args: Value, _| {
        let ended = Arc::clone(&ended);
        async move {
            let n = args["n"].as_u64().unwrap() as usize;
            if n < 3 {
                ended[n + 1].notified().await;
            }
            ended[n].notify_one();
            if n == 2 { Err(ToolError::failed("two is out")) } else { Ok(json!(n * 10)) }
        }
    });
    let agent = Agent::new("x").with_tool(ToolDef::new("wait", last_first)).with_max_turns(1);
    check(
        &agent,
        &["(return (reduce + (pmap (fn [n] (try (tool/wait {:n n}) (catch Exception e 2))) [0 1 2 3])))"],
        &[
            "turn 1",
            r#"  call 0.0.0 wait {"n":0}"#,
            r#"  call 0.1.0 wait {"n":1}"#,
            r#"  call 0.2.0 wait {"n":2}"#,
            r#"  call 0.3.0 wait {"n":3}"#,
            "  done 0.3.0 30",
            "  error 0.2.0 tool-failed: two is out",
            "  done 0.1.0 10",
            "  done 0.0.0 0",
            "  returned 42",
        ],
        returned(42),
    )
    .await;
}

#[tokio::test]
async fn processes_run_side_by_side() {
    // Opening a pipe blocks until the other end is opened too.
    let folder = tempfile::tempdir().unwrap();
    let sh = |script: &str| CommandTool::new(["sh", "-c", script], folder.path());
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status();
    assert!(made.unwrap().success());
    let mut agent = Agent::new("x")
        .with_tool(ToolDef::new("write", sh("echo 40 > pipe; echo 2")))
        .with_tool(ToolDef::new("read", sh("cat pipe")))
        .with_max_turns(1);
    agent.timeout = Duration::from_secs(20);
    let source = "(return (apply + (pvalues (tool/write {}) (tool/read {}))))";
    let (_, report) = run(&agent, json!({}), &Scripted::new([program(source)])).await;
    assert_eq!(report.value, json!(42));
    // Sequential calls would block forever.
    agent.timeout = Duration::from_secs(1);
    agent.limits.calls_in_flight = 1;
    let (lines, report) = run(&agent, json!({}), &Scripted::new([program(source)])).await;
    assert_eq!(lines, ["turn 1", "  call 0.0.0 write {}", "  time"]);
    assert_eq!((report.tool_calls, report.exit_code()), (1, 4));
}

#[tokio::test]
async fn a_failing_call_cancels_later_calls_and_waits_for_earlier_ones() {
    let failed = Arc::new(Notify::new());
    let agent = {
        let failed = Arc::clone(&failed);
        let tool = FnTool::new(move |args: Value, _| {
            let failed = Arc::clone(&failed);
            async move {
                match args["n"].as_u64().unwrap() {
                    // This branch continues when the branch behind it has failed.
                    0 => failed.notified().await,
                    1 => {
                        failed.notify_one();
                        return Err(ToolError::failed("one is out"));
                    }
                    _ => std::future::pending().await,
                }
                Ok(json!("zero"))
            }
        });
        let mut agent = Agent::new("x").with_tool(ToolDef::new("t", tool)).with_max_turns(1);
        agent.timeout = Duration::from_secs(20);
        agent.limits.calls_in_flight = 3;
        agent
    };
    // The call for 3 is queued and never made.
    let calls = &[
        "turn 1",
        r#"  call 0.0.0 t {"n":0}"#,
        r#"  call 0.1.0 t {"n":1}"#,
        r#"  call 0.2.0 t {"n":2}"#,
        "  error 0.1.0 tool-failed: one is out",
        "  error 0.2.0 tool-cancelled: was cancelled, since the program no longer waits for it",
        r#"  done 0.0.0 "zero""#,
    ];
    let uncaught = [&calls[..], &["  error tool-failed"]].concat();
    let ended = json!({"status": "stopped", "stop": "turns", "error": "tool-failed", "exit": 3});
    check(&agent, &["(return (pmap (fn [n] (tool/t {:n n})) (range 4)))"], &uncaught, ended).await;
    let caught = [&calls[..], &["  returned 7"]].concat();
    let source = "(return (try (pmap (fn [n] (tool/t {:n n})) (range 4)) (catch Exception e 7)))";
    check(&agent, &[source], &caught, returned(7)).await;
}

#[tokio::test]
async fn a_tool_is_called_at_most_as_often_as_its_limit_allows() {
    let count = FnTool::new(async |args: Value, _| Ok(args["n"].clone()));
    let agent =
        Agent::new("x").with_tool(ToolDef::new("t", count).with_max_calls(2)).with_max_turns(2);
    check(
        &agent,
        &[
            "(tool/t {:n 1})",
            "(return [(tool/t {:n 2}) (try (tool/t {:n 3}) (catch Exception e (ex-message e)))])",
        ],
        &[
            "turn 1",
            r#"  call 0 t {"n":1}"#,
            "  done 0 1",
            "  value 1",
            "turn 2",
            r#"  call 0 t {"n":2}"#,
            "  done 0 2",
            r#"  returned [2 "tool `t`: may be called 2 times in a run, and was"]"#,
        ],
        json!({
            "status": "returned",
            "value": [2, "tool `t`: may be called 2 times in a run, and was"],
            "exit": 0,
        }),
    )
    .await;
}

#[tokio::test]
async fn the_same_arguments_get_the_same_result() {
    let made = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&made);
    let tool = FnTool::new(move |args: Value, _| {
        let n = count.fetch_add(1, Ordering::SeqCst);
        async move {
            tokio::task::yield_now().await;
            if args["fail"] == json!(true) { Err(ToolError::failed("no")) } else { Ok(json!(n)) }
        }
    });
    let tool = ToolDef::new("t", tool).with_effect(Effect::Read).with_cache(true);
    let agent = Agent::new("x").with_tool(tool);
    let run = async |source: &str| {
        made.store(0, Ordering::SeqCst);
        let mut cached = Vec::new();
        let provider =
            Scripted::new([program(source), program("(return [*1 (tool/t {:b 2 :a 1})])")]);
        let report = ptc_subagent::Mission::new(&agent, json!({}))
            .observe(|_, event| {
                if let ptc_subagent::Event::CallFinished { cached: it, .. } = event {
                    cached.push(*it);
                }
            })
            .run(&provider)
            .await
            .unwrap();
        (report.value, made.load(Ordering::SeqCst), cached)
    };
    // The result is shared for any notation of equal arguments, in later turns, and while the first call is in flight.
    let (value, made_calls, cached) =
        run("[(tool/t {:a 1 :b 2}) (tool/t {\"b\" 2 \"a\" 1}) (tool/t {:a 2})]").await;
    assert_eq!((value, made_calls), (Data::from(json!([[0, 0, 1], 0])), 2));
    assert_eq!(cached, [false, true, false, true]);
    let (value, made_calls, _) = run("(pmap (fn [_] (tool/t {:a 1 :b 2})) (range 5))").await;
    assert_eq!((value, made_calls), (Data::from(json!([[0, 0, 0, 0, 0], 0])), 1));
    // Failures are not cached.
    let source = "(mapv (fn [_] (try (tool/t {:fail true}) (catch Exception e :no))) [1 2])";
    let (value, made_calls, cached) = run(source).await;
    assert_eq!((value, made_calls), (Data::from(json!([["no", "no"], 2])), 3));
    assert_eq!(cached, [false, false, false]);
}

#[tokio::test]
async fn a_refused_call_stops_no_other_call() {
    let agent = Agent::new("x")
        .with_tool(
            ToolDef::new("id", FnTool::new(async |args: Value, _| Ok(args["n"].clone())))
                .with_signature("(n :int) -> :int")
                .unwrap(),
        )
        .with_max_turns(1);
    check(
        &agent,
        &["(return (apply + (pmap (fn [n] (try (tool/id {:n n}) (catch Exception e 40))) [1 \"x\" 1])))"],
        &[
            "turn 1",
            r#"  call 0.0.0 id {"n":1}"#,
            r#"  call 0.1.0 id {"n":"x"}"#,
            r#"  call 0.2.0 id {"n":1}"#,
            "  done 0.0.0 1",
            "  error 0.1.0 tool-arguments: the arguments do not match: n: expected int, found string \"x\"",
            "  done 0.2.0 1",
            "  returned 42",
        ],
        returned(42),
    )
    .await;
}

/// Creates a tool whose call takes the given time, in tenths of a second.
fn timed() -> ToolDef {
    ToolDef::new(
        "wait",
        FnTool::new(async |args: Value, _| {
            let tenths = args["n"].as_u64().unwrap();
            tokio::time::sleep(Duration::from_millis(tenths * 100)).await;
            Ok(json!(tenths))
        }),
    )
    .with_effect(Effect::Read)
}

#[tokio::test(start_paused = true)]
async fn a_branch_continues_when_its_own_call_is_answered() {
    // The paused clock advances only when all tasks wait, and then to the next deadline.
    let agent = Agent::new("x").with_tool(timed()).with_max_turns(1);
    let started = tokio::time::Instant::now();
    check(
        &agent,
        &["(return (pmap (fn [[a b]]
                           (println :in a)
                           (let [sum (+ (tool/wait {:n a}) (tool/wait {:n b}))] (println :out a) sum))
                         [[20 1] [1 20]]))"],
        &[
            "turn 1",
            r#"  call 0.0.0 wait {"n":20}"#,
            r#"  call 0.1.0 wait {"n":1}"#,
            "  done 0.1.0 1",
            r#"  call 0.1.1 wait {"n":20}"#,
            "  done 0.0.0 20",
            r#"  call 0.0.1 wait {"n":1}"#,
            "  done 0.1.1 20",
            "  done 0.0.1 1",
            "  printed :in 20",
            "  printed :out 20",
            "  printed :in 1",
            "  printed :out 1",
            "  returned (21 21)",
        ],
        json!({"status": "returned", "value": [21, 21], "exit": 0}),
    )
    .await;
    let took = started.elapsed();
    assert!(took >= Duration::from_millis(2100) && took < Duration::from_millis(2200), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_program_cancels_pending_calls() {
    let agent = Agent::new("x").with_tool(timed()).with_max_turns(1);
    check(
        &agent,
        &["(pmap (fn [n] (tool/wait {:n n}) (when (= n 2) (return :two)) (tool/wait {:n n})) [5 2 1 20])"],
        &[
            "turn 1",
            r#"  call 0.0.0 wait {"n":5}"#,
            r#"  call 0.1.0 wait {"n":2}"#,
            r#"  call 0.2.0 wait {"n":1}"#,
            r#"  call 0.3.0 wait {"n":20}"#,
            "  done 0.2.0 1",
            r#"  call 0.2.1 wait {"n":1}"#,
            "  done 0.1.0 2",
            "  error 0.2.1 tool-cancelled: was cancelled, since the program no longer waits for it",
            "  error 0.3.0 tool-cancelled: was cancelled, since the program no longer waits for it",
            "  done 0.0.0 5",
            r#"  call 0.0.1 wait {"n":5}"#,
            "  done 0.0.1 5",
            "  returned :two",
        ],
        json!({"status": "returned", "value": "two", "exit": 0}),
    )
    .await;
}
