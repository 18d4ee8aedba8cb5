//! Asking a person on the terminal whether a program may run.

use std::io::{IsTerminal as _, Write as _};

use ptc_subagent::Question;

use crate::check::for_people;
use crate::report::clean;

/// Whether somebody is there to be asked: both ends are a terminal.
pub(crate) fn can_ask() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Shows a program with what it can do, and waits for an answer; anything but `y` is a no.
pub(crate) fn on_terminal(
    question: &Question<'_>,
) -> std::pin::Pin<Box<dyn Future<Output = bool> + Send + 'static>> {
    let Question { agent, program, report, .. } = question;
    let shown = format!(
        "\nagent {}\n\n{}\n\n{}\nrun it? [y/N] ",
        clean(agent),
        clean(program.trim_end()),
        for_people(report)
    );
    Box::pin(async move {
        let asked = tokio::task::spawn_blocking(move || {
            let mut error = std::io::stderr().lock();
            let written = error.write_all(shown.as_bytes()).and_then(|()| error.flush());
            let mut answer = String::new();
            written.is_ok()
                && std::io::stdin().read_line(&mut answer).is_ok()
                && matches!(answer.trim(), "y" | "Y" | "yes")
        });
        asked.await.unwrap_or(false)
    })
}
