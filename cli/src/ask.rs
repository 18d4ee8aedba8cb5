//! Asking a person on the terminal whether a program may run.

use std::io::IsTerminal as _;
use std::pin::Pin;

use ptc_subagent::Question;

use crate::check::for_people;
use crate::report::clean;
use crate::screen::Held;

/// Whether somebody is there to be asked: both ends are a terminal.
pub(crate) fn can_ask() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Shows a program with what it can do, and waits for an answer; anything but `y` is a no. `show` gets the program and
/// the question, and returns what keeps the terminal free.
pub(crate) fn on_terminal(
    question: &Question<'_>,
    show: &impl Fn(&str, &str) -> Held,
) -> Pin<Box<dyn Future<Output = bool> + Send + 'static>> {
    let Question { agent, program, report, .. } = question;
    let shown = format!(
        "\nagent {}\n\n{}\n\n{}\nrun it? [y/N] ",
        clean(agent),
        clean(program.trim_end()),
        for_people(report)
    );
    let held = show(program, &shown);
    Box::pin(async move {
        let asked = tokio::task::spawn_blocking(|| {
            let mut answer = String::new();
            std::io::stdin().read_line(&mut answer).is_ok()
                && matches!(answer.trim(), "y" | "Y" | "yes")
        });
        let answer = asked.await.unwrap_or(false);
        // Also if nobody waits for an answer any more.
        drop(held);
        answer
    })
}
