//! Thousands of runs at once: `cargo run --release -p ptc-tests --example load`.
//!
//! Each run asks a model that answers at once, and its program makes five calls of 20 ms, one after another, so that
//! nothing could be faster than 100 ms. Says how long all of them took, with and without a store, what that is for
//! each run, and how much memory and how many threads the process had.

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
    /// How many of them at once; all, unless something else is said.
    #[arg(long)]
    at_once: Option<usize>,
    /// How many calls each program makes.
    #[arg(long, default_value_t = 5)]
    calls: u32,
    /// How long a call takes, in milliseconds; 0 for one that is over at once.
    #[arg(long, default_value_t = 20)]
    call: u64,
    /// Leave out the rounds with a store.
    #[arg(long)]
    no_store: bool,
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

fn program(calls: u32) -> String {
    let sum = format!("(reduce + (map (fn [n] (tool/wait {{:n n}})) (range {calls})))");
    format!("```clojure\n(return {sum})\n```")
}

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

/// What every run has in common.
struct Load {
    agent: Agent,
    provider: Always,
    store: Option<Store>,
    sum: u32,
}

async fn all(load: &Arc<Load>, runs: usize, at_once: usize) -> Duration {
    let started = Instant::now();
    for from in (0..runs).step_by(at_once.max(1)) {
        let mut tasks = Vec::with_capacity(at_once);
        for _ in from..runs.min(from + at_once) {
            let load = Arc::clone(load);
            tasks.push(tokio::spawn(async move {
                let mut mission = Mission::new(&load.agent, json!({"what": "numbers"}));
                if let Some(store) = &load.store {
                    mission = mission.record_in(store);
                }
                mission.run(&load.provider).await
            }));
        }
        for task in tasks {
            let report = task.await.expect("no run panics").expect("every run starts");
            assert_eq!(report.value, json!(load.sum));
        }
    }
    started.elapsed()
}

fn status(key: &str) -> String {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or(": unknown");
    line.trim_start_matches(':').trim().to_string()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Args { runs, at_once, calls, call, no_store, threads } = Args::parse();
    let call = Duration::from_millis(call);
    let at_once = at_once.unwrap_or(runs).clamp(1, runs.max(1));
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
    let folder = tempfile::tempdir()?;
    let load = |store| -> Result<Arc<Load>, ptc_subagent::Error> {
        let (agent, provider) = (agent(call)?, Always(program(calls)));
        Ok(Arc::new(Load { agent, provider, store, sum: (0..calls).sum() }))
    };
    // What is made once is not counted.
    runtime.block_on(all(&load(None)?, 10, 10));
    println!("{runs} runs, {at_once} at once, {calls} calls of {call:?} each, {threads} threads");
    let waits = call * calls * u32::try_from(runs.div_ceil(at_once)).unwrap_or(u32::MAX);
    for name in ["without a store", "store in memory", "store on disk"] {
        let store = match name {
            "without a store" => None,
            _ if no_store => continue,
            "store in memory" => Some(Store::in_memory()?),
            _ => Some(Store::open(&folder.path().join("load.sqlite"))?),
        };
        let took = runtime.block_on(all(&load(store)?, runs, at_once));
        let per_run = took.saturating_sub(waits).as_secs_f64() * 1e6 / runs as f64;
        let (memory, all_threads) = (status("VmHWM"), status("Threads"));
        println!(
            "{name:16} {took:8.3?}, {per_run:6.1} µs a run beside its calls, at most {memory}, {all_threads} threads"
        );
    }
    Ok(())
}
