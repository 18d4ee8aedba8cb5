//! Questions on a terminal: whether a program may run, and forms.

mod form;

use std::io::IsTerminal as _;
use std::pin::Pin;

use ptc_subagent::{Data, Mission, Question, QuestionKind};
use serde_json::{Value, json};

use crate::args::Yes;
use crate::report::clean;
use crate::report_text::for_people;
use crate::screen::LiveLineGuard;

/// Returns whether a person can be asked: stdin and stderr are terminals.
pub(crate) fn can_ask() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Returns the answer of `--yes`; `None` if a person must give it.
fn allowed(yes: &[Yes], question: &Question<'_>) -> Option<Data> {
    let is_allowed = |yes: &Yes| match (yes, question.call) {
        (Yes::All, _) => question.open.kind != QuestionKind::Form,
        (Yes::Calls(pattern), Some((tool, args))) => pattern.matches(tool, args),
        (Yes::Calls(_), None) => false,
    };
    yes.iter().any(is_allowed).then(|| json!({"allow": true}).into())
}

/// Answers the questions of a mission with those of `--yes`; the others wait for a person.
pub(crate) fn allow<'a>(mission: Mission<'a>, yes: &'a [Yes]) -> Mission<'a> {
    if yes.is_empty() {
        return mission;
    }
    mission.ask_with(|question| Box::pin(std::future::ready(allowed(yes, &question))))
}

/// Answers the questions of a mission with those of `--yes`, or else on the terminal, if `show` is given.
pub(crate) fn with_answers<'a>(
    mission: Mission<'a>,
    yes: &'a [Yes],
    show: Option<impl Fn(Option<&str>, &str) -> LiveLineGuard + Send + 'a>,
) -> Mission<'a> {
    let Some(show) = show else { return allow(mission, yes) };
    mission.ask_with(move |question| match allowed(yes, &question) {
        None => on_terminal(&question, &show),
        answer => Box::pin(std::future::ready(answer)),
    })
}

/// Asks a question and waits for the answer. `show` gets the program that the question is about, if there is one, and the
/// text of the question; it returns the guard that keeps the live line hidden. Returns `None` if the person leaves the
/// question open.
fn on_terminal(
    question: &Question<'_>,
    show: &impl Fn(Option<&str>, &str) -> LiveLineGuard,
) -> Pin<Box<dyn Future<Output = Option<Data>> + Send + 'static>> {
    let agent = clean(&question.open.agent);
    let Some((program, report)) = question.program else {
        let form = question.form.clone();
        let guard = show(None, &form::head(&agent, &form, question.problems));
        return Box::pin(async move {
            let asked = tokio::task::spawn_blocking(move || {
                guard.wait();
                form::fill(&form)
            });
            asked.await.ok().flatten()
        });
    };
    let shown = format!(
        "\nagent {agent}\n\n{}\n\n{}\nrun it? [y/N, or why not] ",
        clean(program.trim_end()),
        for_people(report)
    );
    let guard = show(Some(program), &shown);
    Box::pin(async move {
        let asked = tokio::task::spawn_blocking(form::line).await.ok().flatten();
        // The future owns the guard, so the live line is back even if nobody waits for the answer any more.
        drop(guard);
        asked.map(|line| verdict(line.trim()).into())
    })
}

/// Reads the answer to the question whether a program may run. Any text that is neither yes nor no is the reason of a no.
fn verdict(text: &str) -> Value {
    match text.to_ascii_lowercase().as_str() {
        "y" | "yes" => json!({"allow": true}),
        "" | "n" | "no" => json!({"allow": false}),
        _ => json!({"allow": false, "reason": text}),
    }
}
