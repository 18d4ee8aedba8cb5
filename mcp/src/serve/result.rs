//! The results of calls, from the reports of runs.

use ptc_signatures::shown::escape_owned;
use ptc_subagent::{Error, RunReport, Status};
use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use serde_json::{Value, json};

use super::heard::Heard;

/// The key under `_meta` with the id of the run.
const RUN: &str = "ptc/run";

/// Returns the result of a call: the value of its run without hidden fields and the binary content that it names, or the
/// reason that there is none.
pub(super) fn of_run(report: &RunReport, wraps: bool, heard: &Heard) -> CallToolResult {
    let result = if report.status == Status::Returned {
        let value = visible(&report.value);
        let content = heard.content(&value);
        let mut result =
            CallToolResult::structured(if wraps { json!({"result": value}) } else { value });
        // The text is for a model. The structured content has the exact value.
        let json = result.structured_content.as_ref().map(|it| text(it.to_string()));
        result.content = json.into_iter().chain(content).collect();
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
pub(super) fn visible(value: &Value) -> Value {
    let mut value = value.clone();
    let mut rest = vec![&mut value];
    while let Some(next) = rest.pop() {
        match next {
            Value::Object(fields) => {
                fields.retain(|name, _| !name.starts_with('_'));
                rest.extend(fields.values_mut());
            }
            Value::Array(items) => rest.extend(items),
            _ => {}
        }
    }
    value
}
