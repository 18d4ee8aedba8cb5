//! Questions of a run to a person: what a host is asked, what a record shows, and what counts as an answer.

use std::collections::BTreeMap;

use ptc_lisp::Report;

use super::call_state::About;
use crate::data::Data;
use crate::form::{Form, FormProblem};
use crate::provider::BoxFuture;
use crate::record::{OpenQuestion, QuestionKind, RunId, approval};

/// The id of the question among the calls of its turn. No call of a program has it.
pub(super) const QUESTION: &str = "program";

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
            id: format!("{run}.{turn}.{QUESTION}"),
            run: run.clone(),
            agent: agent.to_string(),
            kind: QuestionKind::Program,
            form: form.to_json(),
            expires: None,
        };
        (question, form)
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
