//! Questions on a terminal: whether a program may run, and forms.

mod form;

use std::io::IsTerminal as _;
use std::pin::Pin;

use ptc_subagent::Question;
use serde_json::{Value, json};

use crate::check::for_people;
use crate::report::clean;
use crate::screen::LiveLineGuard;

/// Returns whether a person can be asked: stdin and stderr are terminals.
pub(crate) fn can_ask() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks a question and waits for the answer. `show` gets the program that the question is about, if there is one, and the
/// text of the question; it returns the guard that keeps the live line hidden. Returns `None` if the person leaves the
/// question open.
pub(crate) fn on_terminal(
    question: &Question<'_>,
    show: &impl Fn(Option<&str>, &str) -> LiveLineGuard,
) -> Pin<Box<dyn Future<Output = Option<Value>> + Send + 'static>> {
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
        "\nagent {agent}\n\n{}\n\n{}\nrun it? [y/N] ",
        clean(program.trim_end()),
        for_people(report)
    );
    let guard = show(Some(program), &shown);
    Box::pin(async move {
        // Any answer but `y`, `Y` or `yes` is a no.
        let asked = tokio::task::spawn_blocking(|| {
            let mut answer = String::new();
            std::io::stdin().read_line(&mut answer).is_ok()
                && matches!(answer.trim(), "y" | "Y" | "yes")
        });
        let answer = asked.await.unwrap_or(false);
        // The future owns the guard, so the live line is back even if nobody waits for the answer any more.
        drop(guard);
        Some(json!(answer))
    })
}
