//! The missions of `examples/missions`: agents, their expected answers, and a program for each.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// A mission with its answer.
#[derive(Debug, Clone)]
pub struct Mission {
    /// The name, which is that of the agent file.
    pub name: String,
    /// The agent file.
    pub agent: PathBuf,
    /// The expected value.
    pub value: Value,
    /// A program that returns it.
    pub program: String,
}

/// Returns the missions of a folder, in the order of its `answers.json`.
///
/// # Errors
/// Returns an error if that file cannot be read, or an entry is incomplete.
pub fn missions(folder: &Path) -> Result<Vec<Mission>, String> {
    let path = folder.join("answers.json");
    let wrong = |what: &dyn std::fmt::Display| format!("{}: {what}", path.display());
    let text = std::fs::read_to_string(&path).map_err(|error| wrong(&error))?;
    let answers: serde_json::Map<String, Value> =
        serde_json::from_str(&text).map_err(|error| wrong(&error))?;
    let mission = |(name, answer): (String, Value)| {
        let lacks = |what: &str| wrong(&format!("`{name}` has no `{what}`"));
        let value = answer.get("value").ok_or_else(|| lacks("value"))?.clone();
        let program = answer.get("program").and_then(Value::as_str);
        let program = program.ok_or_else(|| lacks("program"))?.to_owned();
        let agent = folder.join(format!("{name}.toml"));
        Ok(Mission { name, agent, value, program })
    };
    answers.into_iter().map(mission).collect()
}

/// Returns whether two answers are equal. Numbers are compared by value, everything else as JSON.
pub fn same_answer(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_answer(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let same = |(key, a)| b.get(key).is_some_and(|b| same_answer(a, b));
            a.len() == b.len() && a.iter().all(same)
        }
        _ => a == b,
    }
}
