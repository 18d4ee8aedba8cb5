//! Thousands of runs at once: `cargo run --release -p ptc-tests --example load`.
//!
//! Each run asks a model that answers at once, and its program makes five calls of 20 ms, one after another, so that
//! nothing could be faster than 100 ms. Says how long all of them took, with and without a store, what that is for
//! each turn, and how much memory and how many threads the process had.

#![expect(clippy::print_stdout, reason = "a tool for people")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use ptc_subagent::provider::{BoxFuture, Provider, ProviderError, Reply, Request};
use ptc_subagent::store::Store;
use ptc_subagent::tool::{FnTool, ToolDef};
use ptc_subagent::{Agent, Mission};
use serde_json::{Value, json};

/// Many runs at once.
#[derive(Parser)]
struct Args {
    /// How many runs.
    #[arg(long, default_value_t = 10_000)]
    runs: usize,
    /// How long a call takes, in milliseconds; 0 for one that is over at once.
    #[arg(long, default_value_t = 20)]
    call: u64,
    /// How many threads drive the runs.
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// Answers every request with the same program.
struct Always(String);

impl Provider for Always {
    fn complete<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(std::future::ready(Ok(Reply::new(self.0.as_str()))))
    }

    fn name(&self) -> String {
        "always".to_string()
    }
}

const PROGRAM: &str =
    "```clojure\n(return (reduce + (map (fn [n] (tool/wait {:n n})) (range 5))))\n```";

fn agent(call: Duration) -> Result<Agent, ptc_subagent::Error> {
    let wait = FnTool::new(move |args: Value, _| async move {
        if !call.is_zero() {
            tokio::time::sleep(call).await;
        }
        Ok(args["n"].clone())
    });
    let wait = ToolDef::new("wait", wait).with_signature("(n :int) -> :int")?;
    Ok(Agent::new("Add {{what}}.").with_signature("(what :string) -> :int")?.with_tool(wait))
}

async fn all(agent: &Arc<Agent>, runs: usize, store: Option<Arc<Store>>) -> Duration {
    let provider = Arc::new(Always(PROGRAM.to_string()));
    let started = Instant::now();
    let mut tasks = Vec::with_capacity(runs);
    for _ in 0..runs {
        let (agent, provider, store) = (Arc::clone(agent), Arc::clone(&provider), store.clone());
        tasks.push(tokio::spawn(async move {
            let mut mission = Mission::new(&agent, json!({"what": "numbers"}));
            if let Some(store) = &store {
                mission = mission.record_in(store);
            }
            mission.run(&*provider).await
        }));
    }
    for task in tasks {
        let report = task.await.expect("no run panics").expect("every run starts");
        assert_eq!(report.value, json!(10));
    }
    started.elapsed()
}

fn status(key: &str) -> String {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or(": unknown");
    line.trim_start_matches(':').trim().to_string()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Args { runs, call, threads } = Args::parse();
    let call = Duration::from_millis(call);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
    let folder = tempfile::tempdir()?;
    let agent = Arc::new(agent(call)?);
    // What is made once is not counted.
    runtime.block_on(all(&agent, 10, None));
    if std::env::var_os("SIZES").is_some() {
        let provider = Always(PROGRAM.to_string());
        let mission = Mission::new(&agent, json!({"what": "numbers"})).run(&provider);
        println!("future {}", std::mem::size_of_val(&mission));
    }
    println!("{runs} runs at once, five calls of {call:?} each, {threads} threads");
    for (name, store) in [
        ("without a store", None),
        ("store in memory", Some(Arc::new(Store::in_memory()?))),
        ("store on disk", Some(Arc::new(Store::open(&folder.path().join("load.sqlite"))?))),
    ] {
        let took = runtime.block_on(all(&agent, runs, store));
        let per_run = took.saturating_sub(call * 5).as_secs_f64() * 1e6 / runs as f64;
        let (memory, all_threads) = (status("VmHWM"), status("Threads"));
        println!(
            "{name:16} {took:8.0?}, {per_run:6.1} µs a run beside its calls, at most {memory}, {all_threads} threads"
        );
    }
    Ok(())
}
