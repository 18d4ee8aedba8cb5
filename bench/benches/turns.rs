//! Measures a workflow of a million calls in a thousand turns, with a store on disk: its time, the size of its record
//! and its memory by turn. Its process is killed in the middle of the last turn; then a second process resumes it.
//!
//! The program fails above its bounds.

#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use ptc_subagent::provider::NoModel;
use ptc_subagent::replay::Resume;
use ptc_subagent::store::Store;
use ptc_subagent::tool::{Effect, FnTool, ToolDef};
use ptc_subagent::{Agent, Data, Mission};
use serde_json::{Value, json};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The maximum time from the start of the second process to its first call, in seconds.
const RESUME: f64 = 1.0;
/// The maximum growth of the memory from the second tenth of the turns to the last.
const GROWTH: f64 = 1.25;

type Failure = Box<dyn std::error::Error>;

/// The turns of the run, and the calls of each.
#[derive(Clone, Copy)]
struct Size {
    turns: u64,
    calls: u64,
}

/// Creates the workflow. `called` is given the number of each call of this process, from 0.
fn workflow(size: Size, called: impl Fn(u64) + Send + Sync + 'static) -> Result<Agent, Failure> {
    let (called, count) = (Arc::new(called), AtomicU64::new(0));
    let read = FnTool::new(move |args: Value, _| {
        called(count.fetch_add(1, Ordering::Relaxed));
        async move { Ok(args["n"].clone()) }
    });
    let read =
        ToolDef::new("read", read).with_signature("(n :int) -> :int")?.with_effect(Effect::Read);
    let Size { turns, calls } = size;
    let program = format!(
        "(let [{{:keys [turn sum]}} (or ctx/state {{:turn 1 :sum 0}})
               sum (reduce + sum (map (fn [n] (tool/read {{:n n}})) (range {calls})))]
           (if (= turn {turns}) sum (flow/continue {{:turn (inc turn) :sum sum}})))"
    );
    Ok(Agent::workflow(&program).with_signature("() -> :int")?.with_tool(read))
}

/// Runs the workflow until its process is killed; prints its memory and the size of its record ten times.
async fn first_process(folder: &Path, size: Size) -> Result<(), Failure> {
    let store = Store::open(&folder.join("runs.sqlite"))?;
    let (tenth, last) = (size.turns * size.calls / 10, size.turns * size.calls - size.calls / 2);
    let place = folder.to_owned();
    let agent = workflow(size, move |call| {
        if call % tenth == tenth - 1 {
            println!("{} {}", resident().unwrap_or_default(), record_size(&place));
        }
        if call == last {
            println!("killed");
            // Until the other process kills this one.
            std::thread::sleep(std::time::Duration::from_mins(1));
        }
    })?;
    Mission::new(&agent, json!({})).record_in(&store).run(&NoModel).await?;
    Ok(())
}

/// Resumes the run; prints the seconds to its first call and to its end.
async fn second_process(folder: &Path, size: Size) -> Result<(), Failure> {
    let started = Instant::now();
    let store = Store::open(&folder.join("runs.sqlite"))?;
    let agent = workflow(size, move |call| {
        if call == 0 {
            println!("{}", started.elapsed().as_secs_f64());
        }
    })?;
    let run = std::fs::read_to_string(folder.join("run"))?;
    let report = Resume::of(&store, &run)?.mission(&agent)?.run(&NoModel).await?;
    let sum = size.turns * (size.calls * (size.calls - 1) / 2);
    assert_eq!(
        (report.value, report.tool_calls),
        (Data::from(json!(sum)), size.turns * size.calls)
    );
    println!("{}", started.elapsed().as_secs_f64());
    Ok(())
}

/// Returns the bytes of all files of the store.
fn record_size(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum()
}

/// Returns the size of the resident set, in bytes, as the kernel counts it.
fn resident() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(pages.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4096)
}

/// Starts this program as another process, which does the part with this name.
fn start(part: &str, folder: &Path, size: Size) -> std::io::Result<std::process::Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args([part, &folder.to_string_lossy(), &size.turns.to_string()]);
    command.arg(size.calls.to_string()).stdout(Stdio::piped()).spawn()
}

fn measured(size: Size) -> Result<bool, Failure> {
    let folder = tempfile::tempdir()?;
    let started = Instant::now();
    let mut child = start("first", folder.path(), size)?;
    let lines = BufReader::new(child.stdout.take().ok_or("no output")?).lines();
    let mut tenths: Vec<(f64, f64, f64)> = Vec::new();
    println!("| turns | seconds | memory in MB | record in MB |");
    println!("|---:|---:|---:|---:|");
    for line in lines {
        let line = line?;
        let Some((memory, record)) = line.split_once(' ') else { break };
        let mb = |bytes: &str| bytes.parse::<f64>().map(|bytes| bytes / 1e6);
        let tenth = (started.elapsed().as_secs_f64(), mb(memory)?, mb(record)?);
        tenths.push(tenth);
        let turns = size.turns * tenths.len() as u64 / 10;
        println!("| {turns} | {:.1} | {:.1} | {:.1} |", tenth.0, tenth.1, tenth.2);
        std::io::stdout().flush()?;
    }
    child.kill()?;
    child.wait()?;
    let store = Store::open(&folder.path().join("runs.sqlite"))?;
    let runs = store.runs(1)?;
    let run = runs.first().ok_or("no run is on record")?;
    std::fs::write(folder.path().join("run"), run.run.as_str())?;
    drop(store);
    let output = start("second", folder.path(), size)?.wait_with_output()?;
    let output = String::from_utf8(output.stdout)?;
    let [call, end] = output.lines().collect::<Vec<_>>()[..] else {
        return Err("the run was not resumed".into());
    };
    println!("\nresumed: {call} s to the first call, {end} s to the end");
    let [_, (_, early, _), .., (_, late, _)] = tenths[..] else { return Err("no tenth".into()) };
    Ok(call.parse::<f64>()? <= RESUME && late <= early * GROWTH)
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let number = |at: usize, or: u64| args.get(at).and_then(|it| it.parse().ok()).unwrap_or(or);
    let done = match args.first().map(String::as_str) {
        Some(part @ ("first" | "second")) => {
            let size = Size { turns: number(2, 1000), calls: number(3, 1000) };
            let folder = Path::new(args.get(1).map_or("", String::as_str));
            let runtime =
                tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
            runtime.map_err(Into::into).and_then(|runtime| match part {
                "first" => runtime.block_on(first_process(folder, size)).map(|()| true),
                _ => runtime.block_on(second_process(folder, size)).map(|()| true),
            })
        }
        _ => measured(Size { turns: number(0, 1000), calls: number(1, 1000) }),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            println!("{problem}");
            ExitCode::FAILURE
        }
    }
}
