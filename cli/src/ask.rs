//! The question on a terminal whether a program may run.

use std::io::IsTerminal as _;
use std::pin::Pin;

use ptc_subagent::Question;

use crate::check::for_people;
use crate::report::clean;
use crate::screen::LiveLineGuard;

/// Returns whether a person can be asked: stdin and stderr are terminals.
pub(crate) fn can_ask() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Shows a program with its report and waits for an answer. Any answer but `y`, `Y` or `yes` is a no. `show` gets the
/// program and the question, and returns the guard that keeps the live line hidden.
pub(crate) fn on_terminal(
    question: &Question<'_>,
    show: &impl Fn(&str, &str) -> LiveLineGuard,
) -> Pin<Box<dyn Future<Output = bool> + Send + 'static>> {
    let Question { agent, program, report, .. } = question;
    let shown = format!(
        "\nagent {}\n\n{}\n\n{}\nrun it? [y/N] ",
        clean(agent),
        clean(program.trim_end()),
        for_people(report)
    );
    let guard = show(program, &shown);
    Box::pin(async move {
        let asked = tokio::task::spawn_blocking(|| {
            let mut answer = String::new();
            std::io::stdin().read_line(&mut answer).is_ok()
                && matches!(answer.trim(), "y" | "Y" | "yes")
        });
        let answer = asked.await.unwrap_or(false);
        // The future owns the guard, so the live line is back even if nobody waits for the answer any more.
        drop(guard);
        answer
    })
}
