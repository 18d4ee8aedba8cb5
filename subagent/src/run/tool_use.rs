//! What a run remembers of its tools: how often each was called, and results that may be used again.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use ptc_lisp::json;
use serde_json::Value;
use tokio::sync::OnceCell;

use super::id::RunId;
use super::report::RunError;
use crate::data::Data;
use crate::driver::Halt;
use crate::error::Error;
use crate::provider::BoxFuture;
use crate::tool::{ToolDef, ToolError, ToolErrorKind};

/// What came of a call.
pub(super) struct Answer {
    pub(super) result: Result<Value, ToolError>,
    /// What was changed in arguments and result to match, or let through.
    pub(super) warnings: Vec<RunError>,
    /// The run of the sub-agent that was called.
    pub(super) run: Option<RunId>,
    /// Whether an earlier call had the result.
    pub(super) cached: bool,
    /// The reason that the program must stop, if the run of the sub-agent stopped for one.
    pub(super) halt: Option<Halt>,
    /// Why the run that made the call cannot go on.
    pub(super) broken: Option<Error>,
}

impl Answer {
    /// What came of a call, and nothing besides.
    pub(super) fn new(result: Result<Value, ToolError>) -> Answer {
        let (warnings, run) = (Vec::new(), None);
        Answer { result, warnings, run, cached: false, halt: None, broken: None }
    }
}

/// The use of tools in one run.
#[derive(Default)]
pub(super) struct ToolUse {
    calls: BTreeMap<String, u32>,
    results: HashMap<(String, String), Arc<OnceCell<Value>>>,
}

/// How many results a run remembers; further ones are asked for again.
const MAX_RESULTS: usize = 1000;

impl ToolUse {
    /// How often tools were called that have a limit.
    pub(super) fn calls(&self) -> &BTreeMap<String, u32> {
        &self.calls
    }

    /// What a run remembers that made so many calls.
    pub(super) fn after(calls: BTreeMap<String, u32>) -> ToolUse {
        ToolUse { calls, results: HashMap::new() }
    }

    /// Takes a call, or says that there are none left.
    pub(super) fn take(&mut self, tool: &ToolDef) -> Result<(), ToolError> {
        let Some(most) = tool.max_calls else { return Ok(()) };
        let calls = self.calls.entry(tool.name.clone()).or_default();
        if *calls >= most {
            let message = format!("may be called {most} times in a run, and was");
            return Err(ToolError::new(ToolErrorKind::UsedUp, message));
        }
        *calls += 1;
        Ok(())
    }

    /// The place of the result of a call, which calls with the same arguments share.
    pub(super) fn cell(&mut self, tool: &ToolDef, args: impl FnOnce() -> Data) -> Cell {
        if !tool.cache {
            return Cell(None);
        }
        let key = (tool.name.clone(), canonical(&args()));
        if self.results.len() >= MAX_RESULTS && !self.results.contains_key(&key) {
            return Cell(None);
        }
        Cell(Some(Arc::clone(self.results.entry(key).or_default())))
    }
}

/// Where the result of a call goes, if it is to be remembered.
pub(super) struct Cell(Option<Arc<OnceCell<Value>>>);

impl Cell {
    /// Keeps a result that is on record.
    pub(super) fn fill(self, result: &Result<Value, ToolError>) {
        if let (Some(cell), Ok(value)) = (self.0, result) {
            // An earlier call with the same arguments may have it.
            drop(cell.set(value.clone()));
        }
    }

    /// Makes a call, whether or not its result is there, and keeps the result.
    pub(super) fn filled_by(self, call: BoxFuture<'_, Answer>) -> BoxFuture<'_, Answer> {
        Box::pin(async move {
            let answer = call.await;
            self.fill(&answer.result);
            answer
        })
    }

    /// Makes a call, unless its result is there. While one call is made, others with the same arguments wait
    /// for its result; if it fails, the next one is made.
    pub(super) fn answer(self, call: BoxFuture<'_, Answer>) -> BoxFuture<'_, Answer> {
        let Some(cell) = self.0 else { return call };
        Box::pin(async move {
            let mut made = None;
            let make = async {
                let answer = call.await;
                let result = answer.result.clone();
                made = Some(answer);
                result.map_err(drop)
            };
            let result = cell.get_or_try_init(|| make).await.ok().cloned();
            match (made, result) {
                (Some(answer), _) => answer,
                (None, Some(value)) => Answer { cached: true, ..Answer::new(Ok(value)) },
                (None, None) => {
                    let halt = Some(Halt::Internal("a cached call gave no result".to_string()));
                    Answer { halt, ..Answer::new(Err(ToolError::failed("gave nothing"))) }
                }
            }
        })
    }
}

/// Returns JSON with the keys of objects in one order: how a program wrote its arguments does not matter.
pub(super) fn canonical(args: &Data) -> String {
    let mut text = String::new();
    write(args.value(), &mut text);
    text
}

fn write(value: &ptc_lisp::Value, out: &mut String) {
    if let Some(map) = value.as_map() {
        let mut rows: Vec<_> = map.iter().collect();
        rows.sort_by_key(|(key, _)| key.name());
        out.push('{');
        for (key, value) in rows {
            write(key, out);
            out.push(':');
            write(value, out);
            out.push(',');
        }
        out.push('}');
    } else if let Some(items) = value.items() {
        out.push('[');
        for item in items {
            write(item, out);
            out.push(',');
        }
        out.push(']');
    } else {
        // What has a JSON form is written.
        out.push_str(&json::write(value).unwrap_or_default());
    }
}
