//! Replays random runs of all kinds from their records, and compares everything. `PTC_REPLAYS` sets
//! the number of runs.

use std::pin::pin;
use std::sync::Mutex;

use ptc_subagent::provider::{
    BoxFuture, Cost, Finish, Provider, ProviderError, ProviderErrorKind, Reply, Request, Usage,
};
use ptc_subagent::replay::Replay;
use ptc_subagent::store::Store;
use ptc_subagent::tool::{Effect, FnTool, ToolDef, ToolError};
use ptc_subagent::{Agent, Answers, Ask, Mission, Policy, RunBudget};
use ptc_tests::damage::Seeded;
use ptc_tests::one_in;
use serde_json::{Value, json};

/// The default number of runs.
const RUNS: u64 = 1000;

fn one_of<T: Copy>(dice: &mut Seeded, all: &[T]) -> T {
    all[dice.below(all.len())]
}

/// Yields to other tasks a number of times.
async fn wait(times: u64) {
    for _ in 0..times {
        tokio::task::yield_now().await;
    }
}

/// Creates a tool whose delay depends on its argument, and which fails for some arguments.
fn tool(name: &str) -> ToolDef {
    let tool = FnTool::new(async |args: Value, _| {
        let n = args["n"].as_i64().unwrap_or_default();
        wait(n.unsigned_abs() * 7 % 5).await;
        match n {
            7 => Err(ToolError::failed("seven is too much").with_help("take six").permanent()),
            n => Ok(
                json!({"n": n, "half": n as f64 / 2.0, "text": "t".repeat(n.unsigned_abs() as usize * 100)}),
            ),
        }
    });
    let signature = "(n :int) -> {n :int, half :float, text :string}";
    ToolDef::new(name, tool)
        .with_signature(signature)
        .expect("a signature")
        .with_effect(Effect::Read)
}

/// Generates an expression, usually a valid one.
fn expression(dice: &mut Seeded, depth: u32) -> String {
    let n = dice.below(9);
    if depth == 0 {
        return one_of(dice, &["1", "2", "ctx/x", "(count \"abc\")", "kept", "nil"]).to_string();
    }
    let inner = expression(dice, depth - 1);
    match dice.below(19) {
        0 => format!("(:n (tool/look {{:n {n}}}))"),
        1 => format!("(mapv :n (pmap (fn [n] (tool/look {{:n n}})) (range {n})))"),
        2 => format!(
            "(pmap (fn [n] (try (:half (tool/look {{:n n}})) (catch Exception e (ex-message e)))) [{n} 7 1 7])"
        ),
        3 => format!("(:n (tool/note {{:n {n}}}))"),
        4 => format!("(pmap (fn [n] (:n (tool/cached {{:n n}}))) [1 {n} 1 2 {n}])"),
        5 => format!("(:n (tool/few {{:n {n}}}))"),
        6 => format!("(try (tool/child {{:n {n}}}) (catch Exception e (ex-data e)))"),
        7 => format!("(pmap (fn [n] (tool/child {{:n n}})) [{n} 1 2])"),
        8 => format!("(tool/itself {{:x {n}}})"),
        9 => format!("(do (println {inner}) {n})"),
        10 => format!("(do (def kept {inner}) {n})"),
        11 => format!("(if (pos? {n}) {inner} (throw (ex-info \"x\" {{:n {n}}})))"),
        12 => format!("(loop [i 0] (if (< i {n}0) (recur (inc i)) {inner}))"),
        13 => "(budget)".to_string(),
        14 => format!("(/ {inner} {n})"),
        15 => format!("[{inner} {n}]"),
        16 => format!("(let [a {inner}] (str a))"),
        17 => format!("(try {inner} (catch Exception e (ex-message e)))"),
        _ => format!("(reduce + (map (fn [i] (* i {n})) (range {n}00)))"),
    }
}

/// Generates a reply, usually with a program.
fn reply(dice: &mut Seeded) -> Result<Reply, ProviderError> {
    let body = expression(dice, 3);
    let text = match dice.below(14) {
        0 => format!("(return {body}"),
        1 => "I do not know.".to_string(),
        2 => format!("```clojure\n{body}\n```\n```clojure\n(return 1)\n```"),
        3 => "```clojure\n(fail {:reason :no :message \"no\"})\n```".to_string(),
        4 => "```clojure\n(return (unknown-function 1))\n```".to_string(),
        5 => format!("Here it is:\n```clojure\n(println :a)\n(return (let [x {body}] x)\n```"),
        6 | 7 => format!("```clojure\n(return {body})\n```"),
        8 => "```clojure\n(return 5)\n```".to_string(),
        _ => format!("```clojure\n{body}\n```"),
    };
    if dice.below(40) == 0 {
        return Err(ProviderError::new(ProviderErrorKind::Server, "is down"));
    }
    let cost = Cost::from_dollars(0.001).filter(|_| dice.below(5) > 0);
    let usage = Usage { input_tokens: 90, output_tokens: 10, cached_input_tokens: 5, cost };
    let finish = if dice.below(20) == 0 { Finish::Length } else { Finish::Stop };
    Ok(Reply { usage: Some(usage).filter(|_| dice.below(6) > 0), finish, ..Reply::new(text) })
}

struct Chance(Mutex<Seeded>);

impl Provider for Chance {
    fn complete<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let (reply, times) = {
            let mut dice = self.0.lock().expect("no dice are lost");
            (reply(&mut dice), dice.below(4) as u64)
        };
        Box::pin(async move {
            wait(times).await;
            reply
        })
    }

    fn price_of(&self, _: &Usage) -> Option<Cost> {
        Cost::from_dollars(0.001)
    }

    fn name(&self) -> String {
        "chance".to_string()
    }
}

fn agent(dice: &mut Seeded) -> Agent {
    let child = Agent::new("Work on {{n}}.")
        .with_name("child")
        .with_signature("(n :int) -> :any")
        .expect("a signature")
        .with_tool(tool("look"))
        .with_max_turns(1 + dice.below(3) as u32);
    let mut budget = RunBudget::default().with_depth(dice.below(3) as u32).with_turns(12);
    match dice.below(9) {
        0 => budget = budget.with_fuel(dice.below(3000) as u64),
        1 => budget = budget.with_tool_calls(dice.below(12) as u64),
        2 => budget = budget.with_tokens(dice.below(900) as u64),
        3 => budget = budget.with_cost(Cost::from_dollars(0.004).expect("an amount")),
        _ => {}
    }
    let mut agent = Agent::new("Do something with {{x}}.")
        .with_name("chance")
        .with_signature(one_of(
            dice,
            &["(x :int) -> :int", "(x :int) -> :any", "(x :int?) -> [:int]"],
        ))
        .expect("a signature")
        .with_tool(tool("look"))
        .with_tool(tool("note").with_effect(Effect::Write))
        .with_tool(tool("cached").with_cache(true))
        .with_tool(tool("few").with_max_calls(2))
        .with_tool(ToolDef::agent(child).with_cache(dice.below(3) == 0))
        .with_tool(ToolDef::itself("itself"))
        .with_tool(ToolDef::planning("later"))
        .with_max_turns(1 + dice.below(5) as u32)
        .with_retry_turns(dice.below(3) as u32)
        .with_fallback(dice.below(3) == 0)
        .with_repair(dice.below(4) > 0)
        .with_budget(budget);
    agent.limits.calls_in_flight = 1 + dice.below(4) as u32;
    agent.limits.tool_calls = 4 + dice.below(30) as u32;
    if dice.below(8) == 0 {
        agent.limits.fuel = 300 + dice.below(3000) as u64;
    }
    match dice.below(12) {
        0 => agent = agent.with_policy(Policy::default().read_only()),
        1 => agent = agent.with_policy(Policy::default().with_ask(Ask::Writes)),
        2 => {
            let check = |report: &ptc_lisp::Report| match report.tools.len() {
                0 | 1 => Ok(()),
                _ => Err("one tool at a time".to_string()),
            };
            agent = agent.with_policy(Policy::default().with_check(check));
        }
        3 => {
            agent = Agent::new("Say {{x}}.").with_answers(Answers::Json).with_max_turns(2);
        }
        _ => {}
    }
    agent
}

/// Replays one run. Returns its outcome in a few words, so that the test can count the kinds.
async fn check(store: &Store, seed: u64) -> String {
    let mut dice = Seeded::new(seed);
    let agent = agent(&mut dice);
    let cancelled = (dice.below(8) == 0).then(|| dice.below(60) as u64);
    let provider = Chance(Mutex::new(dice));
    let cancel = async move {
        match cancelled {
            Some(times) => wait(times).await,
            None => std::future::pending().await,
        }
    };
    let allow = seed.is_multiple_of(2);
    let mission = Mission::new(&agent, json!({"x": 3}))
        .record_in(store)
        .ask_with(move |_| Box::pin(std::future::ready(Some(json!(allow).into()))))
        .cancel_on(cancel);
    let report = pin!(mission.run(&provider)).await.expect("a run");
    let replay = Replay::of(store, report.run.as_str()).expect("a record");
    let replayed = replay.run().await.expect("a replay");
    assert_eq!(replayed.differences, [], "seed {seed}");
    assert_eq!(replayed.missing, None, "seed {seed}");
    let same = replayed.report.expect("an end");
    assert_eq!((&same.value, &same.error), (&report.value, &report.error), "seed {seed}");
    assert_eq!((same.fuel, same.usage), (report.fuel, report.usage), "seed {seed}");
    report.stop.map_or(report.status.to_string(), |stop| stop.to_string())
}

#[test]
fn every_run_replays_exactly() {
    let runs = std::env::var("PTC_REPLAYS")
        .ok()
        .and_then(|it| it.parse().ok())
        .unwrap_or(RUNS / one_in(5) as u64);
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    let mut seen = std::collections::BTreeMap::<String, u64>::new();
    runtime.block_on(async {
        let store = Store::open(&folder.path().join("runs.sqlite")).expect("a store");
        for seed in 0..runs {
            *seen.entry(check(&store, seed).await).or_default() += 1;
        }
    });
    let kinds: Vec<&str> = seen.keys().map(String::as_str).collect();
    for kind in ["cancelled", "cost", "failed", "policy", "provider", "returned", "tokens", "turns"]
    {
        assert!(runs < RUNS || kinds.contains(&kind), "no run was {kind}: {seen:?}");
    }
}
