//! Questions of runs to people as data, and the forms of their answers.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::id::RunId;
use super::label_origin::LabelOrigin;
use crate::data::Data;
use crate::form::Form;
use crate::payload::Diff;
use crate::words::words;

/// A question of a run to a person. It has no answer yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OpenQuestion {
    /// The id: the run, the turn, and the place in the program, joined by dots.
    pub id: String,
    /// The run that asks; it may be the run of a sub-agent.
    pub run: RunId,
    /// The agent of that run.
    pub agent: String,
    /// The kind of the question.
    pub kind: QuestionKind,
    /// The form of the answer, which [`Form::read`] reads.
    pub form: Value,
    /// The time at which the question expires, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<u64>,
}

words! {
    /// The kind of a question.
    pub enum QuestionKind {
        /// An answer by a form: the question of `ask`.
        Form = "form",
        /// Whether a call may be made: the question about a tool with `confirm`.
        Call = "call",
        /// Whether a program may run.
        Program = "program",
    }
}

/// A call that a person refused.
#[derive(Clone)]
pub(crate) struct Refused {
    pub(crate) args: Data,
    pub(crate) reason: String,
}

/// Returns the form that asks whether a call may be made.
pub(crate) fn confirmation(
    tool: &str,
    effect: &str,
    args: &Data,
    refused: Option<&Refused>,
    mission: &str,
    labels: &[LabelOrigin],
) -> Form {
    let mut help = format!("{}{effect} {args}", mission_line(mission));
    if !labels.is_empty() {
        help = format!("{help}\n{}", label_lines(labels, args).trim_end());
    }
    if let Some(Refused { args: before, reason }) = refused {
        let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        help = format!("{help}\nrefused before{why}\n{}", Diff::between(before, args));
    }
    yes_or_no(&format!("Call `{tool}`?"), &help)
}

/// Returns the form that asks whether a program may run. `calls` has the tools that it can call, and how often.
pub(crate) fn approval(program: &str, calls: Option<&str>, mission: &str) -> Form {
    let calls = calls.map(|calls| format!("calls: {calls}\n")).unwrap_or_default();
    let help = format!("{}{calls}{}", mission_line(mission), program.trim_end());
    yes_or_no("May this program run?", &help)
}

/// Returns a form that asks for a yes or a no, and for a reason.
fn yes_or_no(title: &str, help: &str) -> Form {
    let fields = "(allow :bool \"Allow it?\", reason :string? \"Why?\")";
    let form = serde_json::json!({"title": title, "help": help, "fields": fields});
    Form::read(&form).unwrap_or_else(|_| Form::yes_or_no(title))
}

/// Returns the lines of a question about a call whose arguments have labels: the rule, the
/// value, and the way from its origin.
fn label_lines(labels: &[LabelOrigin], args: &Data) -> String {
    let mut lines = String::new();
    for origin in labels {
        let (label, rule) = (&origin.label, origin.rule.as_deref().unwrap_or("of the policy"));
        let what = match &origin.argument {
            Some(name) => format!("the argument `{name}`"),
            None => "whether the call is made".to_owned(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(lines, "{what} is {label}, so the rule {rule} needs your yes");
        let value = origin.argument.as_ref().and_then(|name| args.value().get(name));
        if let Some(Ok(value)) = value.map(Data::of_program) {
            let _ = writeln!(lines, "  value: {value}");
        }
        let _ = writeln!(lines, "  comes from: {}", origin.from);
        // One form is the value as it is written.
        if origin.path.len() > 1 {
            let _ = writeln!(lines, "  by way of: {}", origin.path.join(" → "));
        }
    }
    lines
}

/// Returns the line of a question that has the mission, cut to a readable length. A workflow has none.
fn mission_line(mission: &str) -> String {
    /// The maximum length in characters.
    const MOST: usize = 200;
    let words: Vec<&str> = mission.split_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(MOST) {
        _ if text.is_empty() => text,
        None => format!("mission: {text}\n"),
        Some((end, _)) => format!("mission: {}…\n", &text[..end]),
    }
}
