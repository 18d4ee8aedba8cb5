//! Measures a run of 200 turns with results of 20 KB, with a store on disk. It takes the size of each request, the time
//! of a turn, the share of a request that a server reads anew, and the size of the record.
//!
//! The program fails above its bounds.

#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use ptc_subagent::provider::{
    BoxFuture, Message, ModelCall, Provider, ProviderError, Reply, Request,
};
use ptc_subagent::replay::Replay;
use ptc_subagent::store::Store;
use ptc_subagent::tool::{Effect, FnTool, ToolDef};
use ptc_subagent::{Agent, Answers, Mission, Transcript};
use serde_json::{Value, json};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const TURNS: usize = 200;
/// The bytes of a result.
const RESULT: usize = 20_000;
/// The most tokens of a request.
const TOKENS: u32 = 60_000;
/// The largest share of the time of late turns in that of turns in the middle.
const GROWTH: f64 = 1.5;
/// The largest size of the record, as a multiple of its results.
const RECORD: f64 = 3.0;

type Failure = Box<dyn std::error::Error>;

/// A request: its bytes, those that differ from the request before, and the time since that.
struct Asked {
    bytes: usize,
    new: usize,
    time: Duration,
}

/// A model that reads one page after another.
struct Reader {
    state: Mutex<(Instant, Vec<Message>, Vec<Asked>)>,
}

fn size(message: &Message) -> usize {
    let results = message.results.iter().map(|it| it.text.len());
    let calls = message.calls.iter().map(|it| it.name.len() + it.arguments.len());
    message.text.len() + results.chain(calls).sum::<usize>()
}

impl Provider for Reader {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let time = state.0.elapsed();
        let same = state.1.iter().zip(&request.messages).take_while(|(one, other)| one == other);
        let same = same.count();
        let bytes = request.messages.iter().map(size).sum();
        let new = request.messages.iter().skip(same).map(size).sum();
        state.1.clone_from(&request.messages);
        state.2.push(Asked { bytes, new, time });
        let turn = state.2.len();
        let call = ModelCall {
            id: "a".to_string(),
            name: "page".to_string(),
            arguments: json!({ "n": turn }).to_string(),
        };
        let reply = if turn < TURNS {
            Reply { calls: vec![call], ..Reply::new("") }
        } else {
            Reply::new("done")
        };
        state.0 = Instant::now();
        Box::pin(std::future::ready(Ok(reply)))
    }

    fn name(&self) -> String {
        "reader".to_string()
    }
}

fn agent(rules: Transcript) -> Result<Agent, Failure> {
    let page = FnTool::new(|args: Value, _| {
        let number = args["n"].as_u64().unwrap_or_default();
        let text = format!("{number:>9} ").repeat(RESULT / 10);
        std::future::ready(Ok(json!(text)))
    });
    let page =
        ToolDef::new("page", page).with_signature("(n :int) -> :string")?.with_effect(Effect::Read);
    let mut agent = Agent::new("Read all pages.").with_answers(Answers::Tools).with_tool(page);
    agent.max_turns = u32::try_from(TURNS)? + 1;
    agent.budget.turns = None;
    agent.prompt_limits.string_truncate = RESULT;
    Ok(agent.with_transcript(rules))
}

/// Runs the mission under rules. Returns the problems.
async fn measure(name: &str, rules: Transcript) -> Result<Vec<String>, Failure> {
    let folder = tempfile::tempdir()?;
    let store = Store::open(&folder.path().join("runs.sqlite"))?;
    let agent = agent(rules)?;
    let reader = Reader { state: Mutex::new((Instant::now(), Vec::new(), Vec::new())) };
    let report = Mission::new(&agent, json!({})).record_in(&store).run(&reader).await?;
    let replay = Instant::now();
    let replayed = Replay::of(&store, report.run.as_str())?.run().await?;
    let replay = replay.elapsed();
    drop(store);
    let record: u64 = std::fs::read_dir(folder.path())?
        .map(|it| Ok(it?.metadata()?.len()))
        .sum::<Result<u64, std::io::Error>>()?;
    let record = record as f64 / (TURNS * RESULT) as f64;
    let asked = reader.state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).2;
    let largest = asked.iter().map(|it| it.bytes).max().unwrap_or_default() as f64 / 3.3;
    let share = |part: &[Asked]| {
        let new = part.iter().map(|it| it.new).sum::<usize>();
        100.0 * new as f64 / part.iter().map(|it| it.bytes).sum::<usize>() as f64
    };
    let time = |part: &[Asked]| {
        let mut times: Vec<f64> = part.iter().map(|it| 1e3 * it.time.as_secs_f64()).collect();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or_default()
    };
    let (middle, late) = (&asked[50..100], &asked[150..]);
    println!(
        "{name:<28} {largest:>9.0} {:>9.1} {:>9.2} {:>9.2} {record:>9.2} {:>9.0}",
        share(late),
        time(middle),
        time(late),
        1e3 * replay.as_secs_f64()
    );
    let checks = [
        (largest <= f64::from(TOKENS), "a request is too long"),
        (time(late) <= GROWTH * time(middle), "the time of a turn grows"),
        (record <= RECORD, "the record is too large"),
        (replayed.differences.is_empty(), "the replay differs"),
    ];
    let wrong = checks.iter().filter(|(holds, _)| !holds);
    Ok(wrong.map(|(_, what)| format!("{name}: {what}")).collect())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode, Failure> {
    println!(
        "{:<28} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "rules", "tokens", "new %", "ms at 75", "ms at 175", "record", "replay ms"
    );
    let rules = Transcript::default;
    let mut problems = Vec::new();
    for (name, rules) in [
        ("tokens = 60_000", rules().with_tokens(TOKENS)),
        ("result_turns = 4", rules().with_result_turns(4).with_tokens(TOKENS)),
        (
            "result_turns = 4, step = 1",
            rules().with_result_turns(4).with_step(1).with_tokens(TOKENS),
        ),
        ("window = 8", rules().with_window(8)),
        ("window = 8, step = 1", rules().with_window(8).with_step(1)),
    ] {
        problems.extend(measure(name, rules).await?);
    }
    for problem in &problems {
        println!("{problem}");
    }
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
