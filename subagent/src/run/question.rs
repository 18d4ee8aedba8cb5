//! Questions of a run to a person: what a host is asked, what a record shows, and what counts as an answer.

use std::collections::BTreeMap;

use ptc_lisp::{Report, json};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::call_state::About;
use super::id::RunId;
use super::tool_use::Refused;
use super::workflow::{APPROVE, CONFIRM};
use crate::data::Data;
use crate::form::{Form, FormProblem};
use crate::payload::Diff;
use crate::provider::BoxFuture;
use crate::store::{CallRecord, RunSummary};
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

impl OpenQuestion {
    /// Returns the question whether the program of a turn may run, and its form.
    pub(super) fn of_program(
        run: &RunId,
        turn: u32,
        agent: &str,
        (program, report): (&str, &Report),
        mission: &str,
    ) -> (OpenQuestion, Form) {
        let tools = report.tools.iter();
        let tools: Vec<String> = tools
            .map(|tool| format!("{} ({}), {}", tool.name, tool.effect.as_str(), tool.times))
            .collect();
        let calls = if tools.is_empty() { "no tool".to_string() } else { tools.join("; ") };
        let form = approval(program, Some(&calls), mission);
        let question = OpenQuestion {
            id: format!("{run}.{turn}.{}", super::approval::QUESTION),
            run: run.clone(),
            agent: agent.to_string(),
            kind: QuestionKind::Program,
            form: form.to_json(),
            expires: None,
        };
        (question, form)
    }

    /// Returns the question of an open call of a record; `None` if its form cannot be read.
    pub(crate) fn recorded(run: &RunSummary, turn: u32, call: &CallRecord) -> Option<OpenQuestion> {
        let args = call.args.value();
        let text = |key: &str| args.get(key)?.as_str().map(str::to_string);
        let (kind, form) = match text("tool").zip(text("effect")) {
            Some((tool, effect)) if call.tool == CONFIRM => {
                let about = Data::of_program(args.get("args")?).ok()?;
                (QuestionKind::Call, confirmation(&tool, &effect, &about, None, ""))
            }
            _ if call.tool == APPROVE => {
                (QuestionKind::Program, approval(&text("program")?, None, ""))
            }
            _ => (QuestionKind::Form, Form::read(&json::to_serde(args).ok()?).ok()?),
        };
        Some(OpenQuestion {
            id: format!("{}.{turn}.{}", run.run, call.call),
            run: run.run.clone(),
            agent: run.agent.clone(),
            kind,
            form: form.to_json(),
            expires: form.expires.map(|ms| call.started_at.saturating_add(ms)),
        })
    }
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

/// Returns the form that asks whether a call may be made.
pub(super) fn confirmation(
    tool: &str,
    effect: &str,
    args: &Data,
    refused: Option<&Refused>,
    mission: &str,
) -> Form {
    let mut help = format!("{}{effect} {args}", mission_line(mission));
    if let Some(Refused { args: before, reason }) = refused {
        let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        help = format!("{help}\nrefused before{why}\n{}", Diff::between(before, args));
    }
    yes_or_no(&format!("Call `{tool}`?"), &help)
}

/// Returns the form that asks whether a program may run. `calls` has the tools that it can call, and how often.
fn approval(program: &str, calls: Option<&str>, mission: &str) -> Form {
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

/// Returns the reason of a person who refuses a call or a program; `None` if the answer is a yes.
pub(super) fn refusal(answer: &ptc_lisp::Value) -> Option<String> {
    if matches!(answer.get("allow"), Some(ptc_lisp::Value::Bool(true))) {
        return None;
    }
    let reason = answer.get("reason").and_then(|it| it.as_str().map(str::to_string));
    Some(reason.unwrap_or_default())
}

/// A question as a host is asked it. See [`Mission::ask_with`](crate::Mission::ask_with).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Question<'a> {
    /// The question.
    pub open: &'a OpenQuestion,
    /// The form of the answer.
    pub form: &'a Form,
    /// The program that needs approval, with the report of admission: the tools and data that it can touch.
    pub program: Option<(&'a str, &'a Report)>,
    /// The call that needs a yes: the name of its tool, and its arguments.
    pub call: Option<(&'a str, &'a ptc_lisp::Value)>,
    /// The problems of the answer before, if it was refused.
    pub problems: &'a [FormProblem],
}

/// Asks a person, through the host.
pub(super) trait Approve: Sync {
    fn ask<'a>(&'a self, question: Question<'a>) -> BoxFuture<'a, Option<Data>>;
}

/// A callback that answers questions.
pub(super) type Approver<'a> =
    Box<dyn FnMut(Question<'_>) -> BoxFuture<'a, Option<Data>> + Send + 'a>;

/// Passes questions to a callback, one at a time.
pub(super) struct OneAtATime<'a>(tokio::sync::Mutex<Approver<'a>>);

impl<'a> OneAtATime<'a> {
    pub(super) fn new(approver: Approver<'a>) -> OneAtATime<'a> {
        OneAtATime(tokio::sync::Mutex::new(approver))
    }
}

impl Approve for OneAtATime<'_> {
    fn ask<'a>(&'a self, question: Question<'a>) -> BoxFuture<'a, Option<Data>> {
        Box::pin(async move {
            let mut approver = self.0.lock().await;
            approver(question).await
        })
    }
}

/// The largest number of wrong answers that a host may give to a question.
const MAX_WRONG: usize = 100;

/// Asks the host until an answer fits the form. Returns `None` if the host leaves the question open.
pub(super) async fn answer_of(
    host: &(dyn Approve + '_),
    open: &OpenQuestion,
    form: &Form,
    about: &About<'_>,
) -> Option<Data> {
    let (program, call) = match about {
        About::Form => (None, None),
        About::Call(tool, args) => (None, Some((tool.as_str(), args))),
        About::Program(program, report) => (Some((*program, *report)), None),
    };
    let mut problems = Vec::new();
    for _ in 0..MAX_WRONG {
        let question = Question { open, form, program, call, problems: &problems };
        match form.check(host.ask(question).await?) {
            Ok(answer) => return Some(answer),
            Err(found) => problems = found,
        }
    }
    None
}

/// The answers that a resumed run is given, by the ids of the questions.
pub(crate) type Answers = BTreeMap<String, Data>;
