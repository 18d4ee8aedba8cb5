//! Writes the first inputs of every fuzz target from the conformance files: `corpus/TARGET/NUMBER`.

use std::fs;
use std::io::Result;
use std::path::Path;

use ptc_tests::{files, root};

fn main() -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let cases = cases();
    let sources = || cases.iter().filter_map(|case| case["source"].as_str());
    let values = || cases.iter().filter_map(|case| case["value"].as_str());
    let data = files(&root().join("tests/conformance/data"), "json")
        .into_iter()
        .filter_map(|path| fs::read_to_string(path).ok())
        // The fuzzer mutates an input many times, so a short one is worth more.
        .map(|text| text.chars().take(2_000).collect::<String>());
    let answers = cases.iter().map(|case| case.to_string());
    write(&folder.join("read"), sources().chain(values()))?;
    write(&folder.join("admit"), sources())?;
    write(&folder.join("run"), sources())?;
    write(&folder.join("print_read"), values())?;
    write(&folder.join("json"), data.chain(answers))?;
    write(&folder.join("replies"), REPLIES.into_iter())
}

/// Replies in every answer style.
const REPLIES: [&str; 4] = [
    "Thought: a\nAction: search\nAction Input: {\"query\": \"a\"}",
    "Final Answer: {\"ids\": [1]}",
    r#"{"nextStep": {"type": "Actions", "actions": [{"name": "search", "params": {"query": "a"}}]}}"#,
    r#"{"taskComplete": true, "message": "m", "result": {"ids": [1]}, "payloadChangeRequest": {}}"#,
];

/// Returns all cases of the conformance corpus.
fn cases() -> Vec<serde_json::Value> {
    files(&root().join("tests/conformance"), "jsonl")
        .into_iter()
        .filter_map(|path| fs::read_to_string(path).ok())
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .filter_map(|line| serde_json::from_str(&line).ok())
        .collect()
}

fn write(folder: &Path, seeds: impl Iterator<Item = impl AsRef<str>>) -> Result<()> {
    fs::create_dir_all(folder)?;
    for (number, seed) in seeds.enumerate() {
        fs::write(folder.join(format!("{number:05}")), seed.as_ref())?;
    }
    Ok(())
}
