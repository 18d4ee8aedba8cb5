//! Measures the cost of the record: the time of a row with a store on disk, and its share of a run
//! whose tools take 10 ms. It also measures the time of a replay, and the bytes of a long run. The
//! program fails above its bounds.

#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use ptc_subagent::provider::Scripted;
use ptc_subagent::replay::Replay;
use ptc_subagent::store::Store;
use ptc_subagent::tool::{Effect, FnTool, ToolDef};
use ptc_subagent::{Agent, Mission};
use serde_json::{Value, json};

/// The maximum median time of a row, in microseconds.
const ROW: f64 = 30.0;
/// The maximum share of a run with tools of 10 ms.
const SHARE: f64 = 0.05;

/// Creates an agent whose tool takes the time `call`.
fn agent(call: Duration) -> Result<Agent, ptc_subagent::Error> {
    let wait = FnTool::new(move |args: Value, _| async move {
        if !call.is_zero() {
            tokio::time::sleep(call).await;
        }
        Ok(args["n"].clone())
    });
    let wait =
        ToolDef::new("wait", wait).with_signature("(n :int) -> :int")?.with_effect(Effect::Read);
    Ok(Agent::new("Add.").with_signature("() -> :int")?.with_tool(wait))
}

fn program(calls: u32) -> String {
    format!(
        "```clojure\n(return (reduce + (map (fn [n] (tool/wait {{:n n}})) (range {calls}))))\n```"
    )
}

/// Runs once, and returns the time.
async fn once(
    agent: &Agent,
    calls: u32,
    store: Option<&Store>,
) -> Result<(Duration, String), ptc_subagent::Error> {
    let provider = Scripted::new([program(calls)]);
    let mut mission = Mission::new(agent, json!({}));
    if let Some(store) = store {
        mission = mission.record_in(store);
    }
    let started = Instant::now();
    let report = mission.run(&provider).await?;
    let took = started.elapsed();
    assert_eq!(report.tool_calls, u64::from(calls));
    Ok((took, report.run.to_string()))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// Returns the medians of runs without and with a store, which alternate.
async fn pairs(
    call: Duration,
    calls: u32,
    rounds: u32,
    store: &Store,
) -> Result<(Duration, Duration), ptc_subagent::Error> {
    let agent = agent(call)?;
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        without.push(once(&agent, calls, None).await?.0);
        with.push(once(&agent, calls, Some(store)).await?.0);
    }
    Ok((median(without), median(with)))
}

async fn measured() -> Result<bool, Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let store = Store::open(&folder.path().join("runs.sqlite"))?;
    let mut fits = true;
    println!("| what | without a store | with one on disk | |");
    println!("|---|---:|---:|---|");
    let calls = 100;
    // A run has six rows for its start, end, turn, reply and program, and two for every call.
    let rows = f64::from(2 * calls + 6);
    let (without, with) = pairs(Duration::ZERO, calls, 101, &store).await?;
    let row = with.saturating_sub(without).as_secs_f64() * 1e6 / rows;
    fits &= row <= ROW;
    println!(
        "| a run with {calls} calls that are over at once | {without:.1?} | {with:.1?} | {row:.1} µs a row |"
    );
    let (without, with) = pairs(Duration::from_millis(10), 20, 21, &store).await?;
    let share = with.as_secs_f64() / without.as_secs_f64() - 1.0;
    fits &= share <= SHARE;
    println!(
        "| a run with 20 calls of 10 ms | {without:.1?} | {with:.1?} | {:.1} % |",
        share * 100.0
    );

    let (_, run) = once(&agent(Duration::ZERO)?, calls, Some(&store)).await?;
    let replay = Replay::of(&store, &run)?;
    let mut times = Vec::new();
    for _ in 0..101 {
        let started = Instant::now();
        assert!(replay.run().await?.differences.is_empty());
        times.push(started.elapsed());
    }
    println!("| replaying the run with {calls} calls | | {:.1?} | |", median(times));
    Ok(fits)
}

fn main() -> ExitCode {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    match runtime.map_err(Into::into).and_then(|it| it.block_on(measured())) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}
