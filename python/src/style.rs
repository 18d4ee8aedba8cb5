//! Answer styles in Python.
//!
//! A style is called while its run renders a prompt or reads a reply, on the thread of the run. Its texts come back as
//! text, and what it read as a tuple of a kind and texts.

use std::fmt;
use std::sync::Arc;

use ptc_lisp::{Value, print};
use ptc_subagent::style::{
    Error, Memo, Outcome, OutcomeEnd, Plan, PlanEnd, PlannedCall, PromptSpec, Reading, ReplyParts,
    ReplyProblem, Style, StyleRules, Told, TurnInfo, mission_text,
};
use ptc_subagent::{Answers, Data, SystemPrompt};
use pyo3::prelude::*;
use serde_json::json;

use crate::error::raise;
use crate::to_python::object;

/// Makes a style usable in agents by its name. `function` gets the name of a method and an object.
#[pyfunction]
pub(crate) fn register_style(
    py: Python<'_>,
    name: String,
    function: Py<PyAny>,
    writes_programs: bool,
    priority: i32,
) -> PyResult<()> {
    let style = Arc::new(PythonStyle { name, function, writes_programs });
    py.detach(|| Answers::register(style, priority)).map_err(raise)
}

struct PythonStyle {
    name: String,
    function: Py<PyAny>,
    writes_programs: bool,
}

/// The kind of a reading, and its texts.
type Read = (String, String, String);

impl PythonStyle {
    fn call<T>(&self, method: &str, given: &Data) -> Result<T, String>
    where
        T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>,
    {
        Python::attach(|py| {
            let called = object(py, given.value())
                .and_then(|given| self.function.bind(py).call1((method, given)))
                .and_then(|it| it.extract::<T>());
            called.map_err(|error| {
                format!("`{method}` of the answer style `{}` failed: {error}", self.name)
            })
        })
    }

    fn reading(&self, given: &Data) -> Result<Reading, String> {
        let (kind, text, more): Read = self.call("read", given)?;
        Ok(match kind.as_str() {
            "return" => Reading::Plan(Plan::returning(value(&text)?)),
            "fail" => {
                let end = Some(PlanEnd::Fail { reason: text, message: more });
                Reading::Plan(Plan { end, ..Plan::default() })
            }
            "program" => Reading::Program { source: text, notes: Vec::new() },
            "calls" => Reading::Plan(Plan { calls: calls(&text)?, ..Plan::default() }),
            "problem" => Reading::Problem(ReplyProblem::Form { message: text, fix: more }),
            _ => Reading::Problem(ReplyProblem::NoAnswer),
        })
    }
}

impl Style for PythonStyle {
    fn name(&self) -> &str {
        &self.name
    }

    fn system(&self, spec: &PromptSpec<'_>, _memo: &Memo) -> Result<SystemPrompt, Error> {
        // A placeholder without a value is an error before any reply.
        mission_text(spec)?;
        let text: Result<String, String> = self.call("system", &mission(spec));
        text.map(|it| it.as_str().into()).map_err(Error::unrendered)
    }

    fn opening(
        &self,
        spec: &PromptSpec<'_>,
        turn: TurnInfo,
        _memo: &Memo,
    ) -> Result<String, Error> {
        let given = mission(spec).with("turn", turn_of(turn));
        self.call("opening", &given).map_err(Error::unrendered)
    }

    fn read(&self, reply: &ReplyParts<'_>, spec: &PromptSpec<'_>) -> Reading {
        let calls = reply
            .calls
            .iter()
            .map(|it| json!({"id": it.id, "name": it.name, "arguments": it.arguments}));
        let parts = json!({
            "text": reply.text, "calls": calls.collect::<Vec<_>>(), "is_cut_off": reply.is_cut_off,
        });
        let given = mission(spec).with("reply", parts);
        self.reading(&given).unwrap_or_else(|message| {
            let fix = "Reply in another way.".to_owned();
            Reading::Problem(ReplyProblem::Form { message, fix })
        })
    }

    fn tell(&self, outcome: &Outcome<'_>, turn: TurnInfo) -> Told {
        let given = match &outcome.end {
            OutcomeEnd::Value { value, prints, is_answer, .. } => {
                let json = json!({"problem": null, "prints": prints, "is_answer": is_answer});
                let shown = || Data::from(json!(print::readable(value)));
                let value = Data::of(value).unwrap_or_else(|_| shown());
                Data::from(json).with("value", value)
            }
            OutcomeEnd::Problem { problem, .. } => Data::from(json!({
                "problem": problem.message(), "prints": [], "is_answer": false, "value": null,
            })),
        };
        let given = Data::from(json!({})).with("outcome", given).with("turn", turn_of(turn));
        let text: Result<String, String> = self.call("tell", &given);
        text.unwrap_or_else(|message| format!("{message}. Go on.")).into()
    }

    fn rules(&self) -> StyleRules {
        StyleRules { writes_programs: self.writes_programs, ..StyleRules::default() }
    }
}

impl fmt::Debug for PythonStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Returns the facts of a mission.
fn mission(spec: &PromptSpec<'_>) -> Data {
    let tools = spec.tools.iter().filter(|it| it.shown).map(|it| {
        json!({
            "name": it.name,
            "signature": it.signature.as_ref().map(ToString::to_string),
            "description": it.description,
        })
    });
    let facts = json!({
        "agent": spec.agent.name,
        "text": mission_text(spec).unwrap_or_else(|_| spec.mission.to_owned()),
        "signature": spec.signature.map(ToString::to_string),
        "tools": tools.collect::<Vec<_>>(),
    });
    let input = Data::of(spec.ctx).unwrap_or_default();
    Data::from(json!({})).with("mission", Data::from(facts).with("input", input))
}

fn turn_of(turn: TurnInfo) -> Data {
    Data::from(json!({"number": turn.turn, "of": turn.max_turns}))
}

/// Reads a value that the Python half wrote as JSON.
fn value(text: &str) -> Result<Value, String> {
    let data: Data = text.parse().map_err(|error: ptc_subagent::Error| error.to_string())?;
    Ok(data.value().clone())
}

/// Reads calls that the Python half wrote as JSON: names and arguments.
fn calls(text: &str) -> Result<Vec<PlannedCall>, String> {
    let data: Data = text.parse().map_err(|error: ptc_subagent::Error| error.to_string())?;
    let all = data.items().into_iter().flatten();
    let call = |it: Data| {
        let name = it.get("tool").and_then(|it| it.as_str().map(str::to_owned)).unwrap_or_default();
        let arguments = it.get("arguments").unwrap_or_default();
        let name_text = print::readable(&Value::str(&name));
        let source = Ok(format!("(call {name_text} {})", print::readable(arguments.value())));
        PlannedCall { id: String::new(), name, source }
    };
    Ok(all.map(call).collect())
}
