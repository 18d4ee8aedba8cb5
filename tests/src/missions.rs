//! The missions of `examples/missions`: agents, inputs, expected answers, and solutions.
//!
//! A mission is a folder. `docs/models.md` describes its files.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use ptc_lisp::Limits;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::World;

/// A mission with its expected answers.
#[derive(Debug, Clone)]
pub struct Mission {
    /// The name, which is that of the folder.
    pub name: String,
    /// The agent file.
    pub agent: PathBuf,
    /// Whether prompts are not to be tuned on the mission.
    pub held_out: bool,
    /// The comparison of a value with the expected one.
    pub comparison: Comparison,
    /// The inputs and their expected answers.
    pub cases: Vec<Case>,
    /// The programs of a solution, one for each turn. They solve every case.
    pub solution: Vec<String>,
}

/// The comparison of a value with the expected one.
#[derive(Debug, Clone, PartialEq)]
pub enum Comparison {
    /// The values are equal. Numbers compare by value.
    Exact,
    /// The values are equal, except that numbers may differ by this much.
    Tolerance(f64),
    /// An expression of the language is true. It reads `ctx/value`, `ctx/expected` and `ctx/input`.
    Check(String),
}

/// An input and its expected answer.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The input of the mission.
    pub input: Value,
    /// The expected value.
    pub expected: Value,
    /// The expected successful calls of tools that write, in any order.
    #[serde(default)]
    pub calls: Vec<ToolUse>,
}

/// A tool and the arguments of a call.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolUse {
    /// The name of the tool.
    pub tool: String,
    /// The arguments. A null argument equals an absent one.
    pub args: Value,
}

/// Collects the successful calls of tools that write, while a mission runs.
#[derive(Debug, Clone, Default)]
pub struct Writes {
    tools: Vec<String>,
    open: Vec<(String, ToolUse)>,
    made: Vec<ToolUse>,
}

impl Mission {
    /// Returns whether a value and the calls that wrote are the expected ones of a case.
    pub fn accepts(&self, case: &Case, value: &Value, writes: &[ToolUse]) -> bool {
        same_calls(&case.calls, writes) && self.accepts_value(case, value)
    }

    fn accepts_value(&self, case: &Case, value: &Value) -> bool {
        match &self.comparison {
            Comparison::Exact => same_answer(value, &case.expected, 0.0),
            Comparison::Tolerance(tolerance) => same_answer(value, &case.expected, *tolerance),
            Comparison::Check(expression) => {
                let ctx = json!({"value": value, "expected": case.expected, "input": case.input});
                let mut world = World::without_tools(&ctx.to_string(), Limits::default());
                world.run(expression).shown == "=> true"
            }
        }
    }
}

impl Writes {
    /// Creates a collection for the tools that write.
    pub fn of(tools: impl IntoIterator<Item = String>) -> Writes {
        Writes { tools: tools.into_iter().collect(), ..Writes::default() }
    }

    /// Notes a call that starts. The id tells it from the other calls in flight.
    pub fn started(&mut self, id: &str, tool: &str, args: &Value) {
        if self.tools.iter().any(|it| it == tool) {
            let call = ToolUse { tool: tool.to_owned(), args: args.clone() };
            self.open.push((id.to_owned(), call));
        }
    }

    /// Notes the end of a call.
    pub fn ended(&mut self, id: &str, succeeded: bool) {
        if let Some(at) = self.open.iter().position(|(open, _)| open == id) {
            let (_, call) = self.open.remove(at);
            if succeeded {
                self.made.push(call);
            }
        }
    }

    /// Returns the successful calls, in the order of their ends.
    pub fn made(&self) -> &[ToolUse] {
        &self.made
    }
}

/// The contents of `cases.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CasesFile {
    held_out: bool,
    tolerance: Option<f64>,
    check: Option<String>,
    cases: Vec<Case>,
}

/// The line of `solution.clj` between the programs of two turns.
const NEXT_TURN: &str = "; next turn\n";

/// Returns the missions of a folder, sorted by name.
///
/// # Errors
/// Returns an error if a folder in it lacks a file of a mission, or a file is malformed.
pub fn missions(folder: &Path) -> Result<Vec<Mission>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| wrong(folder, &error))?;
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    folders.iter().map(|folder| mission(folder)).collect()
}

/// Returns the mission of one folder.
fn mission(folder: &Path) -> Result<Mission, String> {
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).map_err(|error| wrong(&path, &error))
    };
    let path = folder.join("cases.json");
    let file: CasesFile =
        serde_json::from_str(&read("cases.json")?).map_err(|error| wrong(&path, &error))?;
    let comparison = match (file.tolerance, file.check) {
        (None, None) => Comparison::Exact,
        (Some(tolerance), None) => Comparison::Tolerance(tolerance),
        (None, Some(check)) => Comparison::Check(check),
        _ => return Err(wrong(&path, &"only one of `tolerance` and `check` is allowed")),
    };
    if file.cases.is_empty() {
        return Err(wrong(&path, &"`cases` is empty"));
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let solution = read("solution.clj")?.split(NEXT_TURN).map(str::to_owned).collect();
    let agent = folder.join("agent.toml");
    let held_out = file.held_out;
    Ok(Mission { name, agent, held_out, comparison, cases: file.cases, solution })
}

fn wrong(path: &Path, what: &dyn Display) -> String {
    format!("{}: {what}", path.display())
}

/// Returns whether two answers are equal. Numbers may differ by the tolerance, everything else
/// compares as JSON.
pub fn same_answer(a: &Value, b: &Value, tolerance: f64) -> bool {
    let mut pairs = vec![(a, b)];
    while let Some((a, b)) = pairs.pop() {
        let same = match (a, b) {
            (Value::Number(x), Value::Number(y)) => x == y || near(a, b, tolerance),
            (Value::Array(a), Value::Array(b)) => {
                pairs.extend(a.iter().zip(b));
                a.len() == b.len()
            }
            (Value::Object(a), Value::Object(b)) => {
                pairs.extend(a.iter().filter_map(|(key, a)| Some((a, b.get(key)?))));
                a.len() == b.len() && a.keys().all(|key| b.contains_key(key))
            }
            _ => a == b,
        };
        if !same {
            return false;
        }
    }
    true
}

fn near(a: &Value, b: &Value, tolerance: f64) -> bool {
    let difference = a.as_f64().zip(b.as_f64()).map(|(a, b)| (a - b).abs());
    difference.is_some_and(|it| it <= tolerance)
}

/// Returns whether the calls are the same, in any order.
fn same_calls(expected: &[ToolUse], made: &[ToolUse]) -> bool {
    let same = |a: &ToolUse, b: &ToolUse| {
        a.tool == b.tool && same_answer(&given(&a.args), &given(&b.args), 0.0)
    };
    let mut left: Vec<&ToolUse> = made.iter().collect();
    for call in expected {
        match left.iter().position(|it| same(call, it)) {
            Some(at) => left.swap_remove(at),
            None => return false,
        };
    }
    left.is_empty()
}

/// Returns arguments without those that are null.
fn given(args: &Value) -> Value {
    match args {
        Value::Object(args) => args
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect(),
        other => other.clone(),
    }
}
