//! Measures the cost of a mission around its program:
//! `cargo run --release --manifest-path bench/rivals/Cargo.toml --bin missions`.
//!
//! The work is always the same: five calls of a host function, and their sum, from source text to
//! result, on one thread. `ptc` runs it as a whole run of an agent, without and with a record. Such
//! a run has a prompt, a reply, a check, calls as tasks, a signature and a report. The rivals, and
//! our language alone, only run the program. The table shows the runs per second of the best of
//! several rounds, in which all take turns.

use std::hint::black_box;
use std::time::{Duration, Instant};

use monty::{MontyRun, RunProgress};
use monty_types::{CompileOptions, MontyObject, PrintWriter, ResourceTracker};
use ptc_lisp::{Budget, Effect, Limits, Outcome, Session, Yielded, ToolCall, ToolDecl, Value};
use ptc_subagent::provider::{BoxFuture, Provider, ProviderError, Reply, Request};
use ptc_subagent::store::Store;
use ptc_subagent::tool::{FnTool, ToolDef};
use ptc_subagent::{Agent, Mission};
use rhai::{Engine, Scope};
use serde_json::json;
use tokio::runtime::{Builder, Runtime};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SLICE: Duration = Duration::from_millis(200);
const ROUNDS: usize = 7;

const LISP: &str = "(return (reduce + (map (fn [n] (tool/host {:n n})) (range 5))))";
const PYTHON: &str = "total = 0\nfor n in range(5):\n    total += host(n)\ntotal";
const RHAI: &str = "let total = 0; for n in 0..5 { total += host(n); } total";

/// A provider that answers every request with the same reply.
struct Always(String);

impl Provider for Always {
    fn complete<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(std::future::ready(Ok(Reply::new(self.0.as_str()))))
    }

    fn name(&self) -> String {
        "always".to_string()
    }
}

struct Missions {
    runtime: Runtime,
    agent: Agent,
    provider: Always,
    store: Option<Store>,
}

impl Missions {
    fn new(store: Option<Store>) -> Missions {
        let host = FnTool::new(async |args: serde_json::Value, _| Ok(args["n"].clone()));
        let host = ToolDef::new("host", host).with_signature("(n :int) -> :int").expect("parses");
        let host = host.with_effect(Effect::Read);
        let agent = Agent::new("Add {{what}}.").with_signature("(what :string) -> :int");
        let agent = agent.expect("parses").with_tool(host);
        let runtime = Builder::new_current_thread().enable_all().build().expect("starts");
        let provider = Always(format!("```clojure\n{LISP}\n```"));
        Missions { runtime, agent, provider, store }
    }

    fn run(&self) -> i64 {
        let mut mission = Mission::new(&self.agent, json!({"what": "numbers"}));
        if let Some(store) = &self.store {
            mission = mission.record_in(store);
        }
        let report = self.runtime.block_on(mission.run(&self.provider)).expect("runs");
        report.value.as_i64().expect("an integer")
    }
}

fn language() -> i64 {
    let host = ToolDecl::new("host", Effect::Read);
    let session = Session::new(Value::map([]), vec![host], Limits::default());
    let program = session.admit(LISP).expect("is admitted");
    let mut machine = session.start(&program);
    let mut budget = Budget::new(session.limits());
    let mut host = |call: &ToolCall| Some(Ok(call.args.get("n").cloned().unwrap_or_default()));
    while !matches!(machine.run_with(&mut budget, &mut host), Yielded::Done) {}
    match machine.finish().outcome {
        Outcome::Return(value) => value.as_int().expect("an integer"),
        other => panic!("{other:?}"),
    }
}

fn monty() -> i64 {
    let options = CompileOptions::default();
    let run = MontyRun::new(PYTHON.to_owned(), "main.py", vec!["host".to_owned()], options);
    let inputs = vec![MontyObject::Function { name: "host".to_owned(), docstring: None }];
    let mut progress = run
        .expect("compiles")
        .start(inputs, ResourceTracker::default(), PrintWriter::Disabled)
        .expect("starts");
    loop {
        progress = match progress {
            RunProgress::FunctionCall(call) => {
                let answer = call.args[0].clone();
                call.resume(answer, PrintWriter::Disabled).expect("goes on")
            }
            RunProgress::Complete(MontyObject::Int(value)) => break value,
            _ => panic!("an unexpected stop"),
        };
    }
}

fn main() {
    let path = std::env::temp_dir().join(format!("ptc-missions-{}.sqlite", std::process::id()));
    let bare = Missions::new(None);
    let kept = Missions::new(Some(Store::open(&path).expect("opens")));
    let mut engine = Engine::new();
    engine.set_max_operations(100_000_000).register_fn("host", |n: i64| n);
    let mut rows: Vec<(&str, Box<dyn FnMut() -> i64>)> = vec![
        ("ptc: a run of an agent", Box::new(|| bare.run())),
        ("ptc: a run on record, on disk", Box::new(|| kept.run())),
        ("ptc: the program alone", Box::new(language)),
        ("monty: the program alone", Box::new(monty)),
        (
            "rhai: the program alone",
            Box::new(|| engine.eval_with_scope::<i64>(&mut Scope::new(), RHAI).expect("runs")),
        ),
    ];
    let mut best = vec![f64::MAX; rows.len()];
    for _ in 0..ROUNDS {
        for (at, (name, run)) in rows.iter_mut().enumerate() {
            assert_eq!(run(), 10, "{name}");
            let started = Instant::now();
            let mut count = 0_u32;
            while started.elapsed() < SLICE {
                black_box(run());
                count += 1;
            }
            best[at] = best[at].min(started.elapsed().as_secs_f64() / f64::from(count));
        }
    }
    println!("| work | a run | runs a second on one core |\n|---|---:|---:|");
    for ((name, _), best) in rows.iter().zip(best) {
        println!("| {name} | {:.1} µs | {:.0} |", best * 1e6, 1.0 / best);
    }
    drop(rows);
    drop(kept);
    for end in ["", "-wal", "-shm"] {
        drop(std::fs::remove_file(format!("{}{end}", path.display())));
    }
}
