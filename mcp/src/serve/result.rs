//! The results of calls, from the reports of runs.

use ptc_lisp::Value;
use ptc_signatures::shown::escape_owned;
use ptc_subagent::{Data, Error, RunReport, Status};
use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use serde_json::json;

use super::run_output::RunOutput;
use crate::wire::exact;

/// The key under `_meta` with the id of the run.
const RUN: &str = "ptc/run";

/// Returns the result of a call: the value of its run without hidden fields and the binary content that it names, or the
/// reason that there is none.
pub(super) fn of_run(report: &RunReport, wraps: bool, output: &RunOutput) -> CallToolResult {
    let result = if report.status == Status::Returned {
        let value = visible(&report.value);
        let content = output.content(&value);
        let value = if wraps { Data::default().with("result", value) } else { value };
        // The text is for a model. The structured content has the exact value.
        let json = text(value.to_string());
        let mut result = CallToolResult::structured(exact::marked(&value));
        result.content = std::iter::once(json).chain(content).collect();
        result
    } else {
        error(why(report))
    };
    with_run(result, report)
}

/// Adds the id of the run to a result.
pub(super) fn with_run(result: CallToolResult, report: &RunReport) -> CallToolResult {
    let mut meta = MetaObject::new();
    meta.insert(RUN.to_string(), json!(report.run));
    result.with_meta(Some(meta))
}

/// Returns the result for a run that did not start.
pub(super) fn failure(cause: &Error) -> CallToolResult {
    error(match cause.help() {
        Some(help) => format!("{cause}; {help}"),
        None => cause.to_string(),
    })
}

/// Returns a result that is an error.
pub(super) fn error(message: impl Into<String>) -> CallToolResult {
    CallToolResult::error(vec![text(message)])
}

/// Returns a text for the model of a client. Characters that move or hide text become escapes, which JSON has too.
pub(super) fn text(text: impl Into<String>) -> ContentBlock {
    ContentBlock::text(escape_owned(text.into()))
}

/// Returns the reason that a run has no value.
pub(super) fn why(report: &RunReport) -> String {
    if report.status == Status::Waiting {
        let run = &report.run;
        return if report.questions.is_empty() {
            format!("the run waits for a time; `ptc work` resumes run {run} then")
        } else {
            waits(run.as_str())
        };
    }
    match (&report.fail, &report.stop, &report.error) {
        (Some(fail), ..) => format!("failed: {}: {}", fail.reason, fail.message),
        (_, Some(stop), Some(error)) => format!("stopped ({stop}): {}", error.message),
        (_, Some(stop), None) => format!("stopped ({stop})"),
        _ => report.status.to_string(),
    }
}

/// Returns the error of a call whose run waits for an answer.
pub(super) fn waits(run: &str) -> String {
    format!("the run waits for an answer; `ptc answer {run}` gives it")
}

/// Returns a value without the fields that are hidden from models.
pub(super) fn visible(value: &Data) -> Data {
    Data::of(&without_hidden(value.value())).unwrap_or_default()
}

/// It recurs at most as deep as [`Data`] nests.
fn without_hidden(value: &Value) -> Value {
    match value {
        Value::Map(fields) => {
            let is_shown = |name: &Value| !name.name().unwrap_or_default().starts_with('_');
            let shown = fields.iter().filter(|(name, _)| is_shown(name));
            Value::map(shown.map(|(name, it)| (name.clone(), without_hidden(it))))
        }
        Value::Vector(items) => Value::vector(items.iter().map(without_hidden).collect()),
        other => other.clone(),
    }
}
