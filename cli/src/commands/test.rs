//! `ptc test`: exported runs as tests of agents.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ptc_subagent::Data;
use ptc_subagent::provider::Cost;
use ptc_subagent::replay::{Difference, Replay, Replayed};
use ptc_subagent::store::RunRecord;
use serde_json::{Value, json};

use crate::agents;
use crate::args::TestArgs;
use crate::difference_text::{cut, show};
use crate::exported;
use crate::figures::plural;
use crate::hidden;
use crate::process::runtime;
use crate::prompt_drift::PromptDrift;
use crate::report::{self, Fault, Result};

/// The result of the test of one run.
struct TestResult {
    file: PathBuf,
    /// Whether the replay ends as the record does and lacks no answer. With `--strict`, prompts must be equal
    /// too.
    passes: bool,
    /// The reason the run could not be replayed.
    fault: Option<String>,
    /// The first difference that is not in a prompt, or the first one if all of them are.
    first: Option<Difference>,
    /// The number of prompts that differ.
    prompts: usize,
    /// The change of the system prompt.
    drift: Option<PromptDrift>,
    /// The value on record, and the value of the replay.
    values: (Data, Data),
    /// The input tokens on record, and an estimate for the current prompts. The replies are the same.
    tokens_in: (u64, u64),
    /// The cost on record and its estimate, in dollars, if the cost is known.
    cost: Option<(f64, f64)>,
}

/// Runs `ptc test`.
pub(crate) fn command(args: &TestArgs) -> Result<u8> {
    let files = files(&args.files)?;
    let mut all = Vec::new();
    for file in files {
        let tested = test_file(&file, args).unwrap_or_else(|fault| TestResult {
            file: file.clone(),
            passes: false,
            fault: Some(fault.to_string()),
            first: None,
            prompts: 0,
            drift: None,
            values: (Data::default(), Data::default()),
            tokens_in: (0, 0),
            cost: None,
        });
        if !args.output.json {
            report::print(&line(&tested))?;
        }
        all.push(tested);
    }
    let failed = all.iter().filter(|it| !it.passes).count();
    if args.output.json {
        let runs = all.iter().map(to_json).collect::<Result<Vec<Data>>>()?;
        let json = Data::from(json!({"failed": failed}));
        report::print_json(&json.with("runs", Data::written(&runs)?))?;
    } else {
        let passed = plural((all.len() - failed) as u64, "run");
        report::print(&format!("{passed} passed, {failed} failed\n"))?;
    }
    Ok(if failed == 0 { report::DONE } else { report::NO_PROGRAM })
}

/// Returns the named files and the `.jsonl` files of the named folders, sorted by path.
fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let unreadable = |error: std::io::Error| {
            Fault::new("unreadable-file", format!("cannot read {}: {error}", path.display()))
        };
        for entry in path.read_dir().map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            if file.extension().is_some_and(|it| it == "jsonl") {
                files.push(file);
            }
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(Fault::new("usage", "there are no files to test")
            .with_help("`ptc export RUN --out FILE` writes one; their names end in `.jsonl`"));
    }
    Ok(files)
}

/// Replays the run of a file with the agent under test.
fn test_file(file: &Path, args: &TestArgs) -> Result<TestResult> {
    let (store, run) = exported::read(file)?;
    let replay = Replay::of(&store, &run)?;
    let recorded = replay.record().clone();
    let recorded_file = recorded.setup.file.as_ref().map(PathBuf::from);
    let agent = args.agent.clone().or(recorded_file);
    let replay = match agent {
        Some(path) => replay.with_agent(agents::read_for(&recorded, &path)?),
        // An agent made in code has no file, so the replay tests only the language.
        None => replay,
    };
    let replayed = runtime()?.block_on(replay.run())?;
    let is_prompt =
        |it: &&Difference| it.call.is_none() && ["system", "prompt"].contains(&&*it.what);
    let prompts = replayed.differences.iter().filter(is_prompt).count();
    let mut others = replayed.differences.iter().filter(|it| !is_prompt(it));
    let mut runs = replay.family();
    runs.push(replayed.record.clone());
    let hidden = hidden::of(&runs, &args.hidden)?;
    let first = others.next().or(replayed.differences.first());
    let first = first.map(|it| hidden.difference(it));
    let same = ending(&recorded) == ending(&replayed.record);
    let passes = same && replayed.missing.is_none() && !(args.strict && prompts > 0);
    let tokens_in = input_tokens(&recorded, &replayed);
    let all = recorded.summary.usage.tokens();
    let now = (all - tokens_in.0).saturating_add(tokens_in.1);
    let factor = now as f64 / all.max(1) as f64;
    let cost = recorded.summary.usage.cost.filter(|_| all > 0).map(Cost::dollars);
    Ok(TestResult {
        file: file.to_path_buf(),
        passes,
        fault: None,
        first,
        prompts,
        drift: PromptDrift::of(&recorded.setup.system, &replayed.record.setup.system),
        values: (hidden.data(&recorded.value), hidden.data(&replayed.record.value)),
        tokens_in,
        cost: cost.map(|cost| (cost, cost * factor)),
    })
}

/// Returns the parts of a run's ending that must not change.
fn ending(record: &RunRecord) -> (Value, &Data) {
    let reason = record.fail.as_ref().map(|it| &it.reason);
    (json!([record.summary.status, record.summary.stop, reason]), &record.value)
}

/// Returns the input tokens on record, and an estimate for the prompts of the replay, which grows and shrinks with
/// their length.
fn input_tokens(recorded: &RunRecord, replayed: &Replayed) -> (u64, u64) {
    let before = recorded.summary.usage.input_tokens;
    // Every request has the system prompt and all messages so far.
    let length = |record: &RunRecord| {
        let turns = record.turn_records.len() as u64;
        let messages: u64 = record
            .turn_records
            .iter()
            .zip(1..)
            .map(|(turn, at)| turn.prompt.len() as u64 * (turns - at + 1))
            .sum();
        messages + record.setup.system.len() as u64 * turns
    };
    let growth = length(&replayed.record) as f64 / length(recorded).max(1) as f64;
    (before, (before as f64 * growth).round() as u64)
}

fn line(tested: &TestResult) -> String {
    let word = if tested.passes { "pass" } else { "FAIL" };
    let mut text = format!("{word}  {}", report::clean(&tested.file.display().to_string()));
    let (before, after) = tested.tokens_in;
    if before != after {
        // Writing to a string cannot fail.
        let _ = write!(text, " · {before} tokens in, about {after} now");
        if let Some((before, after)) = tested.cost {
            let _ = write!(text, ", ${before:.4}, about ${after:.4} now");
        }
    }
    if tested.prompts > 0 {
        let _ = write!(text, " · {}", plural(tested.prompts as u64, "other prompt"));
    }
    text.push('\n');
    if let Some(drift) = &tested.drift {
        let _ = writeln!(text, "  {}", report::clean(&drift.text()));
    }
    if let Some(fault) = &tested.fault {
        let _ = writeln!(text, "  {}", report::clean(fault));
    }
    if let Some(first) = tested.first.as_ref().filter(|_| !tested.passes) {
        let mut page = String::new();
        show(&mut page, first, ("recorded", "now"));
        for line in page.lines() {
            let _ = writeln!(text, "  {line}");
        }
        let (before, now) = &tested.values;
        if before != now {
            let shown = |value: &Data| report::clean(&cut(&value.to_string()));
            let _ = writeln!(text, "  value  was {}\n         is  {}", shown(before), shown(now));
        }
    }
    text
}

fn to_json(tested: &TestResult) -> Result<Data> {
    let (before, after) = tested.tokens_in;
    let json = json!({
        "file": tested.file.display().to_string(),
        "passes": tested.passes,
        "fault": tested.fault,
        "first_difference": null,
        "other_prompts": tested.prompts,
        "prompt": tested.drift.as_ref().map(PromptDrift::to_json),
        "value": null,
        "tokens_in": {"before": before, "after": after},
        "cost": tested.cost.map(|(before, after)| json!({"before": before, "after": after})),
    });
    let json = Data::from(json).with("value", tested.values.1.clone());
    Ok(json.with("first_difference", Data::written(&tested.first)?))
}
