//! Runs thousands of runs at once: `cargo run --release -p ptc-tests --example load`. The fastest
//! configuration is `--features mimalloc -- --apart`.
//!
//! Each run asks a model that answers at once. Its program makes five calls of 20 ms, one after
//! another, so 100 ms is the minimum. The output has the time of all runs with and without a store,
//! the time per run, and the memory and the threads of the process.

#![expect(clippy::print_stdout, reason = "a tool for people")]

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use ptc_subagent::provider::{BoxFuture, Provider, ProviderError, Reply, Request};
use ptc_subagent::store::Store;
use ptc_subagent::tool::{Effect, FnTool, ToolDef};
use ptc_subagent::{Agent, Mission};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Notify;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
    /// Give each thread a runtime and its share of the runs, instead of one runtime that moves runs between them.
    #[arg(long)]
    apart: bool,
}

/// A provider that answers every request with the same program.
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
    let wait =
        ToolDef::new("wait", wait).with_signature("(n :int) -> :int")?.with_effect(Effect::Read);
    Ok(Agent::new("Add {{what}}.").with_signature("(what :string) -> :int")?.with_tool(wait))
}

/// The common parts of all runs.
struct Load {
    agent: Agent,
    provider: Always,
    store: Option<Store>,
    sum: u32,
}

/// The number of open runs, and of runs with the right answer.
struct Round {
    open: AtomicUsize,
    right: AtomicUsize,
    all_over: Notify,
}

/// A guard that counts a run as ended, even if it panics.
struct EndGuard(Arc<Round>);

impl Drop for EndGuard {
    fn drop(&mut self) {
        if self.0.open.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.0.all_over.notify_one();
        }
    }
}

/// Makes all runs, and returns the number of threads. It waits for all runs at once: waiting for
/// one after another means a wake-up for each, which costs as much as a run.
async fn all(load: &Arc<Load>, runs: usize, at_once: usize) -> String {
    let mut threads = String::new();
    for from in (0..runs).step_by(at_once.max(1)) {
        let now = at_once.min(runs - from);
        let (open, right, all_over) = (AtomicUsize::new(now), AtomicUsize::new(0), Notify::new());
        let round = Arc::new(Round { open, right, all_over });
        for _ in 0..now {
            let (load, over) = (Arc::clone(load), EndGuard(Arc::clone(&round)));
            tokio::spawn(async move {
                let mut mission = Mission::new(&load.agent, json!({"what": "numbers"}));
                if let Some(store) = &load.store {
                    mission = mission.record_in(store);
                }
                let report = mission.run(&load.provider).await.expect("every run starts");
                if report.value == json!(load.sum) {
                    over.0.right.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        threads = status("Threads");
        round.all_over.notified().await;
        assert_eq!(round.right.load(Ordering::SeqCst), now, "every run returns the sum");
    }
    threads
}

/// Drives all runs with one runtime.
fn driven_by_one(
    load: &Arc<Load>,
    runs: usize,
    at_once: usize,
    threads: usize,
) -> io::Result<Took> {
    let runtime = Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
    let started = Instant::now();
    let threads = runtime.block_on(all(load, runs, at_once));
    Ok(Took { time: started.elapsed(), threads })
}

/// Drives a share of the runs on each thread, with a separate runtime.
fn driven_apart(load: &Arc<Load>, runs: usize, at_once: usize, threads: usize) -> io::Result<Took> {
    let share = |all: usize, thread: usize| all * (thread + 1) / threads - all * thread / threads;
    let runtimes: io::Result<Vec<Runtime>> =
        (0..threads).map(|_| Builder::new_current_thread().enable_all().build()).collect();
    let runtimes = runtimes?;
    let started = Instant::now();
    let threads = std::thread::scope(|scope| {
        let drive = |(thread, runtime): (usize, Runtime)| {
            let (runs, at_once) = (share(runs, thread), share(at_once, thread));
            scope.spawn(move || runtime.block_on(all(load, runs, at_once)))
        };
        let driven: Vec<_> = runtimes.into_iter().enumerate().map(drive).collect();
        let mut threads = String::new();
        for thread in driven {
            threads = thread.join().expect("every run returns the sum");
        }
        threads
    });
    Ok(Took { time: started.elapsed(), threads })
}

/// The time of all runs, and the number of threads of the process.
struct Took {
    time: Duration,
    threads: String,
}

fn status(key: &str) -> String {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or(": unknown");
    line.trim_start_matches(':').trim().to_string()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Args { runs, at_once, calls, call, no_store, threads, apart } = Args::parse();
    let call = Duration::from_millis(call);
    let at_once = at_once.unwrap_or(runs).clamp(1, runs.max(1));
    let folder = tempfile::tempdir()?;
    let load = |store| -> Result<Arc<Load>, ptc_subagent::Error> {
        let (agent, provider) = (agent(call)?, Always(program(calls)));
        Ok(Arc::new(Load { agent, provider, store, sum: (0..calls).sum() }))
    };
    let driven = |load: &Arc<Load>, runs, at_once| {
        if apart {
            driven_apart(load, runs, at_once, threads)
        } else {
            driven_by_one(load, runs, at_once, threads)
        }
    };
    // A first round excludes one-time work from the measurement.
    driven(&load(None)?, 10, 10)?;
    let how = if apart { "with a runtime each" } else { "of one runtime" };
    let allocator = if cfg!(feature = "mimalloc") { "mimalloc" } else { "the system's allocator" };
    println!(
        "{runs} runs, {at_once} at once, {calls} calls of {call:?} each, {threads} threads {how}, {allocator}"
    );
    let waits = call * calls * u32::try_from(runs.div_ceil(at_once)).unwrap_or(u32::MAX);
    for name in ["without a store", "store in memory", "store on disk"] {
        let store = match name {
            "without a store" => None,
            _ if no_store => continue,
            "store in memory" => Some(Store::in_memory()?),
            _ => Some(Store::open(&folder.path().join("load.sqlite"))?),
        };
        let Took { time, threads } = driven(&load(store)?, runs, at_once)?;
        let per_run = time.saturating_sub(waits).as_secs_f64() * 1e6 / runs as f64;
        let memory = status("VmHWM");
        println!(
            "{name:16} {time:8.3?}, {per_run:6.1} µs a run beside its calls, at most {memory}, {threads} threads"
        );
    }
    Ok(())
}
